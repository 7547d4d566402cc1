import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { limits, type Plan } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  type FileIdentity,
  identify,
  identityOf,
  isFresh,
  mapBounded,
  readWhole,
  sameIdentity,
  systemCode,
  vanishDelays,
} from '../files/index.ts';
import type { StoredList } from '../files/stored-list.ts';
import { revisionOf } from '../files/text.ts';
import type { PlanLink } from './entries.ts';
import { type OverwrittenPlan, OwnPlans } from './own-plans.ts';
import { decodePlan, planTitle, TITLE_BYTES } from './plan-text.ts';
import type { ProjectFiles } from './project-files.ts';

/** What is known of a plan's file. */
interface PlanFacts {
  /** Title in the file; null when it could not be read. */
  title: string | null;
  /** Revision of the bytes; null until the whole file was read. */
  revision: string | null;
  missing: boolean;
  identity: FileIdentity | null;
  /** Whether an equal identity proves equal bytes. */
  trusted: boolean;
}

/** A plan's file, read whole. */
export interface PlanBytes {
  bytes: Buffer;
  raw: string;
  revision: string;
  identity: FileIdentity;
  /** Why it cannot be saved, whatever its context file says. */
  readOnly: 'too-long' | 'encoding' | null;
}

/** How many plan files are looked at side by side. */
const CONCURRENCY = 8;

/** The plan files of one owner, and what is known of them by their identity. */
export class PlanFiles {
  readonly #files: ProjectFiles;
  readonly #onOverwritten: (file: string, overwritten: OverwrittenPlan) => Promise<void>;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #own = new OwnPlans();
  readonly #facts = new Map<string, PlanFacts>();
  #changes = 0;
  /** The folder as it was last looked at. */
  #folder: FileIdentity | null = null;
  readonly #views = new WeakMap<PlanLink, { facts: PlanFacts | undefined; view: Plan }>();
  #shown: { list: StoredList<PlanLink>; changes: number; views: Plan[] } | null = null;

  /** @param onOverwritten Told of a text that was saved here and that another program replaced. */
  constructor(
    files: ProjectFiles,
    onOverwritten: (file: string, overwritten: OverwrittenPlan) => Promise<void>,
    sleep: (ms: number) => Promise<unknown> = delay,
  ) {
    this.#files = files;
    this.#onOverwritten = onOverwritten;
    this.#sleep = sleep;
  }

