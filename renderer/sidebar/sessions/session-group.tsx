import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type ProjectList, sessionKey } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useShownSessions } from '../../state/session-hooks.ts';
import { type ListedSession, listed, type SessionList } from '../../state/session-list.ts';
import { useStorePart } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/now.ts';
import { strings } from '../../ui/strings.ts';
import { navigation } from '../navigation.ts';
import { SessionRow } from './session-row.tsx';
import { sessionTexts as texts } from './strings.ts';

/** How many sessions are shown before the person asks for all. */
const SOME = 6;
const OVERSCAN = 10;
const DAY = 86_400_000;

export interface SessionGroupProps {
  /** Null: the sessions of all owners. */
  ownerId: string | null;
  label: string;
  list: ProjectList;
  /** Whether all are shown, or only the first. */
  showsAll: boolean;
  /** Null: the choice is not offered. */
  onShowAll: ((all: boolean) => void) | null;
  /** What scrolls. */
  scroller: RefObject<HTMLElement | null>;
  /** A session was chosen. */
  onOpen?: () => void;
}

/** The sessions of one owner below its row, or why there are none. */
export function SessionGroup(props: SessionGroupProps) {
  const { ownerId, showsAll, onShowAll } = props;
  const { sessions } = useSidekeep();
  const { list: known, isOld } = useShownSessions(ownerId);
  const rows = useMemo(() => listed(known.rows), [known.rows]);
  if (known.problem !== null && rows.length === 0) {
    return (
      <div className="session-state" role="status">
        <p>{texts.list.failed(known.problem.message)}</p>
        <Button small onPress={() => void sessions.load(ownerId)}>
          {strings.common.retry}
        </Button>
      </div>
    );
  }
  if (rows.length === 0) return <NoRows known={known} />;
  const label = isOld ? `${props.label}, ${texts.list.old}` : props.label;
  return (
    <>
      {showsAll ? (
        <AllRows {...props} label={label} known={known} rows={rows} />
      ) : (
        <ul className="session-list" aria-label={label}>
          {rows.slice(0, SOME).map((entry) => (
            <li key={sessionKey(entry.row.session)}>
              <Row entry={entry} {...props} />
            </li>
          ))}
        </ul>
      )}
      {known.total > SOME && onShowAll ? (
        <Button small kind="quiet" onPress={() => onShowAll(!showsAll)}>
          {showsAll ? texts.list.showFewer : texts.list.showAll(known.total)}
        </Button>
      ) : null}
      {known.problem === null ? null : (
        <div className="session-state" role="status">
          <p>{texts.list.failed(known.problem.message)}</p>
          <Button small onPress={() => void sessions.load(ownerId)}>
            {strings.common.retry}
          </Button>
        </div>
      )}
    </>
  );
}

/** Still looking, nothing there, or not looked at all: three different answers. */
function NoRows({ known }: { known: SessionList }) {
  const { state, reason } = known.catalog;
  if (!known.isRead || state === 'loading') return <p className="session-state">{texts.list.loading}</p>;
  if (state === 'failed')
    return <p className="session-state session-state-failed">{texts.list.catalogFailed(reason)}</p>;
  return <p className="session-state">{texts.list.empty}</p>;
}

function Row({ entry, list, onOpen }: { entry: ListedSession } & Pick<SessionGroupProps, 'list' | 'onOpen'>) {
  const key = sessionKey(entry.row.session);
  const isCurrent = useStorePart(navigation, ({ session }) => session !== null && sessionKey(session) === key);
  const today = Math.floor(useNow() / DAY) * DAY;
  return (
    <SessionRow row={entry.row} isCopy={entry.isCopy} isCurrent={isCurrent} list={list} today={today} onOpen={onOpen} />
  );
}

function AllRows(props: SessionGroupProps & { known: SessionList; rows: ListedSession[] }) {
  const { ownerId, label, known, rows, scroller } = props;
  const { sessions } = useSidekeep();
  const place = useRef<HTMLUListElement>(null);
  const margin = useMargin(place, scroller);
  const [focused, setFocused] = useState<number | null>(null);
  const height = useMemo(rowHeight, []);
  const virtualizer = useVirtualizer({
    count: Math.max(known.total, rows.length),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => (rows[index] ? sessionKey(rows[index].row.session) : index),
    overscan: OVERSCAN,
    scrollMargin: margin,
    // The row that the keyboard is on stays, wherever the person scrolls.
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      if (focused !== null && focused < range.count) shown.add(focused);
      return [...shown].sort((first, second) => first - second);
    },
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isMoreWanted = last >= rows.length - OVERSCAN && known.cursor !== null && known.problem === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more with each page, until what is seen is there
  useEffect(() => {
    if (isMoreWanted) void sessions.more(ownerId);
  }, [sessions, ownerId, isMoreWanted, known.rows]);
  return (
    <ul
      ref={place}
      className="session-list virtual"
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={(event) => {
        const index = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index;
        setFocused(index === undefined ? null : Number(index));
      }}
      onBlur={() => setFocused(null)}
    >
      {items.map((item) => {
        const entry = rows[item.index];
        return (
          <li
            key={item.key}
            className="virtual-row"
            data-index={item.index}
            aria-setsize={known.total}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${item.start - margin}px)`, height }}
          >
            {entry ? <Row entry={entry} {...props} /> : <p className="session-placeholder">{texts.list.notLoaded}</p>}
          </li>
        );
      })}
    </ul>
  );
}

/** How far below the beginning of what scrolls a list stands; what is above may grow at any time. */
function useMargin(place: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): number {
  // Never the measured value: what scrolls may be known only after the list, which is drawn once more then.
  const [margin, setMargin] = useState(-1);
  useEffect(() => {
    const element = place.current;
    const content = scroller.current?.firstElementChild;
    if (!element || !content) return;
    const measure = () => {
      const frame = scroller.current;
      if (!frame) return;
      setMargin(element.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(content);
    return () => observer.disconnect();
  }, [place, scroller]);
  return margin;
}

/** Height of a row in CSS pixels: it follows the size of the page's text. */
const rowHeight = (): number => 2 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
