import { CircleCheck, FileText, ListChecks, type LucideIcon, MessagesSquare, SearchX, StickyNote } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type FoundEntry, type ProjectList, Section, type SessionRow } from '../../../src/contract/index.ts';
import { type FindingState, isSettled, keyOfFound, keyOfFoundSession } from '../../state/finding.ts';
import { Button } from '../../ui/button.tsx';
import { Highlighted } from '../../ui/highlighted.tsx';
import { strings } from '../../ui/strings.ts';
import { shortTime } from '../../ui/time.ts';
import { UserText } from '../../ui/user-text.tsx';
import { sessionTexts } from '../sessions/strings.ts';
import { texts } from '../strings.ts';

interface ResultsProps {
  /** Id of the list box. */
  id: string;
  optionId: (key: string) => string;
  state: FindingState;
  list: ProjectList;
  onChoose: (found: FoundEntry) => void;
  onChooseSession: (row: SessionRow) => void;
  onPoint: (key: string) => void;
  onAgain: () => void;
}

const icons: Record<Section, LucideIcon> = { notes: StickyNote, todos: ListChecks, plans: FileText };

/** What was found, by section. The keyboard stays in the field; the active entry is told by its id. */
export function SearchResults(props: ResultsProps) {
  const { id, state, onAgain } = props;
  const { answer, problem, search } = state;
  const all = answer ? answer.counts.notes + answer.counts.todos + answer.counts.plans : 0;
  const sessions = answer?.sessions?.total ?? 0;
  const shown = answer?.found.length ?? 0;
  return (
    // The keyboard stays in the field when something here is pressed.
    <div className="search-panel" role="presentation" onPointerDown={(event) => event.preventDefault()}>
      <p className="visually-hidden" role="status">
        {isSettled(state) && answer ? counted(answer.counts, all, sessions) : null}
      </p>
      {problem ? (
        <div className="search-message">
          <p role="alert">{texts.search.failed(problem.message)}</p>
          <Button small onPress={onAgain}>
            {strings.common.retry}
          </Button>
        </div>
      ) : null}
      {answer === null && problem === null ? <p className="search-message soft">{texts.search.running}</p> : null}
      {answer && all + sessions === 0 && problem === null ? (
        <div className="search-message">
          <SearchX size={20} strokeWidth={1.5} aria-hidden="true" />
          <p>{texts.search.nothing(search?.query ?? '')}</p>
          <p className="soft small">{texts.search.nothingHint}</p>
        </div>
      ) : null}
      <div id={id} role="listbox" aria-label={texts.search.results} className="search-list">
        {Section.options.map((section) => (
          <Group key={section} section={section} {...props} />
        ))}
        <SessionGroup {...props} />
      </div>
      {shown < all ? <p className="search-foot">{texts.search.cut(shown, all)}</p> : null}
      {answer?.sessionProblem ? (
        <p className="search-foot">{sessionTexts.search.failed(answer.sessionProblem.message)}</p>
      ) : null}
      {answer?.sessions && answer.sessions.rows.length < sessions ? (
        <p className="search-foot">{sessionTexts.search.cut(answer.sessions.rows.length, sessions)}</p>
      ) : null}
      {answer && answer.unread > 0 ? <p className="search-foot">{texts.search.unread(answer.unread)}</p> : null}
    </div>
  );
}

function Group({ section, ...props }: ResultsProps & { section: Section }) {
  const { state, optionId, list, onChoose, onPoint } = props;
  const found = state.answer?.found.filter((entry) => entry.section === section) ?? [];
  if (found.length === 0) return null;
  const count = state.answer?.counts[section] ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box; a fieldset is one of a form
    <div role="group" aria-label={texts.search.group(strings.common[section], count)} className="search-group">
      <p className="search-heading" aria-hidden="true">
        {strings.common[section]} <span className="tab-count">{count}</span>
      </p>
      {found.map((entry) => (
        <Option
          key={keyOfFound(entry)}
          id={optionId(keyOfFound(entry))}
          entry={entry}
          isActive={state.active === keyOfFound(entry)}
          place={state.search?.projectId === null ? labelOf(list, entry.projectId) : null}
          onChoose={() => onChoose(entry)}
          onPoint={() => onPoint(keyOfFound(entry))}
        />
      ))}
    </div>
  );
}

