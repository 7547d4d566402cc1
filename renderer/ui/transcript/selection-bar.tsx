import type { LucideIcon } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { Button } from '../button.tsx';
import { transcriptTexts as texts } from './strings.ts';

/** Text that is selected in a transcript. */
export interface SelectedText {
  readonly text: string;
  /** Index of the message that the selection begins in. */
  readonly index: number;
}

export interface SelectionAction {
  readonly label: string;
  readonly icon: LucideIcon;
  run(selected: SelectedText): void;
}

interface Shown extends SelectedText {
  readonly x: number;
  readonly y: number;
}

/** What can be done with the text that is selected, beside it. The selection stays until one of them is pressed. */
export function SelectionBar(props: { scroller: RefObject<HTMLElement | null>; actions: readonly SelectionAction[] }) {
  const { scroller, actions } = props;
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let isPressed = false;
    const look = () => setShown(isPressed ? null : selectedIn(scroller.current));
    const onDown = (event: PointerEvent) => {
      if ((event.target as HTMLElement).closest('.selection-bar')) return;
      isPressed = true;
    };
    const onUp = () => {
      isPressed = false;
      // The selection is the new one only after the event.
      setTimeout(look, 0);
    };
    const onScroll = () => setShown(null);
    const element = scroller.current;
    document.addEventListener('selectionchange', look);
    document.addEventListener('pointerdown', onDown);
    document.addEventListener('pointerup', onUp);
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('pointerdown', onDown);
      document.removeEventListener('pointerup', onUp);
      element?.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
  if (shown === null) return null;
  const run = (action: SelectionAction) => {
    action.run(shown);
    getSelection()?.removeAllRanges();
    setShown(null);
  };
  return (
    <div
      className="selection-bar"
      role="toolbar"
      aria-label={texts.selection}
      style={{ left: shown.x, top: shown.y }}
      // Pressing a button here must not end the selection.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {actions.map((action) => (
        <Button key={action.label} small kind="quiet" onPress={() => run(action)}>
          <action.icon size={14} aria-hidden="true" />
          {action.label}
        </Button>
      ))}
    </div>
  );
}

/** The text that is selected within an element; null for none, or when it begins or ends outside. */
export function selectedIn(element: HTMLElement | null): Shown | null {
  const selection = getSelection();
  if (element === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.commonAncestorContainer)) return null;
  const start = range.startContainer;
  const within = start instanceof HTMLElement ? start : start.parentElement;
  const index = within?.closest<HTMLElement>('[data-index]')?.dataset.index;
  const text = selection.toString().trim();
  if (index === undefined || text === '') return null;
  const place = range.getBoundingClientRect();
  const frame = element.getBoundingClientRect();
  const y = place.bottom + 6 > frame.bottom - 40 ? Math.max(frame.top + 4, place.top - 40) : place.bottom + 6;
  const x = Math.min(Math.max(frame.left + 4, place.left), Math.max(frame.left + 4, frame.right - 220));
  return { text, index: Number(index), x, y };
}
