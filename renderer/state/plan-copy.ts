import { actions } from './actions.ts';
import type { Sidekeep } from './sidekeep.ts';

/**
 * Makes a new plan of a document.
 * @param keep what must be as given: the whole document, byte for byte, or the title, put in the place of its heading
 */
export async function copyPlan(
  sidekeep: Sidekeep,
  projectId: string,
  title: string,
  raw: string,
  keep: 'document' | 'title' = 'document',
): Promise<boolean> {
  const { client, contexts } = sidekeep;
  const made = await actions(sidekeep).createPlan(projectId, title, withoutHeading(raw));
  if (!made.ok) return false;
  const planId = made.value.plan.id;
  const written = await client.plans.read({ projectId, planId });
  if (keep === 'title' || !written.ok || written.value.raw === raw) return true;
  // The heading of the document may be written another way.
  const exact = await client.plans.update({ projectId, planId, raw, revision: written.value.revision });
  if (exact.ok) contexts.accept(exact.value.context);
  return true;
}

/** A document without the heading that `plans.create` writes itself. */
const withoutHeading = (raw: string): string => raw.replace(/^#[ \t][^\r\n]*(\r?\n){0,2}/, '');
