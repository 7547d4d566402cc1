import type { SessionRef, TrashedRef } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { type FileSystem, temporaryOwner } from '../../src/files/index.ts';
import type { HolderEnvironment } from '../../src/sessions/holder-environment.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import type { CrashState } from './crash-states.ts';
import { type DiskImage, imageOf, pathsOf } from './disk-image.ts';
import { firstDifference, Violation } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';
import { exploreSteps, type TrashExploration, type TrashStep } from './trash-exploration.ts';

const START = 1_750_000_000_000;
const RESTART_MS = 60_000;
const STORE = '/data/sessions';
const session: SessionRef = { store: 'global', id: 's' };

/** Every file of the session by its name in the store; what brings it back must bring all of it. */
const whole: Readonly<Record<string, string>> = {
  's.jsonl': 'MARK transcript\n',
  's.jsonl.meta': '{"id":"s","custom_title":"MARK"}',
  's.events.jsonl': 'MARK log\n',
  's.turns.jsonl': 'MARK turns\n',
  's.ckpt/turn-1.json': 'MARK one',
  's.ckpt/turns/2/a.json': 'MARK two',
  's.guardian.jsonl': 'MARK guardian\n',
  's.unknown.json': 'MARK unknown',
  'subagents/c.jsonl': 'MARK child\n',
  'subagents/c.jsonl.meta': '{"parent_id":"s"}',
};
const others: Readonly<Record<string, string>> = {
  's2.jsonl': 'two\n',
  's2.events.jsonl': 'two\n',
  's.b.jsonl': 'other\n',
  'subagents/d.jsonl': 'child of another\n',
};
const locks: Readonly<Record<string, string>> = { 's.jsonl.lock': '', 's.jsonl.lease.lock': '' };

/** Where the session is: in the list, in the trash, or nowhere. */
export type Place = 'live' | 'trashed' | 'gone';

export interface TrashScenario {
  readonly name: string;
  readonly steps: readonly TrashStep<Place>[];
  /** Whether somebody has the session open until the crash. */
  readonly held?: boolean;
  /** Files of the session that are missing from the start, so that it is none. */
  readonly without?: readonly string[];
  readonly layer?: (disk: MemoryDisk) => FileSystem;
}

const theItem = ({ item }: { item: TrashedRef | null }): TrashedRef => item ?? { store: 'global', name: 'none' };

export const steps = {
  delete: { name: 'delete', place: 'trashed', run: async (trash, kept) => (kept.item = await trash.delete(session)) },
  whenFree: { name: 'delete when free', place: 'trashed', run: (trash) => trash.delete(session, { whenFree: true }) },
  restore: { name: 'restore', place: 'live', run: (trash, kept) => trash.restore(theItem(kept)) },
  purge: { name: 'purge', place: 'gone', run: (trash, kept) => trash.purge([theItem(kept)]) },
  repair: {
    name: 'repair',
    place: 'trashed',
    run: async (trash) => {
      const { id, findings } = await trash.report();
      const named = findings.filter((finding) => finding.session?.id === 's').map((finding) => finding.id);
      return trash.repair(id, named);
    },
  },
} satisfies Record<string, TrashStep<Place>>;

/** Runs a scenario, then looks at every disk that a crash at any point of it may leave. */
export async function exploreTrash(scenario: TrashScenario, first = false): Promise<TrashExploration> {
  const without = scenario.without ?? [];
  const own = Object.fromEntries(Object.entries(whole).filter(([name]) => !without.includes(name)));
  const files = Object.entries({ ...own, ...others, ...locks }).map(([name, content]) => [`${STORE}/${name}`, content]);
  const start = imageOf(Object.fromEntries(files));
  const disk = new MemoryDisk(start, START);
  const trash = openTrash(disk, scenario.layer?.(disk) ?? disk, scenario.held ?? false);
  const look = async (state: CrashState, allowed: readonly Place[], running: string | null): Promise<MemoryDisk> => {
    refuseHalfSeen(state.image, own, running === 'restore' || without.length > 0);
    return settle(state.image, own, allowed);
  };
  const { name, steps } = scenario;
  return exploreSteps({ name, start, disk, trash, steps, before: 'live', look }, first);
}

function openTrash(disk: MemoryDisk, fileSystem: FileSystem, held: boolean): SessionTrash {
  const environment: HolderEnvironment = {
    platform: 'linux',
    pid: 1,
    host: 'here',
    now: () => disk.now,
    isAlive: () => false,
    startedAt: async () => null,
    locks: async () => (held ? `1: FLOCK  ADVISORY  WRITE 7 00:01:${inodeOfLease(disk)} 0 EOF\n` : ''),
    deviceOf: async () => null,
    isLocked: async () => false,
  };
  return new SessionTrash({
    stores: new SessionStores(fileSystem, '/data'),
    now: () => disk.now,
    environment,
    sleep: () => Promise.resolve(),
    report: (where, error) => {
      throw new Violation(`reported: ${where}: ${error}`);
    },
  });
}

