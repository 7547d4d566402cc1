import { setTimeout as delay } from 'node:timers/promises';
import { contextChange } from '../contract/context-change.ts';
import type { EventPayload } from '../contract/contract.ts';
import type { ContextChange, ContextSnapshot } from '../contract/entities.ts';
import { type CallError, Failure } from '../contract/errors.ts';
import { removeTemporary, type Unchanged } from '../files/index.ts';
import type { JsonObject } from '../files/json.ts';
import { type Held, StoredDocument } from '../files/stored-document.ts';
import { Backups } from './backups.ts';
import { type ContextDocument, contextFile, readDocument } from './document.ts';
import { LegacyMigration } from './migration.ts';
import { Notices } from './notices.ts';
import { Overwritten } from './overwritten.ts';
import { labelOf, losesTexts, OwnChanges } from './own-changes.ts';
import type { OverwrittenPlan } from './own-plans.ts';
import { PlanFiles } from './plan-files.ts';
import type { ProjectFiles } from './project-files.ts';
import { realChange, snapshotOf } from './snapshot.ts';
import { Trash } from './trash.ts';

export type ContextEvent = EventPayload<'context.changed'>;

export interface ProjectContextOptions {
  files: ProjectFiles;
  onEvent: (event: ContextEvent) => void;
  now: () => number;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
  sleep?: (ms: number) => Promise<unknown>;
}

export interface LoadOptions {
  /** Whether legacy data may be moved in, should there be any: for reads on behalf of a person, and for writes. */
  migrate: () => boolean | Promise<boolean>;
  /** Whether the old home of migrated data may still hold it for now: only where nothing is changed. */
  forReading?: boolean;
  /**
   * Whether plan files that were looked at before are looked at again. `doubtful`: those not known for certain. `moved`: all
   * if one came to their folder or left it, which a change of a text in its place does not show.
   */
  plans: boolean | 'doubtful' | 'moved';
}

/** Answers for {@link LoadOptions.migrate}. */
export const always = (): boolean => true;
export const never = (): boolean => false;

/**
 * The context of one owner: the newest state of its file, and what the windows were told of it. Its methods must not run
 * side by side; the store's queue sees to that. Changes are made by `commit.ts`.
 */
export class ProjectContext {
  readonly files: ProjectFiles;
  readonly plans: PlanFiles;
  readonly trash: Trash;
  readonly backups: Backups;
  readonly notices: Notices;
  readonly now: () => number;
  readonly report: (where: string, error: unknown) => void;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly #onEvent: (event: ContextEvent) => void;
  readonly #legacy: LegacyMigration;
  readonly #stored: StoredDocument<ContextDocument>;
  readonly #own = new OwnChanges();
  readonly overwritten: Overwritten;
  #snapshot: ContextSnapshot | null = null;
  #problem: CallError | null = null;
  /** What the snapshot was made of: the very same again gives the very same. */
  #told: readonly unknown[] = [];

