import { ChevronRight, PencilLine, ShieldAlert, ShieldCheck, ShieldX, Trash2 } from 'lucide-react';
import { memo, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { MemoryTitle } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { memoryActions } from '../../state/memory-actions.ts';
import { draftOf, memoryKey, typeOf } from '../../state/memory-fields.ts';
import { Store, useStorePart } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { strings } from '../../ui/strings.ts';
import { fullTime, shortTime } from '../../ui/time.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { MemoryDetail } from './memory-detail.tsx';
import { MemoryEdit } from './memory-edit.tsx';
import { memoryTexts as texts } from './strings.ts';

/** Keys of the memories whose text is shown: a row that is scrolled away and back is as it was. */
const unfolded = new Store<ReadonlySet<string>>(new Set());

const setUnfolded = (key: string, isUnfolded: boolean): void =>
  unfolded.update((keys) => {
    const changed = new Set(keys);
    if (isUnfolded) changed.add(key);
    else changed.delete(key);
    return changed;
  });

/** One memory: its title and what has to be known about it; its text on request, or the fields in which it is edited. */
export const MemoryRow = memo(function MemoryRow(props: {
  ownerId: string | null;
  entry: MemoryTitle;
  readOnly: boolean;
}) {
  const { ownerId, entry, readOnly } = props;
  const sidekeep = useSidekeep();
  const key = memoryKey(ownerId, entry.id);
  const isOpen = useStorePart(unfolded, (keys) => keys.has(key));
  const isEdited = useStorePart(sidekeep.drafts, (all) => all.get(key)?.base != null);
  const row = useRef<HTMLElement>(null);
  const title = plainTitle(entry.title).slice(0, 80);
  const act = memoryActions(sidekeep, ownerId);
  const edit = async () => {
    const read = await sidekeep.client.memory.read({ ownerId, memoryId: entry.id });
    if (!read.ok) return void sidekeep.toasts.show(texts.readFailed(read.error.message));
    const { body, type, revision } = read.value;
    const text = draftOf({ title: read.value.title, body, type: typeOf(type) });
    sidekeep.drafts.write(key, text, { text, revision });
  };
  const focusRow = () =>
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.memory-actions button')?.focus());
  const forget = () => {
    const place = row.current?.closest('li');
    const next = place?.nextElementSibling ?? place?.previousElementSibling;
    const removal = act.forget(entry, texts.undo);
    void focusAfter(removal, () => next?.querySelector('.memory-open'), sectionTab);
  };
  return (
    <article className="memory column" ref={row} tabIndex={-1} aria-label={title}>
      {isEdited ? (
        <MemoryEdit ownerId={ownerId} memoryId={entry.id} onEnd={focusRow} />
      ) : (
        <>
          <div className="memory-line">
            <AriaButton className="memory-open" aria-expanded={isOpen} onPress={() => setUnfolded(key, !isOpen)}>
              <ChevronRight size={15} aria-hidden="true" />
              <span className="memory-title">
                <UserText text={entry.title} as={isOpen ? 'line' : 'one-line'} />
              </span>
            </AriaButton>
            <Marks entry={entry} />
            {readOnly ? null : (
              <div className="memory-actions">
                <IconButton label={texts.actions.edit(title)} hint={strings.common.edit} onPress={() => void edit()}>
                  <PencilLine size={15} aria-hidden="true" />
                </IconButton>
                <IconButton label={texts.actions.forget(title)} hint={texts.actions.forgetHint} onPress={forget}>
                  <Trash2 size={15} aria-hidden="true" />
                </IconButton>
              </div>
            )}
          </div>
          {isOpen ? <MemoryDetail ownerId={ownerId} entry={entry} readOnly={readOnly} /> : null}
        </>
      )}
    </article>
  );
});

/** What it is and when it changed; what is suspicious about it in words, not in a colour alone. */
function Marks({ entry }: { entry: MemoryTitle }) {
  const { threat, withheld, createdAt, updatedAt } = entry;
  const now = Date.now();
  const changed = updatedAt > createdAt ? shortTime(updatedAt, now) : null;
  const added = shortTime(createdAt, now);
  const time = changed !== null ? texts.changed(changed) : added === null ? texts.noTime : texts.added(added);
  return (
    <span className="memory-marks">
      {threat === null ? null : withheld ? (
        <span className="chip chip-danger">
          <ShieldX size={12} aria-hidden="true" />
          {texts.withheld}
        </span>
      ) : threat.allowed !== null ? (
        <span className="chip">
          <ShieldCheck size={12} aria-hidden="true" />
          {texts.allowedChip}
        </span>
      ) : (
        <span className="chip chip-warning">
          <ShieldAlert size={12} aria-hidden="true" />
          {texts.suspicious}
        </span>
      )}
      <span className="chip">{texts.types[typeOf(entry.type)]}</span>
      <time className="memory-time" title={updatedAt === 0 ? undefined : fullTime(updatedAt)}>
        {time}
      </time>
    </span>
  );
}
