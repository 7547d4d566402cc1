import type { ComposerMode } from '../../src/contract/index.ts';
import { useContext, useDraft, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { announce } from '../ui/announcer.tsx';
import { ToldLine } from '../ui/knowledge/told-line.tsx';
import { parseAction, parseEntry, typedFor, typedWithCommand } from './commands.ts';
import { ComposerField } from './composer-field.tsx';
import { Foot } from './composer-foot.tsx';
import { draftKey, findKey } from './draft-keys.ts';
import { hintOf, isWritable } from './entry-hint.ts';
import { shownText } from './field-text.ts';
import { FindFoot } from './find-foot.tsx';
import { FOUND_LIST_ID, foundOptionId } from './find-view.tsx';
import { focusComposer } from './focus.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { ReadOnlyNote } from './read-only-note.tsx';
import { typeInField } from './search.ts';
import { texts } from './strings.ts';
import { nameOf } from './targets.ts';
import { Unsaved } from './unsaved.tsx';

/** Where entries are written, and looked for. */
export function Composer({ onComposition }: { onComposition: (composing: boolean) => void }) {
  const { target, mode, search, openSession, run } = useMiniChat();
  const field = useField();
  const { active } = useStore(search.finding);
  const entry = parseEntry(field.draft, mode);
  const label = search.isOn
    ? texts.find.label(search.everywhere ? null : nameOf(target))
    : texts.composer.label[entry.mode];
  const showActive = (inSidebar: boolean) => search.finding.act((found) => search.show(found, inSidebar));
  return (
    <section className="composer" aria-label={label}>
      <Unsaved typed={field.draft} onRetry={field.record} />
      {mode === 'message' && !search.isOn ? <ReadOnlyNote /> : null}
      {mode === 'message' && !search.isOn ? <Told /> : null}
      <div className="composer-box">
        <ComposerField
          key={target.id}
          label={label}
          placeholder={
            entry.mode === 'message' && openSession.access === 'copy'
              ? texts.session.readOnly.placeholder
              : texts.composer.placeholder[entry.mode]
          }
          typed={field.shown}
          options={
            search.isOn
              ? {
                  list: FOUND_LIST_ID,
                  active: active === null ? undefined : foundOptionId(active),
                  step: (by) => search.finding.step(by),
                }
              : null
          }
          onType={field.type}
          onSubmit={search.isOn ? showActive : field.submit}
          onAction={run}
          onComposition={onComposition}
        />
        {search.isOn ? (
          <FindFoot onChoose={field.choose} onShow={() => showActive(false)} />
        ) : (
          <Foot
            entry={entry}
            readOnly={field.readOnly && entry.mode !== 'message'}
            onChoose={field.choose}
            onConvert={(wider) => {
              field.type(typedWithCommand(wider, entry.text));
              focusComposer();
            }}
            onSubmit={field.submit}
          />
        )}
      </div>
    </section>
  );
}

/** What goes with the next message of the open session. */
function Told() {
  const { access, detail } = useMiniChat().openSession;
  return access === 'open' && detail.detail !== null ? <ToldLine row={detail.detail.row} /> : null;
}

/** The text of the target and what can be done with it. */
function useField() {
  const sidekeep = useSidekeep();
  const { target, mode, chooseMode, outbox, openSession, search, run } = useMiniChat();
  const [{ text: draft }] = useDraft(draftKey(target.id));
  const [{ text: find }] = useDraft(findKey(target.id));
  const readOnly = useContext(target.id).view?.readOnly ?? false;
  const type = (typed: string) => typeInField(sidekeep, target.id, typed);
  const record = () => {
    const entry = parseEntry(draft, mode);
    if (entry.text.trim() === '') {
      if (!entry.commanded) return;
      type('');
      chooseMode(entry.mode);
    } else if (entry.mode === 'message') {
      if (!isWritable(entry)) return announce(hintOf(entry).text);
      // Where it cannot simply be recorded, the person sees the session before they decide.
      if (mode !== 'message' && openSession.access !== 'open') chooseMode('message');
      else openSession.record(entry.text);
    } else if (readOnly) announce(texts.composer.readOnly);
    else if (isWritable(entry)) {
      search.unmark();
      void outbox.send(target.id, mode);
    } else announce(hintOf(entry).text);
  };
  return {
    draft,
    shown: shownText({ draft, find }),
    readOnly,
    type,
    record,
    submit: () => {
      const action = parseAction(draft);
      if (action === null) record();
      else if (action === 'find') type(draft);
      else {
        type('');
        run(action);
      }
    },
    choose: (chosen: ComposerMode) => {
      if (search.isOn) search.leave();
      // The choice wins over a command that was typed; its text stays.
      const entry = parseEntry(draft, mode);
      if (entry.commanded) type(typedFor(entry.text));
      chooseMode(chosen);
      focusComposer();
    },
  };
}
