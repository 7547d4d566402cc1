import './transcript.css';
import { ArrowDown, MessageSquareDashed } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { SessionMessage } from '../../../src/contract/index.ts';
import {
  endOf,
  firstOf,
  type SessionTranscript,
  type TranscriptState,
  unseen,
} from '../../state/session-transcript.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../button.tsx';
import type { MenuEntry } from '../menu.tsx';
import { useNow } from '../now.ts';
import { Banner, Loading, State } from '../states.tsx';
import { itemsOf } from './items.ts';
import { MessageView } from './message-view.tsx';
import { transcriptTexts as texts } from './strings.ts';

/** How close to the end counts as being there, in CSS pixels. */
const AT_END = 32;
/** A page is read when less than this many heights of the window are left. */
const AHEAD = 1.5;
/** Only what follows one of these moves the person away from the end, for so long: layouts scroll as well. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown', 'focusin'] as const;
const BY_PERSON_MS = 1000;
const DAY = 86_400_000;

export interface TranscriptViewProps {
  transcript: SessionTranscript;
  label: string;
  actions: ((message: SessionMessage) => MenuEntry[]) | null;
  /** Index of a message whose folded parts are opened. */
  openAt?: number | null;
  /** What scrolls, for a search or a selection in it. */
  scroller: RefObject<HTMLElement | null>;
  /** Shown when there are no messages, in place of the usual words. */
  empty?: ReactNode;
  /** Shown below the last message, once that one is loaded. */
  end?: ReactNode;
}

/**
 * A transcript that reads earlier and later pages while it is scrolled, and lets go of those far away. The browser keeps
 * the place while pages come and go; the end is followed only while it is in sight.
 */
