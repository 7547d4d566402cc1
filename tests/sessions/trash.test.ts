import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { artifactOf, registerArtifact } from '../../src/sessions/artifacts.ts';
import { nodeHolderEnvironment } from '../../src/sessions/holder-environment.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import { faultyFileSystem } from '../files/support.ts';
import { type Files, smallSession, type TestStore, testStore, wholeSession } from './support.ts';

const DAY = 24 * 60 * 60 * 1000;
const JOURNAL = '.sidekeep-journal.json';
const ref = (id: string) => ({ store: 'global' as const, id });

interface Kit extends TestStore {
  readonly trash: SessionTrash;
  /** The next start of the program, `ms` later. */
  again(ms?: number): SessionTrash;
  readonly reported: string[];
  readonly late: unknown[];
  readonly fileSystem: ReturnType<typeof faultyFileSystem>;
}

async function kit(files: Files = {}): Promise<Kit> {
  const fileSystem = faultyFileSystem();
  const store = await testStore(files, fileSystem);
  const reported: string[] = [];
  const late: unknown[] = [];
  const again = (ms = 0): SessionTrash => {
    const trash = new SessionTrash({
      stores: store.stores,
      now: () => Date.now() + ms,
      report: (where, error) => reported.push(`${where}: ${error}`),
      onDeleted: (session, trashed) => late.push([session, trashed]),
    });
    onTestFinished(() => trash.dispose());
    return trash;
  };
  return { ...store, trash: again(), again, reported, late, fileSystem };
}

/** Names in the store, those of the trash apart. */
async function live(store: TestStore): Promise<string[]> {
  return (await readdir(store.folder)).filter((name) => name !== '.trash').sort();
}

/** Files below the store that hold a text. */
async function holding(store: TestStore, mark: string): Promise<string[]> {
  return Object.entries(await store.read()).flatMap(([name, content]) => (content.includes(mark) ? [name] : []));
}

/** A process that has a session open, until it is told to end. */
async function holder(store: TestStore, id: string): Promise<{ pid: number; end(): Promise<void> }> {
  const child = spawn('sleep', ['60']);
  const ended = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  onTestFinished(end);
  const owner = { pid: child.pid, hostname: hostname(), acquired_at: new Date(Date.now() + 1000).toISOString() };
  await store.write({ [`${id}.jsonl.lease.json`]: JSON.stringify(owner), [`${id}.jsonl.lease.lock`]: '' });
  return { pid: child.pid ?? 0, end };
}

