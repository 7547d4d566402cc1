import './mini-chat.css';
import './stream.css';
import './composer.css';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ProjectList } from '../../src/contract/index.ts';
import { useProjects, useSettings, useSidekeep, useWindows } from '../state/hooks.ts';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Loading, State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { Composer } from './composer.tsx';
import { focusComposer, focusComposerAfterClosing } from './focus.ts';
import { handoverOf } from './handover.ts';
import { Header } from './header.tsx';
import { useWindowKeys } from './keys.ts';
import { MiniChatContext, type MiniChatState } from './mini-chat-state.ts';
import { Notices } from './notices.tsx';
import { draftKey, Outbox } from './outbox.ts';
import { useMode } from './remembered.ts';
import { FailedChanges, StatusLine } from './status-line.tsx';
import { StreamView } from './stream-view.tsx';
import { texts } from './strings.ts';
import { useTarget } from './target.ts';

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
  useWindowKeys({
    hide,
    chooseMode: state.chooseMode,
    pickTarget: () => setPicking(true),
    handOver: state.handOver,
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
        <main className="mini-main">
          <div className="notices">
            <Notices vanished={notice} onVanishedSeen={dismissNotice} />
            <FailedChanges />
          </div>
          <StreamView key={`${target.id} ${visit}`} visit={visit} />
          <Composer onComposition={setComposing} />
        </main>
        <StatusLine />
      </div>
    </MiniChatContext>
  );
}

function useMiniChatState(target: MiniChatState['target']): MiniChatState {
  const sidekeep = useSidekeep();
  const { client, shared, drafts, toasts } = sidekeep;
  const [mode, setMode] = useMode();
  const [outbox] = useState(
    () => new Outbox(sidekeep, (saved, count) => announce(texts.composer.recorded[saved](count))),
  );
  const open = async (handover: Parameters<typeof client.windows.openInSidebar>[0]): Promise<boolean> => {
    const result = await client.windows.openInSidebar(handover);
    if (result.ok) shared.accept('windows', result.value);
    else toasts.show(texts.notices.notOpened(result.error.message));
    return result.ok;
  };
  return {
    target,
    outbox,
    mode,
    chooseMode: (chosen) => {
      setMode(chosen);
      announce(texts.composer.modeChosen(strings.common.mode[chosen]));
    },
    showInSidebar: (place) => void open({ projectId: target.id, ...place }),
    handOver: () => {
      const key = draftKey(target.id);
      const typed = drafts.read(key).text;
      void open(handoverOf(target.id, typed, mode)).then((opened) => {
        // What was typed since is not what the sidebar has: it stays.
        if (!opened || typed.trim() === '' || drafts.read(key).text !== typed) return;
        drafts.write(key, '');
        drafts.flush();
        announce(texts.notices.handedOver);
      });
    },
  };
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