export function TranscriptView(props: TranscriptViewProps) {
  const { transcript, label, actions, openAt = null, scroller, empty, end = null } = props;
  const state = useStore(transcript);
  const items = useMemo(() => itemsOf(state.messages), [state.messages]);
  const source = useMemo(() => ({ session: transcript.session, head: state.head }), [transcript, state.head]);
  const today = Math.floor(useNow() / DAY) * DAY;
  const rows = useRef<HTMLDivElement>(null);
  useScrolling(transcript, state, scroller, rows);
  if (state.generation === null) {
    return (
      <div className="transcript-state">
        {state.problem ? (
          <Failed transcript={transcript} state={state} text={texts.failed} />
        ) : (
          <Loading label={texts.loading} />
        )}
      </div>
    );
  }
  const first = firstOf(state);
  const fresh = unseen(state);
  return (
    <div className="transcript">
      {/* Headings within messages stand below it. */}
      <h2 className="visually-hidden">{label}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="transcript-scroller" ref={scroller} tabIndex={0} aria-label={label}>
        <div ref={rows} className="transcript-rows" aria-busy={state.loading === 'place'}>
          {state.total === 0 ? (
            (empty ?? (
              <State icon={MessageSquareDashed} title={texts.emptyTitle}>
                {texts.emptyText}
              </State>
            ))
          ) : (
            <p className="transcript-edge">{first > 0 ? texts.loadingEarlier : texts.start}</p>
          )}
          {items.map((item) => (
            <MessageView
              key={item.message.index}
              item={item}
              source={source}
              now={today}
              actions={actions}
              isOpen={openAt !== null && (item.message.index === openAt || hasResult(item.results, openAt))}
            />
          ))}
          {endOf(state) < state.total && state.problem === null ? (
            <p className="transcript-edge">{texts.loadingLater}</p>
          ) : null}
          {endOf(state) >= state.total ? end : null}
          {state.torn && endOf(state) >= state.total ? <p className="transcript-edge">{texts.torn}</p> : null}
          {state.problem ? <Failed transcript={transcript} state={state} text={texts.failedPage} /> : null}
        </div>
      </section>
      {fresh > 0 ? (
        <div className="transcript-new">
          <Button small kind="primary" onPress={() => void transcript.showEnd()}>
            <ArrowDown size={14} aria-hidden="true" />
            {texts.newMessages(fresh)}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

const hasResult = (results: ReadonlyMap<string, SessionMessage>, index: number): boolean =>
  [...results.values()].some((result) => result.index === index);

function Failed({ transcript, state, text }: { transcript: SessionTranscript; state: TranscriptState; text: string }) {
  return (
    <Banner
      kind="danger"
      actions={
        <Button small onPress={() => void transcript.again()}>
          {texts.again}
        </Button>
      }
    >
      {text} {state.problem?.message}
    </Banner>
  );
}

function useScrolling(
  transcript: SessionTranscript,
  state: TranscriptState,
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
): void {
  const isThere = state.generation !== null;
  const following = useRef(state.isFollowing);
  following.current = state.isFollowing;

  useEffect(() => {
    const element = scroller.current;
    const content = rows.current;
    if (!isThere || element === null || content === null) return;
    let frame = 0;
    let last = element.scrollTop;
    let wentUp = false;
    let lastInput = Number.NEGATIVE_INFINITY;
    const onInput = () => {
      lastInput = performance.now();
    };
    const look = () => {
      frame = 0;
      // What came below, or is on its way there, has moved the end away, not the person.
      const stays = following.current && !(wentUp && performance.now() - lastInput < BY_PERSON_MS);
      if (stays) element.scrollTop = element.scrollHeight;
      wentUp = false;
      lookAround(transcript, element, stays);
    };
    const onScroll = () => {
      wentUp ||= element.scrollTop < last - 1;
      last = element.scrollTop;
      // At the very top the browser does not keep the place when messages come above.
      if (element.scrollTop < 1 && firstOf(transcript.get()) > 0) element.scrollTop = 1;
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    // A text that grows, such as Markdown that has just been drawn, moves the end; whoever reads there stays there.
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
      onScroll();
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    for (const name of INPUTS) element.addEventListener(name, onInput, { passive: true });
    return () => {
      for (const name of INPUTS) element.removeEventListener(name, onInput);
      observer.disconnect();
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', onScroll);
    };
  }, [transcript, isThere, scroller, rows]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever messages come while the end is followed
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && state.isFollowing) element.scrollTop = element.scrollHeight;
  }, [state.messages, state.isFollowing]);

  const target = state.target;
  const shown = useRef(0);
  const isTargetThere = target !== null && target.index >= firstOf(state) && target.index < endOf(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish, as soon as the message is there
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isTargetThere || target === null || element === null || shown.current === target.turn) return;
    shown.current = target.turn;
    const row = rowOf(element, target.index);
    row?.scrollIntoView({ block: 'start' });
    row?.classList.remove('marked');
    requestAnimationFrame(() => row?.classList.add('marked'));
  }, [isTargetThere, target?.turn, state.messages]);
}

/** The element of a message, or of the one that its result is folded into. */
export function rowOf(scroller: HTMLElement, index: number): HTMLElement | null {
  const exact = scroller.querySelector<HTMLElement>(`[data-index="${index}"]`);
  if (exact) return exact.closest('article');
  // The result of a call that is folded: the last message before it.
  const before = [...scroller.querySelectorAll<HTMLElement>('article[data-index]')].filter(
    (row) => Number(row.dataset.index) < index,
  );
  return before.at(-1) ?? null;
}

/** Tells the transcript what is in sight, and reads on where little is left. */
function lookAround(transcript: SessionTranscript, element: HTMLElement, stays: boolean): void {
  const state = transcript.get();
  // Somewhere else is on its way: what is in sight is not what the person asked for.
  if (state.loading === 'place') return;
  const above = element.scrollTop;
  const below = element.scrollHeight - element.clientHeight - above;
  const isEndThere = endOf(state) >= state.total;
  transcript.read(firstInSight(element), stays || (below <= AT_END && isEndThere));
  if (state.problem !== null) return;
  if (below < AHEAD * element.clientHeight && !isEndThere) void transcript.later();
  else if (above < AHEAD * element.clientHeight && firstOf(state) > 0) void transcript.earlier();
}

function firstInSight(element: HTMLElement): number | null {
  const top = element.getBoundingClientRect().top;
  for (const row of element.querySelectorAll<HTMLElement>('article[data-index]')) {
    if (row.getBoundingClientRect().bottom > top + 1) return Number(row.dataset.index);
  }
  return null;
}
