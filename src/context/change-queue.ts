import { GatheringQueue } from '../files/index.ts';
import { type Committed, commit, type Mutation, type Waiting } from './commit.ts';
import type { ProjectContext } from './project-context.ts';

/** Runs a job when all earlier ones of an owner have ended. */
type Run = (projectId: string, job: (context: ProjectContext) => Promise<void>) => Promise<void>;

/** The changes that wait for the next write of their owner's file; those that come before it begins go out in it. */
export class ChangeQueue {
  readonly #queue: GatheringQueue<Waiting>;

  constructor(run: Run) {
    this.#queue = new GatheringQueue((projectId, take) => run(projectId, (context) => commit(context, take)));
  }

  /** Whether a change of this owner waits for its write. */
  isWaiting(projectId: string): boolean {
    return this.#queue.isWaiting(projectId);
  }

  /** Resolves when the change is on the disk, with exactly what it changed. */
  add<Result>(projectId: string, mutation: Mutation<Result>): Promise<Committed<Result>> {
    const committed = new Promise<Committed<unknown>>((resolve, reject) => {
      this.#queue.add(projectId, { mutation, resolve, reject });
    });
    return committed as Promise<Committed<Result>>;
  }
}
