import {
  type CallError,
  type CallOutput,
  type Project,
  type Result,
  type SessionRow,
  sessionKey,
  type TrashedRef,
} from '../../../src/contract/index.ts';
import { isFinal } from '../../state/changes.ts';
import { type Deletion, deletionOf, dropChat, folderInput, folderOutcome } from '../../state/chat-deletion.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { announce } from '../../ui/announcer.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { ask, closeDialog, openDialog } from '../open-dialog.ts';
import { isOpenSession } from './open-session.ts';
import { sessionTexts as texts } from './strings.ts';

/** Keys of the sessions that are being deleted: a key that is pressed twice asks once. */
const leaving = new Set<string>();

/** What can be done with a session, wherever it is shown. A failure is told by a toast unless it is answered. */
export function sessionActions(sidekeep: Sidekeep) {
  const { client, sessions, shared, toasts } = sidekeep;
  const tell = (error: CallError) => toasts.show(error.message, { kind: 'session failed' });

  const restore = async (trashed: TrashedRef, title: string, wasOpen: boolean): Promise<void> => {
    const kind = `session ${trashed.store} ${trashed.name}`;
    const result = await client.sessions.restore(trashed);
    if (result.ok) {
      sessions.accept(result.value.row);
      if (wasOpen) navigation.openSession(result.value.row.session);
      toasts.show(texts.actions.restored(title), { kind: 'restored' });
      return;
    }
    const again = { label: strings.common.retry, run: () => void restore(trashed, title, wasOpen) };
    toasts.show(texts.actions.notRestored(result.error.message), {
      kind,
      action: isFinal(result.error) ? null : again,
    });
  };

  const remove = async (row: SessionRow, deletion: Deletion, whenFree: boolean): Promise<void> => {
    const title = plainTitle(row.title);
    const wasOpen = isOpenSession(row.session);
    const result = await client.sessions.delete({
      session: row.session,
      ...folderInput(deletion),
      ...(whenFree ? { whenFree } : {}),
    });
    if (!result.ok && result.error.code === 'in-use' && !whenFree) {
      return openDialog.set({ kind: 'session-held', row, deletion });
    }
    if (!result.ok) return void tell(result.error);
    if (openDialog.get()?.kind === 'session-held') closeDialog();
    sessions.remove(row.session);
    dropChat(sidekeep, row.session);
    if (wasOpen) navigation.closeSession();
    const { trashed, folderKept } = result.value;
    if (trashed === null) return void toasts.show(texts.actions.willGo(title));
    const folder = folderOutcome(deletion, folderKept);
    toasts.show(texts.actions.deleted(title, Date.now(), folder), {
      kind: `session ${trashed.store} ${trashed.name}`,
      action: { label: strings.common.undo, run: () => void restore(trashed, title, wasOpen) },
    });
  };

  const askAndRemove = async (row: SessionRow): Promise<void> => {
    const key = sessionKey(row.session);
    if (leaving.has(key)) return;
    leaving.add(key);
    try {
      const deletion = await deletionOf(sidekeep, row, (facts) =>
        ask((onAnswer) => ({ kind: 'chat-folder', row, facts, onAnswer })),
      );
      if (deletion !== null) await remove(row, deletion, false);
    } finally {
      leaving.delete(key);
    }
  };

  return {
    /** Answers the failure, which the caller shows; null when the title is the wanted one. */
    async rename(row: SessionRow, title: string, seen: string): Promise<CallError | null> {
      const wanted = title.trim() === '' ? null : title.trim();
      const result = await client.sessions.rename({ session: row.session, title: wanted, seen });
      if (!result.ok) return result.error;
      sessions.accept(result.value.row);
      return null;
    },

    /** Makes a copy that is ours, of all of it or up to and with a message, and opens it. */
    async fork(row: SessionRow, upTo: { head?: string; index?: number } = {}): Promise<void> {
      const result = await client.sessions.fork({ session: row.session, ...upTo });
      if (!result.ok) return void tell(result.error);
      sessions.accept(result.value.row);
      navigation.openSession(result.value.row.session);
      toasts.show(texts.actions.forked);
    },

    async pin(row: SessionRow, pinned: boolean): Promise<void> {
      const result = await client.sessions.pin({ session: row.session, pinned });
      if (!result.ok) return void tell(result.error);
      sessions.accept(result.value.row);
      const title = plainTitle(row.title);
      announce(pinned ? texts.actions.pinned(title) : texts.actions.unpinned(title));
    },

    /** Makes a session of a project from all of a chat, which stays as it is, and opens it there. Answers whether there is one. */
    async startInProject(row: SessionRow, project: Pick<Project, 'id' | 'label'>): Promise<boolean> {
      const result = await client.sessions.fork({ session: row.session, ownerId: project.id });
      if (!result.ok) {
        tell(result.error);
        return false;
      }
      sessions.accept(result.value.row);
      navigation.openSession(result.value.row.session, project.id);
      toasts.show(texts.actions.startedInProject(plainTitle(project.label)));
      return true;
    },

    /** Deletes with a way back; asks where a chat's own folder holds files, and where somebody has it open. */
    remove: (row: SessionRow) => toasts.during(() => askAndRemove(row)),
    removeWhenFree: (row: SessionRow, deletion: Deletion) => remove(row, deletion, true),

    async reveal(row: SessionRow): Promise<void> {
      const result = await client.sessions.reveal({ session: row.session });
      if (!result.ok) tell(result.error);
    },

    async openInMiniChat(row: SessionRow): Promise<void> {
      const result: Result<CallOutput<'windows.openInMiniChat'>> = await client.windows.openInMiniChat({
        session: row.session,
      });
      if (result.ok) shared.accept('windows', result.value);
      else tell(result.error);
    },
  };
}
