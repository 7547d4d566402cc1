import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/files/index.ts';
import { SessionFiles } from '../../src/sessions/session-files.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { faultyFileSystem, temporaryFolder } from '../files/support.ts';

const keys = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);

async function roots() {
  const folder = await temporaryFolder();
  const root = join(folder, 'root');
  await mkdir(join(root, 'projects', 'one', 'sessions'), { recursive: true });
  await mkdir(join(root, 'projects', 'empty'), { recursive: true });
  await mkdir(join(root, 'sessions'));
  return { folder, root, stores: new SessionStores(nodeFileSystem, root) };
}

describe('the stores of sessions', () => {
  test('are the one for all and one for each workspace that has sessions', async () => {
    const { root, stores } = await roots();
    await mkdir(join(root, 'projects', '.hidden', 'sessions'), { recursive: true });
    await writeFile(join(root, 'projects', 'file'), '');
    const found = await stores.list();
    expect(keys(found.stores)).toEqual(['global', 'project:one']);
    expect(found.unread).toEqual([]);
    expect(await stores.get('project:one').root.path()).toBe(join(root, 'projects', 'one', 'sessions'));
  });

  test('need not be there', async () => {
    const stores = new SessionStores(nodeFileSystem, join(await temporaryFolder(), 'none'));
    expect(keys((await stores.list()).stores)).toEqual(['global']);
  });

  test('behind a link are named with the reason and hide no others', async () => {
    const { folder, root, stores } = await roots();
    await mkdir(join(folder, 'elsewhere', 'sessions'), { recursive: true });
    await symlink(join(folder, 'elsewhere'), join(root, 'projects', 'linked'));
    await mkdir(join(root, 'projects', 'inner'));
    await symlink(join(folder, 'elsewhere', 'sessions'), join(root, 'projects', 'inner', 'sessions'));
    const found = await stores.list();
    expect(keys(found.stores)).toEqual(['global', 'project:one']);
    expect(found.unread.map(({ store }) => store).sort()).toEqual(['project:inner', 'project:linked']);
    const files = new SessionFiles(nodeFileSystem, stores.get('project:linked'), 's');
    await expect(files.existing()).rejects.toMatchObject({ code: 'io', detail: { reason: 'link' } });
    await expect(files.path('meta')).rejects.toMatchObject({ detail: { reason: 'link' } });
  });

  test('may be below a root that is itself a link', async () => {
    const { folder, root } = await roots();
    await symlink(root, join(folder, 'way'));
    const stores = new SessionStores(nodeFileSystem, join(folder, 'way'));
    expect(keys((await stores.list()).stores)).toEqual(['global', 'project:one']);
    expect(await stores.get('global').root.path()).toBe(join(root, 'sessions'));
  });

  test('with a name that no key can hold are told, not dropped', async () => {
    const { root, stores } = await roots();
    await mkdir(join(root, 'projects', 'a:b', 'sessions'), { recursive: true });
    expect((await stores.list()).unread).toEqual([expect.objectContaining({ store: 'project:a_b' })]);
  });

  test('that appear later are found', async () => {
    const { root, stores } = await roots();
    expect(await stores.get('project:new').root.path()).toBe(join(root, 'projects', 'new', 'sessions'));
    await rename(join(root, 'projects', 'one'), join(root, 'projects', 'new'));
    expect(keys((await stores.list()).stores)).toEqual(['global', 'project:new']);
  });

  test.each(['project:..', 'project:a/b', 'project:', 'other', 'project:.x', 'project:a\\b'])(
    '%j is no key',
    async (key) => {
      const fileSystem = faultyFileSystem();
      const stores = new SessionStores(fileSystem, '/nowhere');
      expect(() => stores.get(key)).toThrow(expect.objectContaining({ code: 'invalid' }));
      expect(fileSystem.calls).toEqual([]);
    },
  );
});

describe('the files of a session', () => {
  test('are found by name, whatever they are, and those of no other session', async () => {
    const { root, stores } = await roots();
    const folder = join(root, 'sessions');
    await writeFile(join(folder, 'a.jsonl'), '{}\n');
    await writeFile(join(folder, 'a.b.jsonl'), '{}\n');
    await writeFile(join(folder, 'a.guardian.events.jsonl'), '{}\n');
    await mkdir(join(folder, 'a.ckpt'));
    await symlink('/nowhere', join(folder, 'a.jobs'));
    const files = new SessionFiles(nodeFileSystem, stores.get('global'), 'a');
    const found = await files.existing();
    expect(found.map(({ kind, name }) => [kind, name]).sort()).toEqual([
      ['checkpoints', 'a.ckpt'],
      ['guardian/events', 'a.guardian.events.jsonl'],
      ['jobs', 'a.jobs'],
      ['transcript', 'a.jsonl'],
    ]);
    expect(await files.path('meta')).toBe(join(folder, 'a.jsonl.meta'));
    expect(files.ref).toEqual({ store: 'global', id: 'a' });
  });

  test('of an id as long as a disk takes are looked for without harm', async () => {
    const { root, stores } = await roots();
    const id = 'a'.repeat(249);
    await writeFile(join(root, 'sessions', `${id}.jsonl`), '{}\n');
    const found = await new SessionFiles(nodeFileSystem, stores.get('global'), id).existing();
    expect(found.map(({ kind }) => kind)).toEqual(['transcript']);
  });

  test.each(['../victim', '', '.jsonl', '   ', 'a/b'])('of %j are not looked for', async (id) => {
    const fileSystem = faultyFileSystem();
    const stores = new SessionStores(fileSystem, '/nowhere');
    expect(() => new SessionFiles(fileSystem, stores.get('global'), id)).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
    expect(fileSystem.calls).toEqual([]);
  });

  test('that cannot be looked at fail without a path in the message', async () => {
    const { stores } = await roots();
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call, _index, path) => (call === 'lstat' && path.endsWith('.ckpt') ? { code: 'EIO' } : null);
    const files = new SessionFiles(fileSystem, stores.get('global'), 'a');
    const failure = await files.existing().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'io', detail: { system: 'EIO' } });
    expect(String(failure)).not.toContain('/');
  });
});
