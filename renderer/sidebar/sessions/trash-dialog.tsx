import { ArchiveRestore, MessageSquareX } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TrashedSession } from '../../../src/contract/index.ts';
import { useAnswer } from '../../state/answers.ts';
import { useProjects, useSidekeep } from '../../state/hooks.ts';
import { useSessionList } from '../../state/session-hooks.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNow } from '../../ui/now.ts';
import { Banner, Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { dayOf, fullTime, relativeTime } from '../../ui/time.ts';
import { sizeOf } from '../../ui/transcript/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { drawn } from '../focus-after.ts';
import { closeDialog } from '../open-dialog.ts';
import { sessionTexts as texts } from './strings.ts';

/** Rows that are shown at first, and with each wish for more. */
const PAGE = 100;

/** Deleted sessions: to be restored, or removed for good. */
export function SessionTrashDialog() {
  return (
    <Dialog title={texts.trash.title} isOpen onClose={closeDialog}>
      <Trash />
    </Dialog>
  );
}

function Trash() {
  const { client } = useSidekeep();
  const chatsId = useProjects().value?.chatsId ?? null;
  const { sequence } = useSessionList(chatsId);
  const answer = useAnswer(['session-trash', sequence], () => client.sessions.trash({}));
  const close = (
    <div className="dialog-actions">
      <Button onPress={closeDialog}>{strings.common.close}</Button>
    </div>
  );
  if (answer.problem) {
    return (
      <>
        <Banner
          kind="danger"
          actions={
            <Button small onPress={answer.again}>
              {strings.common.retry}
            </Button>
          }
        >
          {texts.trash.failed} {answer.problem.message}
        </Banner>
        {close}
      </>
    );
  }
  if (answer.value === null) return <Loading label={texts.trash.loading} rows={3} />;
  if (answer.value.items.length === 0) {
    return (
      <>
        <State icon={ArchiveRestore} title={texts.trash.emptyTitle}>
          {texts.trash.empty}
        </State>
        {close}
      </>
    );
  }
  return <TrashList items={answer.value.items} onChanged={answer.again} />;
}

function TrashList({ items, onChanged }: { items: readonly TrashedSession[]; onChanged: () => void }) {
  const { client, sessions, toasts } = useSidekeep();
  const now = useNow();
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(PAGE);
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  /** What is about to be removed for good, once the person has confirmed it. */
  const [leaving, setLeaving] = useState<readonly TrashedSession[] | null>(null);

  const restore = async (item: TrashedSession) => {
    const index = items.indexOf(item);
    setRunning(true);
    setFailure(null);
    const result = await client.sessions.restore({ store: item.store, name: item.name });
    setRunning(false);
    if (!result.ok) return setFailure(texts.actions.notRestored(result.error.message));
    toasts.closeKind(`session ${item.store} ${item.name}`);
    sessions.accept(result.value.row);
    announce(texts.actions.restored(plainTitle(item.title)));
    onChanged();
    await goOn(list.current, index);
  };
  const purge = async (chosen: readonly TrashedSession[]) => {
    setRunning(true);
    setFailure(null);
    let purged = 0;
    const failed: string[] = [];
    // The contract takes a thousand at a time.
    for (let from = 0; from < chosen.length; from += 1000) {
      const part = chosen.slice(from, from + 1000).map(({ store, name }) => ({ store, name }));
      const result = await client.sessions.purge({ items: part });
      if (result.ok) {
        purged += result.value.purged;
        failed.push(...result.value.failed.map(({ reason }) => reason));
      } else failed.push(...part.map(() => result.error.message));
    }
    setRunning(false);
    setLeaving(null);
    if (purged > 0) announce(texts.trash.purged(purged));
    if (failed[0] !== undefined) setFailure(texts.trash.purgeFailed(failed.length, failed[0]));
    onChanged();
    await goOn(list.current, 0);
  };
  return (
    <>
      <p className="soft small">{texts.trash.hint}</p>
      {failure ? <Banner kind="danger">{failure}</Banner> : null}
      <ul className="deleted" ref={list} aria-label={texts.trash.list}>
        {items.slice(0, shown).map((item) => (
          <TrashRow
            key={`${item.store}/${item.name}`}
            item={item}
            now={now}
            isDisabled={isRunning}
            onRestore={() => void restore(item)}
            onPurge={() => setLeaving([item])}
          />
        ))}
      </ul>
      {items.length > shown ? (
        <Button onPress={() => setShown(shown + PAGE)}>{texts.trash.more(Math.min(PAGE, items.length - shown))}</Button>
      ) : null}
      {leaving === null ? null : (
        <Banner
          kind="danger"
          actions={
            <>
              <Button small autoFocus onPress={() => setLeaving(null)}>
                {texts.trash.keep}
              </Button>
              <Button small kind="danger" isDisabled={isRunning} onPress={() => void purge(leaving)}>
                {texts.trash.purge}
              </Button>
            </>
          }
        >
          <p>{texts.trash.confirm(leaving.length, sizeOf(leaving.reduce((sum, { bytes }) => sum + bytes, 0)))}</p>
          {filesOfFolders(leaving) === 0 ? null : <p>{texts.trash.confirmFolder(filesOfFolders(leaving))}</p>}
          {leaving.length === 1 ? <p className="session-leaving">{plainTitle(leaving[0]?.title ?? '')}</p> : null}
        </Banner>
      )}
      <div className="dialog-actions">
        <Button kind="danger" isDisabled={isRunning || leaving !== null} onPress={() => setLeaving(items)}>
          {texts.trash.purgeAll}
        </Button>
        <span className="spacer" />
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </>
  );
}

const filesOfFolders = (items: readonly TrashedSession[]): number =>
  items.reduce((sum, { folderFiles }) => sum + (folderFiles ?? 0), 0);

function TrashRow(props: {
  item: TrashedSession;
  now: number;
  isDisabled: boolean;
  onRestore: () => void;
  onPurge: () => void;
}) {
  const { item, now, isDisabled } = props;
  const title = plainTitle(item.title).slice(0, 80);
  return (
    <li className="deleted-row session-trash-row">
      <MessageSquareX size={16} aria-hidden="true" />
      <div className="deleted-text">
        <p className="deleted-title">
          <UserText text={item.title} as="one-line" />
        </p>
        <p className="deleted-facts">
          <time title={fullTime(item.deletedAt)}>{texts.trash.when(relativeTime(item.deletedAt, now))}</time>
          <span>{item.purgeAt === null ? texts.trash.onRequest : texts.trash.until(dayOf(item.purgeAt))}</span>
          <span>{texts.trash.files(item.files, item.bytes)}</span>
          {item.folderFiles === null ? null : <span>{texts.trash.folder(item.folderFiles)}</span>}
        </p>
        {item.problem === null ? null : <p className="session-problem">{texts.trash.problem(item.problem)}</p>}
      </div>
      <div className="session-trash-buttons">
        <Button
          small
          aria-label={texts.trash.restoreOf(title)}
          isDisabled={isDisabled || item.problem !== null}
          onPress={props.onRestore}
        >
          {texts.trash.restore}
        </Button>
        <Button
          small
          kind="danger"
          aria-label={texts.trash.purgeOf(title)}
          isDisabled={isDisabled}
          onPress={props.onPurge}
        >
          {texts.trash.purge}
        </Button>
      </div>
    </li>
  );
}

/** The keyboard goes on with the row that took the place of the one that went; with none left, to the last button. */
async function goOn(list: HTMLElement | null, index: number): Promise<void> {
  await drawn();
  await drawn();
  const dialog = document.querySelector<HTMLElement>('.dialog');
  if (dialog === null || (document.activeElement !== document.body && document.activeElement !== dialog)) return;
  const rows = [...(list?.isConnected ? list.querySelectorAll('li') : [])];
  const row = rows[Math.min(index, rows.length - 1)];
  const last = [...dialog.querySelectorAll<HTMLElement>('.dialog-actions button')].at(-1);
  (row?.querySelector<HTMLElement>('button:not([disabled])') ?? last)?.focus();
}
