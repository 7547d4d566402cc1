import { execFileSync } from 'node:child_process';
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { primaryWorktree } from '../../src/chats/worktree.ts';
import { nodeFileSystem } from '../../src/files/index.ts';
import { temporaryFolder } from '../files/support.ts';

const git = (folder: string, ...parameters: string[]): void => {
  execFileSync(
    'git',
    ['-c', 'user.name=n', '-c', 'user.email=n@example.org', '-c', 'protocol.file.allow=always', ...parameters],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  );
};

async function repository(): Promise<{ root: string; main: string }> {
  const root = await realpath(await temporaryFolder());
  const main = join(root, 'main');
  await mkdir(join(main, 'deep', 'er'), { recursive: true });
  git(main, 'init', '-q', '-b', 'trunk');
  await writeFile(join(main, 'deep', 'er', 'x'), 'x');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'first');
  return { root, main };
}

const rootOf = (folder: string): Promise<string | null> => primaryWorktree(nodeFileSystem, folder);

test('any folder of a repository, there or not, has its root; a folder outside has none', async () => {
  const { root, main } = await repository();
  expect(await rootOf(main)).toBe(main);
  expect(await rootOf(join(main, 'deep', 'er'))).toBe(main);
  expect(await rootOf(join(main, 'gone', 'deep'))).toBe(main);
  expect(await rootOf(root)).toBeNull();
});

test('a linked worktree, wherever it lies, leads to the one that it was made from', async () => {
  const { root, main } = await repository();
  git(main, 'worktree', 'add', '-q', join(root, 'linked'), '-b', 'other');
  git(main, 'worktree', 'add', '-q', join(main, 'inside', 'it'), '-b', 'third');
  const before = await readdir(root, { recursive: true });
  expect(await rootOf(join(root, 'linked', 'deep'))).toBe(main);
  expect(await rootOf(join(main, 'inside', 'it', 'deep', 'er'))).toBe(main);
  expect(await readdir(root, { recursive: true })).toEqual(before);
  await rm(main, { recursive: true });
  expect(await rootOf(join(root, 'linked', 'deep'))).toBe(join(root, 'linked'));
});

test('worktrees of a bare repository belong to it', async () => {
  const { root, main } = await repository();
  git(root, 'clone', '-q', '--bare', main, 'bare.git');
  git(join(root, 'bare.git'), 'worktree', 'add', '-q', join(root, 'one'), 'trunk');
  expect(await rootOf(join(root, 'one', 'deep'))).toBe(join(root, 'bare.git'));
});

test('a submodule and a repository that is kept elsewhere stand for themselves', async () => {
  const { root, main } = await repository();
  const upper = join(root, 'upper');
  await mkdir(upper);
  git(upper, 'init', '-q');
  git(upper, 'submodule', '--quiet', 'add', main, 'sub');
  expect(await rootOf(join(upper, 'sub', 'deep'))).toBe(join(upper, 'sub'));
  expect(await rootOf(upper)).toBe(upper);
  const apart = join(root, 'apart');
  await mkdir(apart);
  git(apart, 'init', '-q', '--separate-git-dir', join(root, 'kept'));
  expect(await rootOf(apart)).toBe(apart);
});

test('what is called .git and is none of git is passed by; a damaged pointer as well', async () => {
  const { main } = await repository();
  const inner = join(main, 'deep', 'er');
  await mkdir(join(inner, '.git'));
  expect(await rootOf(inner)).toBe(main);
  await rm(join(inner, '.git'), { recursive: true });
  for (const text of ['', 'nonsense', 'gitdir:', '\0\0']) {
    await writeFile(join(inner, '.git'), text);
    expect(await rootOf(inner), text).toBe(main);
  }
});
