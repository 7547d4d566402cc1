import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useSidekeep } from '../../state/hooks.ts';
import { SessionFind } from '../../state/session-find.ts';
import type { SessionTranscript, TranscriptState } from '../../state/session-transcript.ts';
import { useStore } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { hasCommand, isComposing } from '../../ui/keys.ts';
import { clearHighlights, highlight, highlightCurrent } from '../../ui/transcript/highlight.ts';
import { sessionTexts as texts } from '../sessions/strings.ts';

/** How long the person has to pause in typing before it is searched, in ms. */
const PAUSE = 150;

export interface FindBarProps {
  transcript: SessionTranscript;
  state: TranscriptState;
  head: string | null;
  scroller: RefObject<HTMLElement | null>;
  /** Told the message that holds what was found, so that its folded parts open. */
  onAt: (index: number | null) => void;
  onClose: () => void;
}

/** Finds a text in the session that is shown: counts, goes from place to place, and marks every one in sight. */
export function FindBar(props: FindBarProps) {
  const { transcript, state, head, scroller, onAt, onClose } = props;
  const { client } = useSidekeep();
  const find = useMemo(() => new SessionFind(client, transcript.session, head), [client, transcript, head]);
  const found = useStore(find);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(state);
  latest.current = state;
  const index = found.at === null ? null : (found.matches[found.at]?.index ?? null);
  const places = usePlaces(scroller, found.query, index);

  useEffect(() => field.current?.focus(), []);
  // What was found in another generation is void: it is searched again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the generation is looked at by nobody, and still says when
  useEffect(() => {
    const search = () => {
      const near = firstSeen(scroller.current) ?? 0;
      void find.search(text, near, latest.current.total);
    };
    const timer = setTimeout(search, text === '' ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [find, text, state.generation, scroller]);
  useEffect(() => void find.grown(state.total), [find, state.total]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place that is gone to
  useEffect(() => {
    onAt(index);
    if (index !== null) void transcript.show(index);
  }, [index, transcript]);
  useEffect(() => () => onAt(null), [onAt]);

  const step = (by: 1 | -1) => {
    if (!places.step(by)) find.step(by);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'F3' || (hasCommand(event) && event.key.toLowerCase() === 'g'))
      step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const all = found.matches.reduce((sum, { count }) => sum + count, 0);
  const excerpt = found.at === null ? null : (found.matches[found.at]?.excerpt ?? null);
  return (
    <search className="find-bar" onKeyDown={onKeyDown}>
      <input
        ref={field}
        id="session-find"
        className="input"
        type="text"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={texts.find.label}
        placeholder={texts.find.label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="find-count" role="status">
        {found.problem
          ? texts.find.failed(found.problem.message)
          : found.query === ''
            ? ''
            : found.at !== null
              ? texts.find.count(found.at, found.matches.length, all, found.isRunning)
              : found.isRunning
                ? texts.find.running
                : texts.find.nothing}
      </span>
      <IconButton
        label={texts.find.previous}
        shortcut="⇧Enter"
        isDisabled={found.matches.length === 0}
        onPress={() => step(-1)}
      >
        <ChevronUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={texts.find.next}
        shortcut="Enter"
        isDisabled={found.matches.length === 0}
        onPress={() => step(1)}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={texts.find.close} shortcut="Esc" onPress={onClose}>
        <X size={16} aria-hidden="true" />
      </IconButton>
      {places.isHidden && excerpt !== null ? <p className="find-hidden">{texts.find.hidden(excerpt)}</p> : null}
    </search>
  );
}

/** Marks what was found in what is shown, again whenever that changes, and goes from place to place within a message. */
function usePlaces(scroller: RefObject<HTMLElement | null>, query: string, index: number | null) {
  const ranges = useRef<Range[]>([]);
  const place = useRef(0);
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    place.current = 0;
    let wasShown = false;
    let frame = 0;
    const mark = () => {
      frame = 0;
      const element = scroller.current;
      if (element === null) return;
      ranges.current = highlight(element, query, index);
      highlightCurrent(ranges.current[place.current]);
      setHidden(index !== null && query !== '' && ranges.current.length === 0 && isShown(element, index));
      // Once, as soon as the place is there; later changes of the page leave the scrolling to the person.
      if (!wasShown && ranges.current[0]) {
        wasShown = true;
        reveal(element, ranges.current[0]);
      }
    };
    const again = () => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    again();
    const observer = new MutationObserver(again);
    if (scroller.current && query !== '') {
      observer.observe(scroller.current, { childList: true, subtree: true, characterData: true });
    }
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clearHighlights();
    };
  }, [scroller, query, index]);
  /** False when there is no further place in this message. */
  const step = (by: 1 | -1): boolean => {
    const next = ranges.current[place.current + by];
    if (next === undefined) return false;
    place.current += by;
    highlightCurrent(next);
    if (scroller.current) reveal(scroller.current, next);
    return true;
  };
  return { step, isHidden };
}

const isShown = (scroller: HTMLElement, index: number): boolean =>
  scroller.querySelector(`article[data-index="${index}"]`) !== null;

/** Index of the first message that is in sight. */
function firstSeen(scroller: HTMLElement | null): number | null {
  if (scroller === null) return null;
  const top = scroller.getBoundingClientRect().top;
  const rows = [...scroller.querySelectorAll<HTMLElement>('article[data-index]')];
  const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top);
  return row ? Number(row.dataset.index) : null;
}

/** Scrolls a place to where it is well seen, unless it is. */
function reveal(scroller: HTMLElement, range: Range): void {
  const place = range.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  if (place.top > frame.top + 40 && place.bottom < frame.bottom - 60) return;
  scroller.scrollTop += place.top - frame.top - frame.height / 3;
}
