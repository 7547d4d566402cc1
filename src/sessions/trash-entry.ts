import { dirname } from 'node:path';
import { z } from 'zod';
import { SessionId, type TrashedRef } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  type FileState,
  type FileSystem,
  guard,
  linkFailure,
  readWhole,
  removeDurably,
  temporaryOwner,
  writeDurably,
} from '../files/index.ts';
import { isRecord, own, parseStored, serialiseStored } from '../files/json.ts';
import type { SessionStore } from './session-stores.ts';
import { namesOrNone, sizeOf, statusOrNull } from './trash-files.ts';
import { parseEntryName, SUBAGENTS, TRASH, TRASH_FOLDER, TRASH_JOURNAL, TRASH_META } from './trash-names.ts';

/**
 * Something of an entry: its name in the store (with a folder in front for a subagent's) and what it is. That of the
 * session's own folder is its place below the root of those folders.
 */
const JournalArtifact = z.object({
  name: z.string().min(1),
  kind: z.string(),
  /** In bytes; null for a folder. */
  bytes: z.int().min(0).nullable(),
});
export type JournalArtifact = z.infer<typeof JournalArtifact>;

/**
 * What is being done with a session, in its entry of the trash. An open one is carried on with at the next start: all of
 * it, in the same direction.
 */
const TrashJournal = z.object({
  version: z.literal(1),
  op: z.enum(['delete', 'restore']),
  phase: z.enum(['open', 'done']),
  id: SessionId,
  /** In ms. */
  deletedAt: z.number().min(0),
  artifacts: z.array(JournalArtifact),
  /** Whether the session was brought back from another entry since, so that this one says nothing about its being deleted. */
  revived: z.boolean().optional(),
  /** Whether another program made the entry: the journal goes when it is not needed any more. */
  foreign: z.boolean().optional(),
});
export type TrashJournal = z.infer<typeof TrashJournal>;

/** Kind of the session's own folder among the artifacts of a journal. */
export const OWN_FOLDER = 'own-folder';

/** Place of the session's own folder that an entry has or is to get; null for none. */
export const ownFolderOf = (journal: TrashJournal | null): string | null =>
  journal?.artifacts.find(({ kind }) => kind === OWN_FOLDER)?.name ?? null;

const MOST_BYTES = 16 * 1024 * 1024;

/** Which session an entry holds. */
export interface EntryIdentity {
  readonly id: string;
  /** In ms; 0 when nothing tells. */
  readonly deletedAt: number;
  /** Null in an entry of another program. */
  readonly journal: TrashJournal | null;
}

/** One session in the trash of a store. */
export class TrashEntry {
  readonly fileSystem: FileSystem;
  readonly store: SessionStore;
  readonly name: string;

  constructor(fileSystem: FileSystem, store: SessionStore, name: string) {
    this.fileSystem = fileSystem;
    this.store = store;
    this.name = name;
  }

  get ref(): TrashedRef {
    return { store: this.store.key, name: this.name };
  }

  /**
   * Path of its folder, or of something in it.
   *
   * @throws Failure `io` with `detail.reason` `link` when a link stands on the way.
   */
  path(...names: readonly string[]): Promise<string> {
    return this.store.root.locate(TRASH, this.name, ...names);
  }

  /** Path of its folder, which must be a folder and no link; null when there is none. */
  async folder(): Promise<string | null> {
    const path = await this.path();
    const status = await guard(
      () => statusOrNull(this.fileSystem, path),
      'The trash could not be read',
      'It is unchanged.',
    );
    if (status?.isSymbolicLink()) throw linkFailure();
    return status?.isDirectory() ? path : null;
  }

