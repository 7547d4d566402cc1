import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreKey } from '../src/contract/entities.ts';
import { nodeFileSystem } from '../src/files/index.ts';
import { SessionFiles } from '../src/sessions/session-files.ts';
import { SessionStores } from '../src/sessions/session-stores.ts';
import { TranscriptReaders } from '../src/sessions/transcript/readers.ts';

/** What one fresh process measured. */
export type PageFigures = {
  /** Ms from when its modules were there. */
  took: number;
  /** Messages on the page, or all that were parsed. */
  messages: number;
  /** Whether the whole transcript was known. */
  complete: boolean;
  /** Most memory that it took meanwhile over what it had when it was idle, in bytes. */
  memory: number;
};

/** A fresh process: reads the page that a window shows first, makes the index, or reads and parses everything. */
const main = async (
  side: string,
  root: string,
  id: string,
  cacheFolder: string,
  worker: string,
): Promise<PageFigures> => {
  StoreKey.parse('global');
  const memory = await idleMemory();
  const began = performance.now();
  if (side === 'parse') {
    const messages = parseAll(path.join(root, 'sessions', `${id}.jsonl`));
    return { took: performance.now() - began, messages, complete: true, memory: memory() };
  }
  const stores = new SessionStores(nodeFileSystem, root);
  const whole = Promise.withResolvers<void>();
  const readers = new TranscriptReaders({
    fileSystem: nodeFileSystem,
    filesOf: (session) => new SessionFiles(nodeFileSystem, stores.get(session.store), session.id),
    cacheFolder,
    workerUrl: pathToFileURL(worker),
    onChange: ({ complete }) => {
      if (complete) whole.resolve();
    },
    report: (problem) => {
      throw problem;
    },
  });
  const page = await readers.page({ session: { store: 'global', id }, limit: 50 });
  const took = performance.now() - began;
  const figures = { took, messages: page.messages.length, complete: page.complete, memory: memory() };
  if (side === 'index') await whole.promise;
  await readers.dispose();
  return figures;
};

/** Reads a file in pieces and parses each line: all of it at once is more than a text may be long. */
const parseAll = (file: string): number => {
  const handle = openSync(file, 'r');
  const chunk = Buffer.allocUnsafe(8 * 1024 * 1024);
  let rest = Buffer.alloc(0);
  let messages = 0;
  for (;;) {
    const read = readSync(handle, chunk);
    if (read === 0) break;
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    const end = bytes.lastIndexOf(10) + 1;
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      messages += 1;
    }
    rest = bytes.subarray(end);
  }
  closeSync(handle);
  return messages;
};

/** Settles the memory; the function answers what was taken since, at most. Only Linux can forget an earlier peak. */
const idleMemory = async (): Promise<() => number> => {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const isLinux = process.platform === 'linux';
  if (isLinux) writeFileSync('/proc/self/clear_refs', '5');
  const idle = process.memoryUsage().rss;
  return () => (isLinux ? peak() : process.resourceUsage().maxRSS * 1024) - idle;
};

const peak = (): number => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;

const [side = '', root = '', id = '', cacheFolder = '', worker = ''] = process.argv.slice(2);
console.log(JSON.stringify(await main(side, root, id, cacheFolder, worker)));
