import type { Project } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import type { SharedValuesSync } from '../../state/shared-values.ts';
import { announce } from '../../ui/announcer.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { shownProjects } from './chats-visible.ts';

/** Where the window goes when a project is hidden that it shows: to Chats, or where that is left out of the list to a project. */
function placeAfter(shared: SharedValuesSync, projectId: string): string | null {
  const list = shared.value('projects');
  if (list === null || (shared.value('settings')?.chatsVisible ?? true)) return null;
  return shownProjects(list).find(({ id }) => id !== projectId)?.id ?? null;
}

/** What can be done with a project, wherever it is shown; a failure is told by a toast. */
export function useProjectChanges(project: Project, isCurrent: boolean) {
  const { client, shared, toasts } = useSidekeep();
  const title = plainTitle(project.label);

  /** Resolves to whether the project has that label now. */
  const rename = async (label: string): Promise<boolean> => {
    if (label.trim() === '' || label === project.label) return true;
    const result = await client.projects.rename({ projectId: project.id, label });
    if (result.ok) shared.accept('projects', result.value.list);
    else toasts.show(result.error.message);
    return result.ok;
  };

  const setHidden = async (hidden: boolean): Promise<void> => {
    const result = await client.projects.hide({ projectId: project.id, hidden });
    if (!result.ok) return void toasts.show(result.error.message);
    shared.accept('projects', result.value.list);
    if (hidden) {
      toasts.show(strings.rail.hid(title), {
        action: { label: strings.common.undo, run: () => void setHidden(false) },
      });
      if (isCurrent) navigation.goToProject(placeAfter(shared, project.id));
    } else announce(title);
  };

  return { rename, setHidden };
}
