import {
  CircleAlert,
  FileText,
  FolderSearch,
  type LucideIcon,
  Search,
  SearchX,
  Square,
  SquareCheck,
  StickyNote,
} from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { FoundEntry, Section } from '../../src/contract/index.ts';
import { type Answer, isSettled, keyOfFound } from '../state/finding.ts';
import { useProjects } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Highlighted } from '../ui/highlighted.tsx';
import { State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { fullTime, shortTime } from '../ui/time.ts';
import { UserText } from '../ui/user-text.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';
import { nameOf, targetsOf } from './targets.ts';

export const FOUND_LIST_ID = 'found';
/** Keys hold ids that anyone may have written; an id of an element has no blanks. */
export const foundOptionId = (key: string): string =>
  `found-${key.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}`;

/** How long typing has to rest before a count is said. */
const SAY_AFTER_MS = 500;

const sections: readonly Section[] = ['notes', 'todos', 'plans'];
const icons: Readonly<Record<Section, LucideIcon>> = { notes: StickyNote, todos: Square, plans: FileText };

/** What a search found, in the place of the stream. The composer keeps the keyboard. */
export function FindView() {
  const { search } = useMiniChat();
  const state = useStore(search.finding);
  const { answer, problem } = state;
  const total = answer === null ? 0 : sections.reduce((sum, section) => sum + answer.counts[section], 0);
  useSaid(isSettled(state) && answer ? texts.find.total(total) : null, answer);
  if (state.search === null) {
    return (
      <Alone icon={Search} title={texts.find.beginTitle}>
        {texts.find.begin}
      </Alone>
    );
  }
  if (problem) {
    return (
      <Alone
        icon={CircleAlert}
        title={texts.find.failed}
        actions={
          <Button small onPress={() => search.finding.again()}>
            {strings.common.retry}
          </Button>
        }
      >
        {problem.message}
      </Alone>
    );
  }
  if (answer === null) return <div className="stream found" />;
  if (total === 0) return <NothingFound answer={answer} />;
  return <FoundList answer={answer} total={total} />;
}

function Alone({ icon, title, children, actions }: Parameters<typeof State>[0]) {
  return (
    <div className="stream stream-alone found">
      <State icon={icon} title={title} actions={actions}>
        {children}
      </State>
    </div>
  );
}

function NothingFound({ answer }: { answer: Answer }) {
  const { search } = useMiniChat();
  return (
    <Alone
      icon={SearchX}
      title={texts.find.nothing}
      actions={
        search.everywhere ? null : (
          <Button small onPress={() => search.begin(true)}>
            <FolderSearch size={14} aria-hidden="true" />
            {texts.find.lookEverywhere}
          </Button>
        )
      }
    >
      {texts.find.nothingHint} {answer.unread > 0 ? texts.find.unread(answer.unread) : null}
    </Alone>
  );
}

function FoundList({ answer, total }: { answer: Answer; total: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { active } = useStore(useMiniChat().search.finding);
  useLayoutEffect(() => {
    const option = active === null ? null : document.getElementById(foundOptionId(active));
    option?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  useLayoutEffect(() => {
    // Other words have another first place.
    if (answer.search.query !== '') scroller.current?.scrollTo({ top: 0 });
  }, [answer.search.query]);
  const rest = total - answer.found.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the keyboard, and it has to be scrolled by it
    <section ref={scroller} className="stream found" tabIndex={0} aria-label={texts.find.results}>
      {answer.unread > 0 ? (
        <p className="found-unread">
          <CircleAlert size={14} aria-hidden="true" />
          {texts.find.unread(answer.unread)}
        </p>
      ) : null}
      <div id={FOUND_LIST_ID} role="listbox" aria-label={texts.find.results}>
        {sections
          .filter((section) => answer.counts[section] > 0)
          .map((section) => (
            <FoundSection key={section} section={section} answer={answer} active={active} />
          ))}
      </div>
      {rest > 0 ? <p className="found-rest">{texts.find.rest(answer.found.length, total)}</p> : null}
    </section>
  );
}

function FoundSection({ section, answer, active }: { section: Section; answer: Answer; active: string | null }) {
  const { finding, show } = useMiniChat().search;
  const name = `${strings.common[section]}: ${texts.find.total(answer.counts[section])}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: groups the options of a list box
    <div role="group" aria-label={name}>
      <div className="found-section" aria-hidden="true">
        {strings.common[section]}
        <span className="found-count">{texts.find.number(answer.counts[section])}</span>
      </div>
      {answer.found
        .filter((found) => found.section === section)
        .map((found) => {
          const key = keyOfFound(found);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the composer, see aria-activedescendant there
            // biome-ignore lint/a11y/useKeyWithClickEvents: so do the keys
            <div
              key={key}
              id={foundOptionId(key)}
              role="option"
              aria-selected={key === active}
              className="row found-row"
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                finding.activate(key);
                show(found, event.ctrlKey || event.metaKey);
              }}
            >
              <FoundWords found={found} everywhere={answer.search.projectId === null} />
            </div>
          );
        })}
    </div>
  );
}

function FoundWords({ found, everywhere }: { found: FoundEntry; everywhere: boolean }) {
  const Icon = found.completed ? SquareCheck : icons[found.section];
  const time = shortTime(found.createdAt, Date.now());
  const hasTitle = found.section === 'plans' && found.excerpt !== found.title;
  return (
    <>
      <span className="row-mark">
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className="row-main">
        {hasTitle ? (
          <span className="row-title">
            <UserText as="one-line" text={found.title} />
          </span>
        ) : null}
        <span className={found.completed ? 'found-excerpt row-done' : 'found-excerpt'}>
          <Highlighted text={found.excerpt} ranges={found.highlights} />
        </span>
        {found.completed ? <span className="visually-hidden">{texts.find.done}</span> : null}
        {everywhere ? <Place projectId={found.projectId} /> : null}
      </span>
      {time === null ? null : (
        <time
          className="found-time"
          dateTime={new Date(found.createdAt).toISOString()}
          title={fullTime(found.createdAt)}
        >
          {time}
        </time>
      )}
    </>
  );
}

function Place({ projectId }: { projectId: string }) {
  const list = useProjects().value;
  const place = list ? targetsOf(list).find(({ id }) => id === projectId) : undefined;
  return (
    <span className="row-origin">
      <UserText as="one-line" text={place ? nameOf(place) : texts.find.hiddenPlace} />
    </span>
  );
}

/** Says a text once the answers have come to rest; again for another answer with the same text. */
function useSaid(text: string | null, answer: Answer | null): void {
  const query = answer?.search;
  useEffect(() => {
    if (text === null || query === undefined) return;
    const timer = setTimeout(() => announce(text), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, query]);
}
