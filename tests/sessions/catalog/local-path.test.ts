import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocal } from '../../../src/sessions/catalog/disk.ts';
import { realPathNow } from '../../../src/sessions/catalog/local-path.ts';
import { temporaryFolder } from '../../files/support.ts';

test('a real path that is found at once is the one that the system finds', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  await symlink(join(folder, 'a'), join(folder, 'absolute'));
  await symlink('../absolute/b', join(folder, 'a', 'relative'));
  await symlink('loop', join(folder, 'loop'));
  const told = await isLocal(folder);
  for (const path of ['a/b', 'absolute', 'absolute/b', 'a/relative', 'a/relative/..']) {
    expect(realPathNow(join(folder, path)), path).toBe(told ? await realpath(join(folder, path)) : null);
  }
  expect(realPathNow(join(folder, 'a/relative/new/file'))).toBe(
    told ? join(await realpath(folder), 'a/b/new/file') : null,
  );
  expect(realPathNow(join(folder, 'loop'))).toBeNull();
});

test.runIf(process.platform === 'linux')('nothing is asked of what may be slow', async () => {
  const folder = await temporaryFolder();
  await symlink('/proc/not-there', join(folder, 'away'));
  expect(realPathNow('/proc/self/cwd')).toBeNull();
  expect(realPathNow(join(folder, 'away', 'x'))).toBeNull();
});
