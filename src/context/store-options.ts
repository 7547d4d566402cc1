import type { FileSystem, Replacer, Unchanged } from '../files/index.ts';
import type { ContextCalls } from './calls.ts';
import type { FindInput, FindOptions, FindOutput } from './find.ts';
import type { Move } from './merge.ts';
import type { MergeCounts } from './merge-lists.ts';
import type { ContextEvent } from './project-context.ts';

export interface ContextStoreOptions {
  /** The data folder; it need not exist, and reading does not make it. */
  root: string;
  fileSystem?: FileSystem;
  /** Time for new entries, in ms since 1970. */
  now?: () => number;
  /** Only known owners are written; others read as empty. */
  isKnownProject: (projectId: string) => boolean | Promise<boolean>;
  /** Receives each `context.changed` before the call that caused it resolves. */
  onEvent: (payload: ContextEvent) => void;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
  /** Called before each write: makes sure that this process owns the root, and may create it for that. Throws `in-use`. */
  claimRoot?: () => Promise<void>;
  /** What proves that a write needs no `claimRoot`; null where it does. Always null when left out. */
  rootProof?: () => Unchanged | null;
  /** Keeps everybody else away from the memories of owners while a merge brings one of them to the other. */
  memories?: { exclusive<Value>(ownerIds: readonly string[], job: () => Promise<Value>): Promise<Value> };
  /** Makes the writes that prove themselves; in this thread when left out. */
  replacer?: Replacer;
  /** Whether `refresh` and `refreshPlan` are called for every change on disk; never, when left out. */
  isWatching?: () => boolean;
  /** Told of a project that became another one by a merge that was open: its entry in the settings is to follow. */
  onMoved?: (move: Move) => void | Promise<void>;
  platform?: NodeJS.Platform;
  sleep?: (ms: number) => Promise<unknown>;
}

/** Notes, todos and plans of every owner under one root. */
export interface ContextStore extends ContextCalls {
  /** Searches owners; reads only. */
  find(input: FindInput, options: FindOptions): Promise<FindOutput>;
  /** Looks at an owner's files again because they may have changed; tells the windows of a real change, once. */
  refresh(projectId: string): Promise<void>;
  /** The same for one plan file. */
  refreshPlan(projectId: string, file: string): Promise<void>;
  /** The same for every owner that was asked for in this run. */
  refreshAll(): Promise<void>;
  /** Ids of the owners that have data: folders and legacy files under `projects/`. Nothing is read or migrated. */
  projectIds(): Promise<string[]>;
  /** Merges one project into another, see `ProjectMerges.merge`. */
  merge(move: Move, finish: (move: Move) => void | Promise<void>): Promise<MergeCounts | null>;
  /** Finishes the merges that an earlier run left open; what cannot be finished is reported. */
  resumeMerges(): Promise<void>;
  /**
   * Finishes the open merges of an owner, before something else of it is written.
   *
   * @throws Failure when one cannot be finished now: it can be read then, and must not be written.
   */
  mergesFinished(projectId: string): Promise<void>;
  /** Removes orphaned temp files of dead processes, and what was deleted long ago; answers how many temp files. */
  sweep(): Promise<number>;
  /** Resolves when all that was begun has ended; later calls fail. */
  dispose(): Promise<void>;
}
