import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Collection, GridList, GridListHeader, GridListSection } from 'react-aria-components';
import type { ContextSnapshot } from '../../src/contract/index.ts';
import { Button } from '../ui/button.tsx';
import { useToday } from './clock.ts';
import { focusComposer } from './focus.ts';
import { useItemActions } from './item-actions.ts';
import { useMiniChat } from './mini-chat-state.ts';
import type { Marked } from './search.ts';
import { placeOf, type StreamItem, startOfDay, streamDays, streamItems } from './stream.ts';
import { StreamRow } from './stream-row.tsx';
import { texts } from './strings.ts';

/** How many entries are shown at first, and how many more each time. */
const STEP = 60;

/** The latest entries, by day, the newest at the end. */
export function StreamList({ view, kept }: { view: ContextSnapshot; kept: ReadonlySet<string> }) {
  const [shown, setShown] = useState(STEP);
  const today = useToday();
  const items = streamItems(view, kept);
  const onKeyDown = useRowKeys(items);
  const { marked } = useMiniChat().search;
  const list = useRef<HTMLDivElement>(null);
  const place = marked ? items.findIndex(({ key }) => key === marked.key) : -1;
  // As many as it takes to have the entry that was looked for among them.
  const count = place < 0 ? shown : Math.max(shown, items.length - place);
  const earlier = items.length - count;
  useShown(marked, list);
  return (
    <>
      {earlier > 0 ? (
        <div className="stream-earlier">
          <Button small kind="quiet" onPress={() => setShown(count + STEP)}>
            {texts.stream.earlier(Math.min(earlier, STEP))}
          </Button>
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only hears the keys of the rows below it */}
      <div ref={list} onKeyDown={onKeyDown}>
        <GridList
          aria-label={texts.stream.label}
          className="stream-list"
          items={streamDays(items, count)}
          dependencies={[marked]}
        >
          {({ day, items }) => (
            <GridListSection id={`day:${day}`}>
              <GridListHeader className="stream-day">{dayName(day, today)}</GridListHeader>
              <Collection items={items} dependencies={[marked]}>
                {(item) => <StreamRow item={item} isMarked={item.key === marked?.key} />}
              </Collection>
            </GridListSection>
          )}
        </GridList>
      </div>
    </>
  );
}

/** Brings the entry that was looked for into sight. */
function useShown(marked: Marked | null, list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (marked === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(marked.key)}"]`);
    row?.scrollIntoView({ block: 'center' });
    // The list takes it for the row that was used last, so that Shift+Tab goes there; typing goes on where it was.
    row?.focus({ preventScroll: true });
    focusComposer();
  }, [marked, list]);
}

/** Enter opens the focused row in the sidebar, Space ticks a todo, Delete deletes. */
function useRowKeys(items: readonly StreamItem[]) {
  const { showInSidebar } = useMiniChat();
  const { tick, remove } = useItemActions();
  return (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.role !== 'row' || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = items.find(({ key }) => key === target.dataset.key);
    if (!item) return;
    if (event.key === 'Enter') showInSidebar(placeOf(item));
    else if (event.key === ' ' && item.kind === 'todo') tick(item.todo, !item.todo.completed);
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(item);
    else return;
    event.preventDefault();
  };
}

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const withYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

function dayName(day: number, today: number): string {
  if (day === 0) return texts.stream.noDate;
  if (day === today) return texts.stream.today;
  if (day === startOfDay(today - 12 * 60 * 60 * 1000)) return texts.stream.yesterday;
  return (new Date(day).getFullYear() === new Date(today).getFullYear() ? weekday : withYear).format(day);
}
