import { link, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkDurably, moveDurably, nodeFileSystem } from '../../src/files/index.ts';
import { faultyFileSystem, temporaryFolder } from './support.ts';

interface Places {
  from: string;
  to: string;
  names(): Promise<string[]>;
}

/** A file in one folder, and a free name in another. */
async function setUp(): Promise<Places> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'a'));
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'a', 'x'), 'text', { mode: 0o640 });
  return {
    from: join(folder, 'a', 'x'),
    to: join(folder, 'b', 'y'),
    names: async () => (await readdir(folder, { recursive: true })).filter((name) => name.length > 1).sort(),
  };
}

describe('moving a file to another folder', () => {
  test('keeps its bytes and its mode', async () => {
    const { from, to, names } = await setUp();
    expect(await moveDurably(nodeFileSystem, from, to)).toBe('moved');
    expect(await names()).toEqual(['b/y']);
    expect(await readFile(to, 'utf8')).toBe('text');
    expect((await lstat(to)).mode & 0o777).toBe(0o640);
  });

  test('has the new name on the disk before the old one goes', async () => {
    const { from, to } = await setUp();
    const fileSystem = faultyFileSystem();
    await moveDurably(fileSystem, from, to);
    const order = fileSystem.calls.filter((call) => ['link', 'handle.sync', 'unlink'].includes(call));
    expect(order).toEqual(['link', 'handle.sync', 'unlink', 'handle.sync']);
  });

  test('never takes a name that something has, and says so when there is nothing to move', async () => {
    const { from, to, names } = await setUp();
    await writeFile(to, 'theirs');
    expect(await moveDurably(nodeFileSystem, from, to)).toBe('taken');
    expect(await moveDurably(nodeFileSystem, `${from}z`, to)).toBe('missing');
    expect(await names()).toEqual(['a/x', 'b/y']);
    expect(await readFile(to, 'utf8')).toBe('theirs');
  });

  test('finishes a move that stopped half-way', async () => {
    const { from, to, names } = await setUp();
    await link(from, to);
    expect(await moveDurably(nodeFileSystem, from, to)).toBe('moved');
    expect(await names()).toEqual(['b/y']);
  });

  test('moves a link itself, not what it points to', async () => {
    const { from, to, names } = await setUp();
    await symlink(from, `${from}-link`);
    expect(await moveDurably(nodeFileSystem, `${from}-link`, to)).toBe('moved');
    expect(await readlink(to)).toBe(from);
    expect(await names()).toEqual(['a/x', 'b/y']);
    await symlink(from, `${from}-link`);
    expect(await moveDurably(nodeFileSystem, `${from}-link`, to)).toBe('taken');
  });

  test('moves no folder', async () => {
    const { to, from } = await setUp();
    await mkdir(`${from}-folder`);
    await expect(moveDurably(nodeFileSystem, `${from}-folder`, to)).rejects.toMatchObject({
      code: 'io',
      detail: { reason: 'not-a-file' },
    });
  });

  test('is a rename where the disk knows no second names', async () => {
    const { from, to, names } = await setUp();
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'link' ? { code: 'EPERM' } : null);
    expect(await moveDurably(fileSystem, from, to)).toBe('moved');
    expect(await names()).toEqual(['b/y']);
    await writeFile(from, 'second');
    expect(await moveDurably(fileSystem, from, to)).toBe('taken');
    expect(await readFile(to, 'utf8')).toBe('text');
  });

  test.each(['with', 'without'])('loses nothing, whichever call fails (%s second names)', async (second) => {
    for (let failing = 0; ; failing++) {
      const { from, to, names } = await setUp();
      const fileSystem = faultyFileSystem();
      let failed = false;
      let count = 0;
      fileSystem.fault = (call) => {
        if (call === 'link' && second === 'without') return { code: 'EPERM' };
        if (count++ !== failing) return null;
        failed = true;
        return { code: 'EIO' };
      };
      const error = await moveDurably(fileSystem, from, to).then(
        () => null,
        (error: unknown) => error,
      );
      if (!failed) {
        expect(failing).toBeGreaterThan(5);
        return;
      }
      const left = await names();
      expect(left).toHaveLength(1);
      // A handle that cannot be closed loses nothing.
      if (error === null) expect(left).toEqual(['b/y']);
      else expect(error).toMatchObject({ code: 'io' });
      fileSystem.fault = null;
      expect(await moveDurably(fileSystem, from, to)).toBe(left[0] === 'a/x' ? 'moved' : 'missing');
      expect(await readFile(to, 'utf8')).toBe('text');
    }
  });
});

describe('a second name', () => {
  test('is on the disk, or not there', async () => {
    const { from, to, names } = await setUp();
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'handle.sync' ? { code: 'EIO' } : null);
    await expect(linkDurably(fileSystem, from, to)).rejects.toMatchObject({ code: 'io' });
    expect(await names()).toEqual(['a/x']);
    fileSystem.fault = null;
    expect(await linkDurably(fileSystem, from, to)).toBe('linked');
    expect(await linkDurably(fileSystem, from, to)).toBe('taken');
    expect(await linkDurably(fileSystem, `${from}z`, `${to}z`)).toBe('missing');
    expect(await names()).toEqual(['a/x', 'b/y']);
  });
});
