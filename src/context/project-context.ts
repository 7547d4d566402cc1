import { setTimeout as delay } from 'node:timers/promises';
import { contextChange } from '../contract/context-change.ts';
import type { EventPayload } from '../contract/contract.ts';
import type { ContextChange, ContextSnapshot } from '../contract/entities.ts';
import { type CallError, Failure } from '../contract/errors.ts';
import {
  type FileIdentity,
  type FileState,
  identify,
  isFresh,
  modifiedAt,
  readParsed,
  sameIdentity,
  writeDurably,
} from '../files/index.ts';
import type { Change } from './change.ts';
import { type ContextDocument, emptyDocument, readDocument } from './document.ts';
import { type JsonObject, parseStored, serialiseStored } from './json.ts';
import { LegacyMigration } from './migration.ts';
import { PlanFiles, vanishDelays } from './plan-files.ts';
import type { ProjectFiles } from './project-files.ts';
import { realChange, snapshotOf } from './snapshot.ts';
import { revisionOf } from './text.ts';

export type ContextEvent = EventPayload<'context.changed'>;

export interface ProjectContextOptions {
  files: ProjectFiles;
  onEvent: (event: ContextEvent) => void;
  sleep?: (ms: number) => Promise<unknown>;
}

export interface LoadOptions {
  /** Whether legacy data may be moved in, should there be any: for reads on behalf of a person, and for writes. */
  migrate: () => boolean | Promise<boolean>;
  /** Whether the old home of migrated data may still hold it for now: only where nothing is changed. */
  forReading?: boolean;
  /** Whether plan files that were looked at before are looked at again. */
  plans: boolean;
  /** Reads the bytes even when the file's status did not change. */
  hint?: boolean;
}

/** The state of the file as it was last read or written. */
interface Held {
  document: ContextDocument;
  bytes: Buffer | null;
  identity: FileIdentity | null;
  /** Whether an equal identity proves equal bytes. */
  trusted: boolean;
}

/** Answers for {@link LoadOptions.migrate}. */
export const always = (): boolean => true;
export const never = (): boolean => false;

/** How often a mutation is applied again because another program changed the file under it. */
const MAXIMUM_TRIES = 20;

/** Another program changed the file between our reading and our writing. */
class ChangedMeanwhile extends Error {}

/**
 * The context of one owner: the newest state of its file, what the windows were told, and the one way to change it. Its
 * methods must not run side by side; the store's queue sees to that.
 */
export class ProjectContext {
  readonly files: ProjectFiles;
  readonly plans: PlanFiles;
  readonly #onEvent: (event: ContextEvent) => void;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #legacy: LegacyMigration;
  #held: Held | null = null;
  #failed: { identity: FileIdentity; failure: Failure; trusted: boolean } | null = null;
  #snapshot: ContextSnapshot | null = null;
  #problem: CallError | null = null;

  constructor({ files, onEvent, sleep = delay }: ProjectContextOptions) {
    this.files = files;
    this.plans = new PlanFiles(files, sleep);
    this.#onEvent = onEvent;
    this.#sleep = sleep;
    this.#legacy = new LegacyMigration(files);
  }

  /** Whether anybody ever asked for this context: only then are there windows to tell. */
  get isInUse(): boolean {
    return this.#snapshot !== null || this.#problem !== null;
  }

