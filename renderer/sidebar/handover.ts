import { useEffect } from 'react';
import type { Handover } from '../../src/contract/index.ts';
import { useProjects, useSidekeep, useWindows } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { composerKey } from './composer-keys.ts';
import { focusComposer, NEW_PLAN, navigation } from './navigation.ts';

const taken = new Set<number>();

/** Where a draft goes on. A message is written in the Mini Chat only; its text becomes a note here rather than be lost. */
const sections = { message: 'notes', note: 'notes', todo: 'todos', plan: 'plans' } as const;

/** Takes what the Mini Chat hands over: goes to its place and puts its draft below what is in the composer there. */
export function useHandover(): void {
  const sidekeep = useSidekeep();
  const handover = useWindows().value?.handover ?? null;
  const chatsId = useProjects().value?.chatsId;
  useEffect(() => {
    if (handover === null || chatsId === undefined || taken.has(handover.id)) return;
    taken.add(handover.id);
    takeHandover(sidekeep, handover, chatsId);
  }, [sidekeep, handover, chatsId]);
}

function takeHandover(sidekeep: Sidekeep, handover: Handover, chatsId: string): void {
  const { projectId, section, entryId, session, draft } = handover;
  navigation.goToProject(projectId === chatsId ? null : projectId);
  const sectionOfDraft = draft ? sections[draft.mode] : undefined;
  navigation.goToSection(sectionOfDraft ?? section ?? 'notes');
  if (draft) {
    const mode = draft.mode === 'message' ? 'note' : draft.mode;
    sidekeep.drafts.append(composerKey(projectId, mode), draft.text);
    if (draft.mode === 'plan') navigation.openPlan(projectId, NEW_PLAN);
    sidekeep.drafts.flush();
    // After the section has been drawn; the person has just asked for it in the other window.
    setTimeout(focusComposer, 50);
  } else if (entryId !== undefined) {
    if (section === 'plans') navigation.openPlan(projectId, entryId);
    navigation.mark(entryId);
  }
  // With a draft it is the composer that the person asked for.
  if (session !== undefined && draft === undefined) navigation.openSession(session);
  void sidekeep.client.windows.takeHandover({ id: handover.id }).then((result) => {
    if (result.ok) sidekeep.shared.accept('windows', result.value);
    // Not acknowledged: it is offered again with the next push, and taken then without repeating the draft.
    else sidekeep.toasts.show(result.error.message);
  });
}
