import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { type EditableKind, editKey } from '../state/editing.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { navigation } from './navigation.ts';

/** Rows beyond the visible ones that stay mounted, on each side. */
const OVERSCAN = 6;

/**
 * A long list that mounts what is seen. Rows that are being edited stay mounted wherever they are, so that neither
 * scrolling nor a change of the list ends an edit; scroll stays where it is when rows come and go above.
 */
export function VirtualList<Entry extends { id: string }>(props: {
  label: string;
  entries: readonly Entry[];
  /** Height of a row before it is measured, in CSS pixels. */
  estimate: number;
  ownerId: string;
  kind: EditableKind | 'plan' | 'memory';
  children: (entry: Entry) => ReactNode;
}) {
  const { label, entries, estimate, ownerId, kind, children } = props;
  const { editing } = useSidekeep();
  const edits = useStore(editing);
  const scroller = useRef<HTMLDivElement>(null);
  const isEdited = (id: string): boolean =>
    (kind === 'note' || kind === 'todo') && edits.has(editKey(ownerId, kind, id));
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      if (edits.size > 0) for (const [index, entry] of entries.entries()) if (isEdited(entry.id)) shown.add(index);
      return [...shown].sort((first, second) => first - second);
    },
  });
  useMarked(entries, (index) => virtualizer.scrollToIndex(index, { align: 'center' }), scroller);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="scroller" ref={scroller} tabIndex={0} aria-label={label}>
      <ul className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const entry = entries[item.index];
          return entry === undefined ? null : (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              className="virtual-row"
              data-index={item.index}
              data-entry={entry.id}
              aria-setsize={entries.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {children(entry)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Scrolls to the entry that was asked for and marks it for a moment. */
function useMarked(
  entries: readonly { id: string }[],
  scrollTo: (index: number) => void,
  scroller: React.RefObject<HTMLElement | null>,
): void {
  const { marked } = useStore(navigation);
  const index = marked ? entries.findIndex((entry) => entry.id === marked.id) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, whatever the list does later
  useEffect(() => {
    if (marked === null || index < 0) return;
    scrollTo(index);
    const timer = setTimeout(() => {
      const row = scroller.current?.querySelector(`[data-entry="${CSS.escape(marked.id)}"]`);
      row?.classList.add('marked');
      if (marked.focus) row?.querySelector<HTMLElement>('article, button')?.focus({ preventScroll: true });
    }, 60);
    return () => clearTimeout(timer);
  }, [marked?.turn, index >= 0]);
}
