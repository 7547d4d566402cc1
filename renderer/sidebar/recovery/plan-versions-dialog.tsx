import { useMemo, useState } from 'react';
import type { PlanVersion } from '../../../src/contract/index.ts';
import { useAnswer } from '../../state/answers.ts';
import { useContext, useSidekeep } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNow } from '../../ui/now.ts';
import { Banner, Loading } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { dayAndTime, relativeTime } from '../../ui/time.ts';
import { BothTexts } from '../compare-dialog.tsx';
import { closeDialog } from '../open-dialog.ts';
import { type OpenPlan, openPlan } from '../plans/open-plans.ts';
import { texts } from '../strings.ts';
import { VersionList } from './version-list.tsx';

interface PlanProps {
  ownerId: string;
  planId: string;
  title: string;
  /** The version to begin with; null: the newest. */
  versionId: string | null;
}

/** The earlier versions of a plan, each beside the text as it is now, to put one of them back. */
export function PlanVersionsDialog(props: PlanProps) {
  return (
    <Dialog title={texts.planVersions.title(props.title)} isOpen onClose={closeDialog} wide>
      <PlanVersions {...props} />
    </Dialog>
  );
}

function PlanVersions({ ownerId, planId, versionId }: PlanProps) {
  const sidekeep = useSidekeep();
  const { confirmed } = useContext(ownerId);
  const [chosen, setChosen] = useState(versionId);
  const now = useNow();
  const plan = useMemo(() => openPlan(sidekeep, ownerId, planId), [sidekeep, ownerId, planId]);
  const revision = confirmed?.plans.find(({ id }) => id === planId)?.revision;
  const answer = useAnswer(['versions', ownerId, planId, revision], () =>
    sidekeep.client.plans.versions({ projectId: ownerId, planId }),
  );
  if (answer.value === null && answer.problem === null) {
    return <Loading label={texts.planVersions.loading} rows={3} />;
  }
  const versions = answer.value?.versions ?? [];
  const selected = versions.find(({ id }) => id === chosen) ?? versions[0] ?? null;
  return (
    <>
      {answer.problem ? (
        <Banner
          kind="danger"
          actions={
            <Button small onPress={answer.again}>
              {strings.common.retry}
            </Button>
          }
        >
          {texts.planVersions.failed} {answer.problem.message}
        </Banner>
      ) : null}
      {selected ? (
        <>
          <VersionList
            label={texts.planVersions.list}
            rows={versions.map((version) => rowOf(version, now))}
            selected={selected.id}
            onSelect={setChosen}
          />
          <Chosen ownerId={ownerId} planId={planId} version={selected} plan={plan} />
        </>
      ) : (
        <>
          {answer.problem ? null : <p>{texts.planVersions.none}</p>}
          <div className="dialog-actions">
            <Button onPress={closeDialog}>{strings.common.close}</Button>
          </div>
        </>
      )}
    </>
  );
}

function rowOf({ id, at, reason, bytes }: PlanVersion, now: number) {
  const facts = (
    <>
      <span>{relativeTime(at, now) ?? texts.versions.justNow}</span>
      <span>{texts.planVersions.size(bytes)}</span>
      <span>{texts.planVersions.reasons[reason]}</span>
    </>
  );
  return { id, time: dayAndTime(at), facts, disabled: false };
}

/** The text of a version beside that of the plan, and what can be done with it. */
function Chosen(props: { ownerId: string; planId: string; version: PlanVersion; plan: OpenPlan }) {
  const { ownerId, planId, version, plan } = props;
  const { session } = plan;
  const { client, toasts } = useSidekeep();
  const view = useStore(session);
  const answer = useAnswer(['version', ownerId, planId, version.id], () =>
    client.plans.readVersion({ projectId: ownerId, planId, versionId: version.id }),
  );
  const readOnly = useContext(ownerId).view?.readOnly === true;
  const time = dayAndTime(version.at);
  // The text of another version may still stand in for this one.
  const raw = answer.isStale ? null : (answer.value?.raw ?? null);
  const present = session.read();
  const canPutBack = raw !== null && raw !== present && session.isWritable && !view.saving && !readOnly;
  const putBack = (text: string) => {
    closeDialog();
    const before = session.read();
    void session.putBack(text).then(() => {
      const undo = { label: strings.common.undo, run: () => void session.putBack(before) };
      toasts.show(texts.planVersions.done(time), { action: undo });
    });
  };
  return (
    <>
      {answer.problem ? (
        <Banner kind="danger">
          {texts.planVersions.failedText} {answer.problem.message}
        </Banner>
      ) : null}
      {raw === null && !answer.problem ? <Loading label={texts.planVersions.loadingText} rows={3} /> : null}
      {raw === present ? <p>{texts.planVersions.same}</p> : null}
      {raw !== null && raw !== present ? (
        <BothTexts
          first={{ title: texts.planVersions.versionOf(time), text: raw, mark: '−' }}
          second={{ title: texts.planVersions.now, text: present, mark: '+' }}
        />
      ) : null}
      <p className="soft small">{session.isWritable ? texts.planVersions.effect : texts.planVersions.locked}</p>
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.close}</Button>
        <Button kind="primary" isDisabled={!canPutBack} onPress={() => (raw === null ? undefined : putBack(raw))}>
          {texts.planVersions.putBack}
        </Button>
      </div>
    </>
  );
}
