import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StoreKey } from '../src/contract/entities.ts';
import { nodeFileSystem } from '../src/files/index.ts';
import { SessionCatalog } from '../src/sessions/catalog/catalog.ts';
import { SessionStores } from '../src/sessions/session-stores.ts';

/** What one fresh process measured; times in ms from when its modules were there. */
export type FreshFigures = {
  /** Until the first page was there, or everything was parsed. */
  first: number;
  /** Until everything had been compared with the disk. */
  settled: number;
  sessions: number;
  /** Most memory that it ever took, in bytes. */
  peak: number;
};

/** A fresh process of the benchmark of the list: makes the list once, or parses all transcripts, and tells how long it took. */
const main = async (side: string, root: string, cacheFolder: string): Promise<FreshFigures> => {
  // The program checks every call by such a schema; its machinery is there long before the first list is asked for.
  StoreKey.parse('global');
  const began = performance.now();
  if (side === 'parse') {
    const sessions = parseAll(path.join(root, 'sessions'));
    const took = performance.now() - began;
    return { first: took, settled: took, sessions, peak: peak() };
  }
  const catalog = new SessionCatalog({
    stores: new SessionStores(nodeFileSystem, root),
    cacheFolder,
    ownerOf: async () => 'bench',
    isWatching: () => true,
    patience: { first: 60_000, again: 60_000 },
    report: (where, error) => {
      throw new Error(where, { cause: error });
    },
  });
  const page = await catalog.list({ ownerId: null });
  const first = performance.now() - began;
  await catalog.start();
  const settled = performance.now() - began;
  const figures = { first, settled, sessions: page.total, peak: peak() };
  if (catalog.state().state !== 'ready') throw new Error('the list was not made');
  await catalog.dispose();
  return figures;
};

const parseAll = (folder: string): number => {
  let sessions = 0;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.jsonl') || name.endsWith('.events.jsonl')) continue;
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) if (line !== '') JSON.parse(line);
    sessions += 1;
  }
  return sessions;
};

/** What Linux counts since the program began; elsewhere a count that begins with what its parent took. */
const peak = (): number => {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
};

const [side = '', root = '', cacheFolder = ''] = process.argv.slice(2);
console.log(JSON.stringify(await main(side, root, cacheFolder)));
