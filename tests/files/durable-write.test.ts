import { writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import {
  createDurably,
  identityOf,
  makeFolderDurably,
  nodeFileSystem,
  putBack,
  removeDurably,
  replaceDurably,
  writeDurably,
} from '../../src/files/index.ts';
import { type Fault, faultyFileSystem, systemError, temporaryFolder } from './support.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('writing', () => {
  test('makes a file for its person alone, and replaces one with its mode kept', async () => {
    const path = join(await temporaryFolder(), 'context.json');
    await writeDurably(nodeFileSystem, path, bytes('one'));
    expect(await readFile(path, 'utf8')).toBe('one');
    expect(await modeOf(path)).toBe(0o600);
    for (const mode of [0o640, 0o400]) {
      await chmod(path, mode);
      await writeDurably(nodeFileSystem, path, bytes(`mode ${mode}`));
      expect(await modeOf(path)).toBe(mode);
    }
    expect(await readFile(path, 'utf8')).toBe('mode 256');
  });

  test('syncs the bytes before the file takes its name, and the folder after', async () => {
    const fileSystem = faultyFileSystem();
    await writeDurably(fileSystem, join(await temporaryFolder(), 'a'), bytes('text'));
    const [first, renamed, last] = [
      fileSystem.calls.indexOf('handle.sync'),
      fileSystem.calls.indexOf('rename'),
      fileSystem.calls.lastIndexOf('handle.sync'),
    ];
    expect(first).toBeGreaterThan(fileSystem.calls.lastIndexOf('handle.write'));
    expect(first).toBeLessThan(renamed);
    expect(renamed).toBeLessThan(last);
  });

  test('answers the identity of what it wrote', async () => {
    const path = join(await temporaryFolder(), 'a');
    const identity = await writeDurably(nodeFileSystem, path, bytes('text'));
    const status = await lstat(path, { bigint: true });
    expect(identity).toEqual({
      ino: status.ino,
      size: 4n,
      mtimeNs: status.mtimeNs,
      ctimeNs: status.ctimeNs,
      mode: 0o600,
    });
  });

  test('takes names up to the longest that the disk takes', async () => {
    const folder = await temporaryFolder();
    for (const name of ['n'.repeat(255), 'é'.repeat(127), '漢'.repeat(85)]) {
      await writeDurably(nodeFileSystem, join(folder, name), bytes(name));
      expect(await readFile(join(folder, name), 'utf8')).toBe(name);
    }
  });

  test('a disk that takes the bytes one at a time gets them all', async () => {
    const path = join(await temporaryFolder(), 'a');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'handle.write' ? 'short' : null);
    await writeDurably(fileSystem, path, bytes('twelve bytes'));
    expect(await readFile(path, 'utf8')).toBe('twelve bytes');
  });

  test('a disk that takes none of the bytes is a failure, and the old file stays whole', async () => {
    const path = join(await temporaryFolder(), 'a');
    await writeFile(path, 'old');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'handle.write' ? 'nothing' : null);
    await expect(writeDurably(fileSystem, path, bytes('new'))).rejects.toMatchObject({
      code: 'io',
      detail: { reason: 'short-write' },
    });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('a file that is not the expected one any more stays as it is', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a');
    await writeFile(path, 'old');
    const expected = identityOf(await nodeFileSystem.lstat(path));
    await writeFile(path, 'theirs');
    expect(await replaceDurably(nodeFileSystem, path, bytes('new'), expected)).toBe('changed');
    expect(await readFile(path, 'utf8')).toBe('theirs');
    await rm(path);
    expect(await replaceDurably(nodeFileSystem, path, bytes('new'), expected)).toBe('changed');
    expect(await readdir(folder)).toEqual([]);
  });

  test('what is replaced is kept beside it, and can be put back', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a');
    await writeFile(path, 'old');
    const replaced = await replaceDurably(
      nodeFileSystem,
      path,
      bytes('new'),
      identityOf(await nodeFileSystem.lstat(path)),
    );
    if (replaced === 'changed' || replaced.kept === null || replaced.identity === null) throw new Error('not kept');
    expect(replaced.displaced).toBe(false);
    expect([await readFile(path, 'utf8'), await readFile(replaced.kept, 'utf8')]).toEqual(['new', 'old']);
    expect(await putBack(nodeFileSystem, replaced.kept, path, replaced.identity)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('what another program writes in place in the moment of the rename is kept, and said', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a');
    await writeFile(path, 'old');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => {
      if (call === 'rename') writeFileSync(path, 'theirs');
      return null;
    };
    const replaced = await replaceDurably(fileSystem, path, bytes('new'), identityOf(await fileSystem.lstat(path)));
    if (replaced === 'changed' || replaced.kept === null) throw new Error('not kept');
    expect(replaced.displaced).toBe(true);
    expect([await readFile(path, 'utf8'), await readFile(replaced.kept, 'utf8')]).toEqual(['new', 'theirs']);
    await rm(replaced.kept);
  });

  test('a disk without second names takes the change all the same', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a');
    await writeFile(path, 'old');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'link' ? { code: 'EPERM' } : null);
    const expected = identityOf(await fileSystem.lstat(path));
    expect(await replaceDurably(fileSystem, path, bytes('new'), expected)).toMatchObject({
      kept: null,
      displaced: false,
    });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await replaceDurably(fileSystem, path, bytes('newer'), expected)).toBe('changed');
  });

  test('never replaces a link or writes through it', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'target'), 'old');
    await symlink('target', join(folder, 'link'));
    await expect(writeDurably(nodeFileSystem, join(folder, 'link'), bytes('new'))).rejects.toMatchObject({
      code: 'io',
      detail: { reason: 'link' },
    });
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('old');
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
  });

  test('on Windows a rename that another program holds up is tried again for a while', async () => {
    const path = join(await temporaryFolder(), 'a');
    const fileSystem = faultyFileSystem();
    const waits: number[] = [];
    const options = { platform: 'win32', sleep: async (ms: number) => void waits.push(ms) } as const;
    let held = 3;
    fileSystem.fault = (call) => (call === 'rename' && held-- > 0 ? { code: 'EPERM' } : null);
    await writeDurably(fileSystem, path, bytes('new'), options);
    expect(waits).toEqual([10, 20, 40]);
    held = Number.POSITIVE_INFINITY;
    await expect(writeDurably(fileSystem, path, bytes('newer'), options)).rejects.toMatchObject({ code: 'io' });
    expect(await readFile(path, 'utf8')).toBe('new');
    held = 1;
    await expect(writeDurably(fileSystem, path, bytes('x'), { platform: 'linux' })).rejects.toMatchObject({
      code: 'io',
    });
  });

  test('a folder that cannot be synced says that the change is in place but not confirmed', async () => {
    const path = join(await temporaryFolder(), 'a');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) =>
      call === 'handle.sync' && fileSystem.calls.includes('rename') ? { code: 'EIO' } : null;
    await expect(writeDurably(fileSystem, path, bytes('new'))).rejects.toMatchObject({
      code: 'io',
      detail: { reason: 'not-confirmed' },
    });
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  test('a file system that cannot sync folders at all is good enough', async () => {
    const path = join(await temporaryFolder(), 'a');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) =>
      call === 'handle.sync' && fileSystem.calls.includes('rename') ? { code: 'EINVAL' } : null;
    await writeDurably(fileSystem, path, bytes('new'));
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  test('says what happened and what to do, without a path', async () => {
    const path = join(await temporaryFolder(), 'a');
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'handle.write' ? { code: 'ENOSPC' } : null);
    const failure = await writeDurably(fileSystem, path, bytes('new')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      message:
        'The change could not be saved: the disk is full. What was saved before is unchanged. Free some space and try again.',
      detail: { reason: 'disk-full', system: 'ENOSPC' },
      cause: { code: 'ENOSPC', path: '/secret/place' },
    });
    expect(JSON.stringify((failure as Failure).toCallError())).not.toContain('/');
  });
});

