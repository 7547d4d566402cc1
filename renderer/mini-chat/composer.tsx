import { ArrowUp } from 'lucide-react';
import { Button as AriaButton, TooltipTrigger } from 'react-aria-components';
import { type ComposerMode, limits } from '../../src/contract/index.ts';
import { useContext, useDraft, useSidekeep } from '../state/hooks.ts';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Tip } from '../ui/tooltip.tsx';
import { type Entry, parseEntry, typedFor, typedWithCommand } from './commands.ts';
import { ComposerField } from './composer-field.tsx';
import { isSendable, measure, planText, todoLines } from './entry-text.ts';
import { focusComposer } from './focus.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { ModeMenu } from './mode-menu.tsx';
import { draftKey } from './outbox.ts';
import { texts } from './strings.ts';
import { Unsaved } from './unsaved.tsx';

/** Where entries are written. */
export function Composer({ onComposition }: { onComposition: (composing: boolean) => void }) {
  const { drafts } = useSidekeep();
  const { target, mode, chooseMode, outbox } = useMiniChat();
  const [{ text: typed }, setTyped] = useDraft(draftKey(target.id));
  const readOnly = useContext(target.id).view?.readOnly ?? false;
  const entry = parseEntry(typed, mode);
  const write = (text: string) => {
    setTyped(text);
    // At once: a page that dies does not get to say goodbye.
    drafts.flush();
  };
  const choose = (chosen: ComposerMode) => {
    // The choice wins over a command that was typed; its text stays.
    if (entry.commanded) write(typedFor(entry.text));
    chooseMode(chosen);
    focusComposer();
  };
  const submit = () => {
    if (entry.text.trim() === '') {
      if (!entry.commanded) return;
      write('');
      chooseMode(entry.mode);
    } else if (readOnly) announce(texts.composer.readOnly);
    else if (isSendable(entry.mode, entry.text)) void outbox.send(target.id, mode);
    else announce(hintOf(entry).text);
  };
  const canSend = !readOnly && isSendable(entry.mode, entry.text);
  return (
    <section className="composer" aria-label={texts.composer.label[entry.mode]}>
      <Unsaved typed={typed} onRetry={submit} />
      <div className="composer-box">
        <ComposerField
          key={target.id}
          entry={entry}
          typed={typed}
          onType={write}
          onSubmit={submit}
          onComposition={onComposition}
        />
        <div className="composer-foot">
          <ModeMenu entry={entry} onChoose={choose} />
          <Hint
            entry={entry}
            readOnly={readOnly}
            onConvert={(mode) => {
              write(typedWithCommand(mode, entry.text));
              focusComposer();
            }}
          />
          <TooltipTrigger delay={500} closeDelay={0}>
            <AriaButton
              className={canSend ? 'send' : 'send send-idle'}
              aria-label={texts.composer.send[entry.mode]}
              aria-disabled={!canSend}
              onPress={submit}
            >
              <ArrowUp size={16} aria-hidden="true" />
            </AriaButton>
            <Tip text={texts.composer.send[entry.mode]} shortcut="Enter" />
          </TooltipTrigger>
        </div>
      </div>
    </section>
  );
}

function Hint({
  entry,
  readOnly,
  onConvert,
}: {
  entry: Entry;
  readOnly: boolean;
  onConvert: (mode: ComposerMode) => void;
}) {
  const { text, isProblem } = readOnly ? { text: texts.composer.readOnly, isProblem: true } : hintOf(entry);
  const wider = isProblem && !readOnly ? widerMode(entry) : null;
  return (
    <div className="composer-hint">
      <span id="composer-hint" className={isProblem ? 'counter counter-full' : 'counter'}>
        {text}
      </span>
      {wider ? (
        <Button small kind="quiet" onPress={() => onConvert(wider)}>
          {wider === 'note' ? texts.composer.asNote : texts.composer.asPlan}
        </Button>
      ) : null}
    </div>
  );
}

/** What has to be known of the text now: that it is too long, else what becomes of it. */
function hintOf({ mode, text }: Entry): { text: string; isProblem: boolean } {
  const { length, limit, line } = measure(mode, text);
  if (length > limit) return { text: texts.composer.over(length - limit, line), isProblem: true };
  return { text: [becomes(mode, text), count(length, limit)].filter(Boolean).join(' '), isProblem: false };
}

function becomes(mode: ComposerMode, text: string): string {
  if (text.trim() === '') return '';
  if (mode === 'todo') {
    const todos = todoLines(text).length;
    return todos > 1 ? texts.composer.todos(todos) : '';
  }
  return mode === 'plan' && planText(text).titleShortened ? texts.composer.planTitleShortened : '';
}

/** Counting starts where the limit comes into sight. */
const count = (length: number, limit: number): string =>
  length >= limit * 0.5 ? texts.composer.count(length, limit) : '';

/** The mode that holds a text which is too long for its own. */
function widerMode({ mode, text }: Entry): ComposerMode | null {
  if (mode === 'todo' && text.trim().length <= limits.noteBody) return 'note';
  return mode !== 'plan' && isSendable('plan', text) ? 'plan' : null;
}