/** Number of the lease file, which the system's table of locks names. */
function inodeOfLease(disk: MemoryDisk): number {
  for (const [number, node] of disk.image()) {
    const lease = node.kind === 'folder' ? node.entries.get('s.jsonl.lease.lock') : undefined;
    if (lease !== undefined) return lease;
    if (number === 0) return 0;
  }
  return 0;
}

type Contents = Record<string, string>;

/** Files below the store by their names there, and the entries of the trash. */
function contentsOf(image: DiskImage): { live: Contents; trash: Map<string, Contents> } {
  const live: Contents = {};
  const trash = new Map<string, Contents>();
  for (const [path, node] of pathsOf(image)) {
    if (node.kind !== 'file' || !path.startsWith(`${STORE}/`)) continue;
    const name = path.slice(STORE.length + 1);
    const content = node.content.toString();
    const [, entry, inner] = /^\.trash\/([^/]+)\/(.+)$/.exec(name) ?? [];
    if (entry !== undefined && inner !== undefined) trash.set(entry, { ...trash.get(entry), [inner]: content });
    else if (!name.startsWith('.trash/')) live[name] = content;
  }
  return { live, trash };
}

/** What another program sees that looks at the disk before Sidekeep starts again. */
function refuseHalfSeen(image: DiskImage, own: Contents, mayBeUnseen: boolean): void {
  const { live } = contentsOf(image);
  if ('s.cleanup-pending.json' in live) return;
  const missing = Object.keys(own).filter((name) => live[name] !== own[name]);
  if ('s.jsonl' in live && missing.length > 0) throw new Violation(`it is seen in half, without ${missing}`);
  // While it comes back all but the transcript may be there, which nobody takes for a session.
  if ('s.jsonl' in live || mayBeUnseen) return;
  const left = Object.keys(own).filter((name) => name in live);
  if (left.length > 0) throw new Violation(`it is not seen, and this of it is still there: ${left}`);
}

/** Starts the program on a disk; the session must then be wholly in one of the places, also at the next start. */
async function settle(image: DiskImage, own: Contents, allowed: readonly Place[]): Promise<MemoryDisk> {
  const disk = new MemoryDisk(image, START + RESTART_MS);
  await reconcile(disk);
  const log = [...disk.log];
  const place = placeOf(disk.image(), own);
  if (!allowed.includes(place)) throw new Violation(`it is ${place}, not ${allowed.join(' or ')}`);
  await reconcile(disk);
  if (placeOf(disk.image(), own) !== place) throw new Violation('the next start puts it elsewhere');
  const trash = openTrash(disk, disk, false);
  try {
    const items = await trash.list();
    if (items.length !== (place === 'trashed' ? 1 : 0)) throw new Violation(`${items.length} entries are shown`);
    if (place === 'trashed' && items[0]) {
      if (items[0].problem !== null && 's.jsonl' in own)
        throw new Violation(`it cannot come back: ${items[0].problem}`);
      await trash.restore(items[0]);
      if (placeOf(disk.image(), own) !== 'live') throw new Violation('a restore does not bring it back');
    } else if (place === 'live') {
      await trash.delete(session);
      if (placeOf(disk.image(), own) !== 'trashed') throw new Violation('it cannot be deleted');
    }
  } catch (error) {
    if (error instanceof Failure) throw new Violation(`${place}, and then ${error.code}: ${error.message}`);
    throw error;
  } finally {
    await trash.dispose();
  }
  disk.log.splice(0, disk.log.length, ...log);
  return disk;
}

async function reconcile(disk: MemoryDisk): Promise<void> {
  const trash = openTrash(disk, disk, false);
  const found = await trash.reconcile();
  await trash.dispose();
  const left = [...found.left, ...found.waiting];
  if (left.length > 0) throw new Violation(`the start leaves ${JSON.stringify(left)}`);
}

/** Where the session is; a violation when it is in two places, or in parts. */
function placeOf(image: DiskImage, own: Contents): Place {
  const { live, trash } = contentsOf(image);
  for (const [name, content] of Object.entries(others)) {
    if (live[name] !== content) throw new Violation(`${name} of another session is not what it was`);
  }
  const strangers = Object.keys(live).filter(
    (name) => !(name in own) && !(name in others) && !(name in locks) && temporaryOwner(baseOf(name)) === null,
  );
  if (strangers.length > 0) throw new Violation(`left over: ${strangers}`);
  const places: Place[] = [];
  const parts = [live, ...trash.values()];
  for (const files of parts) {
    const there = Object.keys(own).filter((name) => name in files);
    if (there.length === 0) continue;
    const difference = firstDifference(textOf(files, own), textOf(own, own));
    if (difference !== null) throw new Violation(`it is there in part: ${difference}`);
    places.push(files === live ? 'live' : 'trashed');
  }
  if (places.length > 1) throw new Violation(`it is in ${places.length} places`);
  if (places[0] !== undefined) return places[0];
  const text = JSON.stringify(parts);
  if (text.includes('MARK')) throw new Violation(`something of its text is left: ${text}`);
  return 'gone';
}

/** The session's files with their contents. */
const textOf = (files: Contents, own: Contents): string =>
  JSON.stringify(Object.keys(own).map((name) => [name, files[name] ?? null]));

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