// npm/write-file-atomic#22, sindresorhus/electron-store#86: a failing disk must cost the change, never the file.
describe.each<Fault>([{ code: 'ENOSPC' }, { code: 'EIO' }, { code: 'EACCES' }, { code: 'EMFILE' }, 'nothing'])(
  'when one call fails with %j',
  (fault) => {
    test('the file is the old one or the new one, whole, and nothing else is left', async () => {
      for (let failing = 0, calls = 1; failing < calls; failing++) {
        const folder = await temporaryFolder();
        const path = join(folder, 'a');
        await writeFile(path, 'old');
        const fileSystem = faultyFileSystem();
        fileSystem.fault = (_call, index) => (index === failing ? fault : null);
        const outcome = await writeDurably(fileSystem, path, bytes('new')).then(
          () => 'done',
          (error: unknown) => error,
        );
        calls = fileSystem.calls.length;
        const text = await readFile(path, 'utf8');
        const call = fileSystem.calls[failing];
        if (outcome === 'done') expect(text, `after ${call}`).toBe('new');
        else {
          expect(outcome, `after ${call}`).toBeInstanceOf(Failure);
          expect((outcome as Failure).code).toBe('io');
          const confirmed = (outcome as Failure).detail?.reason !== 'not-confirmed';
          expect(text, `after ${call}`).toBe(confirmed ? 'old' : 'new');
        }
        expect(await readdir(folder), `after ${call}`).toEqual(['a']);
      }
    });

    test('a new file is there whole or not at all', async () => {
      for (let failing = 0, calls = 1; failing < calls; failing++) {
        const folder = await temporaryFolder();
        const fileSystem = faultyFileSystem();
        fileSystem.fault = (_call, index) => (index === failing ? fault : null);
        const made = await createDurably(fileSystem, join(folder, 'plan.md'), bytes('# Plan')).then(
          () => true,
          () => false,
        );
        calls = fileSystem.calls.length;
        const names = await readdir(folder);
        const call = fileSystem.calls[failing];
        if (made) expect(names, `after ${call}`).toEqual(['plan.md']);
        for (const name of names) expect(await readFile(join(folder, name), 'utf8')).toBe('# Plan');
      }
    });
  },
);

