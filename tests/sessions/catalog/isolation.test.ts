import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { faultyFileSystem, systemError } from '../../files/support.ts';
import { allRows, certified, countingOpens, lines, ref, testCatalog, until, user } from './support.ts';

const run = promisify(execFile);
const good = { 's1.jsonl': lines(user('one')), 's3.jsonl': lines(user('three')) };

test('an empty session file empties no list and is not removed', async () => {
  const { ids, store } = await testCatalog({ files: { ...good, 's2.jsonl': '' } });
  expect((await ids()).sort()).toEqual(['s1', 's3']);
  expect(await store.read()).toMatchObject({ 's2.jsonl': '' });
});

test('a bad meta file, a pipe, a folder with the name of a session, a link and a loop of links leave the rest listed', async () => {
  const { store, rows } = await testCatalog({
    files: {
      ...good,
      's1.jsonl.meta': '{"custom_title": "cut of',
      'nul.jsonl': lines(user('nul')),
      'nul.jsonl.meta': '\0'.repeat(300),
      'list.jsonl': lines(user('list')),
      'list.jsonl.meta': '[1]',
      'folder.jsonl': null,
      'metafolder.jsonl': lines(user('m')),
      'metafolder.jsonl.meta': null,
      'elsewhere.txt': lines(user('secret')),
    },
  });
  const old = new Date('2026-01-01');
  await utimes(join(store.folder, 's1.jsonl.meta'), old, old);
  await run('mkfifo', [join(store.folder, 'pipe.jsonl'), join(store.folder, 's3.jsonl.meta')]);
  await symlink('elsewhere.txt', join(store.folder, 'link.jsonl'));
  await symlink('loop.jsonl', join(store.folder, 'loop.jsonl'));
  await symlink('gone', join(store.folder, 'dangling.jsonl'));
  const listed = await rows();
  const health = Object.fromEntries(listed.map(({ session, health, turns }) => [session.id, [health, turns]]));
  expect(health).toEqual({
    s1: ['damaged', 1],
    s3: ['damaged', 1],
    nul: ['good', 1],
    list: ['damaged', 1],
    metafolder: ['damaged', 1],
  });
  for (const { reason } of listed.filter((one) => one.health === 'damaged')) expect(reason).toMatch(/details/);
});

test('names that are none of a session: no id, blanks around it, not UTF-8, sidecars of every kind', async () => {
  const { store, ids } = await testCatalog({
    files: {
      ...good,
      '.jsonl': lines(user('x')),
      '.context.json': 'KEEP',
      ' padded.jsonl': lines(user('x')),
      'padded .jsonl': lines(user('x')),
      'UPPER.JSONL': lines(user('x')),
      's1.turns.jsonl': '{}',
      's1.guardian.jsonl': lines(user('x')),
      's1.wire.jsonl': lines(user('x')),
      'notes.events.jsonl': lines(user('x')),
      's1.jsonl.bak': lines(user('x')),
      's1.jsonl.tmp-99': lines(user('x')),
      's1.events.jsonl.damaged': lines(user('x')),
    },
  });
  await writeFile(Buffer.concat([Buffer.from(`${store.folder}/`), Buffer.from([0xff]), Buffer.from('.jsonl')]), 'x\n');
  expect((await ids()).sort()).toEqual(['s1', 's3']);
});

test('sidecars without a transcript, and a log without one, are no row', async () => {
  const { ids } = await testCatalog({
    files: {
      ...good,
      'gone.jsonl.meta': certified(),
      'gone.display-index.json': '{}',
      'gone.ckpt/x': '1',
      'orphan.events.jsonl': lines({ schema_version: 1, type: 'replace', messages: [user('x')] }),
    },
  });
  expect((await ids()).sort()).toEqual(['s1', 's3']);
});

test.each(['', '{"operation":', '{"operation":"delete","createdAt":1}'])(
  'a cleanup-pending of %j hides',
  async (content) => {
    const { catalog, store, ids } = await testCatalog({ files: { ...good, 's1.cleanup-pending.json': content } });
    expect(await ids()).toEqual(['s3']);
    await store.write({ 's3.cleanup-pending.json': content });
    catalog.hint('global', ['s3.cleanup-pending.json']);
    await until(() => catalog.row(ref('s3')) === null);
    await rm(join(store.folder, 's1.cleanup-pending.json'));
    expect(await catalog.look(ref('s1'))).toMatchObject({ session: ref('s1') });
  },
);

