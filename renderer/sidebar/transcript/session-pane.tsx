import './session-pane.css';
import { CircleAlert, Copy, FileClock, FileText, GitFork, StickyNote, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ProjectList, SessionMessage, SessionRef, SessionRow } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useSessionDetail, useTranscript } from '../../state/session-hooks.ts';
import type { DetailEntry } from '../../state/session-sync.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { ToldDialog } from '../../ui/knowledge/told-dialog.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { SelectionBar } from '../../ui/transcript/selection-bar.tsx';
import { transcriptTexts } from '../../ui/transcript/strings.ts';
import { TranscriptView } from '../../ui/transcript/transcript-view.tsx';
import { plainTitle } from '../../ui/user-text.tsx';
import { focusAfter } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { openDialog } from '../open-dialog.ts';
import { sessionActions } from '../sessions/session-actions.ts';
import { sessionTexts as texts } from '../sessions/strings.ts';
import { FindBar } from './find-bar.tsx';
import { isFinding, wantFind } from './finding-shown.ts';
import { lastSession } from './last-session.ts';
import { SessionHeader } from './session-header.tsx';
import { SessionNotices } from './session-notices.tsx';
import { ownerOfTaken, takeNote, takePlan } from './take.ts';

/** A session in the place of an owner's sections. Use a `key` for each session. */
export function SessionPane({ session, list }: { session: SessionRef; list: ProjectList }) {
  const { sessions } = useSidekeep();
  const entry = useSessionDetail(session);
  const row = entry.detail?.row ?? sessions.row(session);
  const title = row === null ? session.id : row.title;
  useEffect(() => {
    document.title = `${plainTitle(title)} – Sidekeep`;
  }, [title]);
  if (entry.isGone) return <Gone session={session} />;
  if (row === null || entry.problem !== null) return <NotOpened session={session} entry={entry} />;
  if (row.health === 'too-new' || row.health === 'unreadable') return <Closed row={row} list={list} entry={entry} />;
  return <OpenSession session={session} row={row} entry={entry} list={list} />;
}

