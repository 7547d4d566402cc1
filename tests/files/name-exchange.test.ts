import { readdir, readFile, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { identityOf } from '../../src/files/identity.ts';
import { nodeFileSystem, replaceDurably } from '../../src/files/index.ts';
import { nameExchange } from '../../src/files/name-exchange.ts';
import { temporaryFolder } from './support.ts';

const text = async (path: string): Promise<string> => promisify(readFile)(path, 'utf8');
const names = async (folder: string): Promise<string[]> => (await promisify(readdir)(folder)).sort();

async function twoFiles(): Promise<{ folder: string; one: string; other: string }> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'names-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await writeFile(one, '1');
  await writeFile(other, '2');
  return { folder, one, other };
}

test('Linux lets two names change places', async () => {
  if (process.platform !== 'linux') return;
  const exchange = await nameExchange();
  const { folder, one, other } = await twoFiles();
  expect(exchange?.(one, other)).toBeNull();
  expect([await text(one), await text(other)]).toEqual(['2', '1']);
  expect(exchange?.(one, join(folder, 'none'))).toBe('ENOENT');
  expect(await names(folder)).toEqual(['one', 'other']);
});

test('what another program puts there in the very moment of a replacement is kept', async () => {
  const { one, other } = await twoFiles();
  const theirs = `${other}.theirs`;
  writeFileSync(theirs, 'theirs');
  const replaced = await nodeFileSystem.replaceKept(one, other, `${other}.kept`, () => {
    // After the look, before anything is renamed.
    renameSync(theirs, other);
    return true;
  });
  // With an exchange theirs is found displaced; without, it is noticed before anything is replaced.
  if (replaced === null) expect(await text(other)).toBe('theirs');
  else expect([await text(other), await text(replaced.keptAt)]).toEqual(['1', 'theirs']);
});

test('a durable replacement that displaced a save keeps both texts', async () => {
  const { folder, other } = await twoFiles();
  const theirs = `${other}.theirs`;
  writeFileSync(theirs, 'theirs');
  const expected = identityOf(await nodeFileSystem.lstat(other));
  const system = {
    ...nodeFileSystem,
    replaceKept: ((from, to, keep, isExpected) =>
      nodeFileSystem.replaceKept(from, to, keep, (status) => {
        const answer = isExpected(status);
        if (answer) renameSync(theirs, other);
        return answer;
      })) satisfies typeof nodeFileSystem.replaceKept,
  };
  const replaced = await replaceDurably(system, other, Buffer.from('ours'), expected);
  const texts = await Promise.all((await names(folder)).map((name) => text(join(folder, name))));
  expect(texts).toContain('theirs');
  if (replaced !== 'changed') {
    expect(replaced.displaced).toBe(true);
    expect(await text(replaced.kept ?? '')).toBe('theirs');
    await nodeFileSystem.unlink(replaced.kept ?? '');
  }
});
