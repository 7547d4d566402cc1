import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { SessionRef, TrashedRef } from '../../src/contract/index.ts';
import { openSidekeep } from '../../src/sidekeep.ts';

/** What a process that is killed has told until then: `begin` before each call, `done` when it was answered. */
export interface Told {
  readonly state: 'begin' | 'done';
  readonly call: 'create' | 'append' | 'delete' | 'restore' | 'purge';
  /** Id of the session; that of a new one is known when it is done. */
  readonly id: string;
  readonly message: string;
}

const [, , folder = ''] = process.argv;
const caller = { role: 'sidebar', signal: new AbortController().signal } as const;
const WORKERS = 6;

const tell = (told: Told): void => {
  process.stdout.write(`${JSON.stringify(told)}\n`);
};

const core = await openSidekeep({
  contextRoot: join(folder, 'context'),
  sessionsRoot: join(folder, 'sessions'),
  cacheFolder: join(folder, 'cache'),
  pinnedSessions: { list: () => [], set: () => undefined },
  reveal: () => undefined,
  memoryEnabled: () => false,
  projectEntries: { load: () => [], save: () => undefined },
  publish: () => undefined,
  report: (where, error) => void process.stderr.write(`${where}: ${error}\n`),
});
const { sessions } = core.calls;
const { chatsId } = await core.calls.projects.list({}, caller);

/** Goes on for ever with sessions of its own, one call after the other. */
async function work(worker: number): Promise<never> {
  let session: SessionRef | null = null;
  let trashed: TrashedRef | null = null;
  for (let count = 0; ; count++) {
    const message = `${process.pid}-${worker}-${count}`;
    if (session === null) {
      tell({ state: 'begin', call: 'create', id: '', message });
      session = (await sessions.create({ ownerId: chatsId, text: message }, caller)).row.session;
      tell({ state: 'done', call: 'create', id: session.id, message });
      continue;
    }
    const { id } = session;
    const chance = randomInt(10);
    const call: Told['call'] = trashed === null ? (chance < 6 ? 'append' : 'delete') : chance < 7 ? 'restore' : 'purge';
    tell({ state: 'begin', call, id, message });
    if (call === 'append') await sessions.append({ session, text: message, messageId: message }, caller);
    if (call === 'delete') trashed = (await sessions.delete({ session }, caller)).trashed;
    if (call === 'restore' && trashed !== null) {
      await sessions.restore(trashed, caller);
      trashed = null;
    }
    if (call === 'purge' && trashed !== null) {
      await sessions.purge({ items: [trashed] }, caller);
      trashed = null;
      session = null;
    }
    tell({ state: 'done', call, id, message });
  }
}

await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
