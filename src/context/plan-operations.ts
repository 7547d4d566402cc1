import { type ContextChange, limits, type Plan, type PlanDocument, type TrashId } from '../contract/entities.ts';
import { type ErrorDetail, Failure } from '../contract/errors.ts';
import { createDurably, type FileIdentity, putBack, replaceDurably } from '../files/index.ts';
import { onOneLine, revisionOf } from '../files/text.ts';
import { checkRevision, fullList, notFound } from './change.ts';
import { mutate, trashIdOf } from './commit.ts';
import { type ContextDocument, nextCreatedAt } from './document.ts';
import { shownTitle } from './entries.ts';
import type { PlanBytes } from './plan-files.ts';
import { addPlanLink, changePlanLink, findPlan, linkedFiles, removePlanLink } from './plan-links.ts';
import { planNames } from './plan-name.ts';
import { parsePlan, planTitle } from './plan-text.ts';
import { always, never, type ProjectContext, refuseNewer } from './project-context.ts';
import { removeUnlinked } from './restore-plan.ts';
import { trashPlanFile } from './trash.ts';

const MAXIMUM_TRIES = 20;

/** Writes the plan's file, then its link: a crash in between leaves a file that nothing refers to. */
export async function createPlan(
  context: ProjectContext,
  input: Based & { title?: string | undefined; body: string },
  id: string,
): Promise<{ plan: Plan; clamped: boolean; context: ContextChange }> {
  const document = await loadForWriting(context, input);
  refuseFull(document);
  const title = shownTitle(input.title ?? '').toWellFormed();
  const raw = input.body.trim() === '' ? `# ${title}\n` : `# ${title}\n\n${input.body}`;
  refuseUnwritable(raw, 'body');
  const createdAt = nextCreatedAt(document.plans, context.now());
  const bytes = Buffer.from(raw);
  const file = await createFile(context, document, bytes, title, createdAt);
  try {
    const { context: change } = await mutate(context, (newest) => {
      refuseFull(newest);
      return addPlanLink(newest, { id, file, title: planTitle(bytes), createdAt });
    });
    const clamped = onOneLine(input.title ?? '').length > limits.planTitle;
    return { plan: shownPlan(context, id), clamped, context: change };
  } catch (error) {
    await removeUnlinked(context, file);
    throw error;
  }
}

/** Reads a plan. The list learns from it what the file holds now. */
export async function readPlan(context: ProjectContext, planId: string): Promise<PlanDocument> {
  const document = await context.load({ migrate: never, plans: false });
  const { file } = findPlan(document, planId).view;
  const found = await context.plans.read(file);
  context.publish();
  if (found === null) throw planFileGone();
  return planDocument(context, document, planId, found);
}

/**
 * Writes the plan's file, then its title into the manifest. Bytes that are there already are not written, and a file that
 * is gone is not made again. Should the title not be written, that is only reported: the text is saved, and the title in it
 * wins anyway.
 */
export async function updatePlan(
  context: ProjectContext,
  input: Based & { planId: string; raw: string; revision?: string | undefined },
): Promise<{ document: PlanDocument; context: ContextChange }> {
  refuseUnwritable(input.raw, 'raw');
  const before = await loadForWriting(context, input);
  const { file } = findPlan(before, input.planId).view;
  const bytes = Buffer.from(input.raw);
  const { found, identity } = await replaceFile(context, before, input, file, bytes);
  if (identity === undefined) {
    return { document: planDocument(context, before, input.planId, found), context: context.unchanged };
  }
  let change: ContextChange;
  try {
    const mutated = await mutate(context, (newest) => {
      // Learnt here, so that the windows hear of the text and of its title in one change.
      context.plans.learnSaved(file, bytes, identity, found.revision);
      return changePlanLink(newest, input.planId, { title: planTitle(bytes) });
    });
    change = mutated.context;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'not-found') throw error;
    context.report('writing the title of a saved plan into its manifest', error);
    context.plans.learnSaved(file, bytes, identity, found.revision);
    change = context.publish();
  }
  return { document: planDocument(context, before, input.planId, bytesOf(bytes, input.raw)), context: change };
}

/**
 * Keeps the link in the trash, takes it out of the list, then moves the file to the trash, unless another link names it. A
 * crash in between leaves the file where it was, from where it comes back as well.
 */
export async function deletePlan(
  context: ProjectContext,
  input: Based & { planId: string; revision?: string | undefined },
): Promise<{ trashId: TrashId; warning: string | null; context: ContextChange }> {
  const document = await loadForWriting(context, input);
  const link = findPlan(document, input.planId).view;
  if (input.revision !== undefined) {
    const found = await context.plans.read(link.file);
    context.publish();
    const current = { current: shownPlan(context, input.planId) };
    if (found !== null) checkRevision('plan', input.revision, found.revision, current);
  }
  const committed = await mutate(context, (newest) => removePlanLink(newest, input.planId));
  const { result, context: change } = committed;
  const trashId = trashIdOf(committed);
  if (!result.last) return { trashId, warning: null, context: change };
  try {
    await trashPlanFile(context.files, result.file, trashId);
    context.plans.forget(result.file);
    return { trashId, warning: null, context: change };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const warning = `The plan is out of the list, but its file could not be moved to the trash. ${error.message}`;
    return { trashId, warning, context: change };
  }
}