  /** The context as the windows were last told. */
  get snapshot(): ContextSnapshot {
    if (this.#snapshot === null) throw new Error('a context is loaded before it is asked for');
    return this.#snapshot;
  }

  /** A change that changes nothing, for an answer after a call that had nothing to do. */
  get unchanged(): ContextChange {
    return contextChange(this.snapshot, this.snapshot);
  }

  /**
   * Brings the state up to the file and tells the windows what other programs changed, or once that it cannot be read.
   *
   * @throws Failure when it cannot be read; the windows then keep what they show.
   */
  async load(options: LoadOptions): Promise<ContextDocument> {
    try {
      let held = await this.#read(options.hint ?? false);
      if (await this.#migrate(held.document, options)) held = await this.#read(false);
      const linked = held.document.plans.entries.map((entry) => entry.view.file);
      await (options.plans ? this.plans.look(linked) : this.plans.lookAtNew(linked));
      this.publish();
      return held.document;
    } catch (error) {
      if (error instanceof Failure) this.#tellProblem(error);
      throw error;
    }
  }

  /** Applies a change to the newest state and resolves when it is on the disk, with exactly what it changed. */
  async mutate<Result>(
    change: (document: ContextDocument) => Change<Result>,
  ): Promise<{ result: Result; context: ContextChange }> {
    for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
      const document = await this.load({ migrate: always, plans: false });
      refuseNewer(document);
      const { raw, result } = change(document);
      if (raw === null) return { result, context: this.publish() };
      if (await this.write(raw)) return { result, context: this.publish() };
    }
    throw new Failure('io', 'Another program keeps changing the file. The change was not saved; try again.', {
      detail: { reason: 'busy' },
    });
  }

  /**
   * Writes the top level over the state that was last read.
   *
   * @returns False, with nothing written, when another program changed the file since.
   */
  async write(raw: JsonObject): Promise<boolean> {
    const bytes = serialiseStored(raw);
    const expected = this.#held?.identity ?? null;
    try {
      await this.files.prepareFolder();
      const path = await this.files.contextPath();
      const identity = await writeDurably(this.files.fileSystem, path, bytes, {
        beforeReplace: async () => {
          const now = await identify(this.files.fileSystem, path);
          const same = now.state === 'present' ? sameIdentity(now.identity, expected) : isStill(now, expected);
          if (!same) throw new ChangedMeanwhile();
        },
      });
      const document = readDocument(raw, 0);
      this.#held = { document, bytes, identity, trusted: identity !== null && !isFresh(identity, Date.now()) };
      return true;
    } catch (error) {
      this.#distrust();
      if (error instanceof ChangedMeanwhile) return false;
      // The write may have reached the file before it failed: the windows must show what is there. Should reading fail as
      // well, the failure to write is what the caller has to know.
      await this.load({ migrate: never, plans: false }).catch(() => undefined);
      throw error;
    }
  }

  /** Tells the windows what differs from what they were told; answers that change. */
  publish(): ContextChange {
    const held = this.#held;
    if (held === null) throw new Error('a context is read before it is published');
    const before = this.#snapshot;
    const revision = held.bytes === null ? null : revisionOf(held.bytes);
    const repaired = this.#problem !== null;
    this.#problem = null;
    const sequence = before?.sequence ?? 0;
    const after = snapshotOf(this.files.id, sequence, held.document, revision, this.plans);
    const change = before === null ? null : realChange(before, after);
    if (before !== null && change === null && !repaired) return contextChange(before, before);
    const changed = { ...after, sequence: before === null && !repaired ? sequence : sequence + 1 };
    this.#snapshot = changed;
    const told = contextChange(before, changed);
    // Whoever asked first gets the whole as an answer; there is nobody else to tell yet.
    if (before !== null || repaired) this.#onEvent({ kind: 'change', change: told });
    return told;
  }

  async #read(hint: boolean): Promise<Held> {
    const { fileSystem } = this.files;
    const path = await this.files.contextPath();
    const found = await this.#identifyPatiently(path);
    if (found.state === 'present') {
      this.files.markSeen();
      if (!hint && this.#held?.trusted && sameIdentity(this.#held.identity, found.identity)) return this.#held;
      const failed = this.#failed;
      if (!hint && failed?.trusted && sameIdentity(failed.identity, found.identity)) throw failed.failure;
    }
    const parse = (bytes: Buffer, identity: FileIdentity) =>
      this.#held?.bytes?.equals(bytes)
        ? this.#held.document
        : readDocument(parseStored(bytes, 'The stored context'), modifiedAt(identity));
    const read = found.state === 'present' ? await readParsed(fileSystem, path, parse, { sleep: this.#sleep }) : found;
    if (read.state === 'unknown') {
      const { identity, failure } = read;
      this.#failed = identity && { identity, failure, trusted: !isFresh(identity, Date.now()) };
      throw failure;
    }
    this.#failed = null;
    if (read.state === 'missing') {
      await this.files.checkSeen();
      this.#held = { document: emptyDocument, bytes: null, identity: null, trusted: true };
    } else {
      const { value: document, bytes, identity } = read;
      this.#held = { document, bytes, identity, trusted: !isFresh(identity, Date.now()) };
    }
    return this.#held;
  }

  /** A file that was there and whose folder still is may be in the middle of being replaced: it is looked for again. */
  async #identifyPatiently(path: string): Promise<FileState<object>> {
    let found = await identify(this.files.fileSystem, path);
    if ((this.#held?.identity ?? null) === null) return found;
    for (const wait of vanishDelays) {
      if (found.state !== 'missing' || !(await this.files.root.has('projects', this.files.id))) break;
      await this.#sleep(wait);
      found = await identify(this.files.fileSystem, path);
    }
    return found;
  }

  async #migrate(document: ContextDocument, { migrate, forReading = false }: LoadOptions): Promise<boolean> {
    return this.#legacy.run(document, migrate, (raw) => this.write(raw), forReading);
  }

  /** Forgets that the held state is that of the file, so that it is read again; keeps what the windows were told. */
  #distrust(): void {
    if (this.#held !== null) this.#held = { ...this.#held, trusted: false };
  }

  #tellProblem(failure: Failure): void {
    const error = failure.toCallError();
    const known = this.#problem;
    this.#problem = error;
    if (known?.code === error.code && known.message === error.message) return;
    const sequence = this.#snapshot?.sequence ?? 0;
    this.#onEvent({ kind: 'problem', projectId: this.files.id, sequence, error });
  }
}

/** Refuses to write a file of a version above ours. */
export function refuseNewer(document: ContextDocument): void {
  if (!document.readOnly) return;
  throw new Failure(
    'newer-version',
    'This context was saved by a newer program, so it can only be read here. Nothing was changed. Update Sidekeep.',
    { detail: { version: document.version } },
  );
}

function isStill(found: FileState<object>, expected: FileIdentity | null): boolean {
  if (found.state === 'unknown') throw found.failure;
  return expected === null;
}