describe('a delete', () => {
  test('moves everything that belongs to the session, and nothing of others', async () => {
    const other = { ...smallSession('s2'), ...smallSession('s1.b'), ...smallSession('s10') };
    const { trash, ...store } = await kit({ ...wholeSession('s1'), ...other });
    const trashed = await trash.delete(ref('s1'));
    expect(trashed?.name).toMatch(/^s1\.jsonl-deleted-\d{19}-00$/);
    expect(await live(store)).toEqual(Object.keys(other).sort());
    expect((await holding(store, 'MARK-s1')).every((name) => name.startsWith(`.trash/${trashed?.name}/`))).toBe(false);
    const left = (await holding(store, 'MARK-s1')).filter((name) => !name.startsWith('.trash/'));
    expect(left.sort()).toEqual(Object.keys({ ...smallSession('s1.b'), ...smallSession('s10') }).sort());
    const entry = `.trash/${trashed?.name}`;
    const read = await store.read();
    expect(JSON.parse(read[`${entry}/.trash-meta.json`] ?? '')).toEqual({
      key: 's1.jsonl',
      deletedAt: expect.any(Number),
    });
    expect(JSON.parse(read[`${entry}/${JOURNAL}`] ?? '')).toMatchObject({ op: 'delete', phase: 'done', id: 's1' });
    expect(read[`${entry}/s1.ckpt/turns/2/a/b.json`]).toBe('MARK-s1');
    expect(read[`${entry}/s1.guardian.events.jsonl`]).toBe('MARK-s1');
  });

  test("moves what no row names if it is the session's, and leaves conflict copies", async () => {
    const mine = {
      's1.unknown.json': 'x',
      's1.jsonl.tmp-99': 'x',
      's1.jsonl.bak': 'x',
      '.s1.jsonl.meta.4000000-0123456789ab.tmp': 'x',
    };
    const others = {
      's1.b.events.jsonl': 'x',
      's1.b.jsonl': 'x',
      's1.b.notes': 'x',
      's1.sync-conflict-20260101-120000-ABCDEFG.jsonl': 'x',
      's1 (conflicted copy).jsonl': 'x',
      's12.jsonl': 'x',
      '.s12.jsonl.4000000-0123456789ab.tmp': 'x',
    };
    const { trash, ...store } = await kit({ ...smallSession('s1'), ...mine, ...others });
    const trashed = await trash.delete(ref('s1'));
    expect(await live(store)).toEqual(Object.keys(others).sort());
    const entry = await readdir(join(store.folder, '.trash', trashed?.name ?? ''));
    expect(entry).toEqual(expect.arrayContaining(Object.keys(mine)));
    expect(await trash.restore(trashed ?? { store: 'global', name: '' })).toEqual(ref('s1'));
    expect(await live(store)).toEqual(Object.keys({ ...smallSession('s1'), ...mine, ...others }).sort());
    await rename(join(store.folder, '.s1.jsonl.meta.4000000-0123456789ab.tmp'), join(store.folder, 's1.x'));
    await rename(join(store.folder, '.s12.jsonl.4000000-0123456789ab.tmp'), join(store.folder, 's12.x'));
  });

  test('takes along what a later module registered', async () => {
    onTestFinished(registerArtifact({ ...artifactOf('recovery'), kind: 'later', suffix: '.later.json', seed: null }));
    const { trash, ...store } = await kit({ ...smallSession('s'), 's.later.json': 'x' });
    await trash.delete(ref('s'));
    expect(await live(store)).toEqual([]);
  });

  test('takes along the children of the session, and no others', async () => {
    const child = (id: string, parent: string): Record<string, string> => ({
      [`subagents/${id}.jsonl`]: `MARK-${parent}`,
      [`subagents/${id}.jsonl.meta`]: JSON.stringify({ id, parent_id: parent }),
    });
    const { trash, ...store } = await kit({
      ...smallSession('s1'),
      ...smallSession('s2'),
      ...child('c1', 's1'),
      ...child('c2', 's2'),
    });
    const trashed = await trash.delete(ref('s1'));
    expect((await readdir(join(store.folder, 'subagents'))).sort()).toEqual(['c2.jsonl', 'c2.jsonl.meta']);
    expect(await holding(store, 'MARK-s1')).toContain(`.trash/${trashed?.name}/subagents/c1.jsonl`);
    await trash.restore(trashed ?? { store: 'global', name: '' });
    expect(await readdir(join(store.folder, 'subagents'))).toHaveLength(4);
    expect(await readdir(join(store.folder, '.trash'))).toEqual([]);
  });

  test('waits for the disk at most sixteen times, and looks at no other session', async () => {
    const many = Object.assign({}, ...Array.from({ length: 30 }, (_, index) => smallSession(`other${index}`)));
    const { trash, fileSystem } = await kit({ ...wholeSession('s1'), ...many });
    fileSystem.calls.length = 0;
    const paths: string[] = [];
    fileSystem.fault = (_call, _index, path) => {
      paths.push(path);
      return null;
    };
    await trash.delete(ref('s1'));
    expect(fileSystem.calls.filter((call) => call === 'handle.sync').length).toBeLessThanOrEqual(12);
    expect(paths.filter((path) => path.includes('other'))).toEqual([]);
    expect(fileSystem.calls.filter((call) => call === 'readdir')).toHaveLength(1);
  });

  test('of one with children waits for the disk at most sixteen times', async () => {
    const { trash, fileSystem } = await kit({
      ...smallSession('s1'),
      'subagents/c.jsonl': 'x',
      'subagents/c.jsonl.meta': '{"parent_id":"s1"}',
    });
    fileSystem.calls.length = 0;
    await trash.delete(ref('s1'));
    expect(fileSystem.calls.filter((call) => call === 'handle.sync').length).toBeLessThanOrEqual(16);
  });

  test('of the last session makes none', async () => {
    const { trash, again, ...store } = await kit(smallSession('s1'));
    await trash.delete(ref('s1'));
    expect(await live(store)).toEqual([]);
    await again().reconcile();
    expect(await live(store)).toEqual([]);
  });

  test.each([
    '../victim',
    '..',
    '.',
    'a/../../victim',
    '/etc/hostname',
    '..%2fvictim',
    's1/../../victim',
    'C:\\x',
    's1\u0000.jsonl',
    '',
    '.jsonl',
    '   ',
    'a'.repeat(300),
    's1\n',
  ])('of %j is refused before the disk is asked anything', async (id) => {
    const { trash, fileSystem, ...store } = await kit({ '.jsonl': '{}', '.context.json': 'KEEP' });
    fileSystem.calls.length = 0;
    await expect(trash.delete(ref(id))).rejects.toMatchObject({ code: 'invalid' });
    expect(fileSystem.calls).toEqual([]);
    expect((await store.read())['.context.json']).toBe('KEEP');
  });

  test('of nothing is answered so, and makes nothing', async () => {
    const { trash, ...store } = await kit({ 'gone.jsonl.meta': '{}', 'gone.ckpt/x': 'x' });
    await expect(trash.delete(ref('ghost'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(trash.delete(ref('gone'))).rejects.toMatchObject({ code: 'not-found' });
    expect(await live(store)).toEqual(['gone.ckpt', 'gone.jsonl.meta']);
  });

  test('from two windows at once is one delete', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const [one, other] = await Promise.all([trash.delete(ref('s1')), trash.delete(ref('s1'))]);
    expect(other).toEqual(one);
    expect(await trash.delete(ref('s1'))).toEqual(one);
    expect(await readdir(join(store.folder, '.trash'))).toHaveLength(1);
  });

  test('of the same id with other bytes makes a second entry', async () => {
    const { trash, ...store } = await kit(smallSession('s1', 'first'));
    const one = await trash.delete(ref('s1'));
    await store.write(smallSession('s1', 'second'));
    const other = await trash.delete(ref('s1'));
    expect(other).not.toEqual(one);
    expect((await holding(store, 'first')).length).toBeGreaterThan(0);
    expect((await holding(store, 'second')).length).toBeGreaterThan(0);
  });

  test('moves links as links and touches nothing that they point to', async () => {
    const { trash, ...store } = await kit({ ...smallSession('s1'), 's1.jobs/own': 'x' });
    const outside = join(store.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'keep'), 'KEEP');
    await symlink(outside, join(store.folder, 's1.ckpt'));
    await symlink(outside, join(store.folder, 's1.jobs', 'l'));
    await link(join(outside, 'keep'), join(store.folder, 's1.jobs', 'hard'));
    const trashed = await trash.delete(ref('s1'));
    expect(await live(store)).toEqual([]);
    const { purged } = await trash.purge(trashed ? [trashed] : []);
    expect(purged).toBe(1);
    expect(await readFile(join(outside, 'keep'), 'utf8')).toBe('KEEP');
    expect(await readdir(outside)).toEqual(['keep']);
  });

  test('in a store behind a link, or with a trash behind one, is refused', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const outside = join(store.root, 'outside');
    await mkdir(outside);
    await symlink(outside, join(store.folder, '.trash'));
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ code: 'io', detail: { reason: 'link' } });
    expect(await readdir(outside)).toEqual([]);
    expect(await live(store)).toEqual(Object.keys(smallSession('s1')).sort());
  });

  test('works for an id as long as a disk takes', async () => {
    const id = 'ä'.repeat(124);
    const { trash, ...store } = await kit({ [`${id}.jsonl`]: 'MARK' });
    const trashed = await trash.delete(ref(id));
    expect(await live(store)).toEqual([]);
    expect(await trash.isDeleted(ref(id))).toBe(true);
    expect(await trash.delete(ref(id))).toEqual(trashed);
    expect((await trash.list())[0]).toMatchObject({ session: ref(id), problem: null });
    await trash.restore(trashed ?? { store: 'global', name: '' });
    expect(await live(store)).toEqual([`${id}.jsonl`]);
    expect(await trash.isDeleted(ref(id))).toBe(false);
  });

  test('keeps modes, and makes its own files and folders for their person alone', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const trashed = await trash.delete(ref('s1'));
    const entry = join(store.folder, '.trash', trashed?.name ?? '');
    expect((await stat(entry)).mode & 0o777).toBe(0o700);
    expect((await stat(join(entry, JOURNAL))).mode & 0o777).toBe(0o600);
    expect((await stat(join(entry, '.trash-meta.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('a delete that fails', () => {
  const calls = ['mkdir', 'open wx', 'handle.write', 'handle.sync', 'rename', 'readdir', 'lstat', 'unlink'];

  test.each(calls)('at any %s leaves the session whole, or wholly in the trash after the next start', async (call) => {
    for (let turn = 0; turn < 60; turn++) {
      const { trash, again, fileSystem, ...store } = await kit({ ...smallSession('s1'), 's1.jsonl.lock': '' });
      const before = await live(store);
      let seen = 0;
      fileSystem.fault = (name) => (name === call && seen++ === turn ? { code: 'EIO' } : null);
      const failure = await trash.delete(ref('s1')).catch((error: unknown) => error);
      fileSystem.fault = null;
      if (seen <= turn) break;
      const unfinished =
        failure instanceof Error && 'detail' in failure && JSON.stringify(failure.detail).includes('unfinished');
      if (unfinished) {
        const left = await live(store);
        if (left.length > 0) expect(left, 'hidden').toContain('s1.cleanup-pending.json');
        await again().reconcile();
        expect(await live(store)).toEqual([]);
      } else if (failure instanceof Error) {
        expect(
          (await live(store)).filter((name) => name !== 's1.jsonl.lock'),
          `${call} ${turn}`,
        ).toEqual(before.filter((name) => name !== 's1.jsonl.lock'));
      } else expect(await live(store)).toEqual([]);
      await trash.dispose();
    }
  });

  test('for good at one file puts all others back', async () => {
    const { trash, fileSystem, ...store } = await kit(wholeSession('s1'));
    const before = await store.read();
    fileSystem.fault = (call, _index, path) =>
      call === 'rename' && path.endsWith('.ckpt') ? { code: 'EACCES' } : null;
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ code: 'io', detail: { system: 'EACCES' } });
    fileSystem.fault = null;
    const after = await store.read();
    delete after['.trash/'];
    expect(after).toEqual(before);
  });

  test('on another disk copies, compares and removes', async () => {
    const { trash, fileSystem, ...store } = await kit(wholeSession('s1'));
    fileSystem.fault = (call, _index, path) => {
      const crosses =
        (call === 'rename' || call === 'link') &&
        path.startsWith(store.folder) &&
        !path.endsWith('.tmp') &&
        !/\.trash\/[^/]*$/.test(path);
      return crosses ? { code: 'EXDEV' } : null;
    };
    const before = await store.read();
    const trashed = await trash.delete(ref('s1'));
    expect(await live(store)).toEqual([]);
    expect(await trash.restore(trashed ?? { store: 'global', name: '' })).toEqual(ref('s1'));
    const after = await store.read();
    delete after['.trash/'];
    expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => !name.endsWith('.lock'))));
  });
});

