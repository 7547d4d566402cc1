import type { Implementation, Publish } from '../contract/contract.ts';
import type {
  ProjectId,
  SessionDetail,
  SessionMessage,
  SessionRef,
  SessionRow,
  StoreKey,
} from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { sessionKey } from '../contract/identifiers.ts';
import { type FileSystem, isMissing, nodeFileSystem } from '../files/index.ts';
import { SessionCatalog } from './catalog/catalog.ts';
import { meaningOf } from './catalog/names.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { findHolder } from './holder.ts';
import { type PlaceOf, personMessage, SessionMaking } from './making.ts';
import type { NamedFolders, OwnFolders } from './own-folder.ts';
import { SessionFiles } from './session-files.ts';
import { SessionStores } from './session-stores.ts';
import { storedForCopy } from './stored-for-copy.ts';
import { type SessionKnowledge, Telling } from './telling.ts';
import { type RowFacts, readStored, shownMessage } from './transcript/message.ts';
import type { TranscriptDetail } from './transcript/reader.ts';
import { TranscriptReaders } from './transcript/readers.ts';
import { SessionTrash } from './trash.ts';
import type { TailNotice } from './writing/held-log.ts';
import { refuseUnwritable } from './writing/title.ts';
import { SessionWriters } from './writing/writers.ts';

export type SessionCalls = Implementation['sessions'];

/** The pinned sessions, kept by whoever keeps the settings. */
export interface Pins {
  list(): readonly SessionRef[];
  /** @throws Failure `limit`, `io`. */
  set(session: SessionRef, pinned: boolean): void;
}

export interface SessionServiceOptions {
  /** Folder of all stores; it need not exist, and reading does not make it. */
  root: string;
  /** Folder for what makes lists and pages fast; null keeps that in memory. */
  cacheFolder: string | null;
  fileSystem?: FileSystem;
  /** Whose a session's folder is. */
  ownerOf: (directory: string) => Promise<ProjectId | null>;
  /** Where a new session of an owner belongs, see {@link PlaceOf}. */
  placeOf: PlaceOf;
  /** The folders of their own that sessions may have; none when left out. */
  ownFolders?: OwnFolders;
  pins: Pins;
  /** What sessions are told with the messages of their person; nothing when left out. */
  knowledge?: SessionKnowledge;
  /** Makes sure, before a write, that this process owns the root; may make it. @throws Failure `in-use`. */
  claimRoot: () => Promise<void>;
  /** Whether {@link SessionService.hint} tells of every change on disk. */
  isWatching: () => boolean;
  /** Shows a file in the desktop's file manager. */
  reveal: (file: string) => void;
  publish: Publish;
  report: (where: string, error: unknown) => void;
  /** The workers as they were bundled; the sources when left out. */
  indexWorkerUrl?: URL;
  catalogWorkerUrl?: URL;
  /** In ms since 1970. */
  now?: () => number;
}

