import type { SessionRef, TrashedRef } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { strings } from '../ui/strings.ts';
import { clockTime } from '../ui/time.ts';
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

/** Deletes the open session at once, with Undo; asks what to do when another program has it open. */
export function useDeleteSession(): (whenFree: boolean) => Promise<void> {
  const sidekeep = useSidekeep();
  const { target, openSession, conversations, setOpen } = useMiniChat();
  const { client, sessions, toasts } = sidekeep;
  const { session } = openSession;

  const undo = async (deleted: SessionRef, trashed: TrashedRef) => {
    if (await restoreSession(sidekeep, trashed)) conversations.show(target.id, deleted);
  };
  const remove = async (whenFree: boolean) => {
    if (session === null) return;
    const result = await client.sessions.delete({ session, ...(whenFree ? { whenFree } : {}) });
    if (!result.ok) {
      if (result.error.code === 'in-use' && !whenFree) setOpen('delete-session');
      else toasts.show(deleting.failed(result.error.message));
      return;
    }
    const { trashed } = result.value;
    sessions.remove(session);
    conversations.begin(target.id);
    if (trashed === null) toasts.show(deleting.waits);
    else {
      const action = { label: strings.undo.undo, run: () => void undo(session, trashed) };
      toasts.show(deleting.done(clockTime(Date.now())), { action });
    }
  };
  return (whenFree) => toasts.during(() => remove(whenFree));
}

/** What to do with a session that another program has open. */
export function DeleteInUseDialog() {
  const { open, setOpen } = useMiniChat();
  const remove = useDeleteSession();
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
            void remove(true);
          }}
        >
          {deleting.whenFree}
        </Button>
      </div>
    </Dialog>
  );
}
