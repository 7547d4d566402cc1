import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  identify,
  nodeFileSystem,
  type ReplaceRequest,
  type Replacer,
  replacerOf,
  WriteThreads,
} from '../../src/files/index.ts';
import { temporaryFolder } from './support.ts';

const old = Buffer.from('old');
const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes);

async function identityOf(path: string) {
  const found = await identify(nodeFileSystem, path);
  return found.state === 'present' ? found.identity : null;
}

/** A file that holds `old`, and the request to replace it. */
async function prepared(changes: Partial<ReplaceRequest> = {}): Promise<ReplaceRequest & { folder: string }> {
  const folder = join(await temporaryFolder(), 'folder');
  await mkdir(folder);
  const path = join(folder, 'file');
  await writeFile(path, old);
  const expected = await identityOf(path);
  if (expected === null) throw new Error('the file was just written');
  return { folder, path, bytes: Buffer.from('new'), expected, digest: digestOf(old), unchanged: [], ...changes };
}

/** Threads that are ready to work. */
async function threads(options: { workerUrl?: URL } = {}): Promise<{ replacer: WriteThreads; reports: string[] }> {
  const reports: string[] = [];
  const report = (where: string, error: unknown): void => void reports.push(`${where}: ${error}`);
  const replacer = new WriteThreads({ report, ...options });
  onTestFinished(() => replacer.dispose());
  // The first replacement starts a thread and does not wait for it.
  await replacer.replace(await prepared());
  await expect.poll(() => replacer.isWorking || reports.length > 0, { timeout: 30_000 }).toBe(true);
  return { replacer, reports };
}

const replacers: [string, () => Promise<Replacer>][] = [
  ['in this thread', async () => replacerOf(nodeFileSystem)],
  ['in another thread', async () => (await threads()).replacer],
];

describe.each(replacers)('replacing a file that was not looked at, %s', (_where, open) => {
  test('writes it and answers its state and digest', async () => {
    const replacer = await open();
    const request = await prepared();
    const replaced = await replacer.replace(request);
    expect(replaced).toEqual({
      identity: await identityOf(request.path),
      kept: null,
      displaced: false,
      digest: digestOf(request.bytes),
    });
    expect(await readFile(request.path, 'utf8')).toBe('new');
    expect(await readdir(request.folder)).toEqual(['file']);
  });

  test('leaves a file alone that is not as it was', async () => {
    const replacer = await open();
    const request = await prepared();
    await writeFile(request.path, 'theirs');
    expect(await replacer.replace(request)).toBe('changed');
    expect(await readFile(request.path, 'utf8')).toBe('theirs');
    expect(await readdir(request.folder)).toEqual(['file']);
  });

  test('leaves a file alone whose bytes changed though its state did not', async () => {
    const replacer = await open();
    const request = await prepared({ digest: digestOf(Buffer.from('odl')) });
    expect(await replacer.replace(request)).toBe('changed');
    expect(await readFile(request.path, 'utf8')).toBe('old');
  });

  test('changes nothing when another file it stands on changed, came or went', async () => {
    const replacer = await open();
    const other = join(await temporaryFolder(), 'other');
    await writeFile(other, '1');
    const before = await identityOf(other);
    const request = await prepared({ unchanged: [{ path: other, identity: before }] });
    await writeFile(other, '22');
    expect(await replacer.replace(request)).toBe('changed');
    expect(await replacer.replace({ ...request, unchanged: [{ path: other, identity: null }] })).toBe('changed');
    const missing = { path: `${other}-missing`, identity: before };
    expect(await replacer.replace({ ...request, unchanged: [missing] })).toBe('changed');
    expect(await readFile(request.path, 'utf8')).toBe('old');
    const settled = { path: other, identity: await identityOf(other) };
    expect(await replacer.replace({ ...request, unchanged: [settled] })).not.toBe('changed');
  });

  test('refuses a link that took the place of the folder', async () => {
    const replacer = await open();
    const request = await prepared();
    await rename(request.folder, `${request.folder}-moved`);
    await symlink(`${request.folder}-moved`, request.folder);
    await expect(replacer.replace(request)).rejects.toMatchObject({ detail: { reason: 'link' } });
    expect(await readdir(`${request.folder}-moved`)).toEqual(['file']);
    expect(await readFile(request.path, 'utf8')).toBe('old');
  });

  test('says what went wrong when the folder is gone', async () => {
    const replacer = await open();
    const request = await prepared();
    await rename(request.folder, `${request.folder}-moved`);
    await expect(replacer.replace(request)).rejects.toMatchObject({
      name: 'Failure',
      code: 'io',
      detail: { system: 'ENOENT' },
      cause: { code: 'ENOENT' },
    });
  });
});

test('many files at once are each replaced once', async () => {
  const { replacer, reports } = await threads();
  const requests = await Promise.all(Array.from({ length: 100 }, () => prepared()));
  const replaced = await Promise.all(requests.map((request) => replacer.replace(request)));
  expect(replaced).not.toContain('changed');
  for (const { path } of requests) expect(await readFile(path, 'utf8')).toBe('new');
  expect(reports).toEqual([]);
});

test('a thread that cannot start is told, and the work is done without', async () => {
  const { replacer, reports } = await threads({ workerUrl: pathToFileURL('/nowhere/worker.js') });
  expect(reports).toHaveLength(1);
  const request = await prepared();
  expect(await replacer.replace(request)).not.toBe('changed');
});

test('a thread that dies fails what it was at, and the work goes on without it', async () => {
  const folder = await temporaryFolder();
  const worker = join(folder, 'dies.mjs');
  await writeFile(
    worker,
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1)); parentPort.postMessage('ready');",
  );
  const { replacer, reports } = await threads({ workerUrl: pathToFileURL(worker) });
  const request = await prepared();
  await expect(replacer.replace(request)).rejects.toMatchObject({ code: 'io', detail: { reason: 'interrupted' } });
  expect(await readFile(request.path, 'utf8')).toBe('old');
  await delay(0);
  expect(await replacer.replace(request)).not.toBe('changed');
  expect(reports).toHaveLength(1);
});
