import { parentPort, workerData } from 'node:worker_threads';
import { RootWatch } from './root-watch.ts';
import type { WatchReport, WatchRequest, WatchWorkerData } from './watch-messages.ts';

/** Entry of the worker thread: watches one root until it is told to stop, then leaves by itself. */
const serve = (): void => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  const { root } = workerData as WatchWorkerData;
  const send = (report: WatchReport): void => port.postMessage(report);
  const watch = new RootWatch({
    root,
    onHints: (hints) => send({ type: 'hints', hints }),
    onHealth: (health) => send({ type: 'health', health }),
    onProblem: (message) => send({ type: 'problem', message }),
  });
  port.on('message', (request: WatchRequest) => {
    if (request.type === 'rescan') {
      watch.rescan();
      return;
    }
    void watch.dispose().finally(() => port.close());
  });
};

serve();
