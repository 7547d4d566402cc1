import { FileText, ListChecks, StickyNote } from 'lucide-react';
import type { DeletedItem } from '../../../src/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { dayOf, fullTime, relativeTime } from '../../ui/time.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { texts } from '../strings.ts';

const icons = { note: StickyNote, todos: ListChecks, plan: FileText } as const;

/** Something that was deleted: what it was, when it went and until when it can be restored. */
export function DeletedRow(props: { item: DeletedItem; now: number; isDisabled: boolean; onRestore: () => void }) {
  const { item, now, isDisabled, onRestore } = props;
  const Icon = icons[item.kind];
  return (
    <li className="deleted-row" data-trash={item.id}>
      <Icon size={16} aria-hidden="true" />
      <div className="deleted-text">
        <p className="deleted-title">
          <UserText text={item.title} as="one-line" />
          {item.count > 1 ? <span className="soft">{texts.deleted.andMore(item.count - 1)}</span> : null}
        </p>
        <p className="deleted-facts">
          <span>{texts.deleted.kind(item.kind, item.count)}</span>
          <time title={fullTime(item.deletedAt)}>{texts.deleted.when(relativeTime(item.deletedAt, now))}</time>
          <time title={fullTime(item.expiresAt)}>{texts.deleted.until(dayOf(item.expiresAt))}</time>
        </p>
      </div>
      <Button
        small
        aria-label={texts.deleted.restoreOf(plainTitle(item.title).slice(0, 80))}
        isDisabled={isDisabled}
        onPress={onRestore}
      >
        {texts.deleted.restore}
      </Button>
    </li>
  );
}
