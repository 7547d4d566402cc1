import type { Plan } from '../contract/entities.ts';
import { type JsonObject, withKeys } from '../files/json.ts';
import { type Stored, writableList } from '../files/stored-list.ts';
import { type Change, notFound } from './change.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import { linkedFile, type PlanLink } from './entries.ts';
import { isSameFile, removedFrom } from './trash-item.ts';

/** The stored link of a plan. */
export function findPlan(document: ContextDocument, id: string): Stored<PlanLink> {
  const stored = document.plans.entries.find((entry) => entry.view.id === id);
  if (!stored) throw notFound('plan');
  return stored;
}

/** Every plan file that the manifest names, also by a link that is not shown. */
export function linkedFiles(document: ContextDocument): string[] {
  return document.plans.raw.map(linkedFile).filter((file) => file !== null);
}

/** Puts a link above all others. */
export function addPlanLink(document: ContextDocument, link: Pick<Plan, 'id' | 'file' | 'title' | 'createdAt'>) {
  const { id, file, title, createdAt } = link;
  const plans = [{ id, file, title, createdAt }, ...writableList(document.plans).raw];
  return { raw: writtenDocument(document, { plans }), result: null } satisfies Change<null>;
}

/** Changes the title or the legacy pin in the manifest. */
export function changePlanLink(
  document: ContextDocument,
  id: string,
  change: { title?: string; pinned?: boolean },
): Change<null> {
  const stored = findPlan(document, id);
  const changes: Record<string, unknown> = {};
  if (change.title !== undefined && change.title !== stored.raw.title) changes.title = change.title;
  if (change.pinned !== undefined && change.pinned !== (stored.view.pinned ?? false)) changes.pinned = change.pinned;
  if (Object.keys(changes).length === 0) return { raw: null, result: null };
  const { raw: plans, placeOf } = writableList(document.plans);
  const position = placeOf(id) ?? 0;
  plans[position] = withKeys(plans[position] as JsonObject, changes);
  return { raw: writtenDocument(document, { plans }), result: null };
}

/** Takes a link out; answers its file, and whether no other link names it. */
export function removePlanLink(document: ContextDocument, id: string): Change<{ file: string; last: boolean }> {
  const { file } = findPlan(document, id).view;
  const list = writableList(document.plans);
  const removed = removedFrom('plan', list, [id]);
  const plans = list.raw.toSpliced(list.placeOf(id) ?? 0, 1);
  const raw = writtenDocument(document, { plans });
  // Some disks take `A.md` and `a.md` for the same file; a link that may name it keeps it.
  const last = !plans.some((link) => isSameFile(linkedFile(link), file));
  return { raw, result: { file, last }, removed };
}
