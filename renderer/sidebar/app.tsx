import './conflict.css';
import './layout.css';
import './rail/rail.css';
import './notes/notes.css';
import './todos/todos.css';
import './plans/plans.css';
import './recovery/recovery.css';
import './deleted/deleted.css';
import './memory/memory.css';
import './notices/notices.css';
import './search/search.css';
import './sessions/dialogs.css';
import './sessions/sessions.css';
import './status/status.css';
import { useEffect } from 'react';
import { type ProjectList, sessionKey } from '../../src/contract/index.ts';
import { useProjects, useSettings, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Banner, Loading } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { plainTitle } from '../ui/user-text.tsx';
import { ContextPane } from './context-pane.tsx';
import { Dialogs } from './dialogs.tsx';
import { useHandover } from './handover.ts';
import { HelpDialog } from './help-dialog.tsx';
import { navigation } from './navigation.ts';
import { useLeavingHiddenChats } from './rail/chats-visible.ts';
import { NarrowPicker } from './rail/narrow-picker.tsx';
import { Rail } from './rail/rail.tsx';
import { SearchBar } from './search/search-bar.tsx';
import { useShortcuts } from './shortcuts.ts';
import { StatusLine } from './status/status-line.tsx';
import { SessionPane } from './transcript/session-pane.tsx';

/** The sidebar window. */
export function Sidebar() {
  useShortcuts();
  useHandover();
  const { value: list, problem } = useProjects();
  const settings = useSettings();
  // Settings that cannot be read are no reason to show nothing: the defaults do.
  const isReady = settings.value !== null || settings.problem !== null;
  return (
    <div className="window">
      {list && isReady ? <Places list={list} /> : problem ? <ListFailed /> : <Loading />}
      <StatusLine />
      <HelpDialog />
      <Dialogs />
    </div>
  );
}

function Places({ list }: { list: ProjectList }) {
  const { projectId, session } = useStore(navigation);
  const width = useSettings().value?.sidebar.width ?? 240;
  const project = list.projects.find((candidate) => candidate.id === projectId) ?? null;
  const ownerId = project?.id ?? list.chatsId;
  useLeavingHiddenChats(list, project === null && session === null);
  const title = project?.label ?? strings.common.chats;
  const subtitle = project ? (project.path ?? strings.rail.unknownPath) : strings.rail.chatsHint;
  useEffect(() => {
    if (session === null) document.title = `${plainTitle(title)} – Sidekeep`;
  }, [title, session]);
  return (
    <div className="places">
      <NarrowPicker list={list} current={ownerId} />
      <Rail list={list} current={ownerId} width={width} />
      <main className="main">
        <SearchBar list={list} ownerId={ownerId} title={title} />
        {session === null ? (
          <ContextPane key={ownerId} ownerId={ownerId} title={title} subtitle={subtitle} />
        ) : (
          <SessionPane key={sessionKey(session)} session={session} list={list} />
        )}
      </main>
    </div>
  );
}

function ListFailed() {
  const { shared } = useSidekeep();
  const { problem } = useProjects();
  return (
    <main className="main main-alone">
      <Banner
        kind="danger"
        actions={
          <Button small onPress={() => void shared.load('projects')}>
            {strings.common.retry}
          </Button>
        }
      >
        {strings.rail.failed} {problem?.message}
      </Banner>
    </main>
  );
}
