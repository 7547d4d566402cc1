import { parentPort, workerData } from 'node:worker_threads';
import { contextTree, type Hint } from './hints.ts';
import { RootWatch } from './root-watch.ts';
import { type SessionHint, sessionTree } from './session-tree.ts';
import type { WatchReport, WatchRequest, WatchWorkerData } from './watch-messages.ts';
import type { WatchedTree } from './watched-tree.ts';

/** Entry of the worker thread: watches one root until it is told to stop, then leaves by itself. */
const serve = <Kind>(tree: WatchedTree<Kind>, root: string): void => {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');
  const send = (report: WatchReport<Kind>): void => port.postMessage(report);
  const watch = new RootWatch({
    tree,
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

const { tree, root } = workerData as WatchWorkerData;
if (tree === 'context') serve<Hint>(contextTree, root);
else serve<SessionHint>(sessionTree, root);
