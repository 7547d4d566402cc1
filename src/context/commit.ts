import { setImmediate as turn } from 'node:timers/promises';
import type { ContextChange, TrashId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { Held } from '../files/stored-document.ts';
import { revisionOf } from '../files/text.ts';
import { type Change, checkRevision } from './change.ts';
import { type ContextDocument, readChangedDocument } from './document.ts';
import { always, type ProjectContext, refuseNewer } from './project-context.ts';
import type { RemovedItem } from './trash-item.ts';

/** What a caller wants changed: a function of the newest state. */
export interface Mutation<Result> {
  change: (document: ContextDocument) => Change<Result>;
  /** Revision of the context file that the caller based it on; undefined when it named none. */
  contextRevision?: string | undefined;
}

/** The answer to one mutation. */
export interface Committed<Result> {
  result: Result;
  /** Where what it deleted can come back from; null when it deleted nothing. */
  trashId: TrashId | null;
  /** What this mutation alone changed. */
  context: ContextChange;
}

/** The id in the trash of what a mutation deleted. */
export function trashIdOf({ trashId }: Committed<unknown>): TrashId {
  if (trashId === null) throw new Error('what is deleted is in the trash');
  return trashId;
}

/** A mutation that waits for its write. */
export interface Waiting {
  mutation: Mutation<unknown>;
  resolve: (committed: Committed<unknown>) => void;
  reject: (error: unknown) => void;
}

/** What became of one mutation of a batch. */
type Step =
  | { failed: true; error: unknown }
  | { failed: false; result: unknown; removed: RemovedItem | null; document: ContextDocument };

/** How often a batch is applied again because another program changed the file under it. */
const MAXIMUM_TRIES = 20;

/** Applies one mutation to the newest state and resolves when it is on the disk. */
export function mutate<Result>(
  context: ProjectContext,
  change: Mutation<Result>['change'],
  contextRevision?: string,
): Promise<Committed<Result>> {
  return new Promise<Committed<unknown>>((resolve, reject) => {
    void commit(context, () => [{ mutation: { change, contextRevision }, resolve, reject }]);
  }) as Promise<Committed<Result>>;
}

/**
 * Applies a batch of mutations one after the other to the newest state, writes once, and settles each with exactly its own
 * change. One that fails fails alone; what fails the write fails all.
 *
 * @param take Hands over the batch; asked after the newest state was read, so that whoever came meanwhile is in it.
 */
export async function commit(context: ProjectContext, take: () => readonly Waiting[]): Promise<void> {
  let batch: readonly Waiting[] | null = null;
  try {
    for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
      const known = attempt === 0 ? context.lastKnown() : null;
      // Whoever comes in this turn goes along.
      if (known !== null) await turn();
      const document = known ?? (await context.load({ migrate: always, plans: false }));
      batch ??= take();
      refuseNewer(document);
      const { revision } = context;
      const steps = applyAll(context, document, batch);
      // What fails, or changes nothing, is answered without a write that would prove what it was made of.
      if (known !== null && !changesAlways(document, steps)) continue;
      const trashIds = await write(context, document, steps, known !== null);
      if (trashIds !== 'changed') return settle(context, { document, revision }, batch, steps, trashIds);
    }
    throw new Failure('io', 'Another program keeps changing the file. The change was not saved; try again.', {
      detail: { reason: 'busy' },
    });
  } catch (error) {
    for (const waiting of batch ?? take()) waiting.reject(error);
  }
}

function changesAlways(before: ContextDocument, steps: readonly Step[]): boolean {
  let newest = before;
  return steps.every((step) => {
    if (step.failed || step.document === newest) return false;
    newest = step.document;
    return true;
  });
}

function applyAll(context: ProjectContext, document: ContextDocument, batch: readonly Waiting[]): Step[] {
  let newest = document;
  return batch.map(({ mutation }) => {
    try {
      checkContext(context, mutation.contextRevision, newest === document);
      const { raw, result, removed = null } = mutation.change(newest);
      if (raw !== null) newest = readChangedDocument(newest, raw);
      return { failed: false, result, removed, document: newest };
    } catch (error) {
      return { failed: true, error };
    }
  });
}

/** @param untouched Whether the state still is that of the file: with an earlier change of the batch it is another one. */
function checkContext(context: ProjectContext, expected: string | undefined, untouched: boolean): void {
  if (expected !== undefined && !untouched) {
    checkRevision('context', expected, null, { revision: null });
  }
  checkRevision('context', expected, context.revision, { revision: context.revision });
}

/**
 * What is deleted goes to the trash first: a crash in between leaves it in both, and never in neither.
 *
 * @param proven Whether the document was not loaded, so that the write has to prove it.
 * @returns The id of each step's item in the trash; `changed`, with nothing changed, when another program was faster.
 */
async function write(
  context: ProjectContext,
  document: ContextDocument,
  steps: readonly Step[],
  proven: boolean,
): Promise<Map<Step, TrashId> | 'changed'> {
  const last = steps.findLast((step) => !step.failed);
  if (last === undefined || last.failed || last.document === document) return new Map();
  const deleting = steps.filter((step) => !step.failed && step.removed !== null);
  const items = deleting.map((step) => (step.failed ? null : step.removed)).filter((item) => item !== null);
  const ids = items.length === 0 ? [] : await context.trash.keep(items);
  // A write that fails may have reached the disk: what the trash then holds too much is not shown.
  const written = await (proven ? context.writeProven(last.document) : context.write(last.document));
  if (!written) await context.trash.discard(ids);
  return written ? new Map(deleting.map((step, index) => [step, ids[index] as TrashId])) : 'changed';
}

/** Tells of each step as of its own state, in order. */
function settle(
  context: ProjectContext,
  before: Pick<Held<ContextDocument>, 'document' | 'revision'>,
  batch: readonly Waiting[],
  steps: readonly Step[],
  trashIds: ReadonlyMap<Step, TrashId>,
): void {
  const written = steps.findLast((step) => !step.failed);
  const final = written === undefined || written.failed ? before.document : written.document;
  // One that had nothing to do has the state of the one before it.
  const revisions = new Map([
    [before.document, before.revision],
    [final, context.revision],
  ]);
  for (const [index, step] of steps.entries()) {
    const waiting = batch[index] as Waiting;
    if (step.failed) {
      waiting.reject(step.error);
      continue;
    }
    // A state that was only a step on the way never was a file, so nothing may be based on its revision.
    const revision = revisions.get(step.document) ?? revisionOf(`${context.revision} ${index}`);
    revisions.set(step.document, revision);
    const change = context.publish({ document: step.document, revision });
    waiting.resolve({ result: step.result, trashId: trashIds.get(step) ?? null, context: change });
  }
}
