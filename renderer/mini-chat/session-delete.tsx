import type { SessionRef, TrashedRef } from '../../src/contract/index.ts';
import {
  type Deletion,
  deletionOf,
  dropChat,
  type FolderChoice,
  type FolderWithFiles,
  folderInput,
  folderOutcome,
  withoutFolder,
} from '../state/chat-deletion.ts';
import { useSidekeep } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Store, useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { ChatFolderQuestion } from '../ui/chat-folder-question.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { strings } from '../ui/strings.ts';
import { clockTime } from '../ui/time.ts';
import { plainTitle } from '../ui/user-text.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

const { deleting, gone } = texts.session;

/**
 * Brings a session back from the trash and says so, or why it did not come back.
 * @returns whether it is back
 */
export async function restoreSession({ client, sessions, toasts }: Sidekeep, trashed: TrashedRef): Promise<boolean> {
  const result = await client.sessions.restore(trashed);
  if (!result.ok) {
    toasts.show(gone.notRestored(result.error.message));
    return false;
  }
  const { row } = result.value;
  sessions.accept(row);
  await sessions.loadDetail(row.session);
  toasts.show(gone.restored, { kind: 'session-restored' });
  return true;
}

/** The folder of the chat that is to be deleted holds files: what its person is asked; null for nothing. */
interface FolderQuestion {
  readonly title: string;
  readonly facts: FolderWithFiles;
  readonly onAnswer: (choice: FolderChoice | null) => void;
}
const folderQuestion = new Store<FolderQuestion | null>(null);

/** How the session that another program has open is to be deleted. */
const heldDeletion = new Store<Deletion | null>(null);

/** Asks what becomes of a chat's folder; null when the chat is not to be deleted any more. */
function askAboutFolder(title: string, facts: FolderWithFiles): Promise<FolderChoice | null> {
  return new Promise((resolve) => {
    const onAnswer = (choice: FolderChoice | null) => {
      folderQuestion.set(null);
      resolve(choice);
    };
    folderQuestion.get()?.onAnswer(null);
    folderQuestion.set({ title, facts, onAnswer });
  });
}

/**
 * Deletes the open session with Undo; asks where a chat's own folder holds files, and what to do when another program has
 * it open. Both is done with the same choice.
 */
export function useDeleteSession(): { remove(): Promise<void>; removeWhenFree(): Promise<void> } {
  const sidekeep = useSidekeep();
  const { target, openSession, conversations, setOpen } = useMiniChat();
  const { client, sessions, toasts } = sidekeep;
  const { session, detail } = openSession;

  const undo = async (deleted: SessionRef, trashed: TrashedRef) => {
    if (await restoreSession(sidekeep, trashed)) conversations.show(target.id, deleted);
  };
  const remove = async (deletion: Deletion, whenFree: boolean) => {
    if (session === null) return;
    const result = await client.sessions.delete({
      session,
      ...folderInput(deletion),
      ...(whenFree ? { whenFree } : {}),
    });
    if (!result.ok) {
      if (result.error.code === 'in-use' && !whenFree) {
        heldDeletion.set(deletion);
        setOpen('delete-session');
      } else toasts.show(deleting.failed(result.error.message));
      return;
    }
    const { trashed, folderKept } = result.value;
    sessions.remove(session);
    dropChat(sidekeep, session);
    conversations.begin(target.id);
    if (trashed === null) toasts.show(deleting.waits);
    else {
      const action = { label: strings.undo.undo, run: () => void undo(session, trashed) };
      toasts.show(deleting.done(clockTime(Date.now()), folderOutcome(deletion, folderKept)), { action });
    }
  };
  const askAndRemove = async () => {
    if (session === null) return;
    const row = detail.detail?.row ?? sessions.row(session);
    const deletion =
      row === null
        ? withoutFolder
        : await deletionOf(sidekeep, row, (facts) => askAboutFolder(plainTitle(row.title), facts));
    if (deletion !== null) await remove(deletion, false);
  };
  return {
    remove: () => toasts.during(askAndRemove),
    removeWhenFree: () => toasts.during(() => remove(heldDeletion.get() ?? withoutFolder, true)),
  };
}

/** What is asked before a chat goes whose own folder holds files. */
export function FolderQuestionDialog() {
  const question = useStore(folderQuestion);
  if (question === null) return null;
  const { title, facts, onAnswer } = question;
  return <ChatFolderQuestion title={title} facts={facts} onAnswer={onAnswer} onClose={() => onAnswer(null)} />;
}

/** What to do with a session that another program has open. */
export function DeleteInUseDialog() {
  const { open, setOpen } = useMiniChat();
  const { removeWhenFree } = useDeleteSession();
  const close = () => setOpen(null);
  return (
    <Dialog title={deleting.inUse} isOpen={open === 'delete-session'} onClose={close}>
      <p>{deleting.inUseText}</p>
      <div className="dialog-actions">
        <Button onPress={close}>{strings.common.cancel}</Button>
        <Button
          kind="danger"
          onPress={() => {
            close();
            void removeWhenFree();
          }}
        >
          {deleting.whenFree}
        </Button>
      </div>
    </Dialog>
  );
}