describe('making a file that must be new', () => {
  test('never touches a file that has the name', async () => {
    const path = join(await temporaryFolder(), 'plan.md');
    await writeFile(path, 'a stranger');
    expect(await createDurably(nodeFileSystem, path, bytes('ours'))).toBe('taken');
    expect(await readFile(path, 'utf8')).toBe('a stranger');
  });

  test('of many at once exactly one gets the name', async () => {
    const path = join(await temporaryFolder(), 'plan.md');
    const made = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => createDurably(nodeFileSystem, path, bytes(`text ${index}`))),
    );
    const winner = made.findIndex((result) => result !== 'taken');
    expect(made.filter((result) => result !== 'taken')).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(`text ${winner}`);
  });

  test('also works, and never overwrites, where a file can have only one name', async () => {
    const folder = await temporaryFolder();
    const fileSystem = faultyFileSystem();
    fileSystem.fault = (call) => (call === 'link' ? { code: 'EPERM' } : null);
    expect(await createDurably(fileSystem, join(folder, 'a.md'), bytes('ours'))).not.toBe('taken');
    expect(await createDurably(fileSystem, join(folder, 'a.md'), bytes('second'))).toBe('taken');
    expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('ours');
    fileSystem.fault = (call) => (call === 'link' ? { code: 'EPERM' } : call === 'rename' ? { code: 'EIO' } : null);
    await expect(createDurably(fileSystem, join(folder, 'b.md'), bytes('ours'))).rejects.toMatchObject({ code: 'io' });
    expect(await readdir(folder)).toEqual(['a.md']);
  });
});

describe('folders', () => {
  test('are made for their person alone, with those above them, and left alone when they exist', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a', 'b', 'c');
    await makeFolderDurably(nodeFileSystem, path);
    for (const made of [join(folder, 'a'), join(folder, 'a', 'b'), path]) expect(await modeOf(made)).toBe(0o700);
    await chmod(path, 0o755);
    await makeFolderDurably(nodeFileSystem, path);
    expect(await modeOf(path)).toBe(0o755);
  });

  test('a file in the way is a failure', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a'), '');
    await expect(makeFolderDurably(nodeFileSystem, join(folder, 'a'))).rejects.toMatchObject({ code: 'io' });
    await expect(makeFolderDurably(nodeFileSystem, join(folder, 'a', 'b'))).rejects.toMatchObject({ code: 'io' });
  });
});

describe('removing', () => {
  test('removes a file or a link, but not what the link points to, and says whether there was anything', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'target'), 'kept');
    await symlink('target', join(folder, 'link'));
    expect(await removeDurably(nodeFileSystem, join(folder, 'link'))).toBe(true);
    expect(await removeDurably(nodeFileSystem, join(folder, 'link'))).toBe(false);
    expect(await readdir(folder)).toEqual(['target']);
    await mkdir(join(folder, 'folder'));
    await expect(removeDurably(nodeFileSystem, join(folder, 'folder'))).rejects.toMatchObject({ code: 'io' });
  });
});

test('an error that does not come from the system is passed on as it is', async () => {
  const fileSystem = faultyFileSystem();
  const bug = new TypeError('a bug');
  fileSystem.fault = () => {
    throw bug;
  };
  await expect(writeDurably(fileSystem, join(await temporaryFolder(), 'a'), bytes(''))).rejects.toBe(bug);
  expect(systemError('EIO')).toMatchObject({ code: 'EIO' });
});
