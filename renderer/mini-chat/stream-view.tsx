import { FileWarning, FolderX, Inbox, ListChecks, Unplug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { CallError, ContextSnapshot } from '../../src/contract/index.ts';
import { useContext, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Banner, Loading, State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { streamItems } from './stream.ts';
import { StreamList } from './stream-list.tsx';
import { texts } from './strings.ts';

/** Latest entries of the target; `visit` changes each time the window is hidden. */
export function StreamView({ visit }: { visit: number }) {
  const { target, outbox } = useMiniChat();
  const { view, problem } = useContext(target.id);
  const kept = useSeenOpen(view, `${target.id} ${visit}`);
  const { outgoing } = useStore(outbox);
  const scroller = useRef<HTMLDivElement>(null);
  const sending = outgoing.filter((entry) => entry.projectId === target.id && entry.error === null);
  const newest = sending.at(-1)?.id;
  useEffect(() => {
    // The scroller stands on its head, so 0 is the end: where what was just sent appears.
    if (newest !== undefined) scroller.current?.scrollTo({ top: 0 });
  }, [newest]);
  if (view === null) {
    return <div className="stream stream-alone">{problem ? <Failed problem={problem} /> : <StreamLoading />}</div>;
  }
  const isEmpty = sending.length === 0 && streamItems(view, kept).length === 0;
  return (
    <>
      {problem ? <Stale problem={problem} /> : null}
      <div ref={scroller} className={isEmpty ? 'stream stream-alone' : 'stream'}>
        <div className={problem ? 'stream-inner stream-stale' : 'stream-inner'}>
          {isEmpty ? <Empty hasTodos={view.todos.length > 0} /> : <StreamList view={view} kept={kept} />}
          {sending.map(({ id, text }) => (
            <div key={id} className="row row-sending">
              <span className="row-main">
                <UserText as="block" text={text} />
              </span>
              <span className="row-wait">{texts.unsaved.sending}</span>
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

/** Ids of the todos that were open at some time of this visit: ticking one must not make it jump away. */
function useSeenOpen(view: ContextSnapshot | null, visit: string): ReadonlySet<string> {
  const seen = useRef({ visit, ids: new Set<string>() });
  if (seen.current.visit !== visit) seen.current = { visit, ids: new Set() };
  for (const todo of view?.todos ?? []) {
    if (!todo.completed) seen.current.ids.add(todo.id);
  }
  return seen.current.ids;
}

function StreamLoading() {
  return <Loading label={texts.stream.loading} rows={3} />;
}

function Empty({ hasTodos }: { hasTodos: boolean }) {
  return (
    <State icon={hasTodos ? ListChecks : Inbox} title={texts.stream.emptyTitle}>
      {hasTodos ? texts.stream.allDone : texts.stream.empty}
    </State>
  );
}

function Failed({ problem }: { problem: CallError }) {
  const { contexts } = useSidekeep();
  const { target, showInSidebar } = useMiniChat();
  const { title, icon } = describeProblem(problem);
  return (
    <State
      icon={icon}
      title={title}
      actions={
        <>
          <Button small onPress={() => void contexts.load(target.id)}>
            {strings.common.retry}
          </Button>
          <Button small onPress={() => showInSidebar()}>
            {texts.header.open}
          </Button>
        </>
      }
    >
      {problem.message} {texts.failed.kept}
    </State>
  );
}

function Stale({ problem }: { problem: CallError }) {
  const { contexts } = useSidekeep();
  const { target } = useMiniChat();
  return (
    <Banner
      kind="warning"
      actions={
        <Button small onPress={() => void contexts.load(target.id)}>
          {strings.common.retry}
        </Button>
      }
    >
      <strong>{describeProblem(problem).title}.</strong> {texts.failed.stale} {problem.message}
    </Banner>
  );
}

function describeProblem({ code, detail }: CallError) {
  const { title } = texts.failed;
  if (detail?.reason === 'root-missing') return { title: title.rootMissing, icon: FolderX };
  if (code === 'malformed') return { title: title.malformed, icon: FileWarning };
  if (code === 'io') return { title: title.io, icon: Unplug };
  if (code === 'not-found') return { title: title['not-found'], icon: FolderX };
  return { title: title.other, icon: Unplug };
}
