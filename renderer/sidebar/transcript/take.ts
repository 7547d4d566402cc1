import type { ProjectList, SessionMessage, SessionRow } from '../../../src/contract/index.ts';
import { limits } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { strings } from '../../ui/strings.ts';
import { hasVisibleText, plainTitle } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { sessionTexts as texts } from '../sessions/strings.ts';

/** The owner to whom something taken from a session goes: its own, or Chats when that is not one of the list. */
export function ownerOfTaken(
  { ownerId }: Pick<SessionRow, 'ownerId'>,
  list: ProjectList,
): { id: string; title: string } {
  const project = list.projects.find(({ id }) => id === ownerId && id !== list.chatsId);
  return project
    ? { id: project.id, title: plainTitle(project.label) }
    : { id: list.chatsId, title: strings.common.chats };
}

/** Makes a note of a text of a session; it names the message that it was taken from. */
export async function takeNote(
  sidekeep: Sidekeep,
  row: SessionRow,
  list: ProjectList,
  taken: { text: string; message: Pick<SessionMessage, 'id'> | null },
): Promise<void> {
  if (!hasVisibleText(taken.text)) return;
  const owner = ownerOfTaken(row, list);
  const messageId = taken.message?.id ?? null;
  const result = await actions(sidekeep).createNote(owner.id, taken.text, {
    source: 'selection',
    origin: { sessionId: row.session.id, ...(messageId === null ? {} : { messageId }) },
  });
  // A failure stands in the status line, with the text to copy.
  if (!result.ok) return;
  const { note, clamped } = result.value;
  sidekeep.toasts.show(clamped ? texts.actions.shortened(owner.title) : texts.actions.noteMade(owner.title), {
    kind: 'taken',
    action: { label: texts.actions.show, isLink: true, run: () => show(owner.id, list, 'notes', note.id) },
  });
}

/** Makes a plan of a text of a session; its first line becomes the title. */
export async function takePlan(sidekeep: Sidekeep, row: SessionRow, list: ProjectList, text: string): Promise<void> {
  if (!hasVisibleText(text)) return;
  const owner = ownerOfTaken(row, list);
  const title = plainTitle(text)
    .replace(/^#+\s*/, '')
    .slice(0, limits.planTitle);
  const result = await actions(sidekeep).createPlan(owner.id, title, text);
  if (!result.ok) return;
  const { plan } = result.value;
  sidekeep.toasts.show(texts.actions.planMade(owner.title), {
    kind: 'taken',
    action: { label: texts.actions.show, isLink: true, run: () => show(owner.id, list, 'plans', plan.id) },
  });
}

function show(ownerId: string, list: ProjectList, section: 'notes' | 'plans', id: string): void {
  navigation.goToProject(ownerId === list.chatsId ? null : ownerId);
  navigation.goToSection(section);
  if (section === 'plans') navigation.openPlan(ownerId, id);
  navigation.mark(id, section === 'notes');
}
