import { type ContextChange, limits, type Plan } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { createDurably, identify, readWhole, removeDurably } from '../files/index.ts';
import { fullList, notFound } from './change.ts';
import { mutate } from './commit.ts';
import type { ContextDocument } from './document.ts';
import { linkedFiles } from './plan-links.ts';
import { always, never, type ProjectContext, refuseNewer } from './project-context.ts';
import { holdsAll, restorePlanLink } from './restore-changes.ts';
import type { Trash, TrashItem } from './trash.ts';
import { idOf, isSameFile } from './trash-item.ts';

/** Where the document of a plan that comes back stands now. */
interface Placed {
  file: string;
  /** Whether it was made for this, and has to go again should the link not get there. */
  made: boolean;
}

/** Longest name of a plan file, in bytes; its characters are of one byte each. */
const MAXIMUM_NAME = 255;

/**
 * Brings a deleted plan back: its document first, then its link, so that a crash in between leaves a file that nothing
 * refers to. The document in the trash stays as it is.
 *
 * @throws Failure `not-found` when it is not in the trash any more, or its document is nowhere; `limit`; `io` with
 *   `detail.reason` `link` when its file was a link.
 */
export async function restorePlan(
  context: ProjectContext,
  input: { trashId: string; contextRevision?: string | undefined },
): Promise<{ plan: Plan; context: ContextChange }> {
  const document = await context.load({ migrate: always, plans: false });
  refuseNewer(document);
  const item = await context.trash.read(input.trashId);
  if (item.kind !== 'plan') throw notFound('plan');
  const present = presentLink(document, item);
  if (present === null && document.plans.entries.length >= limits.plans) throw fullList('plans', limits.plans);
  const placed = await placeDocument(context, item, present === null ? linkedFiles(document) : null);
  try {
    if (!placed.made) await context.plans.look([placed.file]);
    const { result, context: change } = await mutate(
      context,
      (newest) => restorePlanLink(newest, item, placed.file),
      input.contextRevision,
    );
    const plan = context.snapshot.plans.find((entry) => entry.id === result.id);
    if (!plan) throw notFound('plan');
    return { plan, context: change };
  } catch (error) {
    if (placed.made) await removeUnlinked(context, placed.file);
    throw error;
  }
}

/**
 * Makes the missing documents of plan links again, from the trash, each under its own name. A link whose document is
 * nowhere, or cannot be read, is left as it is: shown as missing.
 *
 * @returns The files that were made.
 */
export async function restoreDocuments(context: ProjectContext, files: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const file of new Set(files)) {
    try {
      const found = await identify(context.files.fileSystem, await context.files.planPath(file));
      if (found.state !== 'missing') continue;
      for (const id of await context.trash.plansOf(file)) {
        const read = await context.trash.readPlan(id);
        if (read.state !== 'present') continue;
        if (await makeFile(context, file, read.bytes)) made.push(file);
        break;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.report('bringing back the text of a plan', error);
    }
  }
  return made;
}

/** Removes the file of a plan whose link could not be written, unless the link did get there. */
export async function removeUnlinked(context: ProjectContext, file: string): Promise<void> {
  try {
    const document = await context.load({ migrate: never, plans: false });
    if (linkedFiles(document).some((linked) => isSameFile(linked, file))) return;
    await removeDurably(context.files.fileSystem, await context.files.planPath(file));
    context.plans.forget(file);
  } catch (error) {
    // The file stays behind with nothing referring to it; what went wrong before is what the caller has to know.
    if (!(error instanceof Failure)) throw error;
  }
}

/** The file of the link that is there already just as it was deleted; null when it is not. */
function presentLink(document: ContextDocument, item: TrashItem): string | null {
  const [deleted] = item.entries;
  if (deleted === undefined) return null;
  const present = document.plans.entries.find(({ view }) => view.id === idOf(deleted.raw));
  return present && holdsAll(present.raw, deleted.raw) ? present.view.file : null;
}

/**
 * Sees to it that a plan's document is in its place again.
 *
 * @param linked Files that links name, which are taken; null when the link itself is there, so that only its own will do.
 */
async function placeDocument(
  context: ProjectContext,
  item: TrashItem,
  linked: readonly string[] | null,
): Promise<Placed> {
  const own = item.file ?? '';
  const path = await context.files.planPath(own);
  const isLinked = linked === null || linked.some((file) => isSameFile(file, own));
  // A document that another link named as well never moved. One that no link names is still there because the move to
  // the trash never happened, unless the trash says otherwise.
  if (isLinked && (linked === null || item.shared)) {
    const found = await identify(context.files.fileSystem, path);
    if (found.state === 'unknown') throw found.failure;
    if (found.state === 'present') return { file: own, made: false };
  }
  const bytes = await trashedDocument(context.trash, item);
  if (bytes === null) {
    if (isLinked) throw documentGone();
    const found = await identify(context.files.fileSystem, path);
    if (found.state === 'unknown') throw found.failure;
    if (found.state === 'missing') throw documentGone();
    return { file: own, made: false };
  }
  for (const file of linked === null ? [own] : freeNames(own, linked)) {
    if (await makeFile(context, file, bytes)) return { file, made: true };
    // A crash before the link was written can have left it there.
    const found = await readWhole(context.files.fileSystem, await context.files.planPath(file));
    if (found.state === 'present' && found.bytes.equals(bytes)) return { file, made: false };
  }
  throw documentGone();
}

/** The document of a deleted plan; null when it is not in the trash. */
async function trashedDocument(trash: Trash, item: TrashItem): Promise<Buffer | null> {
  const others = item.shared ? await trash.plansOf(item.file ?? '', item.deletedAt) : [];
  for (const id of [item.id, ...others]) {
    const read = await trash.readPlan(id);
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'present') return read.bytes;
  }
  return null;
}

async function makeFile(context: ProjectContext, file: string, bytes: Buffer): Promise<boolean> {
  await context.files.prepareFolder('plans');
  const made = await createDurably(context.files.fileSystem, await context.files.planPath(file), bytes);
  if (made === 'taken') return false;
  context.plans.learn(file, bytes, made);
  return true;
}

/** The names to try for a document that comes back: its own, then with `-1`, `-2` … before `.md`; not those of links. */
function* freeNames(file: string, linked: readonly string[]): Generator<string> {
  for (let suffix = 0; ; suffix++) {
    const ending = suffix === 0 ? '.md' : `-${suffix}.md`;
    const name = `${file.slice(0, -3).slice(0, MAXIMUM_NAME - ending.length)}${ending}`;
    if (!linked.some((taken) => isSameFile(taken, name))) yield name;
  }
}

function documentGone(): Failure {
  return new Failure(
    'not-found',
    'The text of this plan is gone, from the trash and from the folder of plans; other programs may have removed it. Nothing was changed.',
    { detail: { reason: 'file-missing' } },
  );
}
