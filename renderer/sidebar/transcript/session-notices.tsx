import { GitFork } from 'lucide-react';
import type { SessionDetail, SessionRow } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import type { TranscriptState } from '../../state/session-transcript.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { sessionActions } from '../sessions/session-actions.ts';
import { sessionTexts as texts } from '../sessions/strings.ts';

/** What has to be known about the session that is shown: its health, who has it open, whether it can be continued. */
export function SessionNotices(props: {
  row: SessionRow;
  detail: SessionDetail | null;
  state: TranscriptState;
  head: string | null;
}) {
  const { row, detail, state, head } = props;
  const sidekeep = useSidekeep();
  const act = sessionActions(sidekeep);
  const readOnly = detail?.readOnly ?? null;
  const isBroken = readOnly === 'too-new' || readOnly === 'unreadable';
  const shownHead = detail?.heads.find(({ id }) => id === (head ?? state.head ?? detail.head));
  return (
    <div className="pane-notices session-notices">
      {row.health === 'good' || isBroken ? null : (
        <Banner kind="warning">
          <p>
            {texts.pane.healthFact[row.health]}
            {row.reason === null ? '.' : `: ${row.reason}`}
          </p>
          {state.holes > 0 ? <p>{texts.pane.holes(state.holes)}</p> : null}
        </Banner>
      )}
      {shownHead?.openTurn ? <Banner kind="info">{texts.pane.openTurn}</Banner> : null}
      {state.complete || state.progress === null ? null : (
        <Banner kind="info">{texts.pane.counting(state.progress.done, state.progress.total)}</Banner>
      )}
      {readOnly === 'foreign' || readOnly === 'in-use' ? (
        <Banner
          kind={readOnly === 'in-use' ? 'warning' : 'info'}
          actions={
            <Button small onPress={() => void act.fork(row, head === null ? {} : { head })}>
              <GitFork size={14} aria-hidden="true" />
              {texts.menu.fork}
            </Button>
          }
        >
          {texts.pane.readOnly[readOnly]}
          {detail?.holder ? <HolderFact text={texts.pane.holder(detail.holder)} /> : null}
        </Banner>
      ) : null}
    </div>
  );
}

const HolderFact = ({ text }: { text: string }) => (text === '' ? null : <span className="soft"> ({text})</span>);
