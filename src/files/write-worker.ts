import { parentPort } from 'node:worker_threads';
import { blockingFileSystem } from './blocking-file-system.ts';
import { type ReplaceRequest, replaceVerified } from './verified-replace.ts';
import { messageOf, type WriteAnswer, type WriteTask } from './write-messages.ts';

/**
 * Entry of a writing thread. The replacements of a task take turns after each call to the system: all write, then all sync,
 * then all take their names. The first sync of each step takes the others along in the disk's journal.
 */
const serve = (): void => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  let last = Promise.resolve();
  port.on('message', (task: WriteTask | 'end') => {
    last = last.then(async () => {
      if (task === 'end') return port.close();
      const answer: WriteAnswer = await Promise.all(task.map(make));
      port.postMessage(answer);
    });
  });
  port.postMessage('ready');
};

const make = (request: ReplaceRequest): Promise<WriteAnswer[number]> =>
  replaceVerified(blockingFileSystem, request).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: messageOf(error) }),
  );

serve();
