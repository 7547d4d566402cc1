import { Failure } from '../contract/errors.ts';
import { type FileSystem, identify, type Root } from '../files/index.ts';
import { ownerIds } from './data-folder.ts';
import { type Move, mergeProjects } from './merge.ts';
import { readJournal } from './merge-journal.ts';
import type { MergeCounts } from './merge-lists.ts';
import type { ProjectContext } from './project-context.ts';

export interface ProjectMergesOptions {
  fileSystem: FileSystem;
  root: Root;
  /** The context of an owner, to be used only within `locked`. */
  side: (id: string) => ProjectContext;
  /** Runs a job while nothing else uses these owners; they come in order, the smaller id first. */
  locked: <Value>(ids: readonly [string, string], job: () => Promise<Value>) => Promise<Value>;
  /** Told within `locked` that an owner is gone, so that nothing of it is remembered. */
  forget: (id: string) => void;
  /** Moves the entry of the settings for a merge that an earlier run, or a failed call, left open. */
  finish: (move: Move) => void | Promise<void>;
  now: () => number;
  report: (where: string, error: unknown) => void;
}

/** The merges of projects: those that are asked for, and those that a crash or a failing disk left open. */
export class ProjectMerges {
  readonly #options: ProjectMergesOptions;
  #open: Move[] = [];
  #found: Promise<void> | null = null;
  readonly #gone = new Set<string>();

  constructor(options: ProjectMergesOptions) {
    this.#options = options;
  }

  /**
   * Merges one project into another, see {@link mergeProjects}. An open merge of either is finished first.
   *
   * @param finish Moves the entry of the settings; called before the merge counts as done, and not at all when the source
   *   has no data.
   * @throws Failure `not-found` when the source turns out to have become part of yet another project.
   */
  async merge(move: Move, finish: (move: Move) => void | Promise<void>): Promise<MergeCounts | null> {
    await this.#find();
    for (const open of this.#openOf(move.from, move.to)) {
      const counts = await this.#finish(open, open.from === move.from && open.to === move.to ? finish : undefined);
      if (open.from !== move.from) continue;
      if (open.to === move.to) return counts;
      throw new Failure('not-found', 'This project has become part of another one meanwhile. Look at the list.');
    }
    return this.#run(move, finish);
  }

  /**
   * Finishes the open merges of an owner; to be awaited before anything is written for it, and outside of `locked`.
   *
   * @throws Failure when one cannot be finished now. Both projects can still be read then, and must not be written.
   */
  async ensureFinished(id: string): Promise<void> {
    await this.#find();
    for (const open of this.#openOf(id)) await this.#finish(open);
  }

  /** Finishes every open merge; what cannot be finished now is reported, and tried again with the next write. */
  async resume(): Promise<void> {
    await this.#find();
    for (const open of [...this.#open]) {
      try {
        await this.#finish(open);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#options.report('finishing the merge of two projects', error);
      }
    }
  }

  /**
   * Whether an owner became part of another one in this run: whoever waited for it meanwhile has to ask anew whether it is
   * known.
   */
  wasMerged(id: string): boolean {
    return this.#gone.has(id);
  }

  #openOf(...ids: readonly string[]): Move[] {
    return this.#open.filter(({ from, to }) => ids.includes(from) || ids.includes(to));
  }

  async #finish(open: Move, finish = this.#options.finish): Promise<MergeCounts | null> {
    return this.#locked(open, async () => {
      // Somebody else may have finished it while this one waited.
      if ((await readJournal(this.#options.side(open.to).files))?.from === open.from) return this.#merge(open, finish);
      this.#close(open);
      return null;
    });
  }

  #run(move: Move, finish: (move: Move) => void | Promise<void>): Promise<MergeCounts | null> {
    return this.#locked(move, () => this.#merge(move, finish));
  }

  async #merge(move: Move, finish: (move: Move) => void | Promise<void>): Promise<MergeCounts | null> {
    const { side, now, forget } = this.#options;
    try {
      const counts = await mergeProjects(side(move.from), side(move.to), { path: move.path, now, finish });
      this.#close(move);
      this.#gone.add(move.from);
      forget(move.from);
      return counts;
    } catch (error) {
      // Whether anything was begun is seen by the journal, if that can be read.
      const journal = await readJournal(side(move.to).files).catch(() => null);
      this.#close(move);
      if (journal !== null) this.#open.push({ from: journal.from, to: journal.to, path: journal.path });
      throw error;
    }
  }

  #close(move: Move): void {
    this.#open = this.#open.filter(({ from, to }) => from !== move.from || to !== move.to);
  }

  #locked<Value>({ from, to }: Move, job: () => Promise<Value>): Promise<Value> {
    return this.#options.locked(from < to ? [from, to] : [to, from], job);
  }

  /** Looks, once, for the merges that an earlier run left open. */
  #find(): Promise<void> {
    this.#found ??= this.#look().catch((error: unknown) => {
      // Tried again with the next call. What can be read is not to be hidden by what cannot.
      this.#found = null;
      if (!(error instanceof Failure)) throw error;
      this.#options.report('looking for open merges', error);
    });
    return this.#found;
  }

  async #look(): Promise<void> {
    const { fileSystem, root, side, report } = this.#options;
    for (const id of await ownerIds(fileSystem, root)) {
      try {
        const path = await root.locate('projects', id, '.sidekeep', 'merge.json');
        if ((await identify(fileSystem, path)).state !== 'present') continue;
        const journal = await readJournal(side(id).files);
        if (journal !== null) this.#open.push({ from: journal.from, to: journal.to, path: journal.path });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // A link, or a journal that no crash leaves behind: nothing of ours is open there.
        report('reading the journal of a merge', error);
      }
    }
  }
}