/** Sets the legacy pin flag, which nothing but other programs looks at. */
export async function setPlanPinned(
  context: ProjectContext,
  input: Based & { planId: string; pinned: boolean },
): Promise<{ plan: Plan; context: ContextChange }> {
  const { pinned } = input;
  const { context: change } = await mutate(
    context,
    (newest) => changePlanLink(newest, input.planId, { pinned }),
    input.contextRevision,
  );
  return { plan: shownPlan(context, input.planId), context: change };
}

/** The revision of the context file that a caller based a change on, if it named one. */
interface Based {
  contextRevision?: string | undefined;
}

async function loadForWriting(context: ProjectContext, { contextRevision }: Based): Promise<ContextDocument> {
  const document = await context.load({ migrate: always, plans: false });
  refuseNewer(document);
  checkRevision('context', contextRevision, context.revision, { revision: context.revision });
  return document;
}

async function createFile(
  context: ProjectContext,
  document: ContextDocument,
  bytes: Buffer,
  title: string,
  createdAt: number,
): Promise<string> {
  await context.files.prepareFolder('plans');
  for (const name of planNames(createdAt, title, linkedFiles(document))) {
    const made = await createDurably(context.files.fileSystem, await context.files.planPath(name), bytes);
    if (made === 'taken') continue;
    context.plans.learn(name, bytes, made);
    return name;
  }
  throw new Error('there is always another name');
}

/** Replaces the file over the state that it has now; answers no identity when it holds these bytes already. */
async function replaceFile(
  context: ProjectContext,
  document: ContextDocument,
  input: { planId: string; revision?: string | undefined },
  file: string,
  bytes: Buffer,
): Promise<{ found: PlanBytes; identity?: FileIdentity | null }> {
  const { fileSystem } = context.files;
  const path = await context.files.planPath(file);
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const found = await context.plans.read(file);
    context.publish();
    if (found === null) throw planFileGone();
    checkRevision('plan', input.revision, found.revision, {
      current: shownPlan(context, input.planId),
      ...(found.readOnly === null ? { document: planDocument(context, document, input.planId, found) } : {}),
    });
    if (found.bytes.equals(bytes)) return { found };
    if (found.readOnly !== null) throw readOnlyPlan(found.readOnly);
    await context.files.prepareFolder('plans');
    try {
      const release = (kept: string): Promise<void> => context.keepReplaced(kept, file);
      const replaced = await replaceDurably(fileSystem, path, bytes, found.identity, { release });
      if (replaced === 'changed') continue;
      const { identity, kept } = replaced;
      if (kept === null) return { found, identity };
      // Another program saved in the moment of the rename: its text goes back, and the next turn decides anew.
      if (identity !== null && (await putBack(fileSystem, kept, path, identity))) continue;
      await context.keepDisplaced(kept, file);
      return { found, identity };
    } catch (error) {
      // The write may have reached the file before it failed: the windows must show what is there.
      await context.plans.look([file]);
      context.publish();
      throw error;
    }
  }
  throw new Failure('io', 'Another program keeps changing this plan. Your text was not saved; try again.', {
    detail: { reason: 'busy' },
  });
}

function planDocument(
  context: ProjectContext,
  document: ContextDocument,
  planId: string,
  { bytes, raw, revision, readOnly }: Omit<PlanBytes, 'identity'>,
): PlanDocument {
  return {
    plan: shownPlan(context, planId),
    ...parsePlan(bytes),
    raw,
    revision,
    readOnly: readOnly ?? (document.readOnly ? 'newer-version' : null),
  };
}

const bytesOf = (bytes: Buffer, raw: string): Omit<PlanBytes, 'identity'> => ({
  bytes,
  raw,
  revision: revisionOf(bytes),
  readOnly: null,
});

function shownPlan(context: ProjectContext, id: string): Plan {
  const plan = context.snapshot.plans.find((entry) => entry.id === id);
  if (!plan) throw notFound('plan');
  return plan;
}

function refuseFull(document: ContextDocument): void {
  if (document.plans.entries.length >= limits.plans) throw fullList('plans', limits.plans);
}

/** Refuses a text that would not come back from the disk as it is. */
function refuseUnwritable(raw: string, field: string): void {
  const detail = (reason: string): { detail: ErrorDetail } => ({ detail: { field, reason } });
  if (raw.length > limits.planRaw) {
    throw new Failure(
      'invalid',
      `A plan holds at most ${limits.planRaw} characters with its title. Nothing was saved; shorten it and try again.`,
      detail('too-long'),
    );
  }
  if (!raw.isWellFormed()) {
    throw new Failure(
      'invalid',
      'The text holds half of a character, which no file can hold. Nothing was saved; remove it and try again.',
      detail('encoding'),
    );
  }
}

function readOnlyPlan(reason: 'too-long' | 'encoding'): Failure {
  const why = reason === 'too-long' ? 'is longer than what can be saved here' : 'is not stored as UTF-8 text';
  return new Failure('invalid', `This plan ${why}, so it can only be read. It was left exactly as it is.`, {
    detail: { reason },
  });
}

function planFileGone(): Failure {
  return new Failure(
    'not-found',
    'The file of this plan is gone; it may have been deleted elsewhere. It was not made again. Keep your text elsewhere, or make a new plan.',
    { detail: { reason: 'file-missing' } },
  );
}
