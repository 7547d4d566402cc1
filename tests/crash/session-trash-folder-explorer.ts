import { FolderUsers } from '../../src/chats/folder-users.ts';
import { ChatFolders } from '../../src/chats/folders.ts';
import { ChatOwnFolders } from '../../src/chats/own-folders.ts';
import type { SessionRef, TrashedRef } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import type { FileSystem } from '../../src/files/index.ts';
import type { HolderEnvironment } from '../../src/sessions/holder-environment.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import type { Layer } from './broken-layers.ts';
import type { CrashState } from './crash-states.ts';
import { type DiskImage, imageOf, pathsOf } from './disk-image.ts';
import { Violation } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';
import { twoDisks } from './session-trash-folder-layers.ts';
import { exploreSteps, type TrashExploration, type TrashStep } from './trash-exploration.ts';

const START = 1_750_000_000_000;
const RESTART_MS = 60_000;
const STORE = '/data/sessions/sessions';
const CHATS = '/data/context/chats';
const PLACE = '2026-01-01/session-x';
const session: SessionRef = { store: 'global', id: 's' };

/** Files of the session by their name in the store. */
const own: Readonly<Record<string, string>> = {
  's.jsonl': 'MARK transcript\n',
  's.jsonl.meta': JSON.stringify({ id: 's', custom_title: 'MARK', workspace_root: `${CHATS}/${PLACE}` }),
  's.events.jsonl': 'MARK log\n',
};
/** Files in its folder, by their name there; an empty folder has none. */
const filled: Readonly<Record<string, string>> = { 'a.txt': 'MARK a', 'sub/b.txt': 'MARK b', 'sub/deep/c': 'MARK c' };
/** What nothing may happen to. */
const others: Readonly<Record<string, string>> = {
  [`${STORE}/t.jsonl`]: 'two\n',
  [`${CHATS}/2026-01-01/session-y/keep`]: 'keep',
  [`${CHATS}/2026-01-02/session-x/keep`]: 'keep',
  [`${CHATS}/context.json`]: '{}',
};

/** Where the session with its folder is. */
type Place = 'live' | 'trashed' | 'gone';

export interface FolderScenario {
  readonly name: string;
  readonly steps: readonly TrashStep<Place>[];
  /** Whether its folder holds nothing. */
  readonly empty?: boolean;
  /** Whether its folder is on another disk than the session. */
  readonly apart?: boolean;
  /** What is done wrong before the crash. */
  readonly layer?: Layer;
}

const theItem = ({ item }: { item: TrashedRef | null }): TrashedRef => item ?? { store: 'global', name: 'none' };

export const steps = {
  delete: {
    name: 'delete',
    place: 'trashed',
    run: async (trash, kept) => (kept.item = (await trash.deleteWith(session, { folder: 'trash' })).trashed),
  },
  restore: { name: 'restore', place: 'live', run: (trash, kept) => trash.restore(theItem(kept)) },
  purge: { name: 'purge', place: 'gone', run: (trash, kept) => trash.purge([theItem(kept)]) },
} satisfies Record<string, TrashStep<Place>>;

/** Runs a scenario, then looks at every disk that a crash at any point of it may leave. */
export async function exploreFolder(scenario: FolderScenario, first = false): Promise<TrashExploration> {
  const inside = scenario.empty ? {} : filled;
  const system = (fileSystem: FileSystem): FileSystem => (scenario.apart ? twoDisks(fileSystem) : fileSystem);
  const files: Record<string, string | null> = { ...others, [`${CHATS}/${PLACE}`]: null };
  for (const [name, content] of Object.entries(own)) files[`${STORE}/${name}`] = content;
  for (const [name, content] of Object.entries(inside)) files[`${CHATS}/${PLACE}/${name}`] = content;
  const start = imageOf(files);
  const disk = new MemoryDisk(start, START);
  const trash = openTrash(disk, system(scenario.layer?.(disk) ?? disk));
  const look = async (state: CrashState, allowed: readonly Place[]): Promise<MemoryDisk> => {
    refuseHalfSeen(state.image, inside);
    return settle(state.image, inside, allowed, system);
  };
  const { name, steps } = scenario;
  return exploreSteps({ name, start, disk, trash, steps, before: 'live', look }, first);
}

function openTrash(disk: MemoryDisk, fileSystem: FileSystem): SessionTrash {
  const environment: HolderEnvironment = {
    platform: 'linux',
    pid: 1,
    host: 'here',
    now: () => disk.now,
    isAlive: () => false,
    startedAt: async () => null,
    locks: async () => '',
    deviceOf: async () => null,
    isLocked: async () => false,
  };
  const folders = new ChatFolders({ root: CHATS, fileSystem, now: () => disk.now, timeZone: 'UTC' });
  const users = new FolderUsers({
    folders,
    named: async () => ({ named: [], unsure: null }),
    chatsId: async () => 'path_chats',
  });
  return new SessionTrash({
    stores: new SessionStores(fileSystem, '/data/sessions'),
    ownFolders: new ChatOwnFolders(folders, users, async () => undefined),
    now: () => disk.now,
    environment,
    sleep: () => Promise.resolve(),
    report: (where, error) => {
      throw new Violation(`reported: ${where}: ${error}`);
    },
  });
}

type Contents = Record<string, string>;

interface Seen {
  /** Files in the store. */
  readonly live: Contents;
  /** Files in the folder's place; null when it is not there. */
  readonly folder: Contents | null;
  /** Of each entry of the trash: its files, and its folder. */
  readonly trash: Map<string, { files: Contents; folder: Contents | null }>;
  /** Whatever else there is. */
  readonly rest: Contents;
}

const KEPT = '.sidekeep-folder';

