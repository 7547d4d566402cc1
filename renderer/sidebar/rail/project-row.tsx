import { Eye, EyeOff, Folder, FolderOpen, PencilLine } from 'lucide-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { limits, type Project } from '../../../src/contract/index.ts';
import { MenuButton, type MenuEntry, useContextMenu } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { plainTitle } from '../../ui/user-text.tsx';
import { focusAfter } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { projectMenu } from '../owner-menu.ts';
import { useProjectChanges } from './project-changes.ts';
import { RailRow, type RailRowProps } from './rail-row.tsx';

/** A project in the rail, with renaming in place and hiding. */
export const ProjectRow = memo(function ProjectRow({
  project,
  isCurrent,
  holdsSession,
  expander,
}: {
  project: Project;
  isCurrent: boolean;
  /** Whether a session of it is what is shown. */
  holdsSession: boolean;
  expander: NonNullable<RailRowProps['expander']> | null;
}) {
  const { rename, setHidden } = useProjectChanges(project, isCurrent);
  const row = useRef<HTMLLIElement>(null);
  const [name, setName] = useState<string | null>(null);
  const title = plainTitle(project.label);

  const focusRow = () =>
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.rail-row-button')?.focus());
  const startRename = () => setName(project.label);
  const endRename = () => {
    setName(null);
    focusRow();
  };
  const submit = async () => {
    if (name === null || (await rename(name))) endRename();
  };
  const hide = () => {
    const next = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    const current = () => document.querySelector('.rail-row-current .rail-row-button');
    void focusAfter(setHidden(true), () => next?.querySelector('.rail-row-button'), current);
  };
  const entries: MenuEntry[] = [
    { id: 'rename', label: strings.rail.rename, icon: PencilLine, shortcut: 'F2', run: startRename },
    project.hidden
      ? { id: 'show', label: strings.rail.unhide, icon: Eye, run: () => void setHidden(false) }
      : { id: 'hide', label: strings.rail.hide, icon: EyeOff, run: hide },
    ...projectMenu(project),
  ];
  const context = useContextMenu(strings.rail.actions(title), entries, row);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || name !== null) return;
    event.preventDefault();
    startRename();
  };
  return (
    <RailRow
      ref={row}
      {...(expander ? { expander } : {})}
      isCurrent={isCurrent && !holdsSession}
      holdsCurrent={holdsSession}
      icon={isCurrent ? FolderOpen : Folder}
      label={project.label}
      hint={project.path ?? strings.rail.unknownPath}
      badge={project.hidden ? strings.rail.hidden : null}
      onOpen={() => navigation.goToProject(project.id)}
      onKeyDown={onKeyDown}
      onContextMenu={context.props.onContextMenu}
      editor={
        name === null ? undefined : (
          <div className="rail-rename">
            <TextField
              label={strings.rail.renameField(title)}
              hideLabel
              autoFocus
              selectAll
              value={name}
              onChange={setName}
              limit={limits.projectLabel}
              onSubmit={() => void submit()}
              onCancel={endRename}
            />
          </div>
        )
      }
      actions={
        <span className="rail-row-actions">
          <MenuButton label={strings.rail.actions(title)} entries={entries} inTabOrder={isCurrent} />
          {context.menu}
        </span>
      }
    />
  );
});