  /** The journal: missing in an entry of another program, unknown when it cannot be understood. */
  async readJournal(): Promise<FileState<{ value: TrashJournal }>> {
    const read = await readWhole(this.fileSystem, await this.path(TRASH_JOURNAL), { limit: MOST_BYTES });
    if (read.state !== 'present') return read;
    try {
      const parsed = TrashJournal.safeParse(parseStored(read.bytes, 'The journal of a deleted session'));
      if (parsed.success) return { ...read, value: parsed.data };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    const failure = new Failure(
      'malformed',
      'The journal of a deleted session is not what Sidekeep wrote. The session was left as it is, in the trash.',
    );
    return { state: 'unknown', failure, identity: read.identity };
  }

  async writeJournal(journal: TrashJournal): Promise<void> {
    await writeDurably(this.fileSystem, await this.path(TRASH_JOURNAL), serialiseStored({ ...journal }));
  }

  /** Says that nothing is being done with the entry; of one that another program made nothing of ours stays. */
  async closeJournal(journal: TrashJournal): Promise<void> {
    if (journal.foreign) await removeDurably(this.fileSystem, await this.path(TRASH_JOURNAL));
    else await this.writeJournal({ ...journal, op: 'delete', phase: 'done' });
  }

  /** Writes what the reference reads. Resolves when everything that was moved into the entry is on the disk, too. */
  async writeMeta(id: string, deletedAt: number): Promise<void> {
    const text = `${JSON.stringify({ key: `${id}.jsonl`, deletedAt })}\n`;
    await writeDurably(this.fileSystem, await this.path(TRASH_META), Buffer.from(text));
  }

  /** Which session it is, by its journal or by what the reference wrote; null when nothing tells. */
  async identity(): Promise<EntryIdentity | null> {
    const journal = await this.readJournal();
    if (journal.state === 'present') {
      return { id: journal.value.id, deletedAt: journal.value.deletedAt, journal: journal.value };
    }
    const meta = await readWhole(this.fileSystem, await this.path(TRASH_META), { limit: MOST_BYTES });
    const told = meta.state === 'present' ? parseMeta(meta.bytes) : null;
    const named = parseEntryName(this.name);
    const id = told?.id ?? named?.id;
    if (id === undefined || !SessionId.safeParse(id).success) return null;
    const deletedAt = told?.deletedAt ?? (named?.at == null ? 0 : Number(named.at / 1_000_000n));
    return { id, deletedAt, journal: null };
  }

  /** Whether nothing is in it, not even what describes it: a deletion was stopped before it began. */
  async isBlank(): Promise<boolean> {
    const folder = await this.folder();
    if (folder === null) return false;
    const names = await namesOrNone(this.fileSystem, folder);
    return names.every((name) => isDescription(name) && temporaryOwner(name) !== null);
  }

  /** How much the session's own folder in it takes up; null when there is none. A link instead of it holds no files. */
  async ownFolder(): Promise<{ files: number; bytes: number } | null> {
    const path = await this.path(TRASH_FOLDER);
    return guard(
      async () => {
        const status = await statusOrNull(this.fileSystem, path);
        if (status === null) return null;
        return status.isDirectory() ? sizeOf(this.fileSystem, path) : { files: 0, bytes: 0 };
      },
      'The trash could not be read',
      'It is unchanged.',
    );
  }

  /** What of the store is in it: names as they were there. */
  async contents(): Promise<string[]> {
    const folder = await this.folder();
    if (folder === null) return [];
    const names = await namesOrNone(this.fileSystem, folder);
    const own = names.filter((name) => !isDescription(name) && !isOwnFolder(name) && name !== SUBAGENTS);
    if (!names.includes(SUBAGENTS)) return own;
    const path = childPath(folder, SUBAGENTS);
    if (!(await this.fileSystem.lstat(path)).isDirectory()) return [...own, SUBAGENTS];
    return [...own, ...(await namesOrNone(this.fileSystem, path)).map((name) => `${SUBAGENTS}/${name}`)];
  }
}

/** Whether a name in an entry is of the session's own folder, or of a copy of it that is being made. */
const isOwnFolder = (name: string): boolean =>
  name === TRASH_FOLDER || (name.startsWith(`.${TRASH_FOLDER}.`) && temporaryOwner(name) !== null);

/** Whether a name in an entry is of what describes it, or of a temp file for that. */
const isDescription = (name: string): boolean =>
  [TRASH_META, TRASH_JOURNAL].some(
    (one) => name === one || (name.startsWith(`.${one}.`) && temporaryOwner(name) !== null),
  );

/** Path below a folder of a name that may have one folder in front. */
export const partPath = (folder: string, name: string): string => childPath(folder, ...name.split('/'));

/** The folder of the trash of a store; it need not exist. No link leads there. */
export async function trashFolder({ root }: SessionStore): Promise<string> {
  return dirname(await root.locate(TRASH, 'x'));
}

function parseMeta(bytes: Buffer): { id: string; deletedAt: number | null } | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isRecord(value)) return null;
    const [key, deletedAt] = [own(value, 'key'), own(value, 'deletedAt')];
    if (typeof key !== 'string' || !key.endsWith('.jsonl')) return null;
    const isTime = typeof deletedAt === 'number' && Number.isFinite(deletedAt) && deletedAt >= 0;
    return { id: key.slice(0, -'.jsonl'.length), deletedAt: isTime ? deletedAt : null };
  } catch {
    // Torn or something else: then the name of the entry tells what can be told.
    return null;
  }
}
