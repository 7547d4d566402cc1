import type { SessionRow } from '../../../src/contract/index.ts';
import type { Deletion } from '../../state/chat-deletion.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { closeDialog } from '../open-dialog.ts';
import { sessionActions } from './session-actions.ts';
import { sessionTexts as texts } from './strings.ts';

/** A session that was to be deleted is open elsewhere: leave it, or let it go once that has closed it. */
export function HeldDialog({ row, deletion }: { row: SessionRow; deletion: Deletion }) {
  const sidekeep = useSidekeep();
  return (
    <Dialog title={texts.held.title} isOpen onClose={closeDialog}>
      <p>{texts.held.text(plainTitle(row.title))}</p>
      <div className="dialog-actions">
        <Button autoFocus onPress={closeDialog}>
          {strings.common.cancel}
        </Button>
        <Button kind="danger" onPress={() => void sessionActions(sidekeep).removeWhenFree(row, deletion)}>
          {texts.held.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
