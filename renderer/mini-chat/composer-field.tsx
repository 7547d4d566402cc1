import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';
import { isComposing } from '../ui/keys.ts';
import { useCommands } from './command-completion.ts';
import { COMMAND_LIST_ID, CommandList, commandOptionId } from './command-list.tsx';
import type { Action } from './commands.ts';
import { COMPOSER_ID, focusComposerIfLost } from './focus.ts';
import { texts } from './strings.ts';

/** What a field's keys and its accessible description are about besides its text: the results of a search. */
export interface FieldOptions {
  /** Id of the list box. */
  readonly list: string;
  /** Id of the option that Enter acts on. */
  readonly active: string | undefined;
  step(by: 1 | -1): void;
}

/**
 * The text field with its commands. It has no maximum length: a browser would cut what is pasted at it, so a text that is
 * too long stays whole and is not sent. Nothing but typing, sending and completing changes its value.
 */
export function ComposerField({
  label,
  placeholder,
  typed,
  options,
  onType,
  onSubmit,
  onAction,
  onComposition,
}: {
  label: string;
  placeholder: string;
  typed: string;
  options: FieldOptions | null;
  onType: (text: string) => void;
  /** @param modified whether Ctrl or Command was held */
  onSubmit: (modified: boolean) => void;
  onAction: (action: Action) => void;
  onComposition: (composing: boolean) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const commands = useCommands(typed, onType, onAction, field);
  useEffect(() => {
    // A draft goes on where it ends.
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    focusComposerIfLost();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const modified = event.ctrlKey || event.metaKey;
    const plain = !modified && !event.altKey && !event.shiftKey;
    if (!modified && commands.handleKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (options && plain && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      options.step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && !event.altKey && (modified || !event.shiftKey)) {
      event.preventDefault();
      onSubmit(modified);
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
        {options ? texts.find.keys : texts.composer.keys}
      </span>
      <textarea
        ref={field}
        id={COMPOSER_ID}
        className="composer-text"
        aria-label={label}
        aria-describedby="composer-hint composer-keys"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={commands.active ? COMMAND_LIST_ID : options?.list}
        aria-activedescendant={commands.active ? commandOptionId(commands.active) : options?.active}
        dir="auto"
        rows={2}
        value={typed}
        placeholder={placeholder}
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
