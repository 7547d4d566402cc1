import type { CallOutput, Project, Result } from '../../../src/contract/index.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { saveOpenPlans } from '../plans/open-plans.ts';

/** Tells where the folder of a project is now. What was typed and not saved follows the project to its new id. */
export async function followFolder(
  sidekeep: Sidekeep,
  project: Project,
  path: string,
): Promise<Result<CallOutput<'projects.relocate'>>> {
  const { client, shared, drafts, editing } = sidekeep;
  await saveOpenPlans();
  const result = await client.projects.relocate({ projectId: project.id, path });
  if (!result.ok) return result;
  const { id } = result.value.project;
  if (id !== project.id) {
    drafts.follow(project.id, id);
    editing.follow(project.id, id);
  }
  shared.accept('projects', result.value.list);
  return result;
}
