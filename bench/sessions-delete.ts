import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionRef } from '../src/contract/entities.ts';
import { nodeFileSystem } from '../src/files/index.ts';
import { SessionService } from '../src/sessions/service.ts';
import type { Bar } from './benchmark.ts';
import { measureInTurn, ratioBar, timed } from './context-pairs.ts';
import { type Counts, caller, counting, withFolder } from './context-rig.ts';
import { writeSessions } from './sessions-list.ts';

const many = 10_000;
const few = 10;
const rounds = 40;
/** Most times that one delete may wait for the disk. */
const syncsBar = 16;
const slowdownBar = 1.2;

/** What a session that agents worked in has beside its transcript; a folder ends in `/`. */
const parts = [
  '.jsonl',
  '.jsonl.meta',
  '.events.jsonl',
  '.event-index.json',
  '.display-index.json',
  '.turns.jsonl',
  '.goal-state.json',
  '.context.json',
  '.recovery.json',
  '.jsonl.lock',
  '.jsonl.lease.lock',
  '.ckpt/',
  '.jobs/',
  '.outputs/',
];

type Store = { folder: string; service: SessionService; counts: Counts };

/** Deleting one session among few and among many, through the calls that the windows make. */
export const measureDelete = (print: (line: string) => void): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const problems: unknown[] = [];
    const [large, small] = [
      await openStore(path.join(folder, 'many'), many, problems),
      await openStore(path.join(folder, 'few'), few, problems),
    ];
    const syncs: number[] = [];
    const remove = (store: Store) => async (round: number) => {
      const session = await writeVictim(store.folder, round);
      // As a person does who opens a session and then deletes it.
      await store.service.calls.get({ session }, caller);
      const before = syncsOf(store.counts);
      const took = await timed(() => store.service.calls.delete({ session }, caller));
      syncs.push(syncsOf(store.counts) - before);
      return took;
    };
    try {
      const samples = await measureInTurn({ rounds, warmUp: 3, rest: 50 }, remove(large), remove(small));
      if (problems.length > 0) throw new AggregateError(problems, 'The sessions reported problems meanwhile.');
      return [
        {
          promise: `the delete of a session with ${parts.length} files and folders waits for the disk at most ${syncsBar} times`,
          measured: `${Math.max(...syncs)} at most, in ${syncs.length} deletes (counted at the calls to the system)`,
          held: Math.max(...syncs) <= syncsBar,
        },
        ratioBar({
          promise: `with ${many} sessions at most ${slowdownBar} times as long as with ${few}`,
          samples,
          names: [`${many} sessions`, `${few} sessions`],
          unit: 'ms',
          bound: { atMost: slowdownBar },
        }),
      ];
    } finally {
      await large.service.dispose();
      await small.service.dispose();
    }
  });

const syncsOf = ({ fileSyncs, folderSyncs }: Counts): number => fileSyncs + folderSyncs;

const openStore = async (root: string, sessions: number, problems: unknown[]): Promise<Store> => {
  await writeSessions(root, sessions, 400);
  const { fileSystem, counts } = counting(nodeFileSystem);
  const service = new SessionService({
    root,
    cacheFolder: null,
    fileSystem,
    ownerOf: async () => 'bench',
    placeOf: () => Promise.reject(new Error('no session is made')),
    pins: { list: () => [], set: () => {} },
    claimRoot: async () => {},
    isWatching: () => true,
    reveal: () => {},
    publish: () => {},
    report: (where, error) => problems.push(new Error(where, { cause: error })),
  });
  await service.rescan();
  const { total } = await service.calls.list({ ownerId: null }, caller);
  if (total !== sessions) throw new Error(`${total} of ${sessions} sessions are listed`);
  return { folder: path.join(root, 'sessions'), service, counts };
};

const writeVictim = async (folder: string, round: number): Promise<SessionRef> => {
  const id = `20260302-100000.${String(round).padStart(9, '0')}-model`;
  for (const part of parts) {
    const name = path.join(folder, id + part);
    if (part.endsWith('/')) {
      await mkdir(name);
      await writeFile(path.join(name, 'part-1.json'), '{}');
    } else {
      await writeFile(name, contents[part] ?? (part.endsWith('.lock') ? '' : '{}\n'));
    }
  }
  return { store: 'global', id };
};

const contents: Readonly<Record<string, string>> = {
  '.jsonl': '{"role":"user","content":"Please remove me."}\n',
  '.jsonl.meta': '{"custom_title":"To be removed"}\n',
  '.events.jsonl':
    '{"schema_version":1,"type":"replace","revision":1,"messages":[{"role":"user","content":"Please remove me."}]}\n',
};