function OpenSession(props: { session: SessionRef; row: SessionRow; entry: DetailEntry; list: ProjectList }) {
  const { session, row, entry, list } = props;
  const [head, setHead] = useState<string | null>(null);
  const transcript = useTranscript(session, head);
  const state = useStore(transcript);
  const scroller = useRef<HTMLElement | null>(null);
  const [openAt, setOpenAt] = useState<number | null>(null);
  const isFindShown = useStore(isFinding);
  const [isTold, setTold] = useState(false);
  const actions = useMessageActions(row, list, head);
  const owner = ownerOfTaken(row, list);
  useEffect(() => lastSession.set(row), [row]);
  // A session that is opened begins without the search of the one before.
  useEffect(() => () => isFinding.set(false), []);
  const isRead = state.generation !== null;
  useEffect(() => {
    // Opened from where the keyboard is no more, such as a search: it goes on in the conversation.
    if (isRead && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [isRead]);
  const closeFind = useCallback(() => {
    isFinding.set(false);
    scroller.current?.focus();
  }, []);
  return (
    <section className="pane session-pane" aria-label={plainTitle(row.title)}>
      <SessionHeader
        row={row}
        detail={entry.detail}
        ownerTitle={owner.title}
        transcript={transcript}
        state={state}
        head={head}
        onHead={setHead}
        onFind={wantFind}
        onTold={() => setTold(true)}
      />
      <SessionNotices row={row} detail={entry.detail} state={state} head={head} />
      {isFindShown ? (
        <FindBar
          transcript={transcript}
          state={state}
          head={head}
          scroller={scroller}
          onAt={setOpenAt}
          onClose={closeFind}
        />
      ) : null}
      <TranscriptView
        transcript={transcript}
        label={texts.pane.transcript(plainTitle(row.title))}
        actions={actions.ofMessage}
        openAt={openAt}
        scroller={scroller}
      />
      {state.generation === null ? null : (
        <SelectionBar scroller={scroller} actions={actions.ofSelection(state.messages)} />
      )}
      {isTold ? (
        <ToldDialog row={row} readOnly={entry.detail?.readOnly ?? null} onClose={() => setTold(false)} />
      ) : null}
    </section>
  );
}

/** What can be done with a message, and with text that is selected. */
function useMessageActions(row: SessionRow, list: ProjectList, head: string | null) {
  const sidekeep = useSidekeep();
  const copy = useCopy();
  const latest = useRef({ row, list, copy });
  latest.current = { row, list, copy };
  return useMemo(() => {
    const note = (text: string, message: SessionMessage | null) =>
      void takeNote(sidekeep, latest.current.row, latest.current.list, { text, message });
    const plan = (text: string) => void takePlan(sidekeep, latest.current.row, latest.current.list, text);
    const ofMessage = (message: SessionMessage): MenuEntry[] => [
      { id: 'note', label: texts.menu.note, icon: StickyNote, run: () => note(message.content, message) },
      { id: 'plan', label: texts.menu.plan, icon: FileText, run: () => plan(message.content) },
      {
        id: 'copy',
        label: transcriptTexts.copyMessage,
        icon: Copy,
        run: () => latest.current.copy(message.content),
      },
      {
        id: 'fork',
        label: texts.menu.forkHere,
        icon: GitFork,
        run: () =>
          void sessionActions(sidekeep).fork(latest.current.row, {
            index: message.index,
            ...(head === null ? {} : { head }),
          }),
      },
    ];
    const ofSelection = (messages: readonly SessionMessage[]) => [
      {
        label: strings.common.mode.note,
        icon: StickyNote,
        run: ({ text, index }: { text: string; index: number }) =>
          note(text, messages.find((message) => message.index === index) ?? null),
      },
      { label: strings.common.mode.plan, icon: FileText, run: ({ text }: { text: string }) => plan(text) },
    ];
    return { ofMessage, ofSelection };
  }, [sidekeep, head]);
}

/** A session whose messages cannot be shown: only why. */
function Closed({ row, list, entry }: { row: SessionRow; list: ProjectList; entry: DetailEntry }) {
  const sidekeep = useSidekeep();
  const act = sessionActions(sidekeep);
  const owner = ownerOfTaken(row, list);
  const isNew = row.health === 'too-new';
  return (
    <section className="pane session-pane" aria-label={plainTitle(row.title)}>
      <div className="pane-state">
        <State
          isPage
          icon={isNew ? FileClock : CircleAlert}
          title={plainTitle(row.title)}
          actions={
            <>
              <Button small onPress={() => navigation.closeSession()}>
                {texts.pane.back(owner.title)}
              </Button>
              <Button small onPress={() => void sidekeep.sessions.loadDetail(row.session)}>
                {strings.common.retry}
              </Button>
              <Button small onPress={() => void act.reveal(row)}>
                {texts.menu.reveal}
              </Button>
              <Button small kind="danger" onPress={() => void focusAfter(act.remove(row))}>
                <Trash2 size={14} aria-hidden="true" />
                {texts.menu.delete}
              </Button>
            </>
          }
        >
          {texts.pane.readOnly[entry.detail?.readOnly ?? (isNew ? 'too-new' : 'unreadable')]} {row.reason}
        </State>
      </div>
    </section>
  );
}

function Gone({ session }: { session: SessionRef }) {
  return (
    <section className="pane session-pane" aria-label={session.id}>
      <div className="pane-state">
        <State
          isPage
          icon={Trash2}
          title={texts.pane.goneTitle}
          actions={
            <>
              <Button small onPress={() => navigation.closeSession()}>
                {strings.common.close}
              </Button>
              <Button small onPress={() => openDialog.set({ kind: 'session-trash' })}>
                {texts.pane.openTrash}
              </Button>
            </>
          }
        >
          {texts.pane.gone}
        </State>
      </div>
    </section>
  );
}

function NotOpened({ session, entry }: { session: SessionRef; entry: DetailEntry }) {
  const { sessions } = useSidekeep();
  if (entry.problem === null) {
    return (
      <section className="pane session-pane" aria-label={strings.common.loading}>
        <div className="pane-state column">
          <Loading label={transcriptTexts.loading} />
        </div>
      </section>
    );
  }
  return (
    <section className="pane session-pane" aria-label={session.id}>
      <div className="pane-state">
        <State
          isPage
          icon={CircleAlert}
          title={texts.pane.failedTitle}
          actions={
            <>
              <Button small onPress={() => void sessions.loadDetail(session)}>
                {strings.common.retry}
              </Button>
              <Button small onPress={() => navigation.closeSession()}>
                {strings.common.close}
              </Button>
            </>
          }
        >
          {entry.problem.message}
        </State>
      </div>
    </section>
  );
}