const counted = (counts: Parameters<typeof texts.search.counted>[0], all: number, sessions: number): string => {
  if (sessions === 0) return texts.search.counted(counts);
  const found = sessionTexts.search.found(sessions);
  return all === 0 ? found : `${texts.search.counted(counts)} ${found}`;
};

function SessionGroup(props: ResultsProps) {
  const { state, optionId, list, onChooseSession, onPoint } = props;
  const rows = state.answer?.sessions?.rows ?? [];
  if (rows.length === 0) return null;
  const count = state.answer?.sessions?.total ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box; a fieldset is one of a form
    <div role="group" aria-label={texts.search.group(sessionTexts.search.heading, count)} className="search-group">
      <p className="search-heading" aria-hidden="true">
        {sessionTexts.search.heading} <span className="tab-count">{count}</span>
      </p>
      {rows.map((row) => (
        <SessionOption
          key={keyOfFoundSession(row)}
          id={optionId(keyOfFoundSession(row))}
          row={row}
          isActive={state.active === keyOfFoundSession(row)}
          place={state.search?.projectId === null && row.ownerId !== null ? labelOf(list, row.ownerId) : null}
          onChoose={() => onChooseSession(row)}
          onPoint={() => onPoint(keyOfFoundSession(row))}
        />
      ))}
    </div>
  );
}

function SessionOption(props: {
  id: string;
  row: SessionRow;
  isActive: boolean;
  place: string | null;
  onChoose: () => void;
  onPoint: () => void;
}) {
  const { id, row, isActive, place } = props;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, as the combobox pattern has it
    // biome-ignore lint/a11y/useFocusableInteractive: it is told by aria-activedescendant and never focused
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className={isActive ? 'search-option search-option-active' : 'search-option'}
      onClick={props.onChoose}
      onPointerMove={isActive ? undefined : props.onPoint}
    >
      <MessagesSquare size={15} aria-hidden="true" />
      <div className="search-text">
        <p className="search-title">
          <UserText text={row.title} as="one-line" />
        </p>
        {row.preview === null || row.preview === row.title ? null : (
          <p className="search-excerpt">
            <UserText text={row.preview} />
          </p>
        )}
      </div>
      <div className="search-facts">
        {place === null ? null : (
          <span className="search-place">
            <UserText text={place} as="one-line" />
          </span>
        )}
        <span>{shortTime(row.lastActivity, Date.now()) ?? strings.notes.noTime}</span>
      </div>
    </div>
  );
}

function Option(props: {
  id: string;
  entry: FoundEntry;
  isActive: boolean;
  /** Label of the project, where several are searched. */
  place: string | null;
  onChoose: () => void;
  onPoint: () => void;
}) {
  const { id, entry, isActive, place } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const Icon = entry.completed ? CircleCheck : icons[entry.section];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, as the combobox pattern has it
    // biome-ignore lint/a11y/useFocusableInteractive: it is told by aria-activedescendant and never focused
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      className={isActive ? 'search-option search-option-active' : 'search-option'}
      onClick={props.onChoose}
      onPointerMove={isActive ? undefined : props.onPoint}
    >
      <Icon size={15} aria-hidden="true" />
      <div className="search-text">
        {entry.section === 'plans' ? (
          <p className="search-title">
            <UserText text={entry.title} as="one-line" />
          </p>
        ) : null}
        <p className={entry.completed ? 'search-excerpt search-done' : 'search-excerpt'}>
          <Highlighted text={entry.excerpt} ranges={entry.highlights} />
        </p>
      </div>
      <div className="search-facts">
        {place === null ? null : (
          <span className="search-place">
            <UserText text={place} as="one-line" />
          </span>
        )}
        {entry.completed ? <span>{texts.search.done}</span> : null}
        <span>{shortTime(entry.createdAt, Date.now()) ?? strings.notes.noTime}</span>
      </div>
    </div>
  );
}

const labelOf = (list: ProjectList, id: string): string =>
  id === list.chatsId ? strings.common.chats : (list.projects.find((project) => project.id === id)?.label ?? id);