describe('a session that somebody has open', () => {
  test('is not deleted, and nothing of it is touched', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const { pid } = await holder(store, 's1');
    const before = await store.read();
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ code: 'in-use', detail: { pid } });
    expect(await store.read()).toEqual(before);
  });

  test('is hidden at once and moved when it is free', async () => {
    const { trash, late, ...store } = await kit(smallSession('s1'));
    const held = await holder(store, 's1');
    expect(await trash.delete(ref('s1'), { whenFree: true })).toBeNull();
    const marker = JSON.parse((await store.read())['s1.cleanup-pending.json'] ?? '');
    expect(marker).toEqual({ operation: 'delete', createdAt: expect.any(Number) });
    expect(await trash.isDeleted(ref('s1'))).toBe(true);
    expect(await trash.retry()).toBe(1);
    expect((await trash.list())[0]).toMatchObject({ name: 's1.cleanup-pending.json', title: 'Title MARK-s1' });
    await store.write({ 's1.jsonl': '{"role":"user","content":"LATE"}\n' });
    await held.end();
    expect(await trash.retry()).toBe(0);
    expect(await live(store)).toEqual([]);
    expect(late).toEqual([[ref('s1'), { store: 'global', name: expect.stringMatching(/^s1\.jsonl-deleted-/) }]]);
    expect((await holding(store, 'LATE')).length).toBe(1);
  });

  test('is moved at a later start, too', async () => {
    const { trash, again, ...store } = await kit(smallSession('s1'));
    const held = await holder(store, 's1');
    await trash.delete(ref('s1'), { whenFree: true });
    await trash.dispose();
    const next = again();
    expect(await next.reconcile()).toMatchObject({ waiting: [ref('s1')], deleted: [] });
    expect((await next.list())[0]).toMatchObject({ name: 's1.cleanup-pending.json' });
    await held.end();
    expect((await again().reconcile()).deleted).toHaveLength(1);
    expect(await live(store)).toEqual([]);
  });

  test('can be kept after all while it waits', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const held = await holder(store, 's1');
    await trash.delete(ref('s1'), { whenFree: true });
    expect(await trash.restore({ store: 'global', name: 's1.cleanup-pending.json' })).toEqual(ref('s1'));
    await held.end();
    expect(await trash.retry()).toBe(0);
    expect(await live(store)).toContain('s1.jsonl');
    expect(await trash.isDeleted(ref('s1'))).toBe(false);
  });

  test('is found open in the very moment of the delete', async () => {
    const { fileSystem, ...store } = await kit(smallSession('s1'));
    let looks = 0;
    const trash = new SessionTrash({
      stores: store.stores,
      report: () => undefined,
      environment: { ...nodeHolderEnvironment, isAlive: () => ++looks > 1, startedAt: async () => null },
    });
    onTestFinished(() => trash.dispose());
    await store.write({ 's1.jsonl.lease.json': JSON.stringify({ pid: 4_000_000, hostname: hostname() }) });
    const before = await live(store);
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ code: 'in-use' });
    expect(await live(store)).toEqual(before);
    expect(await readdir(join(store.folder, '.trash'))).toEqual([]);
    expect(fileSystem.calls.length).toBeGreaterThan(0);
  });

  test('with empty lock files that an ended program left is free, and the files go', async () => {
    const { trash, ...store } = await kit({ ...smallSession('s1'), 's1.jsonl.lock': '', 's1.jsonl.lease.lock': '' });
    await trash.delete(ref('s1'));
    expect(await live(store)).toEqual([]);
  });
});

