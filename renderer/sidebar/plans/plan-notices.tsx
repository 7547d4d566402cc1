import { useState } from 'react';
import { limits } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { copyPlan } from '../../state/plan-copy.ts';
import type { PlanSession } from '../../state/plan-session.ts';
import type { PlanView } from '../../state/plan-view.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Banner } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { CompareDialog } from '../compare-dialog.tsx';

interface NoticeProps {
  ownerId: string;
  title: string;
  session: PlanSession;
  view: PlanView;
}

/** What has to be known about the open plan, each with what can be done. */
export function PlanNotices(props: NoticeProps) {
  const { session, view } = props;
  return (
    <div className="plan-notices">
      {view.phase === 'failed' ? (
        <Banner
          kind="danger"
          actions={
            <Button small onPress={() => void session.open()}>
              {strings.common.retry}
            </Button>
          }
        >
          {strings.plans.failed} {view.error?.message}
        </Banner>
      ) : null}
      {view.phase === 'deleted' || view.phase === 'missing' ? <GonePlan {...props} /> : null}
      {view.readOnly ? <Banner kind="info">{strings.plans.readOnly[view.readOnly]}</Banner> : null}
      {view.excess > 0 ? <Banner kind="warning">{strings.plans.tooLong(view.excess)}</Banner> : null}
      {view.theirs ? <PlanConflict {...props} /> : null}
    </div>
  );
}

/** Both the text on disk and unsaved text exist. */
function PlanConflict({ ownerId, title, session, view }: NoticeProps) {
  const sidekeep = useSidekeep();
  const [comparing, setComparing] = useState(false);
  const keepBoth = async () => {
    const name = strings.plans.myVersion(title).slice(0, limits.planTitle);
    // Theirs comes into the editor only once mine is on disk.
    if (!(await saveAsNew(name))) return;
    session.takeTheirs();
    sidekeep.toasts.show(strings.plans.bothKept);
  };
  const saveAsNew = (name: string) => copyPlan(sidekeep, ownerId, name, session.read(), 'title');
  return (
    <Banner
      kind="warning"
      actions={
        <>
          <Button small onPress={() => session.keepMine()}>
            {strings.conflict.keepMine}
          </Button>
          <Button small onPress={() => session.takeTheirs()}>
            {strings.conflict.useTheirs}
          </Button>
          <Button small onPress={() => void keepBoth()}>
            {strings.conflict.keepBoth}
          </Button>
          <Button small kind="quiet" onPress={() => setComparing(true)}>
            {strings.conflict.compare}
          </Button>
        </>
      }
    >
      {strings.plans.changedOnDisk}
      {comparing ? (
        <CompareDialog
          isOpen
          onClose={() => setComparing(false)}
          mine={session.read()}
          theirs={view.theirs?.raw ?? ''}
        />
      ) : null}
    </Banner>
  );
}

/** The plan or its file is gone; the text stays, to be copied or saved anew. */
function GonePlan({ ownerId, title, session, view }: NoticeProps) {
  const sidekeep = useSidekeep();
  const copy = useCopy();
  const hasText = session.read() !== '';
  const saveAsNew = async () => {
    if (!(await copyPlan(sidekeep, ownerId, title, session.read()))) return;
    session.discard();
    sidekeep.toasts.show(strings.plans.savedAsNew);
  };
  return (
    <Banner
      kind="warning"
      actions={
        hasText ? (
          <>
            <Button small onPress={() => void saveAsNew()}>
              {strings.plans.saveAsNew}
            </Button>
            <Button small onPress={() => copy(session.read())}>
              {strings.common.copyText}
            </Button>
          </>
        ) : null
      }
    >
      {goneText(view.phase === 'deleted', hasText)}
    </Banner>
  );
}

function goneText(deleted: boolean, hasText: boolean): string {
  const { plans } = strings;
  if (!hasText) return deleted ? plans.deletedEmpty : plans.goneEmpty;
  return deleted ? plans.goneDeleted : plans.goneMissing;
}
