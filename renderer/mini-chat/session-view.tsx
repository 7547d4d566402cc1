import { FileWarning, MessageSquarePlus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { type SessionRef, sessionKey, TrashedRef } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useShownSessions } from '../state/session-hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { shortTime } from '../ui/time.ts';
import { UserText } from '../ui/user-text.tsx';
import { focusComposer } from './focus.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { OpenTranscript, OutgoingOnly } from './open-transcript.tsx';
import { restoreSession } from './session-delete.tsx';
import { texts } from './strings.ts';
import { outgoingOf } from './transcript-end.ts';

const words = texts.session;
/** Sessions that an empty conversation offers to go on with. */
const RECENT = 3;

/** Message mode: the open session of the target, or what a new one is. */
export function SessionView() {
  const { target, openSession } = useMiniChat();
  const { session, access, detail } = openSession;
  const { sessions } = useSidekeep();
  if (session === null) return <NewSession />;
  if (access === 'gone') return <Gone session={session} />;
  if (access === 'blocked') {
    const reason = detail.detail?.row.reason ?? detail.problem?.message ?? '';
    const isUnread = detail.detail === null;
    return (
      <Alone>
        <State
          icon={FileWarning}
          title={words.failed.title}
          actions={
            <>
              {isUnread ? (
                <Button small onPress={() => void sessions.loadDetail(session)}>
                  {strings.common.retry}
                </Button>
              ) : null}
              <Button small onPress={openSession.begin}>
                {words.bar.fresh(target)}
              </Button>
            </>
          }
        >
          {reason} {words.failed.kept}
        </State>
      </Alone>
    );
  }
  return <OpenTranscript key={sessionKey(session)} session={session} />;
}

/** Before the first message: what will happen, what is on its way, and the sessions that can be gone on with. */
function NewSession() {
  const { messages, openSession, target } = useMiniChat();
  const outgoing = outgoingOf(useStore(messages), openSession.conversation, 0);
  const { rows } = useShownSessions(target.id).list;
  if (outgoing.length > 0) {
    return <OutgoingOnly outgoing={outgoing} />;
  }
  return (
    <Alone>
      <State icon={MessageSquarePlus} title={words.bar.fresh(target)}>
        {words.empty.text}
      </State>
      {rows.length > 0 ? (
        <div className="session-recent">
          <p className="soft small">{words.empty.recent}</p>
          <ul>
            {rows.slice(0, RECENT).map((row) => (
              <li key={sessionKey(row.session)}>
                <Button
                  small
                  kind="quiet"
                  onPress={() => {
                    openSession.show(row);
                    focusComposer();
                  }}
                >
                  <UserText as="one-line" text={row.title} />
                  <span className="session-recent-time">{shortTime(row.lastActivity, Date.now())}</span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Alone>
  );
}

/** The open session is no longer there: what was typed stays, and there is a way back. */
function Gone({ session }: { session: SessionRef }) {
  const sidekeep = useSidekeep();
  const { openSession } = useMiniChat();
  const { problem, isGone } = openSession.detail;
  useEffect(() => {
    // That it went was pushed; where it went is known to whoever asks for it.
    if (isGone && problem === null) void sidekeep.sessions.loadDetail(session);
  }, [sidekeep, session, isGone, problem]);
  const trashed = TrashedRef.safeParse({ store: session.store, name: problem?.detail?.trashed });
  return (
    <Alone>
      <State
        icon={Trash2}
        title={words.gone.title}
        actions={
          <>
            {trashed.success ? (
              <Button small kind="primary" onPress={() => void restoreSession(sidekeep, trashed.data)}>
                {words.gone.restore}
              </Button>
            ) : null}
            <Button small onPress={openSession.begin}>
              {words.gone.leave}
            </Button>
          </>
        }
      >
        {trashed.success ? words.gone.text : words.gone.textFinal}
      </State>
    </Alone>
  );
}

const Alone = ({ children }: { children: ReactNode }) => <div className="stream stream-alone">{children}</div>;
