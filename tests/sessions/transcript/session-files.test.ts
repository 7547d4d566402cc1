import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { SessionFiles } from '../../../src/sessions/session-files.ts';
import { SessionStores } from '../../../src/sessions/session-stores.ts';
import { TranscriptReaders } from '../../../src/sessions/transcript/readers.ts';
import { temporaryFolder } from '../../files/support.ts';
import { lines, message } from './support.ts';

test('sessions of every store are read by their store and id', async () => {
  const root = await temporaryFolder();
  const stores = new SessionStores(nodeFileSystem, root);
  for (const [folder, text] of [
    ['sessions', 'of all'],
    ['projects/demo/sessions', 'of a project'],
  ] as const) {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'a b.jsonl'), lines(message('1', text)));
  }
  const readers = new TranscriptReaders({
    fileSystem: nodeFileSystem,
    filesOf: ({ store, id }) => new SessionFiles(nodeFileSystem, stores.get(store), id),
    cacheFolder: null,
    workerUrl: null,
    onChange: () => {},
  });
  onTestFinished(() => readers.dispose());
  const text = async (store: string, id: string) =>
    (await readers.page({ session: { store, id } })).messages[0]?.content;
  expect(await text('global', 'a b')).toBe('of all');
  expect(await text('project:demo', 'a b')).toBe('of a project');
  await expect(text('global', 'ghost')).rejects.toMatchObject({ code: 'not-found' });
  await expect(text('global', '../a b')).rejects.toMatchObject({ code: 'invalid' });
});
