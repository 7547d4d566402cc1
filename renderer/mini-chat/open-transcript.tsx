import { MessageSquareDashed, StickyNote } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { SessionRef } from '../../src/contract/index.ts';
import { useTranscript } from '../state/session-hooks.ts';
import type { SessionTranscript, TranscriptState } from '../state/session-transcript.ts';
import { useStore } from '../state/store.ts';
import { hasCommand } from '../ui/keys.ts';
import { Banner, State } from '../ui/states.tsx';
import { type SelectedText, SelectionBar, selectedIn } from '../ui/transcript/selection-bar.tsx';
import { TranscriptView } from '../ui/transcript/transcript-view.tsx';
import { EndNote } from './end-note.tsx';
import { focusComposer } from './focus.ts';
import { useMessageActions, useMessageNote } from './message-actions.ts';
import type { OutgoingMessage } from './message-outbox.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { OutgoingView } from './outgoing-view.tsx';
import { texts } from './strings.ts';
import { arrivedOf, outgoingOf, unansweredOf } from './transcript-end.ts';

const words = texts.session;

/** The open session: its messages, what is on its way into it, and notes from what is selected. */
export function OpenTranscript({ session }: { session: SessionRef }) {
  const { messages, openSession } = useMiniChat();
  const { conversation, detail, access } = openSession;
  const transcript = useTranscript(session);
  const state = useStore(transcript);
  const all = useStore(messages);
  const scroller = useRef<HTMLElement>(null);
  const actions = useMessageActions(session);
  const outgoing = outgoingOf(all, conversation, state.total);
  useEffect(() => {
    const arrived = arrivedOf(all, conversation, state.total);
    if (arrived.length > 0) messages.seen(arrived);
  }, [messages, all, conversation, state.total]);
  useSent(outgoing, () => void transcript.showEnd());
  if (state.generation === null && outgoing.length > 0) return <OutgoingOnly outgoing={outgoing} />;
  const row = detail.detail?.row;
  // In a session of another program its agent may answer.
  const recordedAt = access === 'open' ? recordedLast(state, outgoing) : null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears the keys of the messages within
    <div className="session-view" onKeyDown={(event) => onEndKeys(event, transcript, scroller.current)}>
      {row && row.health !== 'good' && row.reason !== null ? (
        <div className="session-facts">
          <Banner kind="warning">{row.reason}</Banner>
        </div>
      ) : null}
      <TranscriptView
        transcript={transcript}
        label={words.transcript.label}
        actions={actions}
        scroller={scroller}
        empty={
          outgoing.length > 0 ? (
            ''
          ) : (
            <State icon={MessageSquareDashed} title={words.transcript.nothing}>
              {words.empty.text}
            </State>
          )
        }
        end={
          <>
            <OutgoingList outgoing={outgoing} />
            {recordedAt === null ? null : <EndNote at={recordedAt} />}
          </>
        }
      />
      <SelectionNote transcript={transcript} scroller={scroller} />
    </div>
  );
}

/** When the last message was recorded, if it is the person's own, in ms since 1970, 0 for "not known"; else null. */
function recordedLast(state: TranscriptState, outgoing: readonly OutgoingMessage[]): number | null {
  const newest = outgoing.at(-1);
  if (newest) return newest.recorded?.at ?? null;
  const own = unansweredOf(state);
  return own === null ? null : (own.createdAt ?? 0);
}

/** What is on its way into a session of which nothing is known yet. */
export function OutgoingOnly({ outgoing }: { outgoing: readonly OutgoingMessage[] }) {
  return (
    <div className="session-view">
      <section className="transcript-scroller" aria-label={words.transcript.label}>
        <div className="transcript-rows">
          <OutgoingList outgoing={outgoing} />
        </div>
      </section>
    </div>
  );
}

const OutgoingList = ({ outgoing }: { outgoing: readonly OutgoingMessage[] }) =>
  outgoing.map((message) => <OutgoingView key={message.messageId} message={message} />);

/** Brings the end into sight when the person records something, wherever they were reading. */
function useSent(outgoing: readonly OutgoingMessage[], showEnd: () => void): void {
  const newest = outgoing.at(-1)?.messageId;
  const before = useRef(newest);
  useLayoutEffect(() => {
    if (newest !== undefined && newest !== before.current) showEnd();
    before.current = newest;
  });
}

/** Home and End reach the beginning and the end of the whole session, not only of what is loaded. */
function onEndKeys(event: KeyboardEvent, transcript: SessionTranscript, scroller: HTMLElement | null): void {
  if (event.target !== scroller || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === 'End') void transcript.showEnd();
  else if (event.key === 'Home') void transcript.show(0);
  else return;
  event.preventDefault();
}

/** Offers to make a note of what is selected in the messages, with the message that it comes from. */
function SelectionNote({
  transcript,
  scroller,
}: {
  transcript: SessionTranscript;
  scroller: RefObject<HTMLElement | null>;
}) {
  const makeNote = useMessageNote(transcript.session);
  const note = ({ text, index }: SelectedText) => {
    const message = transcript.get().messages.find((candidate) => candidate.index === index);
    void makeNote(text, message?.id ?? null).then((isNoted) => {
      if (isNoted) focusComposer();
    });
  };
  const onKeyDown = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'e' || !hasCommand(event) || event.altKey || event.shiftKey) return;
    const selected = selectedIn(scroller.current);
    if (selected === null) return;
    event.preventDefault();
    note(selected);
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <SelectionBar scroller={scroller} actions={[{ label: words.transcript.noteShort, icon: StickyNote, run: note }]} />
  );
}
