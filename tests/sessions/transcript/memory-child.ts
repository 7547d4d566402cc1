import { join } from 'node:path';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { IndexBuilds } from '../../../src/sessions/transcript/index-builds.ts';
import { TranscriptReader } from '../../../src/sessions/transcript/reader.ts';

/** Opens the session `s1` of a folder, reads its last page and prints what memory that took. */
const [folder = '', cacheFolder = ''] = process.argv.slice(2);
const suffixes = { transcript: '.jsonl', events: '.events.jsonl' };
const reader = new TranscriptReader({
  fileSystem: nodeFileSystem,
  cacheFolder,
  builds: new IndexBuilds({ fileSystem: nodeFileSystem, workerUrl: null }),
  files: {
    ref: { store: 'global', id: 's1' },
    path: (kind) => Promise.resolve(join(folder, `s1${kind in suffixes ? suffixes[kind as 'events'] : `.${kind}`}`)),
  },
});
globalThis.gc?.();
const idle = process.memoryUsage();
const { total } = await reader.page({ limit: 20 });
const peak = process.memoryUsage().rss - idle.rss;
globalThis.gc?.();
const after = process.memoryUsage();
const held = after.heapUsed + after.external - idle.heapUsed - idle.external;
await reader.dispose();
process.stdout.write(JSON.stringify({ total, peak, held }));
