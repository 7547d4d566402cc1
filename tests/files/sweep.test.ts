import { readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFileSystem, sweepOrphans, temporaryOwner, temporaryPath } from '../../src/files/index.ts';
import { faultyFileSystem, temporaryFolder } from './support.ts';

const day = 24 * 60 * 60;
const dead = 999_999_999;

test('the name of a temp file tells its process, is hidden and fits the disk', () => {
  for (const name of ['context.json', 'n'.repeat(255), '😀'.repeat(60)]) {
    const temporary = basename(temporaryPath(join('/x', name)));
    expect(temporaryOwner(temporary)).toBe(process.pid);
    expect(temporary.startsWith('.')).toBe(true);
    expect(Buffer.byteLength(temporary)).toBeLessThanOrEqual(255);
    expect(temporary.isWellFormed()).toBe(true);
  }
  expect(temporaryOwner('context.json.tmp-123-1700000000000-a1b2')).toBe(123);
  for (const name of ['context.json', '.x.tmp', 'x.tmp', 'context.json.tmp', '.a.12-zz.tmp', 'a.12-0123456789ab.tmp']) {
    expect(temporaryOwner(name)).toBeNull();
  }
});

test('only old temp files of dead processes go; strangers, young ones and links stay', async () => {
  const folder = await temporaryFolder();
  const old = Date.now() / 1000 - 2 * day;
  const make = async (name: string, time: number): Promise<void> => {
    await writeFile(join(folder, name), name);
    await utimes(join(folder, name), time, time);
  };
  await make(`.context.json.${dead}-0123456789ab.tmp`, old);
  await make(`context.json.tmp-${dead}-1700000000000-abcd`, old);
  await make(`.young.${dead}-0123456789ab.tmp`, Date.now() / 1000 - 60);
  await make('context.json', old);
  await make('notes.tmp', old);
  await make(`.mine.${process.pid}-0123456789ac.tmp`, old);
  await symlink('context.json', join(folder, `.link.${dead}-0123456789ab.tmp`));
  const removed = await sweepOrphans(nodeFileSystem, folder, {
    report: (where, error) => expect.unreachable(`${where} ${error}`),
    now: () => Date.now() + 3600 * 1000,
  });
  expect(removed.sort()).toEqual([
    `.context.json.${dead}-0123456789ab.tmp`,
    `context.json.tmp-${dead}-1700000000000-abcd`,
  ]);
  const left = await readdir(folder);
  expect(left).toHaveLength(5);
  for (const name of left) {
    if (name.endsWith('.tmp')) await nodeFileSystem.unlink(join(folder, name));
  }
});

test('a file that cannot be removed is reported and does not stop the others; a missing folder is nothing to sweep', async () => {
  const folder = await temporaryFolder();
  const names = [`.a.${dead}-0123456789ab.tmp`, `.b.${dead}-0123456789ab.tmp`];
  for (const name of names) await writeFile(join(folder, name), '');
  const fileSystem = faultyFileSystem();
  fileSystem.fault = (call, _index, path) => (call === 'unlink' && path.includes('.a.') ? { code: 'EACCES' } : null);
  const reports: string[] = [];
  const options = { report: (where: string) => void reports.push(where), now: () => Date.now() + 2 * day * 1000 };
  expect(await sweepOrphans(fileSystem, folder, options)).toEqual([names[1]]);
  expect(reports).toEqual(['removing an orphaned temp file']);
  expect(await sweepOrphans(fileSystem, join(folder, 'nowhere'), options)).toEqual([]);
  await nodeFileSystem.unlink(join(folder, names[0] ?? ''));
});