describe('a restore', () => {
  test('brings everything back as it was', async () => {
    const { trash, ...store } = await kit({ ...wholeSession('s1'), ...smallSession('s2') });
    const before = await store.read();
    const trashed = await trash.delete(ref('s1'));
    expect(await trash.restore(trashed ?? { store: 'global', name: '' })).toEqual(ref('s1'));
    const after = await store.read();
    delete after['.trash/'];
    expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => !name.endsWith('.lock'))));
    expect(await trash.isDeleted(ref('s1'))).toBe(false);
    expect(await trash.list()).toEqual([]);
  });

  test.each(['s1.jsonl', 's1.events.jsonl', 's1.ckpt/x', 's1.unknown.json', 'subagents/c.jsonl'])(
    'is refused when %s is there, and changes nothing',
    async (name) => {
      const { trash, ...store } = await kit({
        ...smallSession('s1'),
        's1.ckpt/turn-1.json': 'x',
        's1.unknown.json': 'x',
        'subagents/c.jsonl': 'x',
        'subagents/c.jsonl.meta': '{"parent_id":"s1"}',
      });
      const trashed = await trash.delete(ref('s1'));
      await store.write({ [name]: 'NEW' });
      const before = await store.read();
      await expect(trash.restore(trashed ?? { store: 'global', name: '' })).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.read()).toEqual(before);
    },
  );

  test('that meets something in its place half-way puts all back into the trash', async () => {
    const { trash, fileSystem, ...store } = await kit(wholeSession('s1'));
    const trashed = await trash.delete(ref('s1'));
    const before = await store.read();
    let planted = false;
    fileSystem.fault = (call, _index, path) => {
      if (call === 'link' && path.endsWith('/s1.events.jsonl') && !planted) {
        planted = true;
        return { code: 'EEXIST' };
      }
      return null;
    };
    await expect(trash.restore(trashed ?? { store: 'global', name: '' })).rejects.toMatchObject({ code: 'conflict' });
    expect(planted).toBe(true);
    const journal = `.trash/${trashed?.name}/${JOURNAL}`;
    expect({ ...(await store.read()), [journal]: '' }).toEqual({ ...before, [journal]: '' });
    fileSystem.fault = null;
    expect(await trash.restore(trashed ?? { store: 'global', name: '' })).toEqual(ref('s1'));
  });

  test('of what another program trashed brings back all that is there', async () => {
    const entry = Object.fromEntries(
      Object.entries(smallSession('s1')).map(([name, text]) => [`.trash/s1.jsonl/${name}`, text]),
    );
    const { trash, ...store } = await kit({
      ...entry,
      '.trash/s1.jsonl/.trash-meta.json': '{"key":"s1.jsonl","deletedAt":1700000000000}',
    });
    expect(await trash.list()).toEqual([
      expect.objectContaining({
        name: 's1.jsonl',
        session: ref('s1'),
        deletedAt: 1700000000000,
        purgeAt: null,
        problem: null,
        files: 3,
      }),
    ]);
    await trash.restore({ store: 'global', name: 's1.jsonl' });
    expect(await live(store)).toEqual(Object.keys(smallSession('s1')).sort());
  });

  test('that is refused leaves nothing in what another program trashed', async () => {
    const { trash, ...store } = await kit({ ...smallSession('s1'), '.trash/s1.jsonl/s1.jsonl': 'x' });
    const before = await store.read();
    await expect(trash.restore({ store: 'global', name: 's1.jsonl' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.read()).toEqual(before);
  });

  test.each(['none', '..', '.purge-x', '.sidekeep-tombstones.json', 'a/b'])('of %j is refused', async (name) => {
    const { trash } = await kit(smallSession('s1'));
    await expect(trash.restore({ store: 'global', name })).rejects.toMatchObject({
      code: expect.stringMatching(/not-found|invalid/),
    });
  });
});

