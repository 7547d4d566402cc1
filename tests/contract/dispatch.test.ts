import { expect, test, vi } from 'vitest';
import {
  bridgeTable,
  type CallName,
  calls,
  createPair,
  dispatch,
  events,
  Failure,
  roles,
} from '../../src/contract/index.ts';
import { recordingImplementation } from './echo-implementation.ts';

const signal = new AbortController().signal;
const projectId = 'path_L2E';
const watcherStatus = { sequence: 1, state: 'watching', reason: null } as const;

test.each(
  [...calls].flatMap(([name, call]) => roles.map((role) => ({ name, role, allowed: call.roles.includes(role) }))),
)('$name from the $role: allowed $allowed', async ({ name, role, allowed }) => {
  const { implementation, received } = recordingImplementation(() => null);
  const result = await dispatch(implementation, name, { unknownKey: 1 }, { role, signal }, () => {});
  // An unknown key is refused by every call, so what differs is only why.
  expect(result).toMatchObject({ ok: false, error: { code: allowed ? 'invalid' : 'forbidden' } });
  expect(received).toEqual([]);
});

test.each([...calls.keys()])('%s refuses what is no request', async (name) => {
  const { implementation, received } = recordingImplementation(() => null);
  for (const input of [undefined, null, [], 'text', 7, Number.NaN]) {
    const role = calls.get(name)?.roles[0] ?? 'sidebar';
    const result = await dispatch(implementation, name, input, { role, signal }, () => {});
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid', status: 400 } });
  }
  expect(received).toEqual([]);
});

test('an unknown call is refused', async () => {
  const { implementation } = recordingImplementation(() => null);
  for (const name of ['notes.destroy', 'toString', '__proto__.x', 'constructor.constructor']) {
    const result = await dispatch(implementation, name as CallName, {}, { role: 'sidebar', signal }, () => {});
    expect(result).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  }
});

test('fields that the main process owns are not taken from a caller', async () => {
  const { implementation, received } = recordingImplementation(() => null);
  const client = createPair(implementation, () => {}).connect('sidebar');
  const evil = { projectId, body: 'x', id: 'evil', createdAt: 1, pinned: true };
  expect(await client.notes.create(evil)).toMatchObject({ ok: false, error: { code: 'invalid' } });
  expect(received).toEqual([]);
});

test('the field at fault is named, in a list with its position', async () => {
  const { implementation } = recordingImplementation(() => null);
  const client = createPair(implementation, () => {}).connect('sidebar');
  const todos = [
    { id: 'a', text: 'fine' },
    { id: 'b', text: ' ' },
  ];
  expect(await client.todos.replace({ projectId, todos })).toMatchObject({
    ok: false,
    error: { code: 'invalid', detail: { field: 'todos.1.text' } },
  });
});

test('a declared failure keeps its code, status and detail', async () => {
  const { implementation } = recordingImplementation(() => {
    throw new Failure('conflict', 'The note changed.', { detail: { current: { id: 'n1' } } });
  });
  const client = createPair(implementation, () => {}).connect('mini-chat');
  expect(await client.notes.delete({ projectId, noteId: 'n1' })).toEqual({
    ok: false,
    error: { code: 'conflict', status: 409, message: 'The note changed.', detail: { current: { id: 'n1' } } },
  });
});

test('a bug in a handler becomes data without path, stack or host name, and is reported', async () => {
  const bug = new Error('ENOENT: no such file, open /home/someone/secret.json');
  const { implementation } = recordingImplementation(() => {
    throw bug;
  });
  const report = vi.fn();
  const client = createPair(implementation, report).connect('sidebar');
  const result = await client.context.get({ projectId });
  expect(result).toMatchObject({ ok: false, error: { code: 'io' } });
  expect(JSON.stringify(result)).not.toContain('/home');
  expect(report).toHaveBeenCalledWith('context.get', bug);
});

