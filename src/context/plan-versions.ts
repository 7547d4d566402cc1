import type { PlanVersion } from '../contract/entities.ts';
import { findPlan } from './plan-links.ts';
import { decodePlan } from './plan-text.ts';
import { never, type ProjectContext } from './project-context.ts';

/** The earlier versions of a plan's document that were kept, newest first. */
export async function planVersions(context: ProjectContext, planId: string): Promise<{ versions: PlanVersion[] }> {
  return { versions: await context.backups.listPlan(await fileOf(context, planId)) };
}

/** The text of an earlier version; bytes that are no UTF-8 read as the sign for what is missing. */
export async function readPlanVersion(
  context: ProjectContext,
  input: { planId: string; versionId: string },
): Promise<{ raw: string }> {
  const { bytes } = await context.backups.readPlan(await fileOf(context, input.planId), input.versionId);
  return { raw: decodePlan(bytes).text };
}

async function fileOf(context: ProjectContext, planId: string): Promise<string> {
  const document = await context.load({ migrate: never, plans: false });
  return findPlan(document, planId).view.file;
}
