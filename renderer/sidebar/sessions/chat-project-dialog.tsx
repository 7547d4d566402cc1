import { Folder, Search } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField } from 'react-aria-components';
import type { Project, SessionRow } from '../../../src/contract/index.ts';
import { useProjects, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { closeDialog } from '../open-dialog.ts';
import { matches } from '../rail/filter.ts';
import { sessionActions } from './session-actions.ts';
import { sessionTexts as texts } from './strings.ts';

/** Chooses the project in which a chat goes on as a session of its own. */
export function ProjectOfChatDialog({ row }: { row: SessionRow }) {
  const sidekeep = useSidekeep();
  const { value: list } = useProjects();
  const [typed, setTyped] = useState('');
  const [isRunning, setRunning] = useState(false);
  const projects = list?.projects.filter(({ id, hidden }) => !hidden && id !== list.chatsId) ?? [];
  const found = projects.filter(({ label, path }) => matches(typed, label, path));
  const start = async (project: Project | undefined) => {
    if (project === undefined || isRunning) return;
    setRunning(true);
    const isStarted = await sessionActions(sidekeep).startInProject(row, project);
    setRunning(false);
    if (isStarted) closeDialog();
  };
  return (
    <Dialog title={texts.inProject.title} isOpen onClose={closeDialog}>
      <p className="soft small">
        {projects.length === 0 ? texts.inProject.none : texts.inProject.hint(plainTitle(row.title))}
      </p>
      {projects.length === 0 ? null : (
        <div className="chat-projects">
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField
              className="chat-projects-filter"
              aria-label={texts.inProject.filter}
              autoFocus
              onSubmit={() => void start(found[0])}
            >
              <Search size={14} aria-hidden="true" />
              <Input className="input" dir="auto" placeholder={texts.inProject.filter} />
            </SearchField>
            <ListBox
              className="menu chat-projects-list"
              aria-label={texts.inProject.list}
              items={found}
              onAction={(id) => void start(found.find((project) => project.id === id))}
              renderEmptyState={() => <p className="soft small chat-projects-none">{texts.inProject.noMatch}</p>}
            >
              {(project) => <ProjectOption project={project} />}
            </ListBox>
          </Autocomplete>
        </div>
      )}
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.cancel}</Button>
      </div>
    </Dialog>
  );
}

function ProjectOption({ project }: { project: Project }) {
  return (
    <ListBoxItem
      id={project.id}
      textValue={`${plainTitle(project.label)} ${project.path ?? ''}`}
      className="menu-item chat-project"
    >
      <Folder size={16} aria-hidden="true" />
      <span className="chat-project-texts">
        <UserText text={project.label} as="one-line" />
        <span className="chat-project-path">
          <UserText text={project.path ?? strings.rail.unknownPath} as="one-line" />
        </span>
      </span>
    </ListBoxItem>
  );
}