test('sessions that another program deletes during the look drop out, and nothing else', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `s${index}`);
  const { store, catalog } = await testCatalog({
    files: Object.fromEntries(
      ids.flatMap((id) => [
        [`${id}.jsonl`, lines(user(id))],
        [`${id}.jsonl.meta`, certified()],
      ]),
    ),
  });
  const doomed = ids.slice(0, 50).map((id) => `'${join(store.folder, id)}.jsonl'`);
  const deleting = run('sh', ['-c', doomed.map((path) => `rm ${path}`).join('\n')]);
  for (let round = 0; round < 20; round++) {
    const { total } = await catalog.list({ ownerId: null });
    expect(total).toBeGreaterThanOrEqual(450);
  }
  await deleting;
  expect((await catalog.list({ ownerId: null })).total).toBe(450);
});

test('what vanishes between the names, the look and the reading is no row', async () => {
  const system = faultyFileSystem();
  const { rows } = await testCatalog({
    fileSystem: system,
    files: { ...good, 'early.jsonl': lines(user('x')), 'late.jsonl': lines(user('x')) },
  });
  system.fault = (call, _index, path) =>
    (call === 'lstat' && path.endsWith('early.jsonl')) || (call === 'open r' && path.endsWith('late.jsonl'))
      ? { code: 'ENOENT' }
      : null;
  expect((await rows()).map(({ session }) => session.id).sort()).toEqual(['s1', 's3']);
});

test('a session that cannot be read is listed with a reason, tried a few times with growing pauses, and hides nothing', async () => {
  const system = faultyFileSystem();
  const tries: number[] = [];
  system.fault = (call, _index, path) => {
    if (!path.endsWith('s2.jsonl') || call !== 'open r') return null;
    tries.push(performance.now());
    return { code: 'EIO' };
  };
  const { catalog, rows } = await testCatalog({
    fileSystem: system,
    files: { ...good, 's2.jsonl': lines(user('two')) },
  });
  const listed = await rows();
  expect(listed.map(({ session, health }) => [session.id, health]).sort()).toEqual([
    ['s1', 'good'],
    ['s2', 'unreadable'],
    ['s3', 'good'],
  ]);
  expect(listed.find(({ session }) => session.id === 's2')?.reason).toMatch(/disk reported an error.*unchanged/);
  for (let round = 0; round < 30; round++) await rows();
  expect(tries).toHaveLength(1);
  await until(() => tries.length === 2, 5000);
  await wait(1500);
  expect(tries).toHaveLength(2);
  system.fault = null;
  await until(() => catalog.row(ref('s2'))?.health === 'good', 6000);
});

test('a folder in the place of a session is never opened', async () => {
  const { fileSystem, opened } = countingOpens();
  const { catalog, ids } = await testCatalog({
    fileSystem,
    files: { ...good, 'dir.jsonl': null, 'dir.jsonl.meta': certified() },
  });
  for (let round = 0; round < 5; round++) expect((await ids()).sort()).toEqual(['s1', 's3']);
  for (let round = 0; round < 5; round++) expect(await catalog.look(ref('dir'))).toBeNull();
  expect([...opened.keys()].sort()).toEqual(['s1.jsonl', 's3.jsonl']);
});

test('a status that cannot be had, or takes too long, is a row with a reason', async () => {
  const system = faultyFileSystem();
  const { rows } = await testCatalog({
    fileSystem: {
      ...system,
      lstat: (path) => {
        if (path.endsWith('denied.jsonl')) return Promise.reject(systemError('EACCES', path));
        return path.endsWith('stuck.jsonl') ? new Promise(() => {}) : nodeFileSystem.lstat(path);
      },
    },
    files: { ...good, 'denied.jsonl': lines(user('x')), 'stuck.jsonl': lines(user('x')) },
  });
  const listed = await rows();
  expect(Object.fromEntries(listed.map(({ session, health }) => [session.id, health]))).toEqual({
    s1: 'good',
    s3: 'good',
    denied: 'unreadable',
    stuck: 'unreadable',
  });
  for (const { reason } of listed) expect(reason ?? '').not.toMatch(/secret|sidekeep-test/);
});