test('a session without a title of its own has the one in the trash that it had in the list', async () => {
  const { trash } = await kit({
    'u1.jsonl': `${JSON.stringify({ role: 'user', id: 'm1', content: 'How do I\nsort dates?' })}\n`,
    'u2.jsonl': '{"role":"assistant","id":"m1","content":"Hello"}\n',
  });
  await trash.delete(ref('u1'));
  await trash.delete(ref('u2'));
  const items = await trash.list();
  expect(new Map(items.map(({ session, title }) => [session.id, title]))).toEqual(
    new Map([
      ['u1', 'How do I sort dates?'],
      ['u2', 'u2'],
    ]),
  );
});

describe('what is removed for good', () => {
  test('is nowhere under the store any more', async () => {
    const { trash, ...store } = await kit({
      ...wholeSession('s1'),
      ...smallSession('s2'),
      'subagents/c.jsonl': 'MARK-s1',
      'subagents/c.jsonl.meta': '{"parent_id":"s1"}',
      '.titles.json': JSON.stringify({ 's1.jsonl': 'MARK-s1 title', 's2.jsonl': 'two' }),
      '.display.json': JSON.stringify({ version: 3, entries: { 's1.jsonl': { preview: 'MARK-s1' }, 's2.jsonl': {} } }),
    });
    const trashed = await trash.delete(ref('s1'));
    expect((await trash.list())[0]).toMatchObject({ title: 'Title MARK-s1' });
    expect(await trash.purge(trashed ? [trashed] : [])).toEqual({ purged: 1, failed: [] });
    expect(await holding(store, 'MARK-s1')).toEqual([]);
    const read = await store.read();
    expect(Object.keys(read).filter((name) => name.includes('s1'))).toEqual([]);
    expect(JSON.parse(read['.titles.json'] ?? '')).toEqual({ 's2.jsonl': 'two' });
    expect(JSON.parse(read['.display.json'] ?? '')).toEqual({ version: 3, entries: { 's2.jsonl': {} } });
    expect(await trash.isDeleted(ref('s1')), 'remembered').toBe(true);
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ code: 'not-found' });
  });

  test('goes after thirty days if it was put there by Sidekeep', async () => {
    const { trash, again, ...store } = await kit({ ...smallSession('s1'), '.trash/old.jsonl/old.jsonl': 'OLD' });
    await trash.delete(ref('s1'));
    expect((await again(29 * DAY).reconcile()).purged).toBe(0);
    expect((await again(30 * DAY + 1000).reconcile()).purged).toBe(1);
    expect(await holding(store, 'MARK-s1')).toEqual([]);
    expect(await holding(store, 'OLD')).toEqual(['.trash/old.jsonl/old.jsonl']);
  });

  test('is remembered for thirty days', async () => {
    const { trash, again } = await kit(smallSession('s1'));
    const trashed = await trash.delete(ref('s1'));
    await trash.purge(trashed ? [trashed] : []);
    expect(await again(29 * DAY).isDeleted(ref('s1'))).toBe(true);
    expect(await again(31 * DAY).isDeleted(ref('s1'))).toBe(false);
  });

  test('and fails is named, and the others go all the same', async () => {
    const { trash, ...store } = await kit({ ...smallSession('s1'), ...smallSession('s2') });
    const [one, two] = [await trash.delete(ref('s1')), await trash.delete(ref('s2'))];
    const gone = { store: 'global' as const, name: 's9.jsonl-deleted-1-00' };
    const result = await trash.purge([one, gone, two].filter((item) => item !== null));
    expect(result).toEqual({ purged: 2, failed: [{ item: gone, reason: expect.any(String) }] });
    expect(await holding(store, 'MARK-')).toEqual([]);
  });
});