function look(image: DiskImage): Seen {
  const seen = { live: {} as Contents, folder: null as Contents | null, trash: new Map(), rest: {} as Contents };
  const entryOf = (name: string): { files: Contents; folder: Contents | null } => {
    const entry = seen.trash.get(name) ?? { files: {}, folder: null };
    seen.trash.set(name, entry);
    return entry;
  };
  for (const [path, node] of pathsOf(image)) {
    const content = node.kind === 'file' ? node.content.toString() : null;
    const [, entry, inner = ''] = /^\/data\/sessions\/sessions\/\.trash\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (path === `${CHATS}/${PLACE}` || path.startsWith(`${CHATS}/${PLACE}/`)) {
      seen.folder ??= {};
      if (content !== null) seen.folder[path.slice(`${CHATS}/${PLACE}/`.length)] = content;
    } else if (entry !== undefined && (inner === KEPT || inner.startsWith(`${KEPT}/`))) {
      const kept = entryOf(entry);
      kept.folder ??= {};
      if (content !== null) kept.folder[inner.slice(KEPT.length + 1)] = content;
    } else if (content === null) {
    } else if (entry !== undefined) entryOf(entry).files[inner] = content;
    else if (path.startsWith(`${STORE}/`) && !path.startsWith(`${STORE}/.trash`))
      seen.live[path.slice(STORE.length + 1)] = content;
    else seen.rest[path] = content;
  }
  return seen;
}

const hasAll = (there: Contents, wanted: Readonly<Contents>): boolean =>
  Object.entries(wanted).every(([name, content]) => there[name] === content);

const isSame = (there: Contents | null, wanted: Readonly<Contents>): boolean =>
  there !== null && hasAll(there, wanted) && Object.keys(there).length === Object.keys(wanted).length;

/** What another program sees that looks at the disk before Sidekeep starts again. */
function refuseHalfSeen(image: DiskImage, inside: Contents): void {
  const { live, folder } = look(image);
  if (!('s.jsonl' in live) || 's.cleanup-pending.json' in live) return;
  if (!hasAll(live, own)) throw new Violation('the session is seen in half');
  if (!isSame(folder, inside)) throw new Violation('the session is seen without its folder, or with a part of it');
}

/** Starts the program on a disk; the session must then be wholly in one of the places with its folder, also at the next start. */
async function settle(
  image: DiskImage,
  inside: Contents,
  allowed: readonly Place[],
  system: (disk: FileSystem) => FileSystem,
): Promise<MemoryDisk> {
  const disk = new MemoryDisk(image, START + RESTART_MS);
  await reconcile(disk, system);
  const log = [...disk.log];
  const place = placeOf(disk.image(), inside);
  if (!allowed.includes(place)) throw new Violation(`it is ${place}, not ${allowed.join(' or ')}`);
  await reconcile(disk, system);
  if (placeOf(disk.image(), inside) !== place) throw new Violation('the next start puts it elsewhere');
  const trash = openTrash(disk, system(disk));
  try {
    const items = await trash.list();
    if (items.length !== (place === 'trashed' ? 1 : 0)) throw new Violation(`${items.length} entries are shown`);
    if (place === 'trashed' && items[0]) {
      const { folderFiles, purgeAt } = items[0];
      const files = Object.keys(inside).length;
      if (folderFiles !== files) throw new Violation(`${folderFiles} files of its folder are shown, not ${files}`);
      if ((purgeAt === null) !== files > 0) throw new Violation('it is purged by itself, or never');
      await trash.restore(items[0]);
      if (placeOf(disk.image(), inside) !== 'live') throw new Violation('a restore does not bring it back');
    } else if (place === 'live') {
      await trash.deleteWith(session, { folder: 'trash' });
      if (placeOf(disk.image(), inside) !== 'trashed') throw new Violation('it cannot be deleted');
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

async function reconcile(disk: MemoryDisk, system: (disk: FileSystem) => FileSystem): Promise<void> {
  const trash = openTrash(disk, system(disk));
  const found = await trash.reconcile();
  await trash.dispose();
  const left = [...found.left, ...found.waiting];
  if (left.length > 0) throw new Violation(`the start leaves ${JSON.stringify(left)}`);
}

/** Where the session with its folder is; a violation when they are in two places, or in parts. */
function placeOf(image: DiskImage, inside: Contents): Place {
  const { live, folder, trash, rest } = look(image);
  const all: Contents = { ...rest };
  for (const [name, content] of Object.entries(live)) all[`${STORE}/${name}`] = content;
  if (!hasAll(all, others)) throw new Violation('something of others is not what it was');
  const left = Object.entries(rest).filter(([, content]) => content.includes('MARK'));
  if (left.length > 0) throw new Violation(`left over: ${left.map(([path]) => path)}`);
  const entries = [...trash.values()].filter(
    ({ files, folder: kept }) => kept !== null || JSON.stringify(files).includes('MARK'),
  );
  if (hasAll(live, own)) {
    if (!isSame(folder, inside)) throw new Violation('it is live, and its folder is not there whole');
    if (entries.length > 0) throw new Violation('it is live, and something of it is in the trash');
    return 'live';
  }
  if (Object.keys(own).some((name) => name in live)) throw new Violation('it is live in part');
  if (folder !== null) throw new Violation('it is not live, and its folder is in its place');
  const [entry] = entries;
  if (entry === undefined) return 'gone';
  if (entries.length > 1) throw new Violation('it is in the trash twice');
  if (!hasAll(entry.files, own)) throw new Violation('it is in the trash in part');
  if (!isSame(entry.folder, inside)) throw new Violation('it is in the trash, and its folder is not there whole');
  return 'trashed';
}