test('a store that cannot be read is told, keeps its rows and hides no other', async () => {
  const system = faultyFileSystem();
  const { store, catalog } = await testCatalog({ fileSystem: system, files: good });
  const other = join(store.root, 'projects', 'demo', 'sessions');
  await mkdir(other, { recursive: true });
  await writeFile(join(other, 'p.jsonl'), lines(user('p')));
  await catalog.refreshAll();
  expect((await allRows(catalog)).map(({ session }) => `${session.store} ${session.id}`).sort()).toEqual([
    'global s1',
    'global s3',
    'project:demo p',
  ]);
  system.fault = (call, _index, path) => (call === 'readdir' && path === other ? { code: 'EACCES' } : null);
  await store.write({ 's4.jsonl': lines(user('four')) });
  await catalog.refreshAll();
  expect(catalog.state()).toMatchObject({ state: 'ready', reason: expect.stringMatching(/could not be looked at/) });
  expect(await allRows(catalog)).toHaveLength(4);
  system.fault = null;
  await until(() => catalog.state().reason === null, 5000);
});

test('loading, empty, failed and a folder that is gone are different answers', async () => {
  const system = faultyFileSystem();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { store, catalog } = await testCatalog({
    fileSystem: { ...system, readdir: (path) => held.then(() => system.readdir(path)) },
    patience: { first: 20, again: 20_000 },
  });
  expect(await catalog.list({ ownerId: null })).toMatchObject({ rows: [], catalog: { state: 'loading' } });
  release();
  await catalog.start();
  expect(await catalog.list({ ownerId: null })).toMatchObject({ rows: [], catalog: { state: 'ready', reason: null } });
  system.fault = (call) => (call === 'readdir' ? { code: 'EACCES' } : null);
  await catalog.refreshAll();
  expect(catalog.state()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/permission/) });
  system.fault = null;
  await store.write(good);
  await catalog.refreshAll();
  expect(await catalog.list({ ownerId: null })).toMatchObject({ total: 2, catalog: { state: 'ready' } });
  await rm(store.folder, { recursive: true });
  await catalog.refreshAll();
  expect(await catalog.list({ ownerId: null })).toMatchObject({
    rows: [],
    catalog: { state: 'failed', reason: expect.stringMatching(/not there any more/) },
  });
});

test('a meta file in the middle of being written is read again; what was last known stays meanwhile', async () => {
  const { store, catalog, rows } = await testCatalog({
    files: { 's1.jsonl': lines(user('x')), 's1.jsonl.meta': certified({ custom_title: 'Before' }) },
  });
  await rows();
  const whole = certified({ custom_title: 'After', turns: 3 });
  await store.write({ 's1.jsonl.meta': whole.slice(0, 60) });
  setTimeout(() => void store.write({ 's1.jsonl.meta': whole }), 60);
  expect(await catalog.look(ref('s1'))).toMatchObject({ session: ref('s1') });
  await until(() => catalog.row(ref('s1'))?.title === 'After', 5000);
  expect(catalog.row(ref('s1'))).toMatchObject({ health: 'good', turns: 3 });
  await store.write({ 's1.jsonl.meta': whole.slice(0, 60) });
  expect(await catalog.look(ref('s1'))).toMatchObject({ title: 'After', health: 'damaged', turns: 1 });
});

test('listing changes no file and tells of nothing that did not change', async () => {
  const { store, catalog, pushes, rows } = await testCatalog({
    files: { ...good, 's1.jsonl.meta': certified(), 's1.display-index.json': '{}', 's3.events.jsonl': '' },
  });
  await rows();
  await until(() => pushes.some(({ changed }) => changed.length > 0));
  const marks = async () =>
    Promise.all(
      Object.keys(await store.read()).map(async (name) => {
        const { ino, size, mtimeNs, ctimeNs } = await nodeFileSystem.lstat(join(store.folder, name));
        return [name, ino, size, mtimeNs, ctimeNs];
      }),
    );
  const before = await marks();
  const told = pushes.length;
  for (let round = 0; round < 3; round++) await rows();
  catalog.hint('global', ['s1.jsonl', 's1.jsonl.meta', 's3.events.jsonl', '.titles.json']);
  await chmod(store.folder, 0o700);
  await wait(300);
  expect(await marks()).toEqual(before);
  expect(pushes.slice(told)).toEqual([]);
});
