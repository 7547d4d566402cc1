import { appendFile, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { identify, isFresh, nodeFileSystem, readParsed, readWhole, sameIdentity } from '../../src/files/index.ts';
import { faultyFileSystem, temporaryFolder } from './support.ts';

describe('reading a file', () => {
  test('only a confirmed absence is missing', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a');
    expect(await readWhole(nodeFileSystem, path)).toEqual({ state: 'missing' });
    expect(await readWhole(nodeFileSystem, join(path, 'b'))).toEqual({ state: 'missing' });
    await writeFile(path, 'text');
    expect(await readWhole(nodeFileSystem, path)).toMatchObject({ state: 'present', bytes: Buffer.from('text') });
    expect(await readWhole(nodeFileSystem, join(path, 'b'))).toMatchObject({
      state: 'unknown',
      failure: { code: 'io', detail: { reason: 'not-a-folder' } },
    });
  });

  test.each(['EACCES', 'EIO', 'EMFILE', 'ENOTDIR'])('%s at any call is unknown', async (code) => {
    const path = join(await temporaryFolder(), 'a');
    await writeFile(path, 'text');
    for (const failing of ['lstat', 'open r', 'handle.stat', 'handle.read']) {
      const fileSystem = faultyFileSystem();
      fileSystem.fault = (call) => (call === failing ? { code } : null);
      const read = await readWhole(fileSystem, path);
      expect(read.state, failing).toBe('unknown');
      expect(JSON.stringify(read.state === 'unknown' && read.failure.toCallError())).not.toContain('/');
    }
  });

  test('refuses a link, a folder and a giant without reading them', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'target'), 'text');
    await symlink('target', join(folder, 'link'));
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'giant'), '');
    await truncate(join(folder, 'giant'), 64 * 1024 * 1024 + 1);
    const fileSystem = faultyFileSystem();
    const failureOf = async (name: string) => {
      const read = await readWhole(fileSystem, join(folder, name));
      return read.state === 'unknown' ? read.failure : null;
    };
    expect(await failureOf('link')).toMatchObject({ code: 'io', detail: { reason: 'link' } });
    expect(await failureOf('folder')).toMatchObject({ code: 'io', detail: { reason: 'not-a-file' } });
    expect(await failureOf('giant')).toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('too large'),
    });
    expect(fileSystem.calls).not.toContain('open r');
    const head = await readWhole(fileSystem, join(folder, 'giant'), { head: 10 });
    expect(head).toMatchObject({ state: 'present', bytes: Buffer.alloc(10) });
  });

  test('a file that grows while it is read is read again, as it is at one moment', async () => {
    const path = join(await temporaryFolder(), 'a');
    await writeFile(path, 'first');
    const fileSystem = faultyFileSystem();
    let grown = false;
    const open = fileSystem.open;
    fileSystem.open = async (...parameters) => {
      const handle = await open(...parameters);
      const read = handle.read;
      handle.read = async (...where) => {
        const result = await read(...where);
        if (!grown) await appendFile(path, ' and more');
        grown = true;
        return result;
      };
      return handle;
    };
    expect(await readWhole(fileSystem, path)).toMatchObject({ bytes: Buffer.from('first and more') });
  });
});

describe('parsing', () => {
  const parse = (bytes: Buffer): unknown => {
    try {
      return JSON.parse(bytes.toString());
    } catch (error) {
      throw new Failure('malformed', 'damaged', { cause: error });
    }
  };

  test('a file that is just being written is read again after a growing while', async () => {
    const path = join(await temporaryFolder(), 'a');
    await writeFile(path, '{"half":');
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms);
      if (waits.length === 3) await writeFile(path, '{"half":1}');
    };
    expect(await readParsed(nodeFileSystem, path, parse, { sleep })).toMatchObject({ value: { half: 1 } });
    expect(waits).toEqual([50, 100, 200]);
  });

  test('what stays damaged is damaged, and an old file is not waited for', async () => {
    const path = join(await temporaryFolder(), 'a');
    await writeFile(path, '{"half":');
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => void waits.push(ms);
    expect(await readParsed(nodeFileSystem, path, parse, { sleep })).toMatchObject({
      state: 'unknown',
      failure: { code: 'malformed' },
    });
    expect(waits).toEqual([50, 100, 200, 400, 800]);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    waits.length = 0;
    expect((await readParsed(nodeFileSystem, path, parse, { sleep })).state).toBe('unknown');
    expect(waits).toEqual([]);
  });
});

test('an identity tells a change that keeps size and date', async () => {
  // Zettlr/Zettlr#4394
  const path = join(await temporaryFolder(), 'a');
  await writeFile(path, 'one');
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const before = await identify(nodeFileSystem, path);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await writeFile(path, 'two');
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const after = await identify(nodeFileSystem, path);
  if (before.state !== 'present' || after.state !== 'present') throw new Error('both are there');
  expect(after.identity.mtimeNs).toBe(before.identity.mtimeNs);
  expect(sameIdentity(before.identity, after.identity)).toBe(false);
  expect(isFresh(after.identity, Date.now())).toBe(true);
  expect(isFresh(after.identity, Date.now() + 1000)).toBe(false);
});
