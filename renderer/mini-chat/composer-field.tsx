import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ComposerMode } from '../../src/contract/index.ts';
import { announce } from '../ui/announcer.tsx';
import { isComposing } from '../ui/keys.ts';
import { COMMAND_LIST_ID, CommandList, commandOptionId } from './command-list.tsx';
import { completeCommand, type Entry, matchingCommands, parseEntry } from './commands.ts';
import { COMPOSER_ID, focusComposerIfLost } from './focus.ts';
import { texts } from './strings.ts';

/**
 * The text field with its commands. It has no maximum length: a browser would cut what is pasted at it, so a text that is
 * too long stays whole and is not sent. Nothing but typing, sending and completing changes its value.
 */
export function ComposerField({
  entry,
  typed,
  onType,
  onSubmit,
  onComposition,
}: {
  entry: Entry;
  typed: string;
  onType: (text: string) => void;
  onSubmit: () => void;
  onComposition: (composing: boolean) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const commands = useCommands(typed, onType, field);
  useEffect(() => {
    // A draft goes on where it ends.
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    focusComposerIfLost();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const modified = event.ctrlKey || event.metaKey;
    if (!modified && commands.handleKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.altKey && (modified || !event.shiftKey)) {
      event.preventDefault();
      onSubmit();
    }
  };
  const followCursor = (event: SyntheticEvent<HTMLTextAreaElement>) =>
    commands.moveCursor(event.currentTarget.selectionStart, event.currentTarget.selectionEnd);
  return (
    <div className="composer-field">
      {commands.active ? (
        <CommandList commands={commands.offered} active={commands.active} onChoose={commands.choose} />
      ) : null}
      <span id="composer-keys" className="visually-hidden">
        {texts.composer.keys}
      </span>
      <textarea
        ref={field}
        id={COMPOSER_ID}
        className="composer-text"
        aria-label={texts.composer.label[entry.mode]}
        aria-describedby="composer-hint composer-keys"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={commands.active ? COMMAND_LIST_ID : undefined}
        aria-activedescendant={commands.active ? commandOptionId(commands.active) : undefined}
        dir="auto"
        rows={2}
        value={typed}
        placeholder={texts.composer.placeholder[entry.mode]}
        onChange={(event) => {
          onType(event.target.value);
          followCursor(event);
        }}
        onSelect={followCursor}
        onKeyDown={onKeyDown}
        onBlur={() => commands.close()}
        onCompositionStart={() => onComposition(true)}
        onCompositionEnd={() => onComposition(false)}
      />
    </div>
  );
}

/** The list of commands below the cursor: open while the first word may become one. */
function useCommands(typed: string, onType: (text: string) => void, field: RefObject<HTMLTextAreaElement | null>) {
  const [cursor, setCursor] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ComposerMode | null>(null);
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

  const choose = (command: ComposerMode) => {
    const completed = completeCommand(typed, command);
    placed.current = completed.cursor;
    setCursor(completed.cursor);
    onType(completed.text);
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
    // A command that is whole already is not completed but carried out.
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
