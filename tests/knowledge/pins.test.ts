import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knowledgeLimits } from '../../src/contract/knowledge-entities.ts';
import { readKnowledge, revisionOfPins, withDelivered, withPins } from '../../src/knowledge/stored.ts';
import { caller, OWNER, setUp } from './support.ts';

describe('the pins of a session', () => {
  test('are none at first, and no file is made by looking', async () => {
    const { made, calls, stored } = await setUp();
    const session = await made();
    expect(await calls.pins({ session }, caller)).toMatchObject({ pins: [], problem: null });
    expect(await calls.block({ session }, caller)).toEqual({ text: '', signature: '', parts: [], leftOut: [] });
    expect(await stored(session)).toBeNull();
  });

  test('are notes and plans of its owner, with their titles, also after a restart', async () => {
    const setup = await setUp();
    const session = await setup.made();
    const noteId = await setup.note('\n Use tabs\nand more');
    const planId = await setup.plan('Release', 'Step one');
    await setup.pin(session, 'note', noteId);
    const pins = await setup.pin(session, 'plan', planId);
    expect(pins.pins).toEqual([
      { kind: 'note', id: noteId, title: 'Use tabs', stale: false },
      { kind: 'plan', id: planId, title: 'Release', stale: false },
    ]);
    expect(await setup.stored(session)).toEqual({
      version: 1,
      project_context_pins: { notes: [noteId], plans: [planId] },
    });
    const { calls } = await setup.again();
    expect(await calls.pins({ session }, caller)).toEqual(pins);
  });

  test('are refused for what the owner does not have', async () => {
    const { made, pin, note } = await setUp();
    const session = await made('x', 'p2');
    await expect(pin(session, 'note', await note('of p1'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(pin({ ...session, id: 'nobody' }, 'note', 'x')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('whose entry is gone are shown, told of no more, and go with the next change', async () => {
    const { made, pin, note, context, calls, stored } = await setUp();
    const session = await made();
    const [gone, kept, added] = [await note('gone'), await note('kept'), await note('added')];
    await pin(session, 'note', gone);
    await pin(session, 'note', kept);
    await context.notes.delete({ projectId: OWNER, noteId: gone });
    expect((await calls.pins({ session }, caller)).pins).toEqual([
      { kind: 'note', id: gone, title: '', stale: true },
      { kind: 'note', id: kept, title: 'kept', stale: false },
    ]);
    const { text, leftOut } = await calls.block({ session }, caller);
    expect([text.includes('gone'), leftOut]).toEqual([false, []]);
    await pin(session, 'note', added);
    expect(await stored(session)).toMatchObject({ project_context_pins: { notes: [kept, added] } });
  });

  test(`are ${knowledgeLimits.pins} at most; more of another program's are shown, and the last are not told`, async () => {
    const { made, pin, note, put, calls } = await setUp();
    const session = await made();
    const ids: string[] = [];
    for (let index = 0; index < knowledgeLimits.pins + 2; index++) ids.push(await note(`note ${index}`));
    await put(session, { project_context_pins: { notes: ids.slice(0, knowledgeLimits.pins) } });
    await expect(pin(session, 'note', ids.at(-1) ?? '')).rejects.toMatchObject({ code: 'limit' });
    await put(session, { project_context_pins: { notes: ids } });
    expect((await calls.pins({ session }, caller)).pins).toHaveLength(ids.length);
    const { parts, leftOut } = await calls.block({ session }, caller);
    expect(parts).toHaveLength(knowledgeLimits.pins);
    expect(leftOut).toEqual([expect.stringContaining('the last 2 are left out')]);
    await expect(pin(session, 'note', ids[0] ?? '', false)).resolves.toBeDefined();
  });

  test('are changed only when they are those that were seen, where that is asked', async () => {
    const { made, note, calls } = await setUp();
    const session = await made();
    const [one, two] = [await note('one'), await note('two')];
    const { revision } = await calls.pins({ session }, caller);
    const seen = { session, kind: 'note', revision, pinned: true } as const;
    const after = await calls.pin({ ...seen, id: one }, caller);
    await expect(calls.pin({ ...seen, id: two }, caller)).rejects.toMatchObject({ code: 'conflict' });
    expect((await calls.pin({ ...seen, id: two, revision: after.revision }, caller)).pins).toHaveLength(2);
  });

  test('that come at once are all there', async () => {
    const { made, note, pin, calls, say } = await setUp();
    const session = await made();
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await note(`note ${index}`));
    await Promise.all(ids.flatMap((id, index) => [pin(session, 'note', id), say(session, `m${index}`)]));
    const { pins } = await calls.pins({ session }, caller);
    expect(pins.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('leave what they do not know in the file as it is', async () => {
    const { made, note, pin, say, put, store } = await setUp();
    const session = await made();
    await put(session, '{"big": 12345678901234567890, "project_context_pins": {"files": ["x"], "notes": 7}}');
    await pin(session, 'note', await note('one'));
    await say(session, 'm1');
    const text = await readFile(join(store, `${session.id}.knowledge.json`), 'utf8');
    expect(text).toContain('12345678901234567890');
    expect(JSON.parse(text)).toMatchObject({ project_context_pins: { files: ['x'] } });
  });

  test('of a newer program are left alone', async () => {
    const { made, note, pin, put, stored, calls, say, reports } = await setUp();
    const session = await made();
    const id = await note('one');
    await put(session, { version: 2, project_context_pins: { notes: [id] } });
    expect((await calls.pins({ session }, caller)).problem).toContain('newer version');
    await expect(pin(session, 'note', id, false)).rejects.toMatchObject({ code: 'newer-version' });
    expect(await say(session, 'm1')).toMatchObject({ told: null, leftOut: [expect.stringContaining('newer version')] });
    expect(await stored(session)).toEqual({ version: 2, project_context_pins: { notes: [id] } });
    expect(reports).toEqual([]);
  });

  test('can be those of a session of another program, while nobody has it open', async () => {
    const { note, pin, store, stored } = await setUp();
    const session = { store: 'global', id: 'foreign' };
    await writeFile(join(store, 'foreign.jsonl'), '{"role":"user","id":"a","content":"One"}\n');
    const meta = JSON.stringify({ id: 'foreign', workspace_root: `/demo/${OWNER}`, scope: 'project' });
    await writeFile(join(store, 'foreign.jsonl.meta'), meta);
    const id = await note('one');
    await pin(session, 'note', id);
    expect(await stored(session)).toMatchObject({ project_context_pins: { notes: [id] } });
    const holder = { pid: process.ppid, hostname: hostname(), acquired_at: new Date().toISOString() };
    await writeFile(join(store, 'foreign.jsonl.lease.lock'), '');
    await writeFile(
      join(store, 'foreign.jsonl.lease.json'),
      JSON.stringify({ ...holder, writer_id: 'elsewhere-1-0123456789abcdef' }),
    );
    await expect(pin(session, 'note', id, false)).rejects.toMatchObject({ code: 'in-use' });
    expect(await readFile(join(store, 'foreign.jsonl.meta'), 'utf8')).toBe(meta);
    expect((await readdir(store)).filter((name) => name.startsWith('foreign.')).sort()).toEqual([
      'foreign.jsonl',
      'foreign.jsonl.lease.json',
      'foreign.jsonl.lease.lock',
      'foreign.jsonl.meta',
      'foreign.knowledge.json',
    ]);
    await rm(join(store, 'foreign.jsonl.lease.json'));
  });
});

describe('the file of a session', () => {
  test('goes into the trash with it, comes back, and is purged', async () => {
    const { made, note, pin, sessions, stored, calls, store } = await setUp();
    const session = await made('Hello');
    const id = await note('one');
    await pin(session, 'note', id);
    const { trashed } = await sessions.delete({ session }, caller);
    expect(trashed).not.toBeNull();
    expect(await stored(session)).toBeNull();
    await expect(calls.pins({ session }, caller)).rejects.toMatchObject({ code: 'not-found' });
    if (trashed === null) return;
    await sessions.restore(trashed, caller);
    expect((await calls.pins({ session }, caller)).pins).toMatchObject([{ id, stale: false }]);
    const again = await sessions.delete({ session }, caller);
    if (again.trashed !== null) await sessions.purge({ items: [again.trashed] }, caller);
    const left = (await readdir(store, { recursive: true })).filter((name) => name.endsWith('.knowledge.json'));
    expect(left).toEqual([]);
  });

  test('is made anew for a copy: with the pins, without what was told; not for that of another owner', async () => {
    const { made, note, pin, say, sessions, stored, messages } = await setUp();
    const session = await made();
    const id = await note('one');
    await pin(session, 'note', id);
    await say(session, 'm1');
    const { row } = await sessions.fork({ session, index: 1 }, caller);
    expect(await stored(row.session)).toEqual({ version: 1, project_context_pins: { notes: [id], plans: [] } });
    expect((await say(row.session, 'm2')).told?.content).toContain('one');
    expect((await messages(row.session)).map(({ origin }) => origin)).toEqual(['host', 'user', 'host', 'user']);
    const other = await sessions.fork({ session, ownerId: 'p2' }, caller);
    expect(await stored(other.row.session)).toBeNull();
  });

  test('of a copy that was never finished goes with it', async () => {
    const { store, reconcile } = await setUp();
    const marker = { operation: 'fork', createdAt: Date.now() - 60_000 };
    await writeFile(join(store, 'half.cleanup-pending.json'), JSON.stringify(marker));
    await writeFile(join(store, 'half.knowledge.json'), '{}');
    await reconcile();
    expect((await readdir(store)).filter((name) => name.startsWith('half'))).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['a list', ['a'], []],
    ['a text', 'a', []],
    ['texts that are no ids', { notes: ['a', ' a ', '', '  ', 7, null, 'b'], plans: 'x' }, ['note a', 'note b']],
    ['a key of another kind', { notes: { a: 1 }, plans: ['p'], __proto__: 1 }, ['plan p']],
  ])('counts what is no pin as none: %s', (_what, stored, expected) => {
    const { pins } = readKnowledge({ project_context_pins: stored });
    expect(pins.map(({ kind, id }) => `${kind} ${id}`)).toEqual(expected);
  });

  test('keeps what was told beside the pins, whatever changes', () => {
    const told = { signature: `v2:${'0'.repeat(64)}`, pins: 'x', compaction: null };
    const pins = [{ kind: 'plan', id: 'p' }] as const;
    const stored = withPins(withDelivered(null, told), pins);
    expect(readKnowledge(stored)).toEqual({ pins, delivered: told, isNewer: false });
    expect(readKnowledge(withDelivered(stored, { ...told, compaction: '5:h' })).pins).toEqual(pins);
  });

  test('has a revision of its pins alone, whatever their order', () => {
    const [a, b] = [{ kind: 'note', id: 'a' } as const, { kind: 'plan', id: 'a' } as const];
    expect(revisionOfPins([a, b])).toBe(revisionOfPins([b, a]));
    expect(revisionOfPins([a])).not.toBe(revisionOfPins([b]));
  });
});

describe('whoever shows what a session is told is told to ask again', () => {
  test('when its pins or what it was told change', async () => {
    const { made, note, pin, say, events } = await setUp();
    const session = await made();
    const id = await note('one');
    events.length = 0;
    await pin(session, 'note', id);
    expect(events).toEqual([{ session, ownerId: OWNER }]);
    await say(session, 'm1');
    expect(events).toEqual([
      { session, ownerId: OWNER },
      { session, ownerId: OWNER },
    ]);
  });

  test('when notes or plans of the owner change, but not for a todo', async () => {
    const { note, context, events } = await setUp();
    await note('one');
    events.length = 0;
    await context.todos.add({ projectId: OWNER, text: 'x' });
    expect(events).toEqual([]);
    await note('two');
    expect(events).toEqual([{ session: null, ownerId: OWNER }]);
  });

  test('when memories change, or files of the store', async () => {
    const { made, knowledge, events } = await setUp();
    const session = await made();
    events.length = 0;
    knowledge.memoryChanged('p2');
    knowledge.memoryChanged(null);
    knowledge.filesChanged('global', []);
    knowledge.filesChanged('global', [
      `${session.id}.jsonl`,
      `${session.id}.knowledge.json`,
      `${session.id}.context.json`,
    ]);
    await expect.poll(() => events.length).toBe(4);
    expect(events).toEqual([
      { session: null, ownerId: 'p2' },
      { session: null, ownerId: null },
      { session: null, ownerId: null },
      { session, ownerId: OWNER },
    ]);
  });
});
