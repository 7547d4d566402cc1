import { setTimeout as delay } from 'node:timers/promises';
import type { SessionRef } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, guard, KeyedQueue } from '../files/index.ts';
import { readMeta } from './catalog/meta.ts';
import { findHold, type Hold } from './holder.ts';
import { type HolderEnvironment, nodeHolderEnvironment } from './holder-environment.ts';
import type { FolderChoice, GoingFolder, OwnFolders } from './own-folder.ts';
import type { Report } from './removal.ts';
import { type FoundArtifact, SessionFiles } from './session-files.ts';
import type { SessionStore, SessionStores } from './session-stores.ts';
import { Tombstones } from './tombstones.ts';
import { TrashEntry, trashFolder } from './trash-entry.ts';
import { namesOrNone } from './trash-files.ts';
import { parseEntryName } from './trash-names.ts';

export interface TrashOptions {
  stores: SessionStores;
  /** In ms. */
  now?: () => number;
  environment?: HolderEnvironment;
  sleep?: (ms: number) => Promise<unknown>;
  report: Report;
  /** The folders of their own that sessions may have; none when left out. */
  ownFolders?: OwnFolders;
}

/** How long a save of another program is waited for, and how often it is looked at, in ms. */
const SAVE_WAIT_MS = 5000;
const SAVE_POLL_MS = 25;
/** Ids this long may stand cut in the name of their entry. */
const LONG_ID_BYTES = 150;

/** What everything that is done with the trash needs. */
export class TrashContext {
  readonly stores: SessionStores;
  readonly fileSystem: FileSystem;
  readonly now: () => number;
  readonly environment: HolderEnvironment;
  readonly report: Report;
  readonly ownFolders: OwnFolders | null;
  readonly tombstones: Tombstones;
  /** One job at a time for each session. */
  readonly queue = new KeyedQueue();
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor({
    stores,
    now = Date.now,
    environment = nodeHolderEnvironment,
    sleep = delay,
    report,
    ownFolders,
  }: TrashOptions) {
    this.stores = stores;
    this.fileSystem = stores.fileSystem;
    this.now = now;
    this.environment = environment;
    this.report = report;
    this.ownFolders = ownFolders ?? null;
    this.tombstones = new Tombstones(stores.fileSystem, now);
    this.#sleep = sleep;
  }

  /** @throws Failure `invalid` for an id or a store that is none. */
  filesOf({ store, id }: SessionRef): SessionFiles {
    return new SessionFiles(this.fileSystem, this.stores.get(store), id);
  }

  entryOf(store: SessionStore, name: string): TrashEntry {
    return new TrashEntry(this.fileSystem, store, name);
  }

  /** Who has a session open. A save of another program, which takes milliseconds, is waited for. */
  async hold(files: SessionFiles): Promise<Hold | null> {
    for (let waited = 0; ; waited += SAVE_POLL_MS) {
      const hold = await findHold(files, this.environment);
      if (hold?.by !== 'save' || waited >= SAVE_WAIT_MS) return hold;
      await this.#sleep(SAVE_POLL_MS);
    }
  }

  /** Names of the entries in a store's trash; whatever else is there has a dot in front. */
  async entryNames(store: SessionStore): Promise<string[]> {
    return (await this.trashNames(store)).filter((name) => parseEntryName(name) !== null);
  }

  /** Every name in a store's trash. */
  async trashNames(store: SessionStore): Promise<string[]> {
    const folder = await trashFolder(store);
    return guard(() => namesOrNone(this.fileSystem, folder), 'The trash could not be read', 'It is unchanged.');
  }

  /** Entries that may be of one of these sessions, by their names alone. */
  async entriesOf(store: SessionStore, ids: ReadonlySet<string>): Promise<TrashEntry[]> {
    const names = (await this.entryNames(store)).filter((name) => {
      const id = parseEntryName(name)?.id ?? '';
      return ids.has(id) || (Buffer.byteLength(id) > LONG_ID_BYTES && [...ids].some((one) => one.startsWith(id)));
    });
    return names.map((name) => this.entryOf(store, name));
  }
}

/** Whether something of this makes a session: a transcript, or a log that is one. */
export const isSession = (found: readonly FoundArtifact[]): boolean =>
  found.some(({ kind }) => kind === 'transcript' || kind === 'events');

/** What of a session is live besides locks and the marker. */
export const liveOf = (found: readonly FoundArtifact[]): FoundArtifact[] =>
  found.filter(({ row }) => row.trash !== 'lock' && row.trash !== 'marker');

export function notFound(): Failure {
  return new Failure('not-found', 'There is no such session any more. Nothing was changed.');
}

/** The folder of its own that a session which is about to be deleted takes along. */
export async function leavingFolder(
  { ownFolders, fileSystem }: TrashContext,
  files: SessionFiles,
  choice: FolderChoice,
): Promise<{ own: GoingFolder | null; kept: string | null }> {
  if (ownFolders === null) return { own: null, kept: null };
  const read = await readMeta(fileSystem, await files.path('meta'));
  if (read.state === 'unknown') {
    // Whatever folder it has is none that anybody could name, so it stays; who wanted it gone is told.
    return {
      own: null,
      kept: choice === 'trash' ? `It cannot be told which folder it has. ${read.failure.message}` : null,
    };
  }
  const directory = read.state === 'present' ? read.meta.workspaceRoot : null;
  if (directory === null) return { own: null, kept: null };
  const { place, kept } = await ownFolders.leave(directory, files.ref, choice);
  return { own: place === null ? null : { place, folders: ownFolders, choice }, kept };
}
