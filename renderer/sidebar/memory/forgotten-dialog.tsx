import { ArchiveRestore, Brain } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSidekeep } from '../../state/hooks.ts';
import { memoryActions } from '../../state/memory-actions.ts';
import { useForgotten } from '../../state/memory-hooks.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNow } from '../../ui/now.ts';
import { Banner, Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { fullTime, relativeTime } from '../../ui/time.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { drawn } from '../focus-after.ts';
import { closeDialog, type Owner } from '../open-dialog.ts';
import { memoryTexts as texts } from './strings.ts';

/** What was forgotten in the last 30 days, to be brought back. @param owner null: from the memory of all places */
export function ForgottenDialog({ owner }: { owner: Owner | null }) {
  const title = owner === null ? texts.forgottenTitleAll : texts.forgottenTitle(owner.title);
  return (
    <Dialog title={title} isOpen onClose={closeDialog}>
      <Forgotten ownerId={owner?.id ?? null} />
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

function Forgotten({ ownerId }: { ownerId: string | null }) {
  const sidekeep = useSidekeep();
  const answer = useForgotten(ownerId);
  const now = useNow();
  const list = useRef<HTMLUListElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [running, setRunning] = useState<string | null>(null);
  if (answer.problem) {
    return (
      <Banner
        kind="danger"
        actions={
          <Button small onPress={answer.again}>
            {strings.common.retry}
          </Button>
        }
      >
        {texts.forgottenFailed} {answer.problem.message}
      </Banner>
    );
  }
  if (answer.value === null) return <Loading rows={3} />;
  const { items } = answer.value;
  if (items.length === 0) {
    return (
      <State icon={ArchiveRestore} title={texts.forgottenEmptyTitle}>
        {texts.forgottenEmpty}
      </State>
    );
  }
  const restore = async (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    setRunning(item.trashId);
    setFailure(null);
    const result = await memoryActions(sidekeep, ownerId).restore(item.trashId);
    setRunning(null);
    if (!result.ok) return setFailure(result.error.message);
    announce(texts.restoredOf(plainTitle(item.title)));
    answer.again();
    await drawn();
    focusRow(list.current, index);
  };
  return (
    <>
      <p className="soft small">{texts.forgottenHint}</p>
      {failure === null ? null : <Banner kind="danger">{failure}</Banner>}
      <ul className="deleted" ref={list} aria-label={texts.forgottenList}>
        {items.map((item, index) => (
          <li key={item.trashId} className="deleted-row">
            <Brain size={16} aria-hidden="true" />
            <div className="deleted-text">
              <p className="deleted-title">
                <UserText text={item.title} as="one-line" />
              </p>
              <p className="deleted-facts">
                <time title={fullTime(item.deletedAt)}>{texts.forgottenWhen(relativeTime(item.deletedAt, now))}</time>
              </p>
            </div>
            <Button
              small
              aria-label={texts.restoreOf(plainTitle(item.title).slice(0, 80))}
              isDisabled={running === item.trashId}
              onPress={() => void restore(index)}
            >
              {texts.restore}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The keyboard goes on with the row that took the place of the one that went; with none left, to the button that closes. */
function focusRow(list: HTMLElement | null, index: number): void {
  const dialog = document.querySelector<HTMLElement>('.dialog');
  if (dialog === null || (document.activeElement !== document.body && document.activeElement !== dialog)) return;
  const rows = [...(list?.isConnected ? list.querySelectorAll('li') : [])];
  const row = rows[Math.min(index, rows.length - 1)];
  (
    row?.querySelector<HTMLElement>('button:not([disabled])') ??
    dialog.querySelector<HTMLElement>('.dialog-actions button')
  )?.focus();
}
