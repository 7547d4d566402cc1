import { lstat, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileHandle, type FileSystem, nodeFileSystem, systemCode } from '../../src/files/index.ts';
import { nameExchange } from '../../src/files/name-exchange.ts';
import { temporaryFolder } from '../files/support.ts';
import { crashStates } from './crash-states.ts';
import { imageOf, pathsOf } from './disk-image.ts';
import { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';

const name = fc.constantFrom('a', 'b', 'c', 'a/a', 'a/b', 'b/a', 'c/a', 'a/b/c', 'a/../b');
const oddName = fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.constant('d'.repeat(256)) });
const call = fc.oneof(
  fc.record({
    call: fc.constantFrom(
      'write',
      'read',
      'append',
      'change',
      'read and write',
      'chmod',
      'lstat',
      'stat',
      'unlink',
      'mkdir',
      'rmdir',
      'readdir',
      'readlink',
      'realpath',
    ),
    one: oddName,
    two: fc.constant(''),
  }),
  fc.record({ call: fc.constantFrom('rename', 'link', 'symlink', 'replaceKept'), one: name, two: name }),
);

test('the disk in memory answers like one of Linux', async () => {
  // Other systems have other answers for odd calls.
  if (process.platform !== 'linux') return;
  const folder = await temporaryFolder();
  const hasExchange = (await nameExchange()) !== null;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
      const root = join(folder, `run-${run++}`);
      await nodeFileSystem.mkdir(root, 0o700);
      const disk = new MemoryDisk(imageOf({ [root]: null }), 0, hasExchange);
      const link = async (target: string, path: string) => disk.symlink(target, path);
      for (const [index, { call, one, two }] of calls.entries()) {
        const parameters = [call, one, two, root, index] as const;
        expect(await outcome(disk, link, ...parameters), `${index} ${call} ${one} ${two}`).toEqual(
          await outcome(nodeFileSystem, symlink, ...parameters),
        );
      }
      expect(await treeOf(root)).toEqual(
        [...pathsOf(disk.image())]
          .filter(([path]) => path.startsWith(`${root}/`))
          .map(([path, node]) => [
            path,
            node.kind,
            node.kind === 'file'
              ? [node.mode, node.content.toString()]
              : node.kind === 'link'
                ? node.target
                : node.mode,
          ]),
      );
    }),
    { numRuns: 150, seed: 5 },
  );
});

/** What a call answers, or the code with which it fails. */
async function outcome(
  system: FileSystem,
  link: (target: string, path: string) => Promise<void>,
  call: string,
  one: string,
  two: string,
  root: string,
  index: number,
): Promise<unknown> {
  const path = `${root}/${one}`;
  const to = `${root}/${two}`;
  try {
    switch (call) {
      case 'write': {
        const handle = await system.open(path, 'wx', 0o600);
        try {
          await handle.write(Buffer.from(`--${'text'.repeat(10)}`), 2, 5 + (index % 30), 0);
          await handle.write(Buffer.from('tail'), 0, 4, 10);
          await handle.sync();
          return (await handle.stat()).size;
        } finally {
          await handle.close();
        }
      }
      case 'read': {
        const handle = await system.open(path, 'r');
        try {
          const bytes = Buffer.alloc(40);
          const { bytesRead } = await handle.read(bytes, 1, 30, 2);
          return [bytesRead, bytes.toString()];
        } finally {
          await handle.close();
        }
      }
      case 'append':
      case 'change': {
        const handle = await system.open(path, call === 'append' ? 'a' : 'r+');
        try {
          const before = (await handle.stat()).size;
          await handle.write(Buffer.from('more'), 1, 3, index);
          if (index % 3 === 0) await handle.truncate(index);
          await handle.write(Buffer.from('end'), 0, 3, 5);
          await handle.sync();
          const bytes = Buffer.alloc(60);
          const { bytesRead } = await handle.read(bytes, 0, 60, 3);
          return [before, bytesRead, bytes.toString()];
        } finally {
          await handle.close();
        }
      }
      case 'read and write': {
        const handle = await system.open(path, 'r');
        try {
          return await (index % 2 === 0 ? handle.truncate(3) : handle.write(Buffer.from('more'), 0, 4, 0));
        } finally {
          await handle.close();
        }
      }
      case 'chmod': {
        const handle = await system.open(path, 'r');
        try {
          return await handle.chmod(0o750);
        } finally {
          await handle.close();
        }
      }
      case 'lstat':
      case 'stat': {
        const status = await system[call](path);
        return [status.isFile() && status.size, status.isDirectory(), status.isSymbolicLink(), status.mode, status.uid];
      }
      case 'readdir':
        return (await system.readdir(path)).sort();
      case 'readlink':
      case 'realpath':
        return await system[call](path);
      case 'mkdir':
        return await system.mkdir(path, 0o700);
      case 'unlink':
      case 'rmdir':
        return await system[call](path);
      case 'symlink':
        return await link(index % 2 === 0 ? to : two, path);
      case 'replaceKept':
        return await system.replaceKept(path, to, `${root}/kept`, (status) => status.isFile());
      case 'rename':
      case 'link':
        return await system[call](path, to);
      default:
        throw new Error(`no such call: ${call}`);
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    return code;
  }
}

/** A folder of this machine with everything below, as the image of a disk gives it. */
async function treeOf(folder: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const status = await lstat(path);
    const mode = status.mode & 0o777;
    if (status.isSymbolicLink()) all.push([path, 'link', await readlink(path)]);
    else if (status.isFile()) all.push([path, 'file', [mode, await readFile(path, 'utf8')]]);
    else all.push([path, 'folder', mode], ...(await treeOf(path)));
  }
  return all;
}

test('what is added to a file can be lost or torn in a crash, never what was there; a cut can be undone', async () => {
  const disk = new MemoryDisk(imageOf({ '/log': 'first\n' }), 0);
  const start = disk.image();
  const contents = async (change: (handle: FileHandle) => Promise<unknown>, flags: 'a' | 'r+'): Promise<string[]> => {
    const handle = await disk.open('/log', flags);
    await change(handle);
    await handle.close();
    const last = [...crashStates(start, disk.born, disk.log, { limit: 100, random: new Random(1) })]
      .filter(({ position }) => position === disk.log.length)
      .flatMap(({ image }) => [...pathsOf(image)].map(([, node]) => (node.kind === 'file' ? `${node.content}` : '')));
    return [...new Set(last.filter((text) => text !== ''))];
  };
  const added = await contents((handle) => handle.write(Buffer.from('second\n'), 0, 7, 0), 'a');
  expect(added).toEqual(expect.arrayContaining(['first\nsecond\n', 'first\n', 'first\nsec', 'first\nsec\0\0\0\0']));
  expect(added.filter((text) => !text.startsWith('first\n'))).toEqual([]);
  await contents((handle) => handle.sync(), 'a');
  const cut = await contents((handle) => handle.truncate(9), 'r+');
  expect(cut).toEqual(expect.arrayContaining(['first\nsec', 'first\nsecond\n']));
  const synced = await contents((handle) => handle.sync(), 'r+');
  expect(synced).toEqual(['first\nsec']);
});
