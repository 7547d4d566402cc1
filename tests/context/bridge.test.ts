import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ContextStore } from '../../src/context/index.ts';
import {
  type Call,
  type Caller,
  type CallName,
  calls,
  createPair,
  dispatch,
  type Implementation,
  type Result,
} from '../../src/contract/index.ts';
import { createRootOwner } from '../../src/files/index.ts';
import { faultyFileSystem } from '../files/support.ts';
import { treeOf } from './merge-support.ts';
import { failure, p1, setUp, setUpSmall, window } from './support.ts';

const elsewhere = (): never => {
  throw new Error('not a part of this test');
};

/** The store as the whole of an implementation whose other groups are not asked. */
function implementationOf(store: ContextStore): Implementation {
  const other = new Proxy({}, { get: () => elsewhere }) as never;
  const others = { projects: other, windows: other, settings: other, watcher: other };
  const later = { sessions: other, chats: other, knowledge: other, memory: other };
  return {
    context: {
      ...store.context,
      find: (input, { signal }) => store.find(input, { ids: [input.projectId ?? 'p1'], signal }),
    },
    notes: store.notes,
    todos: store.todos,
    plans: store.plans,
    ...others,
    ...later,
  };
}

const caller: Caller = { role: 'sidebar', signal: new AbortController().signal };
const ours = [...calls].filter(([name]) => /^(context|notes|todos|plans)\./.test(name)) as [CallName, Call][];

async function ask(store: ContextStore, name: CallName, input: unknown): Promise<Result<unknown>> {
  return dispatch(implementationOf(store), name, input, caller, (where, error) => {
    expect.unreachable(`${where}: ${error}`);
  });
}

// electron/electron#34497: a structured clone keeps what JSON does not, and a handler that forgot its argument saw undefined.
describe('what a window can send by mistake or malice', () => {
  test.each(ours.map(([name]) => name))('%s answers "invalid" to anything but its input', async (name) => {
    const { store, text } = await setUpSmall();
    const before = await text('projects', 'p1', 'context.json');
    const inputs = [
      undefined,
      null,
      [],
      {},
      '',
      7,
      new Date(),
      { projectId: '../p1' },
      { projectId: '..' },
      { ...p1, evil: 1 },
    ];
    for (const input of [...inputs, { projectId: null }, { projectId: ' p1' }, new Map(), () => 1, Symbol('x'), 1n]) {
      expect(await ask(store, name, input), String(input)).toMatchObject({
        ok: false,
        error: { code: 'invalid', status: 400 },
      });
    }
    expect(await text('projects', 'p1', 'context.json')).toBe(before);
  });

  test('what the store decides is not taken from the caller', async () => {
    const { store } = await setUpSmall();
    const input = {
      ...p1,
      body: 'x',
      source: undefined,
      origin: null,
      createdAt: new Date(),
      id: 'evil',
      pinned: true,
    };
    expect(await ask(store, 'notes.create', input)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    for (const extra of [{ origin: null }, { createdAt: 1 }, { id: 'evil' }, { pinned: true }, { source: 'robot' }]) {
      expect(await ask(store, 'notes.create', { ...p1, body: 'x', ...extra }), JSON.stringify(extra)).toMatchObject({
        ok: false,
      });
    }
    const made = await ask(store, 'notes.create', { ...p1, body: 'x', source: undefined, origin: { sessionId: '  ' } });
    expect(made).toMatchObject({ ok: true, value: { note: { body: 'x', source: 'manual' } } });
    expect(made.ok && (made.value as { note: object }).note).not.toHaveProperty('origin');
  });

  test('a list with holes, or with values that only look right, is invalid and names the place', async () => {
    const { store } = await setUpSmall();
    const good = { id: 'a', text: 'a' };
    const holes: unknown[] = [good];
    holes[2] = good;
    for (const todos of [
      holes,
      [good, { id: 'b', text: 'b', completed: 'true' }],
      [good, { id: 'b', text: 'b', createdAt: Number.NaN }],
      [good, { id: 'b', text: 'b', createdAt: Number.POSITIVE_INFINITY }],
      [good, { id: 'b', text: ' ' }],
      [good, { id: ' ', text: 'b' }],
      [good, null],
    ]) {
      const answer = await ask(store, 'todos.replace', { ...p1, todos });
      expect(answer).toMatchObject({
        ok: false,
        error: { code: 'invalid', detail: { field: expect.stringMatching(/^todos\.1/) } },
      });
    }
    expect((await store.context.get(p1)).todos).toHaveLength(2);
  });

  // atomantic/PortOS#4878, supermemoryai/memorybench#61
  test('an id that would lead out of the folder of projects is refused before anything is looked at', async () => {
    const fileSystem = faultyFileSystem();
    const { store, path } = await setUpSmall({ fileSystem });
    await mkdir(path('victim'));
    await writeFile(path('victim', 'context.json'), await readFile(path('projects', 'p1', 'context.json')));
    const before = await treeOf(path());
    const hostile = ['../victim', '..', '.', 'a/../../victim', '/etc/hostname', '..%2fvictim', 'p1/../../victim'];
    const inputs: Partial<Record<CallName, object>> = {
      'context.get': {},
      'context.recover': { backupId: null, mode: 'replace' },
      'notes.create': { body: 'x' },
      'notes.delete': { noteId: 'n1' },
      'todos.replace': { todos: [] },
      'plans.read': { planId: 'p1' },
      'plans.delete': { planId: 'p1' },
    };
    for (const projectId of [...hostile, 'C:\\x', 'p1\0.json', '', 'a'.repeat(300), 'p1\n']) {
      for (const [name, input] of Object.entries(inputs)) {
        const answer = await ask(store, name as CallName, { ...input, projectId });
        expect(answer, `${name} ${projectId}`).toMatchObject({ ok: false, error: { code: 'invalid' } });
      }
    }
    expect(fileSystem.calls).toEqual([]);
    expect(await treeOf(path())).toEqual(before);
  });

  // laurent22/joplin#15434
  test('a text or a list without measure is cut or refused at once, and never shown or stored whole', async () => {
    const { store, text, root, events } = await setUpSmall();
    const million = 'x'.repeat(1_000_000);
    const many = Array.from({ length: 100_000 }, (_value, index) => ({ id: `t${index}`, text: 'x' }));
    const answers: [CallName, object, object][] = [
      ['plans.create', { title: million, body: 'b' }, { ok: true, value: { clamped: true } }],
      ['notes.create', { body: 'x'.repeat(50_000_000) }, { ok: false, error: { code: 'too-large' } }],
      ['notes.create', { body: million }, { ok: true, value: { clamped: true } }],
      ['todos.replace', { todos: [{ id: 't', text: 'x'.repeat(10_000_000) }] }, { error: { code: 'too-large' } }],
      ['todos.replace', { todos: many }, { ok: false, error: { code: 'too-large' } }],
      ['notes.create', { body: 'x', origin: { sessionId: million } }, { ok: false, error: { code: 'invalid' } }],
    ];
    for (const [name, input, expected] of answers) {
      const start = process.cpuUsage();
      const answer = await ask(store, name, { ...p1, ...input });
      // In µs; the clock would tell of what else the machine does as well.
      expect(process.cpuUsage(start).user, name).toBeLessThan(1_000_000);
      expect(answer, name).toMatchObject(expected);
      expect(JSON.stringify(answer).length, name).toBeLessThan(10_000);
    }
    expect(JSON.stringify(events).length).toBeLessThan(20_000);
    expect((await text('projects', 'p1', 'context.json')).length).toBeLessThan(5000);
    const again = await setUp({ root });
    expect(await again.store.context.get(p1)).toEqual({ ...(await store.context.get(p1)), sequence: 0 });
    expect((await store.context.get(p1)).todos).toHaveLength(2);
  });

  test('own keys named like those of every object change nothing', async () => {
    const { store } = await setUpSmall();
    const input = JSON.parse('{"projectId":"p1","body":"x","__proto__":{"polluted":1}}') as unknown;
    await ask(store, 'notes.create', input);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await ask(store, 'notes.create', { projectId: '__proto__', body: 'x' })).toMatchObject({ ok: true });
  });
});

