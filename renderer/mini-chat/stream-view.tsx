import { Inbox, ListChecks } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ContextSnapshot, SessionRow } from '../../src/contract/index.ts';
import { useContext } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { PinsFor } from '../ui/knowledge/pins-context.tsx';
import { Loading, State } from '../ui/states.tsx';
import { UserText } from '../ui/user-text.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import type { OpenSession } from './open-session.ts';
import { Failed } from './reading-problem.tsx';
import type { Marked } from './search.ts';
import { streamItems } from './stream.ts';
import { StreamList } from './stream-list.tsx';
import { texts } from './strings.ts';

/** Latest entries of the target; `visit` changes each time the window is hidden. */
export function StreamView({ visit }: { visit: number }) {
  const { target, outbox, search, openSession } = useMiniChat();
  const { view, problem } = useContext(target.id);
  const seen = useSeenOpen(view, `${target.id} ${visit}`);
  const kept = withMarked(seen, search.marked);
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
    <div ref={scroller} className={isEmpty ? 'stream stream-alone' : 'stream'}>
      <div className={problem ? 'stream-inner stream-stale' : 'stream-inner'}>
        {isEmpty ? (
          <Empty hasTodos={view.todos.length > 0} />
        ) : (
          <PinsFor row={pinnable(openSession)}>
            <StreamList view={view} kept={kept} />
          </PinsFor>
        )}
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
  );
}

/** The session that the target's notes and plans can be pinned for; null when none of the target is open. */
function pinnable({ access, detail }: OpenSession): SessionRow | null {
  return access === 'open' || access === 'copy' ? (detail.detail?.row ?? null) : null;
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

/** A todo that was looked for stands in the list even when it is ticked. */
function withMarked(seen: ReadonlySet<string>, marked: Marked | null): ReadonlySet<string> {
  return marked === null ? seen : new Set([...seen, marked.key.replace(/^todo:/, '')]);
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
