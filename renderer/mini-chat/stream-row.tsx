import { Copy, Ellipsis, FileText, PanelLeftOpen, Pin, PinOff, SquareCheck, StickyNote, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { Checkbox, GridListItem, MenuTrigger, Popover } from 'react-aria-components';
import { useSidekeep } from '../state/hooks.ts';
import { IconButton } from '../ui/button.tsx';
import { type SessionPins, useSessionPins } from '../ui/knowledge/pins-context.tsx';
import { knowledgeTexts } from '../ui/knowledge/strings.ts';
import { type MenuEntry, MenuList, useContextMenu } from '../ui/menu.tsx';
import { strings } from '../ui/strings.ts';
import { clockTime, fullTime } from '../ui/time.ts';
import { plainTitle, UserText } from '../ui/user-text.tsx';
import { Clamped } from './clamped.tsx';
import { copyText } from './copy-text.ts';
import { useItemActions } from './item-actions.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { placeOf, type StreamItem, textOf } from './stream.ts';
import { texts } from './strings.ts';

/** One entry of the stream. */
export function StreamRow({ item, isMarked }: { item: StreamItem; isMarked: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const title = plainTitle(textOf(item));
  const entries = useMenuEntries(item);
  const { props, menu } = useContextMenu(texts.stream.actions, entries, row);
  return (
    <GridListItem
      ref={row}
      id={item.key}
      textValue={`${texts.stream.kinds[item.kind]}: ${title}`}
      className={`row row-${item.kind}${isMarked ? ' row-marked' : ''}`}
      {...props}
    >
      <Mark item={item} title={title} />
      <div className="row-main">
        <Clamped>
          <Words item={item} />
        </Clamped>
        <Origin item={item} />
      </div>
      <Time time={item.time} />
      <div className="row-actions">
        {/* Rows are one stop of the Tab key; the arrow keys reach what is in them. */}
        <MenuTrigger>
          <IconButton label={texts.stream.actions} excludeFromTabOrder>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
          <Popover className="popover" placement="bottom end">
            <MenuList label={texts.stream.actions} entries={entries} />
          </Popover>
        </MenuTrigger>
      </div>
      {menu}
    </GridListItem>
  );
}

function Mark({ item, title }: { item: StreamItem; title: string }) {
  const { tick } = useItemActions();
  if (item.kind !== 'todo') {
    const Icon = item.kind === 'note' ? StickyNote : FileText;
    return (
      <span className="row-mark">
        <Icon size={16} aria-hidden="true" />
        <span className="visually-hidden">{texts.stream.kinds[item.kind]}</span>
      </span>
    );
  }
  return (
    <Checkbox
      slot={null}
      excludeFromTabOrder
      className="row-mark tick"
      aria-label={`${texts.stream.tick}: ${title}`}
      isSelected={item.todo.completed}
      onChange={(completed) => tick(item.todo, completed)}
    >
      <span className="tick-box" aria-hidden="true">
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2.5 6.5 5 9l4.5-6" />
        </svg>
      </span>
    </Checkbox>
  );
}

function Words({ item }: { item: StreamItem }) {
  if (item.kind === 'note') return <UserText as="block" text={item.note.body} />;
  if (item.kind === 'plan') {
    return (
      <span className="row-title">
        <UserText text={item.plan.title} />
      </span>
    );
  }
  return (
    <span className={item.todo.completed ? 'row-done' : undefined}>
      <UserText text={item.todo.text} />
    </span>
  );
}

/** Where an entry comes from, unless the person wrote it here. */
function Origin({ item }: { item: StreamItem }) {
  const text =
    item.kind === 'note' && item.note.source !== 'manual'
      ? strings.common.source[item.note.source]
      : item.kind === 'plan' && item.plan.missing
        ? texts.stream.missing
        : null;
  return text === null ? null : <span className="row-origin">{text}</span>;
}

function Time({ time }: { time: number }) {
  if (time === 0) return null;
  return (
    <time className="row-time" dateTime={new Date(time).toISOString()} title={fullTime(time)}>
      {clockTime(time)}
    </time>
  );
}

function useMenuEntries(item: StreamItem): MenuEntry[] {
  const sidekeep = useSidekeep();
  const { showInSidebar } = useMiniChat();
  const { tick, remove } = useItemActions();
  const pins = useSessionPins();
  const ticked = item.kind === 'todo' && item.todo.completed;
  const tickEntry: MenuEntry[] =
    item.kind === 'todo'
      ? [
          {
            id: 'tick',
            label: ticked ? texts.stream.markOpen : texts.stream.markDone,
            icon: SquareCheck,
            run: () => tick(item.todo, !ticked),
          },
        ]
      : [];
  return [
    ...tickEntry,
    ...pinEntries(item, pins),
    { id: 'open', label: texts.header.open, icon: PanelLeftOpen, run: () => showInSidebar(placeOf(item)) },
    { id: 'copy', label: strings.common.copyText, icon: Copy, run: () => void copyText(sidekeep, textOf(item)) },
    { id: 'delete', label: strings.common.delete, icon: Trash2, danger: true, run: () => remove(item) },
  ];
}

/** Pins a note or a plan for the open session, or takes it out. */
function pinEntries(item: StreamItem, pins: SessionPins | null): MenuEntry[] {
  if (pins === null || item.kind === 'todo') return [];
  const id = item.kind === 'note' ? item.note.id : item.plan.id;
  const isPinned = pins.isPinned(item.kind, id);
  return [
    {
      id: 'pin',
      label: isPinned ? knowledgeTexts.unpinFromOpen : knowledgeTexts.pinToOpen,
      icon: isPinned ? PinOff : Pin,
      run: () => pins.toggle(item.kind, id),
    },
  ];
}
