import { FileText, type LucideIcon, SquareCheck, StickyNote, Undo2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DeletedItem } from '../../src/contract/index.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { shortTime } from '../ui/time.ts';
import { plainTitle, UserText } from '../ui/user-text.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

const icons: Readonly<Record<DeletedItem['kind'], LucideIcon>> = {
  note: StickyNote,
  todos: SquareCheck,
  plan: FileText,
};

/** What was deleted from the target, in whichever window, each with the way back. */
export function DeletedDialog() {
  const { open, setOpen } = useMiniChat();
  const close = () => setOpen(null);
  return (
    <Dialog title={texts.deleted.title} isOpen={open === 'deleted'} onClose={close}>
      <DeletedList />
      <div className="dialog-actions">
        <Button onPress={close}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}

function DeletedList() {
  const { target, deleted } = useMiniChat();
  const { projectId, items, problem } = useStore(deleted);
  const [said, setSaid] = useState('');
  const list = useFocusKept();
  useEffect(() => deleted.watch(target.id), [deleted, target.id]);
  if (problem) {
    return (
      <p role="status">
        {texts.deleted.failed} {problem.message}
      </p>
    );
  }
  if (items === null || projectId !== target.id) return <Loading rows={2} />;
  return (
    <div ref={list} className="deleted">
      <p className="soft small">{items.length === 0 ? texts.deleted.none : texts.deleted.hint}</p>
      <ul aria-label={texts.deleted.list}>
        {items.map((item) => (
          <DeletedRow
            key={item.id}
            item={item}
            onBringBack={() => void deleted.bringBack(target.id, item).then(setSaid)}
          />
        ))}
      </ul>
      <p role="status" className="deleted-said small">
        {said}
      </p>
    </div>
  );
}

function DeletedRow({ item, onBringBack }: { item: DeletedItem; onBringBack: () => void }) {
  const Icon = icons[item.kind];
  return (
    <li className="deleted-row">
      <span className="row-mark">
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className="row-main">
        <UserText as="one-line" text={item.title} />
        <span className="row-origin">
          {texts.deleted.kinds[item.kind](item.count)} · {texts.deleted.at(shortTime(item.deletedAt, Date.now()) ?? '')}
        </span>
      </span>
      <Button small aria-label={texts.deleted.bringBackOf(plainTitle(item.title))} onPress={onBringBack}>
        <Undo2 size={14} aria-hidden="true" />
        <span>{texts.deleted.bringBack}</span>
      </Button>
    </li>
  );
}

/** Keeps the keyboard in a list whose rows go one by one: on the row that took the place, else on the way out. */
function useFocusKept() {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const buttons = (): HTMLElement[] => [...element.querySelectorAll('button')];
    const follow = () => {
      const index = buttons().indexOf(document.activeElement as HTMLElement);
      if (index >= 0) place.current = index;
    };
    element.addEventListener('focusin', follow);
    if (place.current !== null && !element.contains(document.activeElement)) {
      const remaining = buttons();
      const next = remaining[Math.min(place.current, remaining.length - 1)];
      (next ?? element.closest('[role="dialog"]')?.querySelector<HTMLElement>('.dialog-actions button'))?.focus();
    }
    return () => element.removeEventListener('focusin', follow);
  });
  return list;
}
