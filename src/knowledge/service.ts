import type { EventPayload, Implementation, Publish } from '../contract/contract.ts';
import type { ContextSnapshot, ProjectId, SessionRef, StoreKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { sessionKey } from '../contract/identifiers.ts';
import type { KnowledgeBlock, KnowledgeReason, Pins } from '../contract/knowledge-entities.ts';
import { type FileSystem, nodeFileSystem } from '../files/index.ts';
import type { SessionFiles } from '../sessions/session-files.ts';
import type { Owing, SessionKnowledge, Told } from '../sessions/telling.ts';
import { sessionIdOf } from './artifact.ts';
import { buildBlock } from './block.ts';
import { collect, type KnowledgeSources, shownPins } from './collect.ts';
import { lastCompaction } from './compaction.ts';
import { KnowledgeFile, makeKnowledgeFile } from './file.ts';
import { owedReason } from './owed.ts';
import { changedPins, type PinChange } from './pins.ts';
import { type Delivered, readKnowledge, revisionOfPins, type StoredPin, withDelivered, withPins } from './stored.ts';

type ContextEvent = EventPayload<'context.changed'>;

export type KnowledgeCalls = Implementation['knowledge'];

/** What is needed of the sessions. */
export interface KnowledgeSessions {
  /** Null for a session that is nobody's that is known. @throws Failure `not-found`. */
  ownerOf(session: SessionRef): Promise<ProjectId | null>;
  /** The same as it is known, without a look at the disk. */
  knownOwnerOf(session: SessionRef): Promise<ProjectId | null>;
  filesOf(session: SessionRef): SessionFiles;
  /**
   * Runs a job on files beside a session's log, while nothing else of ours is written to it and nobody else has it open.
   *
   * @throws Failure `not-found`, `in-use`.
   */
  beside<Value>(session: SessionRef, job: (files: SessionFiles) => Promise<Value>): Promise<Value>;
}

export interface KnowledgeServiceOptions {
  fileSystem?: FileSystem;
  sessions: KnowledgeSessions;
  sources: KnowledgeSources;
  publish: Publish;
  report: (where: string, error: unknown) => void;
  /** How long a message waits for what it is to be told with, in ms. */
  patience?: number;
}

/** What a session would be told now, and whether it is owed. */
interface Look {
  readonly block: KnowledgeBlock;
  readonly reason: KnowledgeReason | null;
  readonly told: Told;
}

/** How long a message waits for what it is to be told with, in ms: a disk that is away must not keep it. */
const PATIENCE_MS = 5000;
const NOT_TOLD = 'The session was not told of its notes, plans and memories.';
/** Most sessions of which it is kept in memory what they were told. */
const MOST_UNRECORDED = 1000;

/** What sessions are told of the notes, plans and memories of their owners. */
export class KnowledgeService implements SessionKnowledge {
  readonly calls: KnowledgeCalls;
  readonly #options: KnowledgeServiceOptions;
  readonly #file: KnowledgeFile;
  /** What was told and could not be written down, so that it is not told with every message of this run. */
  readonly #unrecorded = new Map<string, Delivered>();

  constructor(options: KnowledgeServiceOptions) {
    this.#options = options;
    this.#file = new KnowledgeFile(options.fileSystem ?? nodeFileSystem);
    this.calls = {
      pins: ({ session }) => this.#pins(session),
      pin: (input) => this.#pin(input),
      block: async ({ session }) => (await this.#lookAt(session, await options.sessions.ownerOf(session))).block,
      owed: async ({ session }) => {
        const { block, reason } = await this.#lookAt(session, await options.sessions.ownerOf(session));
        return { block, reason };
      },
    };
  }

  async owed(session: SessionRef): Promise<Owing> {
    return this.#owing(async () => this.#lookAt(session, await this.#options.sessions.knownOwnerOf(session)));
  }

  async owedAtFirst(ownerId: ProjectId): Promise<Owing> {
    return this.#owing(async () => {
      const { input, leftOut } = await collect(this.#options.sources, ownerId, []);
      const block = buildBlock(input);
      return look({ ...block, leftOut: [...leftOut] }, block.signature === '' ? null : 'first', [], null);
    });
  }

  async recorded(session: SessionRef, { signature, pins, compaction }: Told): Promise<void> {
    const delivered = { signature, pins, compaction };
    try {
      await this.#options.sessions.beside(session, (files) =>
        this.#file.update(files, (stored) => withDelivered(stored, delivered)),
      );
      this.#unrecorded.delete(sessionKey(session));
    } catch (error) {
      this.#keep(session, delivered);
      // Of a session that is gone, and at the end of the program, nothing has to be remembered.
      const isOver = error instanceof Failure && ['not-found', 'cancelled'].includes(error.code);
      if (!isOver) this.#options.report('remembering what a session was told', error);
    }
    await this.#tell(session);
  }

  async copy(source: SessionRef, target: SessionFiles, onMade: (path: string) => void): Promise<void> {
    const { stored, failure } = await this.#file.read(this.#options.sessions.filesOf(source));
    // A copy is of the conversation first: pins that cannot be read stay behind.
    if (failure !== null) return this.#options.report('reading what a session is told of, for a copy', failure);
    if (stored.pins.length > 0) await makeKnowledgeFile(target, withPins(null, stored.pins), onMade);
  }

  /** The notes or plans of an owner changed. */
  contextChanged(event: ContextEvent): void {
    if (event.kind === 'problem') {
      this.#publish(null, event.projectId);
      return;
    }
    const { projectId, notes, plans } = event.change;
    const isSame = [notes, plans].every(({ order, changed }) => order === undefined && changed.length === 0);
    if (!isSame) this.#publish(null, projectId);
  }

  /** The memory of an owner changed; null: that of all, or its switch. */
  memoryChanged(ownerId: ProjectId | null): void {
    this.#publish(null, ownerId);
  }

  /** Files of a store changed. @param names None: any of them may have. */
  filesChanged(store: StoreKey, names: readonly string[]): void {
    if (names.length === 0) this.#publish(null, null);
    for (const id of new Set(names.map(sessionIdOf))) {
      if (id !== null) void this.#tell({ store, id });
    }
  }

  async #pins(session: SessionRef): Promise<Pins> {
    const ownerId = await this.#options.sessions.ownerOf(session);
    const { stored, failure } = await this.#file.read(this.#options.sessions.filesOf(session));
    return this.#shown(ownerId, stored.pins, failure);
  }

  async #pin({ session, revision, ...change }: Parameters<KnowledgeCalls['pin']>[0]): Promise<Pins> {
    const { sessions } = this.#options;
    const ownerId = await sessions.ownerOf(session);
    const snapshot = await this.#contextFor(change, ownerId);
    const { pins } = await sessions.beside(session, (files) =>
      this.#file.update(files, (stored) => {
        const before = stored === null ? [] : readKnowledge(stored).pins;
        if (revision !== undefined && revision !== revisionOfPins(before)) throw pinnedMeanwhile();
        const after = changedPins(before, change, snapshot);
        return after && withPins(stored, after);
      }),
    );
    await this.#tell(session);
    return this.#shown(ownerId, pins, null);
  }

  /** The owner's context for a change of pins; null where one can be taken out without it. */
  async #contextFor({ pinned }: PinChange, ownerId: ProjectId | null): Promise<ContextSnapshot | null> {
    if (ownerId === null) {
      if (!pinned) return null;
      throw new Failure(
        'not-found',
        'Nobody is known to own this session, so it has no notes and plans. Nothing was changed.',
      );
    }
    try {
      return await this.#options.sources.context(ownerId);
    } catch (error) {
      if (pinned || !(error instanceof Failure)) throw error;
      return null;
    }
  }

  async #shown(ownerId: ProjectId | null, pins: readonly StoredPin[], failure: Failure | null): Promise<Pins> {
    const revision = revisionOfPins(pins);
    let problem = failure?.message ?? null;
    let snapshot: ContextSnapshot | null = null;
    try {
      if (ownerId !== null && pins.length > 0) snapshot = await this.#options.sources.context(ownerId);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problem ??= error.message;
    }
    return { pins: shownPins(pins, snapshot), revision, problem };
  }

  async #lookAt(session: SessionRef, ownerId: ProjectId | null): Promise<Look> {
    const files = this.#options.sessions.filesOf(session);
    const { stored, failure } = await this.#file.read(files);
    const pins = failure === null ? stored.pins : [];
    const { input, leftOut } = await collect(this.#options.sources, ownerId, pins);
    const block = buildBlock(input);
    const compaction = block.signature === '' ? null : await lastCompaction(files);
    const reason = owedReason({
      signature: block.signature,
      pins: revisionOfPins(pins),
      compaction,
      delivered: this.#unrecorded.get(sessionKey(session)) ?? stored.delivered,
      isUnreadable: failure !== null,
    });
    const missing = failure === null ? leftOut : [failure.message, ...leftOut];
    return look({ ...block, leftOut: [...missing] }, reason, pins, compaction);
  }

  /** Whatever happens, and when it takes long, a message is recorded without it. */
  async #owing(lookAt: () => Promise<Look>): Promise<Owing> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#options.patience ?? PATIENCE_MS);
    });
    try {
      const found = await Promise.race([lookAt(), late]);
      if (found === null) return { told: null, leftOut: [`${NOT_TOLD} It took too long to read.`] };
      const { block, reason, told } = found;
      return { told: reason === null ? null : told, leftOut: block.leftOut };
    } catch (error) {
      // Of a session that is not there the record of the message says so.
      if (error instanceof Failure && error.code === 'not-found') return { told: null, leftOut: [] };
      this.#options.report('finding out what a session is to be told', error);
      const why = error instanceof Failure ? ` ${error.message}` : '';
      return { told: null, leftOut: [`${NOT_TOLD}${why}`] };
    } finally {
      clearTimeout(timer);
    }
  }

  #keep(session: SessionRef, delivered: Delivered): void {
    this.#unrecorded.set(sessionKey(session), delivered);
    if (this.#unrecorded.size <= MOST_UNRECORDED) return;
    const [oldest] = this.#unrecorded.keys();
    if (oldest !== undefined) this.#unrecorded.delete(oldest);
  }

  async #tell(session: SessionRef): Promise<void> {
    // Of a session that is gone the owner is not known any more, and need not be.
    const ownerId = await this.#options.sessions.knownOwnerOf(session).catch(() => null);
    this.#publish(session, ownerId);
  }

  #publish(session: SessionRef | null, ownerId: ProjectId | null): void {
    this.#options.publish('knowledge.changed', { session, ownerId });
  }
}

function look(
  block: KnowledgeBlock,
  reason: KnowledgeReason | null,
  pins: readonly StoredPin[],
  compaction: string | null,
): Look {
  const { text, signature } = block;
  return { block, reason, told: { text, signature, pins: revisionOfPins(pins), compaction } };
}

function pinnedMeanwhile(): Failure {
  return new Failure(
    'conflict',
    'What this session is told of was changed meanwhile. Nothing was changed now. Look at it, then try again.',
  );
}
