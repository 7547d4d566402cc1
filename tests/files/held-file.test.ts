import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identityOf, nodeFileSystem, replaceDurably } from '../../src/files/index.ts';
import { faultyFileSystem, temporaryFolder } from './support.ts';

// npm/write-file-atomic#28, openchamber/openchamber@153149ff2
describe('on Windows a file that a virus scanner holds', () => {
  const options = { platform: 'win32', sleep: () => Promise.resolve() } as const;

  test.each(['EPERM', 'EBUSY', 'EACCES'])(
    'twice (%s) is saved once; for good, is a failure that leaves the old file, and the next save works',
    async (code) => {
      const folder = await temporaryFolder();
      const path = join(folder, 'context.json');
      await writeFile(path, 'old');
      const fileSystem = faultyFileSystem();
      const save = async (text: string) =>
        replaceDurably(fileSystem, path, Buffer.from(text), identityOf(await nodeFileSystem.lstat(path)), options);
      const withoutKept = async (): Promise<string[]> => {
        const names = await readdir(folder);
        for (const name of names) if (name !== 'context.json') await rm(join(folder, name));
        return names;
      };
      let held = 2;
      let renames = 0;
      fileSystem.fault = (call) => {
        if (call !== 'rename') return null;
        renames++;
        return held-- > 0 ? { code } : null;
      };
      expect(await save('new')).toMatchObject({ displaced: false });
      expect(renames).toBe(3);
      expect(await readFile(path, 'utf8')).toBe('new');
      await withoutKept();
      held = Number.POSITIVE_INFINITY;
      await expect(save('newer')).rejects.toMatchObject({ code: 'io' });
      expect(await readFile(path, 'utf8')).toBe('new');
      expect(await withoutKept()).toEqual(['context.json']);
      held = 0;
      expect(await save('newest')).toMatchObject({ displaced: false });
      expect(await readFile(path, 'utf8')).toBe('newest');
      await withoutKept();
    },
  );
});
