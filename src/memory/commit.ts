import { Failure } from '../contract/errors.ts';
import { GatheringQueue } from '../files/index.ts';
import type { MemoryChange } from './changes.ts';
import type { OwnerMemory } from './owner-memory.ts';
import type { MemoryOwner } from './store.ts';
import { keepRemoved, type RemovedMemory } from './trash.ts';
import type { MemoryState } from './views.ts';

/** The answer to one change. */
export interface Committed<Result> {
  result: Result;
  /** Where what it deleted can come back from; null when it deleted nothing. */
  trashId: string | null;
}

interface Waiting {
  change: (state: MemoryState) => MemoryChange<unknown>;
  resolve: (committed: Committed<unknown>) => void;
  reject: (error: unknown) => void;
}

/** What became of one change of a batch. */
type Step = { error: unknown } | { result: unknown; removed: RemovedMemory | null };

/** How often a batch is applied again because another program changed the file under it. */
const MAXIMUM_TRIES = 20;

/** The changes that wait for the next write of their memory; those that come before it begins go out in it. */
export class ChangeQueue {
  readonly #queue: GatheringQueue<Waiting>;

  constructor(run: (ownerId: MemoryOwner, job: (memory: OwnerMemory) => Promise<void>) => Promise<void>) {
    this.#queue = new GatheringQueue((key, take) => run(key === '' ? null : key, (memory) => commit(memory, take)));
  }

  /** Resolves when the change is on the disk, with exactly its own answer. */
  add<Result>(ownerId: MemoryOwner, change: (state: MemoryState) => MemoryChange<Result>): Promise<Committed<Result>> {
    const committed = new Promise<Committed<unknown>>((resolve, reject) => {
      this.#queue.add(ownerId ?? '', { change, resolve, reject });
    });
    return committed as Promise<Committed<Result>>;
  }
}

/**
 * Applies a batch of changes one after the other to the newest state, writes once, and settles each. One that fails fails
 * alone; what fails the write fails all.
 */
async function commit(memory: OwnerMemory, take: () => readonly Waiting[]): Promise<void> {
  let batch: readonly Waiting[] | null = null;
  try {
    for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
      const before = await memory.load();
      batch ??= take();
      if (before.memory.readOnly) throw newerMemory();
      const { steps, next } = applyAll(before, batch);
      const trashIds = await write(memory, before, next, steps);
      if (trashIds !== 'changed') return settle(batch, steps, trashIds);
    }
    throw new Failure('io', 'Another program keeps changing the memory. The change was not saved; try again.', {
      detail: { reason: 'busy' },
    });
  } catch (error) {
    for (const waiting of batch ?? take()) waiting.reject(error);
  }
}

function applyAll(before: MemoryState, batch: readonly Waiting[]): { steps: Step[]; next: MemoryState } {
  let next = before;
  const steps = batch.map(({ change }): Step => {
    try {
      const { state, result, removed = null } = change(next);
      next = state;
      return { result, removed };
    } catch (error) {
      return { error };
    }
  });
  return { steps, next };
}

/**
 * What is deleted goes to the trash first: a crash in between leaves it in both, and never in neither.
 *
 * @returns The ids in the trash of what was deleted, in order; `changed`, with nothing changed, when another program was faster.
 */
async function write(
  memory: OwnerMemory,
  before: MemoryState,
  next: MemoryState,
  steps: readonly Step[],
): Promise<string[] | 'changed'> {
  const removed = steps.map((step) => ('removed' in step ? step.removed : null)).filter((one) => one !== null);
  if (next.memory === before.memory && next.kept === before.kept) return [];
  const ids = await keepRemoved(memory.deleted, removed);
  if (await memory.write(before, next)) return ids;
  await memory.deleted.discard(ids);
  return 'changed';
}

function settle(batch: readonly Waiting[], steps: readonly Step[], trashIds: readonly string[]): void {
  let deleted = 0;
  for (const [index, step] of steps.entries()) {
    const waiting = batch[index] as Waiting;
    if ('error' in step) waiting.reject(step.error);
    else waiting.resolve({ result: step.result, trashId: step.removed && (trashIds[deleted++] ?? null) });
  }
}

function newerMemory(): Failure {
  return new Failure(
    'newer-version',
    'This memory was saved by a newer program, so it can only be read here. Nothing was changed. Update Sidekeep.',
  );
}
