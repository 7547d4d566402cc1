import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../ui/announcer.tsx';
import {
  type Action,
  type Command,
  completeCommand,
  isAction,
  matchingCommands,
  parseEntry,
  withoutCommand,
} from './commands.ts';
import { texts } from './strings.ts';

/** The list of commands below the cursor: open while the first word may become one. */
export function useCommands(
  typed: string,
  onType: (text: string) => void,
  onAction: (action: Action) => void,
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const [cursor, setCursor] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Command | null>(null);
  const placed = useRef<number | null>(null);
  const offered = closedFor === typed ? [] : matchingCommands(typed, cursor);
  const active = offered.find((command) => command === chosen) ?? offered[0] ?? null;
  const count = offered.length;

  useLayoutEffect(() => {
    // The value is set by React; only now can the cursor stand behind the completed command.
    if (placed.current !== null) field.current?.setSelectionRange(placed.current, placed.current);
    placed.current = null;
  });
  useLayoutEffect(() => {
    if (count > 0) announce(texts.composer.commandCount(count));
  }, [count]);

  const choose = (command: Command) => {
    const isDone = isAction(command) && command !== 'find';
    const next = isDone ? { text: withoutCommand(typed), cursor: 0 } : completeCommand(typed, command);
    placed.current = next.cursor;
    setCursor(next.cursor);
    onType(next.text);
    if (isDone) onAction(command);
  };
  const step = (by: number) => {
    const index = active ? offered.indexOf(active) : 0;
    setChosen(offered[(index + by + count) % count] ?? null);
  };
  const handleKey = (event: KeyboardEvent): boolean => {
    if (!active) return false;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Escape') setClosedFor(typed);
    else if (event.key === 'Tab' && !event.shiftKey) choose(active);
    // A mode that is whole already is not completed but carried out.
    else if (event.key === 'Enter' && !event.shiftKey && !parseEntry(typed, 'note').commanded) choose(active);
    else return false;
    return true;
  };
  return {
    offered,
    active,
    choose,
    handleKey,
    close: () => setClosedFor(typed),
    moveCursor: (start: number, end: number) => {
      setCursor(start === end ? start : 0);
      if (closedFor !== null && closedFor !== typed) setClosedFor(null);
    },
  };
}
