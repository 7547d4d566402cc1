import './mini-chat.css';
import './stream.css';
import './composer.css';
import './find.css';
import './dialogs.css';
import './session.css';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ComposerMode, ProjectList } from '../../src/contract/index.ts';
import { useProjects, useSettings, useSidekeep, useWindows } from '../state/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Loading, State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { useChatDraft } from './chat-draft.ts';
import { Composer } from './composer.tsx';
import { DeletedDialog } from './deleted-dialog.tsx';
import { FindView } from './find-view.tsx';
import { focusComposer, focusComposerAfterClosing } from './focus.ts';
import { Header } from './header.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { useWindowKeys } from './keys.ts';
import { MiniChatContext, useMiniChat } from './mini-chat-state.ts';
import { Notices } from './notices.tsx';
import { useOpening } from './opening.ts';
import { SessionBar } from './session-bar.tsx';
import { DeleteInUseDialog, FolderQuestionDialog } from './session-delete.tsx';
import { SessionView } from './session-view.tsx';
import { FailedChanges, StatusLine } from './status-line.tsx';
import { StreamView } from './stream-view.tsx';
import { texts } from './strings.ts';
import { useTarget } from './target.ts';
import type { Target } from './targets.ts';
import { useMiniChatState } from './window-state.ts';

/** The Mini Chat window. */
export function MiniChat() {
  const { value: list, problem } = useProjects();
  const settings = useSettings();
  // Settings that cannot be read are no reason not to record: the defaults do.
  if (list && (settings.value || settings.problem)) return <Loaded list={list} />;
  return <main className="mini-chat">{problem ? <ListFailed message={problem.message} /> : <Loading />}</main>;
}

function Loaded({ list }: { list: ProjectList }) {
  const [isComposing, setComposing] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const { target, notice, dismissNotice, choose } = useTarget(list, isComposing);
  const state = useMiniChatState(target);
  const visit = useVisit();
  const hide = useHide();
  const { toasts } = useSidekeep();
  const { search } = state;
  const chooseMode = (mode: ComposerMode) => {
    if (search.isOn) search.leave();
    state.chooseMode(mode);
  };
  useWindowKeys({
    leave: search.isOn ? search.leave : hide,
    chooseMode,
    pickTarget: () => setPicking(true),
    pickSession: () => {
      chooseMode('message');
      state.setOpen('sessions');
    },
    newSession: () => {
      chooseMode('message');
      state.openSession.begin();
    },
    handOver: state.handOver,
    find: () => search.begin(search.isOn && search.everywhere),
    findEverywhere: () => search.begin(!(search.isOn && search.everywhere)),
    help: () => state.setOpen('help'),
    undo: () => toasts.actOnNewest(),
  });
  return (
    <MiniChatContext value={state}>
      <div className="mini-chat">
        <Header
          list={list}
          isPicking={isPicking}
          onPickingChange={setPicking}
          onChoose={(chosen) => {
            choose(chosen);
            focusComposerAfterClosing();
          }}
        />
        {state.mode === 'message' ? <SessionBar /> : null}
        <Opening list={list} isComposing={isComposing} onChoose={choose} />
        <DraftOfChat />
        <main className="mini-main">
          <div className="notices">
            <Notices vanished={notice} onVanishedSeen={dismissNotice} />
            <FailedChanges />
          </div>
          {/* Stays in the page under a search, with its place and the todos that were just ticked. */}
          <div className="stream-place" hidden={search.isOn}>
            {state.mode === 'message' ? (
              <SessionView key={target.id} />
            ) : (
              <StreamView key={`${target.id} ${visit}`} visit={visit} />
            )}
          </div>
          {search.isOn ? <FindView /> : null}
          <Composer onComposition={setComposing} />
        </main>
        <StatusLine />
        <HelpDialog />
        <DeletedDialog />
        <FolderQuestionDialog />
        <DeleteInUseDialog />
      </div>
    </MiniChatContext>
  );
}

/** Shows what the sidebar asks for; stands within what the window shares. */
function Opening(props: { list: ProjectList; isComposing: boolean; onChoose: (target: Target) => void }) {
  useOpening(props.list, props.isComposing, props.onChoose);
  return null;
}

/** Keeps the folder of a chat that is being written; stands within what the window shares. */
function DraftOfChat() {
  useChatDraft(useMiniChat().chatDrafts);
  return null;
}

/** Counts how often the window was hidden; gives the keyboard to the composer each time that it is shown. */
function useVisit(): number {
  const visible = useWindows().value?.miniChat.visible ?? false;
  const [visit, setVisit] = useState(0);
  const wasVisible = useRef(visible);
  useEffect(() => {
    if (visible) focusComposer();
    else if (wasVisible.current) setVisit((count) => count + 1);
    wasVisible.current = visible;
  }, [visible]);
  return visit;
}

/** Hides the window; what was typed stays as a draft. */
function useHide(): () => void {
  const { client, shared, drafts, toasts } = useSidekeep();
  return () => {
    drafts.flush();
    void client.windows.hideMiniChat({}).then((result) => {
      if (result.ok) shared.accept('windows', result.value);
      else toasts.show(texts.notices.notHidden(result.error.message));
    });
  };
}

function ListFailed({ message }: { message: string }) {
  const { shared } = useSidekeep();
  return (
    <State
      icon={CircleAlert}
      title={texts.failed.projects}
      actions={
        <Button small onPress={() => void shared.load('projects')}>
          {strings.common.retry}
        </Button>
      }
    >
      {message}
    </State>
  );
}