/** Sessions of all stores under one root: one method for each call, over the parts that read, list, write and delete. */
export class SessionService {
  readonly calls: SessionCalls;
  readonly #options: SessionServiceOptions;
  readonly #fileSystem: FileSystem;
  readonly #now: () => number;
  readonly #stores: SessionStores;
  readonly #catalog: SessionCatalog;
  readonly #readers: TranscriptReaders;
  readonly #writers: SessionWriters;
  readonly #trash: SessionTrash;
  readonly #making: SessionMaking;
  readonly #telling: Telling;
  readonly #closing = new AbortController();
  #reconciling: Promise<void> = Promise.resolve();

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    const { root, cacheFolder, fileSystem = nodeFileSystem, now = Date.now, publish, report } = options;
    this.#fileSystem = fileSystem;
    this.#now = now;
    this.#stores = new SessionStores(fileSystem, root);
    this.#catalog = new SessionCatalog({
      stores: this.#stores,
      fileSystem,
      cacheFolder,
      ownerOf: options.ownerOf,
      pinned: () => new Set(options.pins.list().map(sessionKey)),
      isWatching: options.isWatching,
      deletedAmong: (store, ids) => this.#trash.deletedAmong(store, ids),
      onChange: (change) => publish('sessions.changed', change),
      report,
      now,
      ...(options.catalogWorkerUrl ? { workerUrl: options.catalogWorkerUrl } : {}),
    });
    this.#readers = new TranscriptReaders({
      fileSystem,
      filesOf: (session) => this.#files(session),
      cacheFolder,
      onChange: ({ session, heads, complete, progress }) => {
        for (const head of heads) publish('sessions.appended', { session, ...head, complete, progress });
      },
      report: (problem) => report('reading a transcript', problem),
      ...(options.indexWorkerUrl ? { workerUrl: options.indexWorkerUrl } : {}),
    });
    this.#writers = new SessionWriters({
      fileSystem,
      stores: this.#stores,
      findHolder,
      storedMessages: storedForCopy(this.#readers),
      now,
      report,
      isUsed: async (session) => this.#catalog.hasLike(session) || (await this.#trash.isSpent(session)),
      onWritten: (session) => this.#changed(session),
      onTail: (session, notice) => this.#catalog.notice(session, tailReason(notice)),
    });
    this.#telling = new Telling(options.knowledge ?? null);
    this.#making = new SessionMaking({
      fileSystem,
      stores: this.#stores,
      readers: this.#readers,
      writers: this.#writers,
      telling: this.#telling,
      placeOf: options.placeOf,
      claimRoot: options.claimRoot,
      now,
    });
    this.#trash = new SessionTrash({
      stores: this.#stores,
      now,
      report,
      onDeleted: (session) => this.#changed(session),
      ...(options.ownFolders ? { ownFolders: options.ownFolders } : {}),
    });
    this.calls = this.#makeCalls();
  }

  /**
   * Finishes what an earlier run left half-way and removes what is long in the trash. To be called once this process owns
   * the root.
   */
  reconcile(): Promise<void> {
    const { signal } = this.#closing;
    this.#reconciling = this.#reconcile(signal);
    return this.#reconciling;
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    try {
      const { deleted, restored, left } = await this.#trash.reconcile(signal);
      for (const { name, reason } of left) this.#options.report(`finishing what was left undone: ${name}`, reason);
      if (deleted.length + restored.length > 0) await this.#catalog.refreshAll();
    } catch (error) {
      // Closing ends it; the next start goes on.
      if (!signal.aborted) throw error;
    }
  }

  /** Names that changed in a store; all of it may have when there are none. */
  hint(store: StoreKey, names: readonly string[]): void {
    this.#catalog.hint(store, names);
    const ids = new Set(
      names.map(meaningOf).flatMap((meaning) => (meaning === null || meaning === 'titles' ? [] : meaning.id)),
    );
    for (const id of ids) this.#refresh({ store, id });
    if (names.length === 0) this.#lookAtOpen();
  }

  /** Anything may have changed. */
  async rescan(): Promise<void> {
    this.#lookAtOpen();
    await this.#catalog.refreshAll();
  }

  /** Nothing tells what changed of the sessions that are being read. */
  #lookAtOpen(): void {
    for (const session of this.#readers.sessions) {
      this.#catalog.holderChanged(session);
      this.#refresh(session);
    }
  }

  /** Whose a session is; null when its folder is nobody's that is known. @throws Failure `not-found`. */
  async ownerOf(session: SessionRef): Promise<ProjectId | null> {
    return (await this.#read(session, () => this.#rowOf(session))).ownerId;
  }

  /** The same without a look at the disk where the list knows it, also of a session that went just now. */
  async knownOwnerOf(session: SessionRef): Promise<ProjectId | null> {
    return (this.#catalog.row(session) ?? (await this.#rowOf(session))).ownerId;
  }

  /** The files of a session. @throws Failure `invalid` for what is no name of one. */
  filesOf(session: SessionRef): SessionFiles {
    return this.#files(session);
  }

  /**
   * Runs a job on files beside a session's log, while nothing else of ours is written to it and nobody else has it open.
   *
   * @throws Failure `not-found`, `in-use`.
   */
  async beside<Value>(session: SessionRef, job: (files: SessionFiles) => Promise<Value>): Promise<Value> {
    await this.#options.claimRoot();
    return this.#writers.beside(session, async (files) => {
      await refuseUnwritable(files, findHolder);
      return job(files);
    });
  }

  /** Projects came, went, or have other folders. */
  ownersChanged(): Promise<void> {
    return this.#catalog.ownersChanged();
  }

  /** The folders that all sessions name, hidden ones included. Waits until everything was looked at once. */
  async namedFolders(): Promise<NamedFolders> {
    const listed = await this.#catalog.namedFolders();
    const hidden = await hiddenFolders(this.#trash.context);
    return { named: [...listed.named, ...hidden.named], unsure: listed.unsure ?? hidden.unsure };
  }

  /** The folder that a session names; null when it names none. @throws Failure `not-found`. */
  async directoryOf(session: SessionRef): Promise<string | null> {
    await this.#rowOf(session);
    return this.#catalog.directoryOf(session);
  }

  /** Ends what was begun and lets go of everything. */
  async dispose(): Promise<void> {
    this.#closing.abort();
    await this.#reconciling.catch(() => undefined);
    await this.#writers.dispose();
    await this.#trash.dispose();
    await Promise.all([this.#readers.dispose(), this.#catalog.dispose()]);
  }

  #makeCalls(): SessionCalls {
    return {
      list: (input) => this.list(input),
      get: ({ session }) => this.#read(session, () => this.#detail(session)),
      page: (input) => this.#read(input.session, () => this.#readers.page(input)),
      text: (input) => this.#read(input.session, () => this.#readers.text(input)),
      find: (input, { signal }) => this.#read(input.session, () => this.#readers.find(input, signal)),
      create: (input) => this.create(input),
      append: (input) => this.#append(input),
      rename: ({ session, title, seen }) =>
        this.#written(() => this.#writers.rename(session, { title, seen }).then(() => session)),
      fork: (input) => this.#fork(input),
      pin: ({ session, pinned }) => this.#pin(session, pinned),
      delete: (input) => this.#delete(input),
      restore: async (item) => {
        await this.#options.claimRoot();
        return { row: await this.#rowOf(await this.#trash.restore(item)) };
      },
      trash: async () => ({ items: await this.#trash.list() }),
      purge: async ({ items }) => {
        await this.#options.claimRoot();
        return this.#trash.purge(items);
      },
      report: (_input, { signal }) => this.#trash.report(AbortSignal.any([signal, this.#closing.signal])),
      repair: async ({ reportId, findings }, { signal }) => {
        await this.#options.claimRoot();
        return this.#trash.repair(reportId, findings, signal);
      },
      reveal: async ({ session }) => {
        this.#options.reveal(await this.#transcriptOf(session));
        return {};
      },
    };
  }

  /** Says of a session that is not there whether it is in the trash, so that it can be brought back from there. */
  async #read<Value>(session: SessionRef, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      const trashed = await this.#trash.newestEntry(session);
      if (trashed === null) throw error;
      throw new Failure('not-found', 'This session is in the trash. Bring it back to see it.', {
        detail: { trashed: trashed.name },
        cause: error,
      });
    }
  }

  async #detail(session: SessionRef): Promise<SessionDetail> {
    const row = await this.#rowOf(session);
    const holder = await findHolder(this.#files(session));
    const transcript = await this.#transcriptDetail(session);
    if (typeof transcript === 'string') {
      return { row, format: null, holder, readOnly: transcript, heads: [], head: 'main' };
    }
    const { format, heads, head } = transcript;
    const readOnly = holder !== null ? 'in-use' : row.ours ? null : 'foreign';
    return { row, format, holder, readOnly, heads: [...heads], head };
  }

  /** What is known of a transcript; why it cannot be read where that is a state of its own. */
  async #transcriptDetail(session: SessionRef): Promise<TranscriptDetail | 'too-new' | 'unreadable'> {
    try {
      return await this.#readers.detail(session);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'not-found' || error.code === 'cancelled') throw error;
      return error.code === 'newer-version' ? 'too-new' : 'unreadable';
    }
  }

  /** See `sessions.list`. */
  list(input: Parameters<SessionCalls['list']>[0]): ReturnType<SessionCalls['list']> {
    return this.#catalog.list(input);
  }

  /** See `sessions.create`. */
  async create(input: Parameters<SessionCalls['create']>[0]): ReturnType<SessionCalls['create']> {
    return { row: await this.#rowOf(await this.#making.create(input)) };
  }

  async #append(input: Parameters<SessionCalls['append']>[0]): ReturnType<SessionCalls['append']> {
    const { session, text, messageId } = input;
    // Refuses what is no name of a session.
    this.#files(session);
    await this.#options.claimRoot();
    await this.#renewFolder(session);
    const { appended, isTold, leftOut } = await this.#telling.record(
      session,
      personMessage(messageId, text, this.#now()),
      (messages) => this.#writers.append(session, messages),
    );
    const first = isTold ? appended.index - 1 : appended.index;
    const page = await this.#readers.page({ session, from: first, limit: 2 }).catch(() => null);
    const place = page?.messages.findIndex((message) => message.id === messageId) ?? -1;
    const shown = page?.messages[place];
    const told = isTold ? page?.messages[place - 1] : null;
    const rest = { leftOut: [...leftOut], generation: page?.generation ?? '' };
    if (page && shown && told !== undefined) return { message: shown, told, total: page.total, ...rest };
    // It is on the disk, whatever keeps the transcript from being read now.
    const { stored, before, index, bytes, total } = appended;
    const message = shownStored(stored, { index, bytes, oddity: null });
    const toldRow = isTold && before !== null ? shownStored(before, { index: index - 1, bytes, oddity: null }) : null;
    return { message, told: toldRow, total, ...rest };
  }

  /** A chat whose folder is gone gets it back before it goes on. */
  async #renewFolder(session: SessionRef): Promise<void> {
    const { ownFolders, report } = this.#options;
    if (ownFolders === undefined) return;
    if (this.#catalog.row(session) === null) await this.#catalog.look(session);
    const directory = this.#catalog.directoryOf(session);
    if (directory === null) return;
    try {
      await ownFolders.renew(directory);
    } catch (error) {
      // The message is worth more than the folder, which is made with the next one.
      if (!(error instanceof Failure)) throw error;
      report('making the folder of a chat again', error);
    }
  }

  async #fork(input: Parameters<SessionCalls['fork']>[0]): ReturnType<SessionCalls['fork']> {
    return { row: await this.#rowOf(await this.#making.fork(input, await this.#rowOf(input.session))) };
  }

  async #pin(session: SessionRef, pinned: boolean): ReturnType<SessionCalls['pin']> {
    // A pin of a session that is gone can be taken away all the same.
    if (pinned) await this.#rowOf(session);
    this.#options.pins.set(session, pinned);
    this.#catalog.pinsChanged();
    return { row: await this.#rowOf(session) };
  }

  async #delete({
    session,
    whenFree = false,
    folder,
  }: Parameters<SessionCalls['delete']>[0]): ReturnType<SessionCalls['delete']> {
    await this.#options.claimRoot();
    const deleted = await this.#writers.alone(session, () => this.#trash.deleteWith(session, { whenFree, folder }));
    await this.#readers.forget(session);
    await this.#catalog.look(session);
    return deleted;
  }

  async #written(write: () => Promise<SessionRef>): Promise<{ row: SessionRow }> {
    await this.#options.claimRoot();
    const written = await write();
    return { row: await this.#rowOf(written) };
  }

  /** The row of a session as it is now. @throws Failure `not-found`. */
  async #rowOf(session: SessionRef): Promise<SessionRow> {
    // Refuses what is no name of a session.
    this.#files(session);
    const row = await this.#catalog.look(session);
    if (row === null) throw new Failure('not-found', 'This session is not there any more; it may be in the trash.');
    return row;
  }

  async #transcriptOf(session: SessionRef): Promise<string> {
    const path = await this.#files(session).path('transcript');
    try {
      await this.#fileSystem.lstat(path);
      return path;
    } catch (error) {
      if (isMissing(error))
        throw new Failure('not-found', 'This session is not there any more; it may be in the trash.');
      throw error;
    }
  }

  #files({ store, id }: SessionRef): SessionFiles {
    return new SessionFiles(this.#fileSystem, this.#stores.get(store), id);
  }

  /** Files of a session changed by what was done here. */
  #changed(session: SessionRef): void {
    this.#catalog.look(session).catch((error: unknown) => this.#options.report('looking at a session', error));
    this.#refresh(session);
  }

  #refresh(session: SessionRef): void {
    this.#readers.refresh(session).catch((error: unknown) => this.#options.report('looking at a transcript', error));
  }
}

/** A message as it is stored, as a row. */
function shownStored(bytes: Buffer, facts: RowFacts): SessionMessage {
  const stored = readStored(JSON.parse(bytes.toString('utf8')));
  if (stored === null) throw new Error('what was just recorded is a message');
  return shownMessage(stored, facts);
}

/** What the person is told of a torn end that was found before a message was added. */
function tailReason({ setAside, bytes }: TailNotice): string {
  const many = bytes === 1 ? 'One byte' : `${bytes} bytes`;
  return setAside
    ? `${many} at its end had not been written completely. They were set aside and are kept with it; everything else is there.`
    : `${many} at its end had not been written completely and could not be set aside. They stay where they are, and are shown as damaged.`;
}
