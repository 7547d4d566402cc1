import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../files/support.ts';
import { testStore } from '../support.ts';
import { allRows, certified, countingOpens, lines, testCatalog, user } from './support.ts';

const COUNT = 300;
const BYTES = 2 * 1024 * 1024;

// anthropics/claude-code#22204, openai/codex#25430
test('three hundred sessions of 2 MB are listed and searched without opening one of them, the second time without their details', async () => {
  const store = await testStore();
  for (let index = 0; index < COUNT; index++) {
    const transcript = join(store.folder, `s${index}.jsonl`);
    // Of the disk's blocks only the first is taken; whoever reads the file reads all of it.
    await writeFile(transcript, lines(user('x')));
    await truncate(transcript, BYTES);
    await writeFile(`${transcript}.meta`, certified({ id: `s${index}`, custom_title: `Number ${index} of many` }));
  }
  const cacheFolder = await temporaryFolder();
  for (const start of ['first', 'second']) {
    const { fileSystem, opened } = countingOpens();
    const { catalog, rows } = await testCatalog({ store, fileSystem, cacheFolder });
    await catalog.list({ ownerId: null });
    expect(await rows(), start).toHaveLength(COUNT);
    for (const query of ['n', 'nu', 'number 2', 'number 299 many']) await allRows(catalog, { query });
    expect(await allRows(catalog, { query: 'number 299 many' })).toMatchObject([{ session: { id: 's299' }, turns: 2 }]);
    await catalog.dispose();
    const names = [...opened.keys()].filter((name) => /^s\d+\.jsonl/.test(name));
    expect(
      names.filter((name) => !name.endsWith('.meta')),
      start,
    ).toEqual([]);
    expect(names, start).toHaveLength(start === 'first' ? COUNT : 0);
  }
});