  constructor({ files, onEvent, now, report, sleep = delay }: ProjectContextOptions) {
    this.files = files;
    this.now = now;
    this.report = report;
    this.sleep = sleep;
    this.plans = new PlanFiles(files, (file, text) => this.#keepOverwrittenPlan(file, text), sleep);
    this.trash = new Trash(files, now, report);
    this.backups = new Backups(files, now, report);
    this.notices = new Notices(files);
    const hasFolder = () => files.root.has('projects', files.id);
    this.overwritten = new Overwritten({ hasFolder, backups: this.backups, notices: this.notices, report });
    this.#onEvent = onEvent;
    this.#legacy = new LegacyMigration(files);
    this.#stored = new StoredDocument(
      contextFile,
      files,
      {
        changedElsewhere: (before, theirs) => this.#keepOverwritten(before, theirs),
        replaced: (kept) => this.keepReplaced(kept),
        displaced: (kept) => this.keepDisplaced(kept),
      },
      sleep,
    );
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

  /** Revision of the file as it was last read or written; null while there is none. */
  get revision(): string | null {
    return this.#stored.held?.revision ?? null;
  }

  /**
   * Brings the state up to the file and tells the windows what other programs changed, or once that it cannot be read.
   *
   * @throws Failure when it cannot be read; the windows then keep what they show.
   */
  async load(options: LoadOptions): Promise<ContextDocument> {
    try {
      // Each call to the disk is a wait, so the two files are looked at side by side.
      const looked = this.#legacy.look();
      looked.catch(() => undefined);
      let held = await this.#stored.read();
      if (await this.#migrate(held.document, looked, options)) held = await this.#stored.read();
      const linked = held.document.plans.entries.map((entry) => entry.view.file);
      const all = options.plans === true || (options.plans === 'moved' && (await this.plans.haveMoved()));
      await this.plans.look(all ? linked : this.plans.unknown(linked, options.plans !== false));
      await this.overwritten.retry();
      await this.notices.readLogs();
      this.publish();
      return held.document;
    } catch (error) {
      if (error instanceof Failure) this.#tellProblem(error);
      throw error;
    }
  }

  /**
   * The state as it was last read or written, where a write can prove that it still is that of the file ({@link writeProven});
   * null when it has to be loaded.
   */
  lastKnown(): ContextDocument | null {
    const held = this.#stored.provable;
    const isTold = held !== null && this.#problem === null && this.#told[0] === held.document;
    if (!isTold || held.document.readOnly || !this.overwritten.isEmpty || this.backups.isDueForSure !== false)
      return null;
    return this.#unchanged() === null ? null : held.document;
  }

  /** What a write stands on beside the context file; null when it has to be looked at. */
  #unchanged(): readonly Unchanged[] | null {
    const settings = this.#legacy.settled;
    const proofs = this.files.proofs();
    return settings && proofs && [settings, ...proofs];
  }

  /** Forgets what was read and changed here: what the file holds now is what its person wants there. */
  forget(): void {
    this.#stored.forget();
    this.#own.clear();
  }

  /**
   * Writes a document over the one that was last read.
   *
   * @returns False, with nothing changed, when another program changed the file since.
   */
  write(document: ContextDocument): Promise<boolean> {
    return this.#write(document, () => this.#stored.write(document));
  }

  /**
   * Writes a document that was made of {@link lastKnown}.
   *
   * @returns False, with nothing changed, when something is not as it was: it has to be loaded.
   */
  writeProven(document: ContextDocument): Promise<boolean> {
    return this.#write(document, async () => {
      const unchanged = this.#unchanged();
      return unchanged !== null && this.#stored.writeProven(document, unchanged);
    });
  }

  async #write(document: ContextDocument, write: () => Promise<boolean>): Promise<boolean> {
    const before = this.#stored.held?.document ?? null;
    try {
      const written = await write();
      if (!written) this.#stored.distrust();
      else if (before !== null) this.#own.record(before, document);
      return written;
    } catch (error) {
      this.#stored.distrust();
      // The write may have reached the file before it failed: the windows must show what is there. Should reading fail as
      // well, the failure to write is what the caller has to know.
      await this.load({ migrate: never, plans: false }).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Tells the windows what differs from what they were told; answers that change.
   *
   * @param state What to tell of: the file's state when left out, or a step on the way to it that was written with others.
   */
  publish(state: Pick<Held<ContextDocument>, 'document' | 'revision'> | null = this.#stored.held): ContextChange {
    if (state === null) throw new Error('a context is read before it is published');
    const before = this.#snapshot;
    const repaired = this.#problem !== null;
    this.#problem = null;
    const sequence = before?.sequence ?? 0;
    const { document, revision } = state;
    const { plans } = this;
    const parts = { projectId: this.files.id, document, revision, plans, notices: this.notices.all };
    const told = [document, revision, plans.changes, parts.notices];
    if (before !== null && !repaired && told.every((part, index) => part === this.#told[index])) return this.unchanged;
    this.#told = told;
    const after = snapshotOf(parts, sequence);
    const change = before === null ? null : realChange(before, after);
    if (before !== null && change === null && !repaired) return contextChange(before, before);
    const changed = { ...after, sequence: before === null && !repaired ? sequence : sequence + 1 };
    this.#snapshot = changed;
    const made = change === null ? contextChange(before, changed) : { ...change, sequence: changed.sequence };
    // Whoever asked first gets the whole as an answer; there is nobody else to tell yet.
    if (before !== null || repaired) this.#onEvent({ kind: 'change', change: made });
    return made;
  }

  async #migrate(
    document: ContextDocument,
    looked: ReturnType<LegacyMigration['look']>,
    { migrate, forReading = false }: LoadOptions,
  ): Promise<boolean> {
    const write = (raw: JsonObject) => this.#stored.write(readDocument(raw, 0)).finally(() => this.#stored.distrust());
    const moved = await this.#legacy.run(document, looked, migrate, write, forReading);
    this.notices.setWaitingLinks(this.#legacy.waiting, this.now());
    if (moved) this.notices.forgetLogs();
    return moved;
  }

  /** Another program changed the file: what it took back of the changes made here is kept, and told. */
  async #keepOverwritten(before: Held<ContextDocument>, theirs: ContextDocument | null): Promise<void> {
    const { bytes, document } = before;
    if (bytes === null) return;
    if (theirs === null) return this.overwritten.keep({ bytes, plan: null, noticeId: null });
    const { reverted, replaced } = this.#own.takeOverwritten(document, theirs);
    if (reverted.length === 0 && !replaced) return losesTexts(document, theirs) ? this.#keepRegular(bytes) : undefined;
    const labels = reverted.map(({ ours, theirs }) => labelOf(ours ?? theirs ?? {}));
    const notice = { kind: 'overwritten', at: this.now(), backupId: null, planId: null } as const;
    const noticeId = labels.length === 0 ? null : this.notices.add(notice, labels);
    if (noticeId !== null) this.overwritten.remember(noticeId, reverted);
    await this.overwritten.keep({ bytes, plan: null, noticeId });
  }

  /** What another program took out may have been meant to stay: such versions are kept as those of saves here are. */
  async #keepRegular(bytes: Buffer): Promise<void> {
    await this.#attempt('keeping an earlier version', async () => {
      // A folder that was moved away is not made again for this.
      if (!(await this.files.root.has('projects', this.files.id))) return;
      if (await this.backups.isDue()) await this.backups.save(bytes, 'regular');
    });
  }

  async #keepOverwrittenPlan(file: string, { bytes, reverted }: OverwrittenPlan): Promise<void> {
    const noticeId = reverted ? this.#notePlan('overwritten', file, null) : null;
    await this.overwritten.keep({ bytes, plan: file, noticeId });
  }

  /**
   * What a save replaced: the last good version is kept, at most every five minutes.
   *
   * @param kept Where it is; moved away or removed.
   * @param plan The plan file that it is of; the context file when left out.
   */
  async keepReplaced(kept: string, plan?: string): Promise<void> {
    const done = await this.#attempt('keeping an earlier version', async () => {
      if (!(await this.backups.isDue(plan))) return false;
      await this.backups.adopt(kept, 'regular', plan);
      return true;
    });
    if (done !== true) await removeTemporary(this.files.fileSystem, kept);
  }

  /** What another program saved in the moment of a save here, and could not be put back: always kept, and told. */
  async keepDisplaced(kept: string, plan?: string): Promise<void> {
    const backupId = await this.#keep('keeping what another program saved at the same moment', () =>
      this.backups.adopt(kept, 'displaced', plan),
    );
    if (plan !== undefined) this.#notePlan('displaced', plan, backupId ?? null);
    else this.notices.add({ kind: 'displaced', at: this.now(), backupId: backupId ?? null, planId: null }, []);
  }

  #notePlan(kind: 'overwritten' | 'displaced', file: string, backupId: string | null): string {
    const link = this.#stored.held?.document.plans.entries.find((entry) => entry.view.file === file);
    const planId = link?.view.id ?? null;
    return this.notices.add({ kind, at: this.now(), backupId, planId }, [link?.view.title ?? file]);
  }

  /** Keeps what is nowhere else; tried twice, as a disk may fail for a moment only. */
  async #keep(where: string, action: () => Promise<string>): Promise<string | undefined> {
    return (await this.#attempt(where, action)) ?? (await this.#attempt(where, action));
  }

  /** What is done beside a change must not make the change look failed; it is reported. */
  async #attempt<Value>(where: string, action: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await action();
    } catch (error) {
      this.report(where, error);
      return undefined;
    }
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
