import { ArchiveRestore } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { CallError, DeletedItem } from '../../../src/contract/index.ts';
import { useAnswer } from '../../state/answers.ts';
import { useContext, useSidekeep } from '../../state/hooks.ts';
import { restoreDeleted } from '../../state/undo.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNow } from '../../ui/now.ts';
import { Banner, Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { drawn } from '../focus-after.ts';
import { closeDialog, type Owner } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { DeletedRow } from './deleted-row.tsx';

/** Rows that are shown at first, and with each wish for more. */
const PAGE = 100;

/** What was deleted from an owner in the last 30 days, to be restored. */
export function DeletedDialog({ owner }: { owner: Owner }) {
  return (
    <Dialog title={texts.deleted.title(owner.title)} isOpen onClose={closeDialog}>
      <Deleted owner={owner} />
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

function Deleted({ owner }: { owner: Owner }) {
  const { client } = useSidekeep();
  const { confirmed, problem } = useContext(owner.id);
  const answer = useAnswer(['deleted', owner.id, confirmed?.sequence, problem?.code], () =>
    client.context.deleted({ projectId: owner.id }),
  );
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
        {texts.deleted.failed} {answer.problem.message}
      </Banner>
    );
  }
  if (answer.value === null) return <Loading label={texts.deleted.loading} rows={3} />;
  if (answer.value.items.length === 0) {
    return (
      <State icon={ArchiveRestore} title={texts.deleted.emptyTitle}>
        {texts.deleted.empty}
      </State>
    );
  }
  return <DeletedList owner={owner} items={answer.value.items} readOnly={confirmed?.readOnly === true} />;
}

function DeletedList({ owner, items, readOnly }: { owner: Owner; items: readonly DeletedItem[]; readOnly: boolean }) {
  const sidekeep = useSidekeep();
  const now = useNow();
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(PAGE);
  const [failure, setFailure] = useState<CallError | null>(null);
  const [running, setRunning] = useState<string | null>(null);
  const restore = async (item: DeletedItem) => {
    const index = items.indexOf(item);
    const next = items[index + 1] ?? items[index - 1];
    setRunning(item.id);
    setFailure(null);
    const result = await restoreDeleted(sidekeep, owner.id, { kind: item.kind, trashId: item.id });
    setRunning(null);
    if (!result.ok) return setFailure(result.error);
    announce(texts.deleted.restored(plainTitle(item.title)));
    await drawn();
    focusRestore(list.current, next?.id ?? null);
  };
  return (
    <>
      <p className="soft small">{texts.deleted.hint}</p>
      {readOnly ? <Banner kind="warning">{strings.context.newerVersion}</Banner> : null}
      {failure ? <Banner kind="danger">{failure.message}</Banner> : null}
      <ul className="deleted" ref={list} aria-label={texts.deleted.list} onKeyDown={moveByArrow}>
        {items.slice(0, shown).map((item) => (
          <DeletedRow
            key={item.id}
            item={item}
            now={now}
            isDisabled={readOnly || running === item.id}
            onRestore={() => void restore(item)}
          />
        ))}
      </ul>
      {items.length > shown ? (
        <Button onPress={() => setShown(shown + PAGE)}>
          {texts.deleted.more(Math.min(PAGE, items.length - shown))}
        </Button>
      ) : null}
    </>
  );
}

/** The keyboard goes on with the row that follows; with none left, to the button that closes. */
function focusRestore(list: HTMLElement | null, id: string | null): void {
  const dialog = document.querySelector<HTMLElement>('.dialog');
  if (dialog === null || (document.activeElement !== document.body && document.activeElement !== dialog)) return;
  const row = id === null ? null : list?.querySelector<HTMLElement>(`[data-trash="${CSS.escape(id)}"] button`);
  (row ?? dialog.querySelector<HTMLElement>('.dialog-actions button'))?.focus();
}

function moveByArrow(event: KeyboardEvent<HTMLUListElement>): void {
  const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const index = buttons.indexOf(event.target as HTMLElement);
  if (index < 0) return;
  event.preventDefault();
  buttons[index + step]?.focus();
}
