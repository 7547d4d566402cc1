import { type Committed, commit, type Mutation, type Waiting } from './commit.ts';
import type { ProjectContext } from './project-context.ts';

/** Runs a job when all earlier ones of an owner have ended. */
type Run = (projectId: string, job: (context: ProjectContext) => Promise<void>) => Promise<void>;

/**
 * The changes that wait for the next write of their owner's file. The first to wait brings the write; whatever comes before
 * that begins goes out in it.
 */
export class ChangeQueue {
  readonly #run: Run;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Whether a change of this owner waits for its write. */
  isWaiting(projectId: string): boolean {
    return this.#waiting.has(projectId);
  }

  /** Resolves when the change is on the disk, with exactly what it changed. */
  add<Result>(projectId: string, mutation: Mutation<Result>): Promise<Committed<Result>> {
    const committed = new Promise<Committed<unknown>>((resolve, reject) => {
      const waiting: Waiting = { mutation, resolve, reject };
      const batch = this.#waiting.get(projectId);
      if (batch) batch.push(waiting);
      else {
        this.#waiting.set(projectId, [waiting]);
        void this.#commit(projectId);
      }
    });
    return committed as Promise<Committed<Result>>;
  }

  async #commit(projectId: string): Promise<void> {
    const take = (): Waiting[] => {
      const batch = this.#waiting.get(projectId) ?? [];
      this.#waiting.delete(projectId);
      return batch;
    };
    try {
      await this.#run(projectId, (context) => commit(context, take));
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }
}
