import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { startSessionFeed } from '../src/watch/session-feed.ts';

/**
 * What a watcher of sessions costs a process of its own, which is given the root: says `ready` when changes are told, `hint`
 * for each hint, and `end` when it is told to end.
 */
export type WatcherMessage =
  | {
      kind: 'ready';
      /** Ms until the call that starts watching came back, and until changes were told. */
      returned: number;
      ready: number;
      /** Longest hold-up of the main thread meanwhile, in ms. */
      held: number;
      /** Watches of the operating system that the process holds; null where that cannot be told. */
      watches: number | null;
    }
  | { kind: 'hint'; at: number; names: readonly string[] }
  /** Largest memory of the process, in MB. */
  | { kind: 'end'; peak: number };

const main = async (root: string, send: (message: WatcherMessage) => void): Promise<void> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let looked = false;
  const began = performance.now();
  const feed = startSessionFeed({
    root,
    onHints: ({ names }) => send({ kind: 'hint', at: Date.now(), names }),
    onStores: () => {},
    onAll: () => {
      looked = true;
    },
    report: (problem) => console.error(problem),
  });
  const returned = performance.now() - began;
  while (!looked || feed.status().state !== 'watching') await wait(1);
  const ready = performance.now() - began;
  delay.disable();
  send({ kind: 'ready', returned, ready, held: delay.max / 1e6, watches: watchCount() });
  process.once('message', async () => {
    await feed.dispose();
    send({ kind: 'end', peak: process.resourceUsage().maxRSS / 1024 });
    process.disconnect();
  });
};

/** Linux lists each watch of each inotify instance of a process. */
const watchCount = (): number | null => {
  if (process.platform !== 'linux') return null;
  const folder = '/proc/self/fdinfo';
  const lines = readdirSync(folder).flatMap((name) => {
    try {
      return readFileSync(`${folder}/${name}`, 'utf8').split('\n');
    } catch (error) {
      // The listing's own handle is closed by now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
  return lines.filter((line) => line.startsWith('inotify wd:')).length;
};

const [root] = process.argv.slice(2);
if (root === undefined || process.send === undefined) throw new Error('To be started by the benchmark, with a folder.');
const send = process.send.bind(process);
await main(root, (message) => send(message));