test('two windows over the bridge see the same, through answers and events that hold to the contract', async () => {
  const reports: string[] = [];
  const report = (where: string): void => void reports.push(where);
  let publish: (payload: Parameters<ReturnType<typeof createPair>['publish']>[1]) => void = () => undefined;
  const setup = await setUpSmall({ onEvent: (event) => publish(event) });
  const pair = createPair(implementationOf(setup.store), report);
  publish = (payload) => pair.publish('context.changed', payload as never);
  const [sidebar, miniChat] = [pair.connect('sidebar'), pair.connect('mini-chat')];
  const seen: unknown[] = [];
  const stop = miniChat.on('context.changed', (event) => void seen.push(event));
  const first = await sidebar.context.get(p1);
  if (!first.ok) return expect.unreachable('the context can be read');
  const shown = window(setup, first.value);
  const made = await sidebar.notes.create({ ...p1, body: 'hello', origin: { sessionId: 's', messageId: 'm' } });
  const plan = await sidebar.plans.create({ ...p1, title: 'T', body: 'b' });
  const saved = plan.ok && (await miniChat.plans.update({ ...p1, planId: plan.value.plan.id, raw: '# U' }));
  expect(made.ok).toBe(true);
  expect(saved).toMatchObject({ ok: true });
  expect(seen).toEqual(setup.events);
  const gone = await miniChat.plans.read({ ...p1, planId: 'nowhere' });
  expect(gone).toMatchObject({ ok: false, error: { code: 'not-found', status: 404 } });
  const conflict = await miniChat.notes.update({ ...p1, noteId: 'n1', body: 'x', revision: '0'.repeat(16) });
  expect(conflict).toMatchObject({ ok: false, error: { code: 'conflict', detail: { current: { id: 'n1' } } } });
  stop();
  const last = await miniChat.context.get(p1);
  expect(last).toEqual({ ok: true, value: shown() });
  expect(reports).toEqual([]);
});

// nimbalyst/nimbalyst#1188
test('of two stores on one root the second writes nothing', async () => {
  const first = await setUpSmall();
  const [one, two] = [createRootOwner({ root: first.root }), createRootOwner({ root: first.root })];
  const owning = await setUp({ root: first.root, claimRoot: () => one.ensure() });
  const refused = await setUp({ root: first.root, claimRoot: () => two.ensure() });
  await owning.store.notes.create({ ...p1, body: 'ours' });
  const before = await first.text('projects', 'p1', 'context.json');
  const error = await failure(refused.store.notes.create({ ...p1, body: 'theirs' }), 'in-use');
  expect(error.message).toContain(`process ${process.pid}`);
  await failure(refused.store.plans.create({ ...p1, body: 'theirs' }), 'in-use');
  expect(await first.text('projects', 'p1', 'context.json')).toBe(before);
  expect((await refused.store.context.get(p1)).notes).toHaveLength(2);
  await one.dispose();
  await refused.store.notes.create({ ...p1, body: 'theirs' });
  await two.dispose();
});