describe('a program that writes after the delete', () => {
  test('does not bring the session back unnoticed, and what it wrote is kept', async () => {
    const { trash, again, ...store } = await kit(smallSession('s1'));
    const trashed = await trash.delete(ref('s1'));
    await store.write({ 's1.jsonl': 'LATE', 's2.jsonl': 'x' });
    const ids = new Set(['s1', 's2']);
    expect(await trash.deletedAmong('global', ids)).toEqual(new Set(['s1']));
    await again().reconcile();
    expect((await store.read())['s1.jsonl']).toBe('LATE');
    await expect(trash.restore(trashed ?? { store: 'global', name: '' })).rejects.toMatchObject({ code: 'conflict' });
    const second = await trash.delete(ref('s1'));
    expect(await holding(store, 'LATE')).toEqual([`.trash/${second?.name}/s1.jsonl`]);
    await trash.restore(trashed ?? { store: 'global', name: '' });
    expect(await trash.deletedAmong('global', ids), 'brought back by its person').toEqual(new Set());
    expect(await trash.isDeleted(ref('s1'))).toBe(false);
  });

  test('under a name that was removed for good is noticed, too', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    const trashed = await trash.delete(ref('s1'));
    await trash.purge(trashed ? [trashed] : []);
    await store.write({ 's1.jsonl': 'LATE' });
    expect(await trash.deletedAmong('global', new Set(['s1']))).toEqual(new Set(['s1']));
  });

  test('before a stopped delete was finished loses nothing', async () => {
    const { trash, again, fileSystem, ...store } = await kit(smallSession('s1'));
    fileSystem.fault = (call, _index, path) =>
      path.includes('.trash-meta') || (call === 'rename' && /\.trash\/s1[^/]*\/s1\./.test(path))
        ? { code: 'EIO' }
        : null;
    await expect(trash.delete(ref('s1'))).rejects.toMatchObject({ detail: { reason: 'unfinished' } });
    fileSystem.fault = null;
    await trash.dispose();
    await store.write({ 's1.jsonl': 'LATE' });
    const { deleted } = await again().reconcile();
    expect(await live(store)).toEqual([]);
    const names = await readdir(join(store.folder, '.trash', deleted[0]?.name ?? ''));
    expect(names).toEqual(expect.arrayContaining(['s1.jsonl', 's1.jsonl.late-1', 's1.events.jsonl']));
    expect((await holding(store, 'LATE')).length).toBe(1);
  });

  test('drops back what a list could take for the session, and is not taken for it', async () => {
    const { trash, again, ...store } = await kit(smallSession('s1'));
    await trash.delete(ref('s1'));
    const strays = { 's1.jsonl.bak': 'x', 's1.jsonl.tmp-99': 'x', 's1.events.jsonl.damaged': 'x' };
    await store.write(strays);
    await again().reconcile();
    expect(await live(store)).toEqual(Object.keys(strays).sort());
  });
});