  /**
   * The links of a list as they are shown, in the given order; the very same views as long as nothing changed.
   *
   * @param sorted Puts them in order.
   */
  views(list: StoredList<PlanLink>, sorted: (views: readonly Plan[]) => Plan[]): Plan[] {
    if (this.#shown?.list === list && this.#shown.changes === this.#changes) return this.#shown.views;
    const views = sorted(list.entries.map((entry) => this.#view(entry.view)));
    this.#shown = { list, changes: this.#changes, views };
    return views;
  }

  /** A link as the list shows it: the title in the file wins over the one in the manifest. */
  #view(link: PlanLink): Plan {
    const facts = this.#facts.get(link.file);
    const known = this.#views.get(link);
    if (known !== undefined && known.facts === facts) return known.view;
    const view = shownLink(link, facts);
    this.#views.set(link, { facts, view });
    return view;
  }

  /** Grows with each change of what is known. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a file may have come to the folder, or left it, since this was asked last. */
  async haveMoved(): Promise<boolean> {
    const before = this.#folder;
    try {
      const status = await this.#files.fileSystem.lstat(dirname(await this.#files.planPath('x')));
      this.#folder = identityOf(status);
    } catch (error) {
      // A folder that cannot be looked at, or is behind a link, may hold anything.
      if (!(error instanceof Failure) && systemCode(error) === null) throw error;
      this.#folder = null;
    }
    return before === null || !sameIdentity(before, this.#folder) || isFresh(before, Date.now());
  }

  /**
   * The files that were never looked at.
   *
   * @param doubtful Also those of which an equal status would not prove that they are the same.
   */
  unknown(names: readonly string[], doubtful: boolean): string[] {
    return names.filter((name) => !(doubtful ? this.#facts.get(name)?.trusted : this.#facts.has(name)));
  }

  /** Looks at files: by their status, and at their bytes where that differs from what is known. */
  async look(names: readonly string[]): Promise<void> {
    let vanished = (await mapBounded([...new Set(names)], CONCURRENCY, (name) => this.#look(name, false))).filter(
      (name) => name !== null,
    );
    for (const wait of vanishDelays) {
      if (vanished.length === 0) return;
      await this.#sleep(wait);
      const looked = await mapBounded(vanished, CONCURRENCY, (name) => this.#look(name, false));
      vanished = looked.filter((name) => name !== null);
    }
    await mapBounded(vanished, CONCURRENCY, (name) => this.#look(name, true));
  }

  /**
   * Reads a whole file.
   *
   * @returns Null when it does not exist.
   * @throws Failure when it cannot be read.
   */
  async read(name: string): Promise<PlanBytes | null> {
    const read = await readWhole(this.#files.fileSystem, await this.#files.planPath(name));
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'missing') {
      await this.#learnGone(name);
      return null;
    }
    const { text, exact } = decodePlan(read.bytes);
    const revision = await this.#learnFound(name, read.bytes, read.identity);
    const readOnly = exact ? (text.length > limits.planRaw ? 'too-long' : null) : 'encoding';
    return { bytes: read.bytes, raw: text, revision, identity: read.identity, readOnly };
  }

  /** Takes note of what a file holds; answers its revision. Without an identity it is looked at again next time. */
  learn(name: string, bytes: Uint8Array, identity: FileIdentity | null): string {
    const revision = revisionOf(bytes);
    const trusted = identity !== null && !isFresh(identity, Date.now());
    this.#know(name, { title: planTitle(bytes), revision, missing: false, identity, trusted });
    return revision;
  }

  /** Takes note of a save here, over a text of revision `before`. */
  learnSaved(name: string, bytes: Buffer, identity: FileIdentity | null, before: string): void {
    this.#own.record(name, bytes, this.learn(name, bytes, identity), before);
  }

  /** Takes note that a file was removed. */
  forget(name: string): void {
    this.#changes++;
    this.#facts.delete(name);
    this.#own.forget(name);
  }

  async #learnFound(name: string, bytes: Buffer, identity: FileIdentity): Promise<string> {
    const revision = this.learn(name, bytes, identity);
    await this.#keepOverwritten(name, revision);
    return revision;
  }

  async #learnGone(name: string): Promise<void> {
    this.#know(name, goneFacts);
    await this.#keepOverwritten(name, null);
  }

  /** What was found on the disk may stand in the place of a text that was saved in this run. */
  async #keepOverwritten(name: string, revision: string | null): Promise<void> {
    const overwritten = this.#own.takeOverwritten(name, revision);
    if (overwritten !== null) await this.#onOverwritten(name, overwritten);
  }

  #know(name: string, facts: PlanFacts): void {
    this.#changes++;
    this.#facts.set(name, facts);
  }

  /** Looks at one file; answers its name when it was there and is not, and is not yet to be called missing. */
  async #look(name: string, certain: boolean): Promise<string | null> {
    const known = this.#facts.get(name);
    let path: string;
    try {
      path = await this.#files.planPath(name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // A link above the file: what is behind it is not ours to look at.
      this.#know(name, unreadableFacts);
      return null;
    }
    const found = await identify(this.#files.fileSystem, path);
    if (found.state === 'missing') {
      if (known && !known.missing && known.identity !== null && !certain) return name;
      await this.#learnGone(name);
    } else if (found.state === 'unknown') {
      this.#know(name, unreadableFacts);
    } else if (!known?.trusted || !sameIdentity(known.identity, found.identity)) {
      await this.#readAgain(name, path, found.identity, known);
    }
    return null;
  }

  async #readAgain(name: string, path: string, identity: FileIdentity, known: PlanFacts | undefined): Promise<void> {
    const whole = identity.size <= BigInt(TITLE_BYTES) || (known?.revision ?? null) !== null;
    const read = await readWhole(this.#files.fileSystem, path, whole ? {} : { head: TITLE_BYTES });
    if (read.state === 'missing') {
      // Gone between two looks: the next one tells whether for good.
      this.#know(name, { ...(known ?? goneFacts), trusted: false });
    } else if (read.state === 'unknown') {
      this.#know(name, unreadableFacts);
    } else if (BigInt(read.bytes.length) === read.identity.size) {
      await this.#learnFound(name, read.bytes, read.identity);
    } else {
      const trusted = !isFresh(read.identity, Date.now());
      const title = planTitle(read.bytes);
      this.#know(name, { title, revision: null, missing: false, identity: read.identity, trusted });
    }
  }
}

const goneFacts: PlanFacts = { title: null, revision: null, missing: true, identity: null, trusted: false };
const unreadableFacts: PlanFacts = { title: null, revision: null, missing: false, identity: null, trusted: false };

function shownLink(link: PlanLink, facts: PlanFacts | undefined): Plan {
  return {
    id: link.id,
    file: link.file,
    title: facts?.title ?? link.title,
    createdAt: link.createdAt,
    ...(link.pinned === undefined ? {} : { pinned: link.pinned }),
    revision: facts?.revision ?? null,
    missing: facts?.missing ?? false,
  };
}
