import { parentPort, workerData } from 'node:worker_threads';
import { nodeFileSystem, systemCode } from '../../files/index.ts';
import { EntryList } from './entries.ts';
import { buildIndex } from './index-builder.ts';
import { writeIndex } from './index-file.ts';
import type { IndexReport, IndexWorkerData } from './index-messages.ts';
import { persistable } from './persist.ts';

/** Entry of the worker thread: makes one index, writes it to the cache folder, and leaves. */
const serve = async (): Promise<void> => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  const send = (report: IndexReport): void => port.postMessage(report);
  const { path, format, indexPath, previous } = workerData as IndexWorkerData;
  const controller = new AbortController();
  // The only message is that the index is not wanted any more.
  port.once('message', () => controller.abort());
  let told = 0;
  const onProgress = (done: number, total: number): void => {
    if (performance.now() - told < 200) return;
    told = performance.now();
    send({ type: 'progress', done, total });
  };
  try {
    const built = persistable(
      await buildIndex(nodeFileSystem, path, format, null, previous, { onProgress, signal: controller.signal }),
    );
    if (indexPath !== null && (await writeIndex(nodeFileSystem, indexPath, built)) !== null) send({ type: 'written' });
    else
      send({ type: 'built', head: built.head, blocks: built.entries instanceof EntryList ? built.entries.blocks : [] });
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error), code: systemCode(error) });
  }
  port.close();
};

void serve();
