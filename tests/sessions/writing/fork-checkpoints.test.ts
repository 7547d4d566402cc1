import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionRef } from '../../../src/contract/entities.ts';
import { SessionStores } from '../../../src/sessions/session-stores.ts';
import { SessionTrash } from '../../../src/sessions/trash.ts';
import { faultyFileSystem } from '../../files/support.ts';
import { filesIn, place, put, type Rig, said, setUp } from './support.ts';

const large = `{"turn":0,"files":[{"path":"a","content":"${'x'.repeat(3_000_000)}"}]}`;

async function setUpSource(options: Parameters<typeof setUp>[0] = {}): Promise<{ rig: Rig; source: SessionRef }> {
  const rig = await setUp({
    storedMessages: async function* (_source, { upTo = 2 }) {
      for (let index = 0; index <= upTo; index++) yield Buffer.from(JSON.stringify(said(`text ${index}`, `s${index}`)));
    },
    ...options,
  });
  const source = await put(rig, 'source', { '.jsonl': '{"role":"user","content":"x"}\n' });
  const folder = join(rig.folder, 'source.ckpt');
  await mkdir(join(folder, 'turns', '0'), { recursive: true });
  await mkdir(join(folder, 'turn-9.json'));
  await writeFile(join(folder, 'turn-0.json'), large);
  for (const turn of [1, 2, 3]) await writeFile(join(folder, `turn-${turn}.json`), `{"turn":${turn}}`);
  for (const name of ['turn-01.json', 'turn-x.json', 'notes.txt', 'turns/0/a'])
    await writeFile(join(folder, name), 'x');
  await writeFile(join(rig.root, 'outside'), 'SECRET');
  await symlink(join(rig.root, 'outside'), join(folder, 'turn-4.json'));
  return { rig, source };
}

test('a copy takes along the snapshots of its turns, and no link and nothing else', async () => {
  const { rig, source } = await setUpSource();
  const before = await readdir(join(rig.folder, 'source.ckpt'), { recursive: true });
  const part = await rig.writers.fork({ ...place, source, index: 1 });
  const folder = rig.path(part.session, '.ckpt');
  expect((await readdir(folder)).sort()).toEqual(['turn-0.json', 'turn-1.json']);
  expect(await readFile(join(folder, 'turn-0.json'), 'utf8')).toBe(large);
  expect([(await lstat(folder)).mode & 0o777, (await lstat(join(folder, 'turn-1.json'))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const whole = await rig.writers.fork({ ...place, source });
  expect((await readdir(rig.path(whole.session, '.ckpt'))).sort()).toEqual(
    [0, 1, 2, 3].map((turn) => `turn-${turn}.json`),
  );
  expect(await readdir(join(rig.folder, 'source.ckpt'), { recursive: true })).toEqual(before);
});

test('a copy in another store, and one of a session whose snapshots are behind a link, has none', async () => {
  const { rig, source } = await setUpSource();
  const other = await rig.writers.fork({ ...place, store: 'project:demo', source });
  const names = await readdir(join(rig.root, 'projects', 'demo', 'sessions'));
  expect(names).toContain(`${other.session.id}.jsonl`);
  expect(names.filter((name) => name.endsWith('.ckpt'))).toEqual([]);
  const linked = await put(rig, 'linked', { '.jsonl': '' });
  await symlink(join(rig.folder, 'source.ckpt'), join(rig.folder, 'linked.ckpt'));
  const made = await rig.writers.fork({ ...place, source: linked });
  expect((await readdir(rig.folder)).filter((name) => name.startsWith(made.session.id)).sort()).toEqual(
    ['.event-index.json', '.events.jsonl', '.jsonl', '.jsonl.meta'].map((suffix) => `${made.session.id}${suffix}`),
  );
});

test('a disk that is full in the middle of the snapshots leaves nothing of the copy', async () => {
  const { rig, source } = await setUpSource();
  const before = await readdir(rig.folder, { recursive: true });
  rig.fileSystem.fault = (call, _index, path) =>
    call === 'handle.write' && path.endsWith('turn-1.json') ? { code: 'ENOSPC' } : null;
  await expect(rig.writers.fork({ ...place, source })).rejects.toMatchObject({ code: 'io' });
  rig.fileSystem.fault = null;
  expect(await readdir(rig.folder, { recursive: true })).toEqual(before);
});

test('a copy that was stopped anywhere is whole, or gone after the next start', async () => {
  const { rig, source } = await setUpSource();
  const before = await filesIn(rig.folder);
  const began = rig.fileSystem.calls.length;
  const { session } = await rig.writers.fork({ ...place, source });
  const steps = rig.fileSystem.calls.slice(began).length;
  expect(steps).toBeGreaterThan(40);
  await new SessionTrash({ stores: new SessionStores(faultyFileSystem(), rig.root), report: () => undefined }).delete(
    session,
  );
  expect(await filesIn(rig.folder)).toEqual(before);
  for (let stop = 0; stop < steps; stop++) {
    await rig.restart();
    const start = rig.fileSystem.calls.length;
    // From here on the process does nothing any more.
    rig.fileSystem.fault = (_call, index) => (index - start >= stop ? { code: 'EIO' } : null);
    const made = await rig.writers.fork({ ...place, source }).then(
      (copy) => copy.session,
      () => null,
    );
    rig.fileSystem.fault = null;
    const trash = new SessionTrash({
      stores: new SessionStores(faultyFileSystem(), rig.root),
      now: () => Date.now() + 60_000,
      report: (where, error) => expect.unreachable(`${where}: ${error}`),
    });
    onTestFinished(() => trash.dispose());
    await trash.reconcile();
    const names = (await readdir(rig.folder)).filter((name) => !name.startsWith('.') && !name.startsWith('source'));
    if (made === null && names.length > 0) {
      // All of it was there, and only the answer was lost.
      expect(names.sort(), `stopped at ${stop}`).toEqual(
        ['.ckpt', '.event-index.json', '.events.jsonl', '.jsonl', '.jsonl.meta'].map(
          (suffix) => `${names[0]?.slice(0, -'.ckpt'.length)}${suffix}`,
        ),
      );
    }
    for (const name of names.filter((one) => one.endsWith('.jsonl') && !one.endsWith('.events.jsonl'))) {
      await trash.delete({ store: 'global', id: name.slice(0, -'.jsonl'.length) });
    }
    // A marker that did not get its name tells of nothing; the sweep takes it.
    const marker = (await readdir(rig.folder)).filter((name) => /cleanup-pending\.json\..*\.tmp$/.test(name));
    for (const name of marker) await rm(join(rig.folder, name));
    expect(await filesIn(rig.folder), `stopped at ${stop}`).toEqual(before);
  }
}, 60_000);
