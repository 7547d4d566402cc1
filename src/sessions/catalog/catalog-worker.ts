import { setTimeout as delay } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { nodeFileSystem } from '../../files/file-system.ts';
import { type CountFailure, type CountRequest, countConversation, countFailure } from './count-file.ts';
import type { Gist } from './first-look.ts';

/** From the main thread: count, or leave. A second job ends the one before. */
export type WorkerRequest = { type: 'count'; job: number; request: CountRequest } | { type: 'dispose' };

/** To the main thread. */
export type WorkerReport = { job: number; gist: Gist } | { job: number; failure: CountFailure };

/** Longest rest between two stretches, in ms. */
const LONGEST_REST = 200;

/** Entry of the worker thread: counts one conversation after another, at rest for half of the time. */
const serve = (): void => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  let running = new AbortController();
  const count = async (job: number, request: CountRequest, signal: AbortSignal): Promise<void> => {
    let since = performance.now();
    const pause = async (): Promise<void> => {
      await delay(Math.min(LONGEST_REST, performance.now() - since));
      since = performance.now();
    };
    let report: WorkerReport;
    try {
      report = { job, gist: await countConversation(nodeFileSystem, request, { now: Date.now, signal, pause }) };
    } catch (error) {
      // Whatever it was, the main thread decides what it means for the row.
      report = { job, failure: countFailure(error) };
    }
    port.postMessage(report);
  };
  port.on('message', (message: WorkerRequest) => {
    running.abort();
    if (message.type === 'dispose') {
      port.close();
      return;
    }
    running = new AbortController();
    void count(message.job, message.request, running.signal);
  });
};

serve();
