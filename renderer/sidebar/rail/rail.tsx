import { Eye, EyeOff, MessagesSquare, Plus, Search, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { ProjectList } from '../../../src/contract/index.ts';
import { IconButton, IconToggle } from '../../ui/button.tsx';
import { isComposing, shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { navigation } from '../navigation.ts';
import { AddProject } from './add-project.tsx';
import { firstMatch, matches } from './filter.ts';
import { ProjectRow } from './project-row.tsx';
import { RailResizer, useRailWidth } from './rail-resizer.tsx';
import { RailRow } from './rail-row.tsx';

/** Chats and the projects. Arrow keys go through the rows; the list is one tab stop. */
export function Rail({ list, current, width }: { list: ProjectList; current: string; width: number }) {
  const [filter, setFilter] = useState('');
  const [showHidden, setShowHidden] = useState(false);
  const [adding, setAdding] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const known = list.projects.filter((project) => project.id !== list.chatsId && (showHidden || !project.hidden));
  const shown = known.filter((project) => matches(filter, project.label, project.path));
  const focusRow = (step: number | 'first' | 'last') => moveFocus(rows.current, step);
  const found = firstMatch(filter, strings.common.chats, shown);
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
    const step = ({ ArrowUp: -1, ArrowDown: 1, Home: 'first', End: 'last' } as const)[event.key];
    if (step === undefined || event.altKey || (event.target as HTMLElement).tagName === 'INPUT') return;
    event.preventDefault();
    focusRow(step);
  };
  return (
    <nav className="rail" aria-label={strings.rail.label} style={{ width: useRailWidth(width) }}>
      <FilterField value={filter} onChange={setFilter} onLeave={leaveFilter} onEnter={openFirst} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the buttons inside; nothing here is pressed itself */}
      <div className="rail-rows" ref={rows} onKeyDown={onKeyDown} role="presentation">
        <ul>
          <RailRow
            isCurrent={current === list.chatsId}
            icon={MessagesSquare}
            label={strings.common.chats}
            hint={strings.rail.chatsHint}
            onOpen={() => navigation.goToProject(null)}
          />
        </ul>
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
            <ProjectRow key={project.id} project={project} isCurrent={project.id === current} />
          ))}
        </ul>
        {shown.length === 0 && (found === undefined || known.length === 0) ? (
          <p className="rail-empty">{known.length === 0 ? strings.rail.noProjects : strings.rail.noMatch(filter)}</p>
        ) : null}
      </div>
      <RailResizer width={width} />
      <AddProject isOpen={adding} onClose={() => setAdding(false)} />
    </nav>
  );
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
