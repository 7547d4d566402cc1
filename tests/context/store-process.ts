// A process that keeps the context of one data folder: it takes the folder when it is told to, makes the changes that come
// in on its standard input, and says on its standard output what became of each, only when it is certain.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import { createRootOwner, WriteThreads } from '../../src/files/index.ts';
import type { Answer, Order } from './store-child.ts';

const [root = '', writeWorker = '', how] = process.argv.slice(2);

/** Waits until all of it is in the pipe: what was said stays said, whatever happens to this process. */
function say(answer: Answer): void {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

const owner = createRootOwner({ root });
const report = (where: string, error: unknown): void => say({ id: -1, report: `${where}: ${error}` });
const threads = new WriteThreads({ report, workerUrl: new URL(writeWorker) });
let now = 0;
const store: ContextStore = openContextStore({
  root,
  now: () => now++,
  isKnownProject: () => true,
  claimRoot: () => owner.ensure(),
  rootProof: () => owner.proof(),
  replacer: threads,
  onEvent: () => undefined,
  report,
});

type Group = Record<string, (input: object) => Promise<unknown>>;

async function obey({ call, input }: Order): Promise<unknown> {
  if (call === 'open') {
    now = (input as { now: number }).now;
    await owner.ensure();
    return store.sweep();
  }
  const [group = '', name = ''] = call.split('.');
  const method = (store as unknown as Record<string, Group>)[group]?.[name];
  if (method === undefined) throw new Error(`there is no call ${call}`);
  return method(input);
}

if (how === 'warm') {
  flushCompileCache();
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order;
    void obey(order).then(
      (value) => say({ id: order.id, value }),
      (error: unknown) => {
        const { code, message, detail } = error as { code?: string; message?: string; detail?: object };
        say({
          id: order.id,
          error: { code: code ?? 'bug', message: message ?? String(error), detail: detail ?? null },
        });
      },
    );
  }
  await store.dispose();
  await threads.dispose();
  await owner.dispose();
}
