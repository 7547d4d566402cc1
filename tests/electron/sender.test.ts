import type { IpcMainInvokeEvent } from 'electron';
import { expect, test } from 'vitest';
import { CallRate } from '../../electron/ipc/call-rate.ts';
import { registerCalls } from '../../electron/ipc/register.ts';
import { type CallName, calls, channelOf, type Role, roles } from '../../src/contract/index.ts';
import { recordingImplementation } from '../contract/echo-implementation.ts';

type Handler = (event: IpcMainInvokeEvent, input: unknown) => unknown;

interface Frame {
  url: string;
  origin: string;
  parent: Frame | null;
}

const page: Frame = { url: 'app://sidekeep/sidebar.html', origin: 'app://sidekeep', parent: null };
const windowIds: Record<Role, number> = { sidebar: 1, 'mini-chat': 2 };

/** Every kind of sender; only the first may be served. */
const senders = {
  good: { frame: page },
  'no frame': { frame: null },
  subframe: { frame: { ...page, parent: page } },
  'foreign origin': { frame: { ...page, url: 'https://evil.example/', origin: 'https://evil.example' } },
  'look-alike origin': { frame: { ...page, url: 'app://sidekeep.evil/x', origin: 'app://sidekeep.evil' } },
  'other scheme host': { frame: { ...page, url: 'app://other/sidebar.html', origin: 'app://other' } },
  'blank page': { frame: { url: 'about:blank', origin: 'null', parent: null } },
  'blank page with inherited origin': { frame: { url: 'about:blank', origin: 'app://sidekeep', parent: null } },
  'file page': { frame: { url: 'file:///etc/passwd', origin: 'file://', parent: null } },
  'unknown window': { frame: page, contentsId: 99 },
} satisfies Record<string, { frame: Frame | null; contentsId?: number }>;

/** A clock that goes on a second with each look: no call is too fast. */
let time = 0;
const slowClock = (): number => (time += 1000);

function registered(clock: () => number = slowClock): {
  handlers: Map<string, Handler>;
  received: { name: string }[];
  remove: () => void;
} {
  const handlers = new Map<string, Handler>();
  const { implementation, received } = recordingImplementation(() => null);
  const signal = new AbortController().signal;
  const remove = registerCalls(
    {
      handle: (channel, handler) => void handlers.set(channel, handler),
      removeHandler: (channel) => void handlers.delete(channel),
    },
    implementation,
    (id) => {
      const role = roles.find((name) => windowIds[name] === id);
      return role && { role, signal };
    },
    () => {},
    new CallRate(clock),
  );
  return { handlers, received, remove };
}

const matrix = roles.flatMap((role) =>
  [...calls.keys()].flatMap((name) => Object.entries(senders).map(([kind, sender]) => ({ role, name, kind, sender }))),
);

test(`of ${matrix.length} combinations of role, call and sender only the good ones with the right role are served`, async () => {
  const { handlers, received } = registered();
  const served: string[] = [];
  for (const { role, name, kind, sender } of matrix) {
    const contentsId = 'contentsId' in sender ? sender.contentsId : windowIds[role];
    const event = { senderFrame: sender.frame, sender: { id: contentsId } } as unknown as IpcMainInvokeEvent;
    received.length = 0;
    // An unknown key: a call that is let through is refused as invalid, so no handler needs a real answer.
    const result = (await handlers.get(channelOf(name))?.(event, { unknownKey: 1 })) as { error: { code: string } };
    if (result.error.code === 'invalid') served.push(`${role} ${name} ${kind}`);
    else expect(result.error.code, `${role} ${name} ${kind}`).toBe('forbidden');
    expect(received).toEqual([]);
  }
  const expected = roles.flatMap((role) =>
    [...calls].filter(([, call]) => call.roles.includes(role)).map(([name]) => `${role} ${name} good`),
  );
  expect(served).toEqual(expected);
});

test('the sender is judged before anything is awaited: a frame that goes away meanwhile changes nothing', async () => {
  const { handlers } = registered();
  const event = { senderFrame: page as Frame | null, sender: { id: windowIds.sidebar } };
  const name: CallName = 'watcher.status';
  const answer = handlers.get(channelOf(name))?.(event as unknown as IpcMainInvokeEvent, { unknownKey: 1 });
  event.senderFrame = null;
  expect(await answer).toMatchObject({ error: { code: 'invalid' } });
});

test('every call has a handler, and unregistering leaves none', () => {
  const { handlers, remove } = registered();
  expect([...handlers.keys()].sort()).toEqual([...calls.keys()].map(channelOf).sort());
  remove();
  expect(handlers.size).toBe(0);
});

test('a window that calls without end is refused with a reason, the other one goes on', async () => {
  let now = 0;
  const { handlers } = registered(() => now);
  const call = async (contentsId: number): Promise<string> => {
    const event = { senderFrame: page, sender: { id: contentsId } } as unknown as IpcMainInvokeEvent;
    const answer = await handlers.get(channelOf('watcher.status'))?.(event, { unknownKey: 1 });
    return (answer as { error: { code: string } }).error.code;
  };
  const codes: string[] = [];
  for (let round = 0; round < 1200; round++) codes.push(await call(windowIds.sidebar));
  expect(codes.filter((code) => code === 'invalid')).toHaveLength(1000);
  expect(codes.at(-1)).toBe('too-large');
  expect(await call(windowIds['mini-chat'])).toBe('invalid');
  now += 1000;
  expect(await call(windowIds.sidebar)).toBe('invalid');
});