test('a failure that the call does not declare is reported and becomes io', async () => {
  const { implementation } = recordingImplementation(() => {
    throw new Failure('limit', 'Full.');
  });
  const report = vi.fn();
  const client = createPair(implementation, report).connect('sidebar');
  expect(await client.projects.list({})).toMatchObject({ ok: false, error: { code: 'io' } });
  expect(report).toHaveBeenCalledOnce();
});

test('an answer that breaks the contract does not reach the window', async () => {
  const { implementation } = recordingImplementation(() => ({ ...watcherStatus, path: '/home/someone' }));
  const report = vi.fn();
  const client = createPair(implementation, report).connect('sidebar');
  expect(await client.watcher.status({})).toMatchObject({ ok: false, error: { code: 'io' } });
  expect(report).toHaveBeenCalledOnce();
});

test('an event that breaks the contract is reported and not pushed', () => {
  const report = vi.fn();
  const pair = createPair(recordingImplementation(() => null).implementation, report);
  const seen = vi.fn();
  pair.connect('sidebar').on('watcher.changed', seen);
  pair.publish('watcher.changed', { ...watcherStatus, state: 'asleep' as 'watching' });
  expect(seen).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledOnce();
});

test('after fifty subscriptions that ended, one subscription hears one change once', () => {
  const pair = createPair(recordingImplementation(() => null).implementation, () => {});
  const client = pair.connect('sidebar');
  const seen = vi.fn();
  for (let round = 0; round < 50; round++) client.on('watcher.changed', seen)();
  client.on('watcher.changed', seen);
  pair.publish('watcher.changed', watcherStatus);
  expect(seen.mock.calls).toEqual([[watcherStatus]]);
});

test('the same listener may listen twice and each is stopped alone', () => {
  const pair = createPair(recordingImplementation(() => null).implementation, () => {});
  const client = pair.connect('mini-chat');
  const seen = vi.fn();
  const stop = client.on('watcher.changed', seen);
  client.on('watcher.changed', (payload) => seen(payload));
  stop();
  stop();
  pair.publish('watcher.changed', watcherStatus);
  expect(seen).toHaveBeenCalledOnce();
});

test('a proxy arrives as plain data, and what cannot is refused before the bridge with the field named', async () => {
  const { implementation, received } = recordingImplementation(() => watcherStatus);
  const client = createPair(implementation, () => {}).connect('sidebar');
  const proxied = new Proxy({ projectId, body: 'x' }, {});
  await client.notes.create(proxied);
  expect(received).toEqual([{ name: 'notes.create', input: { projectId, body: 'x' } }]);
  const withFunction = { projectId, body: 'x', f() {} };
  expect(await client.notes.create(withFunction)).toMatchObject({
    ok: false,
    error: { code: 'invalid', detail: { field: 'f' } },
  });
  const throwing = {
    projectId,
    get body(): string {
      throw new Error('no');
    },
  };
  expect(await client.notes.create(throwing)).toMatchObject({ ok: false, error: { code: 'invalid' } });
  expect(received).toHaveLength(1);
});

test('a client has the calls of its role only', () => {
  const pair = createPair(recordingImplementation(() => null).implementation, () => {});
  const miniChat = pair.connect('mini-chat') as unknown as Record<string, Record<string, unknown>>;
  expect(miniChat.projects).toHaveProperty('list');
  expect(miniChat.projects).not.toHaveProperty('add');
  expect(pair.connect('sidebar').projects).toHaveProperty('add');
});

test('every call and event is offered to some role, and no name stands for both', () => {
  const offered = roles.flatMap((role) => bridgeTable(role));
  expect(new Set(offered.flatMap((table) => table.calls))).toEqual(new Set(calls.keys()));
  expect(new Set(offered.flatMap((table) => table.events))).toEqual(new Set(events.keys()));
  expect([...calls.keys()].filter((name) => (events as ReadonlyMap<string, unknown>).has(name))).toEqual([]);
});
