import path from 'node:path';
import { watch } from 'chokidar';

/**
 * The other side of the comparison: chokidar alone in a process of its own. Says `ready`, then the time (ms since 1970)
 * of each event of a `context.json` below the folder that it is given.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined || process.send === undefined)
  throw new Error('To be started by the benchmark, with a folder.');
const send = process.send.bind(process);

const watcher = watch(folder, { ignoreInitial: true });
watcher.on('ready', () => send('ready'));
watcher.on('all', (_event, location) => {
  if (path.basename(location) === 'context.json') send(Date.now());
});
process.on('disconnect', () => void watcher.close());