describe('a start', () => {
  test('removes the copies of a fork that was never finished, and not those of one that is being made', async () => {
    const marker = (createdAt: number): string => JSON.stringify({ operation: 'fork', createdAt });
    const { again, ...store } = await kit({
      ...smallSession('half'),
      'half.cleanup-pending.json': marker(Date.now() - 60_000),
      ...smallSession('young'),
      'young.cleanup-pending.json': marker(Date.now() + 60_000),
    });
    await again().reconcile();
    expect(await live(store)).toEqual(
      Object.keys({ ...smallSession('young'), 'young.cleanup-pending.json': '' }).sort(),
    );
  });

  test('leaves other operations of other programs, and what cannot be read, to them', async () => {
    const files = {
      ...smallSession('a'),
      'a.cleanup-pending.json': '{"operation":"clear","createdAt":1}',
      ...smallSession('b'),
      'b.cleanup-pending.json': '{',
      ...smallSession('c'),
      'c.cleanup-pending.json': '',
    };
    const { again, ...store } = await kit({
      ...files,
      ...smallSession('d'),
      'd.cleanup-pending.json': '{"operation":"delete","createdAt":1}',
    });
    expect((await again().reconcile()).deleted).toHaveLength(1);
    expect(await live(store)).toEqual(Object.keys(files).sort());
  });

  test('goes on after what it cannot finish, and says so', async () => {
    const { again, fileSystem, ...store } = await kit({
      ...smallSession('a'),
      'a.cleanup-pending.json': '{"operation":"delete","createdAt":1}',
      ...smallSession('b'),
      'b.cleanup-pending.json': '{"operation":"delete","createdAt":1}',
      '.trash/x.jsonl-deleted-1-00/.sidekeep-journal.json': '{',
    });
    fileSystem.fault = (call, _index, path) =>
      call === 'rename' && path.endsWith('/a.events.jsonl') ? { code: 'EACCES' } : null;
    const found = await again().reconcile();
    expect(found.deleted).toHaveLength(1);
    expect(found.left.map(({ name }) => name).sort()).toEqual(['a.cleanup-pending.json', 'x.jsonl-deleted-1-00']);
    fileSystem.fault = null;
    expect((await live(store)).filter((name) => name.startsWith('b'))).toEqual([]);
  });

  test('can be stopped', async () => {
    const { again } = await kit({
      ...smallSession('a'),
      'a.cleanup-pending.json': '{"operation":"delete","createdAt":1}',
    });
    await expect(again().reconcile(AbortSignal.abort())).rejects.toThrow();
  });

  test('finishes a removal that was stopped', async () => {
    const { again, ...store } = await kit({ '.trash/.purge-s1.jsonl-deleted-1-00/deep/er/s1.jsonl': 'MARK-s1' });
    expect((await again().reconcile()).purged).toBe(1);
    expect(await store.read()).toEqual({ '.trash/': '' });
  });
});
