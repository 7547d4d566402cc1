import { Eye, EyeOff, Library, Plus, Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { ProjectList } from '../../../src/contract/index.ts';
import { useStore } from '../../state/store.ts';
import { IconButton, IconToggle } from '../../ui/button.tsx';
import { isComposing, shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { ALL_OWNERS, navigation, type Unfolded } from '../navigation.ts';
import { RailFoot } from '../sessions/rail-foot.tsx';
import { SessionGroup } from '../sessions/session-group.tsx';
import { sessionTexts } from '../sessions/strings.ts';
import { AddProject } from './add-project.tsx';
import { ChatsRow } from './chats-row.tsx';
import { useChatsVisible } from './chats-visible.ts';
import { firstMatch, matches } from './filter.ts';
import { ProjectRow } from './project-row.tsx';
import { RailResizer, useRailWidth } from './rail-resizer.tsx';
import { RailRow, type RailRowProps } from './rail-row.tsx';

/** Chats and the projects. Arrow keys go through the rows; the list is one tab stop. */
export function Rail({ list, current, width }: { list: ProjectList; current: string; width: number }) {
  const [filter, setFilter] = useState('');
  const [showHidden, setShowHidden] = useState(false);
  const [adding, setAdding] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const { unfolded, session } = useStore(navigation);
  const known = list.projects.filter((project) => project.id !== list.chatsId && (showHidden || !project.hidden));
  const shown = known.filter((project) => matches(filter, project.label, project.path));
  const focusRow = (step: number | 'first' | 'last') => moveFocus(rows.current, step);
  const expanderOf = useExpanders(list, current, rows, filter.trim() !== '');
  // As a hidden project it is in the list while it is shown.
  const showsChats = useChatsVisible() || showHidden || current === list.chatsId;
  const found = firstMatch(filter, showsChats ? strings.common.chats : '', shown);
  /** Chats is above the projects: it is passed over where a project is what the filter found. */
  const leaveFilter = () => {
    const first = found ? rows.current?.querySelector<HTMLElement>('.rail-projects .rail-row-button') : null;
    if (first) first.focus();
    else focusRow('first');
  };
  const openFirst = () => {
    if (found !== undefined) navigation.goToProject(found);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.key === 'ArrowLeft' && !event.defaultPrevented) leaveSessions();
    if (step === undefined || event.altKey || (event.target as HTMLElement).tagName === 'INPUT') return;
    event.preventDefault();
    focusRow(step);
  };
  return (
    <nav className="rail" aria-label={strings.rail.label} style={{ width: useRailWidth(width) }}>
      <FilterField value={filter} onChange={setFilter} onLeave={leaveFilter} onEnter={openFirst} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the buttons inside; nothing here is pressed itself */}
      <div className="rail-rows" ref={rows} onKeyDown={onKeyDown} role="presentation">
        <div>
          {showsChats ? (
            <ul>
              <ChatsRow
                chatsId={list.chatsId}
                isCurrent={current === list.chatsId}
                holdsSession={session !== null}
                expander={expanderOf(list.chatsId, strings.common.chats).expander ?? null}
              />
            </ul>
          ) : null}
          <div className="rail-heading">
            <h2>{strings.rail.projects}</h2>
            <IconToggle label={strings.rail.showHidden} isSelected={showHidden} onChange={setShowHidden}>
              {showHidden ? <Eye size={15} aria-hidden="true" /> : <EyeOff size={15} aria-hidden="true" />}
            </IconToggle>
            <IconButton label={strings.rail.add} onPress={() => setAdding(true)}>
              <Plus size={16} aria-hidden="true" />
            </IconButton>
          </div>
          <ul className="rail-projects">
            {shown.map((project) => (
              <ProjectRow
                key={project.id}
                project={project}
                isCurrent={project.id === current}
                holdsSession={project.id === current && session !== null}
                expander={expanderOf(project.id, plainTitle(project.label)).expander ?? null}
              />
            ))}
          </ul>
          {shown.length === 0 && (found === undefined || known.length === 0) ? (
            <p className="rail-empty">{known.length === 0 ? strings.rail.noProjects : strings.rail.noMatch(filter)}</p>
          ) : null}
          {filter.trim() === '' ? (
            <ul className="rail-all">
              <RailRow
                isCurrent={false}
                icon={Library}
                label={sessionTexts.list.all}
                hint={sessionTexts.list.allHint}
                onOpen={() =>
                  navigation.unfold(ALL_OWNERS, (unfolded[ALL_OWNERS] ?? 'none') === 'none' ? 'some' : 'none')
                }
                {...expanderOf(null, sessionTexts.list.all)}
              />
            </ul>
          ) : null}
        </div>
      </div>
      <RailFoot chatsId={list.chatsId} />
      <RailResizer width={width} />
      <AddProject isOpen={adding} onClose={() => setAdding(false)} />
    </nav>
  );
}

/** How far the keyboard goes; a page is about what is seen of the rail. */
const steps: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: 'first',
  End: 'last',
};

/** What folds the sessions of an owner in and out; nothing while the rail is filtered. */
function useExpanders(list: ProjectList, current: string, rows: RefObject<HTMLElement | null>, isFiltered: boolean) {
  const { unfolded } = useStore(navigation);
  return (ownerId: string | null, title: string): Pick<RailRowProps, 'expander'> => {
    if (isFiltered) return {};
    const key = ownerId ?? ALL_OWNERS;
    const byDefault: Unfolded = ownerId === list.chatsId || ownerId === current ? 'some' : 'none';
    const state = unfolded[key] ?? byDefault;
    const label = ownerId === null ? sessionTexts.list.all : sessionTexts.list.of(title);
    return {
      expander: {
        label,
        isOpen: state !== 'none',
        onToggle: (open) => navigation.unfold(key, open ? 'some' : 'none'),
        content: (
          <SessionGroup
            ownerId={ownerId}
            label={label}
            list={list}
            showsAll={state === 'all'}
            onShowAll={(all) => navigation.unfold(key, all ? 'all' : 'some')}
            scroller={rows}
          />
        ),
      },
    };
  };
}

/** From a session to the row of its owner. */
function leaveSessions(): void {
  const group = document.activeElement?.closest('.rail-sessions');
  group?.parentElement?.querySelector<HTMLElement>('.rail-row-button')?.focus();
}

function FilterField(props: {
  value: string;
  onChange: (text: string) => void;
  onLeave: () => void;
  onEnter: () => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      props.onLeave();
    }
    if (event.key === 'Enter' && !isComposing(event.nativeEvent)) props.onEnter();
    if (event.key === 'Escape') props.onChange('');
  };
  return (
    <div className="rail-filter">
      <Search size={15} aria-hidden="true" />
      <input
        id="rail-filter"
        className="input"
        type="text"
        aria-label={strings.rail.filter}
        placeholder={`${strings.rail.filter} (${shortcutLabel('mod+K')})`}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {props.value === '' ? null : (
        <IconButton label={strings.rail.clearFilter} onPress={() => props.onChange('')}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}

function moveFocus(rows: HTMLElement | null, step: number | 'first' | 'last'): void {
  const buttons = [...(rows?.querySelectorAll<HTMLElement>('.rail-row-button') ?? [])];
  const row = document.activeElement?.closest('.rail-row')?.querySelector<HTMLElement>('.rail-row-button');
  const index = row ? buttons.indexOf(row) : -1;
  const target = step === 'first' ? 0 : step === 'last' ? buttons.length - 1 : index + step;
  buttons[Math.min(Math.max(target, 0), buttons.length - 1)]?.focus();
}
