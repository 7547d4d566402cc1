import { parentPort } from 'node:worker_threads';
import { blockingFileSystem } from './blocking-file-system.ts';
import { type ReplaceRequest, replaceVerified } from './verified-replace.ts';
import { messageOf, type WriteAnswer } from './write-messages.ts';

/** Entry of a writing thread: makes one replacement after the other until it is told to end. */
const serve = (): void => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  let last = Promise.resolve();
  port.on('message', (message: ReplaceRequest | 'end') => {
    last = last.then(async () => {
      if (message === 'end') port.close();
      else port.postMessage(await make(message));
    });
  });
  port.postMessage('ready');
};

const make = (request: ReplaceRequest): Promise<WriteAnswer> =>
  replaceVerified(blockingFileSystem, request).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: messageOf(error) }),
  );

serve();
