import type { FoundEntry } from '../../../src/contract/index.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { drawn } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { openPlan } from '../plans/open-plans.ts';

/** How long the keyboard waits for a plan to be shown, in frames of the screen. */
const PATIENCE = 120;

/** Goes to an entry in its place: scrolled to, marked for a moment, and with the keyboard on it; a plan is opened. */
export function openFound(sidekeep: Sidekeep, { projectId, section, id }: FoundEntry, chatsId: string): void {
  navigation.goToProject(projectId === chatsId ? null : projectId);
  navigation.goToSection(section);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (section === 'plans') {
    navigation.openPlan(projectId, id);
    navigation.mark(id);
    void focusEditor(sidekeep, projectId, id);
  } else navigation.mark(id, true);
}

/** The editor takes the keyboard once it is shown, unless the person went elsewhere meanwhile. */
async function focusEditor(sidekeep: Sidekeep, projectId: string, planId: string): Promise<void> {
  const { editor } = openPlan(sidekeep, projectId, planId);
  for (let frame = 0; frame < PATIENCE && document.activeElement === document.body; frame += 2) {
    await drawn();
    if (document.activeElement === document.body) editor.focus();
  }
}
