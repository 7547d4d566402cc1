import { useState } from 'react';
import type { ContextNotice, ContextSnapshot } from '../../../src/contract/index.ts';
import { makeChange } from '../../state/changes.ts';
import { useSidekeep } from '../../state/hooks.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { Button } from '../../ui/button.tsx';
import { strings } from '../../ui/strings.ts';
import { momentOf } from '../../ui/time.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { type Owner, openDialog } from '../open-dialog.ts';
import { recover } from '../recovery/recover.ts';
import { texts } from '../strings.ts';
import { makeAgain } from './make-again.ts';

/** One notice: what happened, and what can be done about it. */
export function Notice({ owner, view, notice }: { owner: Owner; view: ContextSnapshot; notice: ContextNotice }) {
  const sidekeep = useSidekeep();
  const [isRunning, setRunning] = useState(false);
  const { kind, planId, count } = notice;
  // Of a plan it is the version of its text.
  const backupId = planId === null ? notice.backupId : null;
  const run = async (job: () => Promise<unknown>) => {
    setRunning(true);
    await focusAfter(job(), sectionTab);
    setRunning(false);
  };
  const addMissing = async (id: string) => {
    const error = await recover(sidekeep, owner.id, { id, at: notice.at }, 'merge');
    if (error !== null) sidekeep.toasts.show(texts.notices.failed(error.message));
    // Where there was nothing to bring, the earlier version may still be wanted as a whole: the notice leads there.
    else if (sidekeep.contexts.entry(owner.id).confirmed?.revision !== view.revision) {
      await dismiss(sidekeep, owner.id, notice.id);
    }
  };
  const canMakeAgain = kind === 'overwritten' && planId === null;
  const bringBack = async () => {
    const isDone = canMakeAgain && (await makeAgain(sidekeep, owner.id, notice.id, backupId !== null));
    if (!isDone && backupId !== null) await addMissing(backupId);
  };
  const plan = view.plans.find(({ id }) => id === planId);
  return (
    <>
      <p className="notice-text">{textOf(notice, plan ? plainTitle(plan.title) : null)}</p>
      <div className="banner-actions">
        {(backupId !== null || canMakeAgain) && count > 0 && !view.readOnly ? (
          <Button small isDisabled={isRunning} onPress={() => void run(bringBack)}>
            {texts.notices.bringBack(count)}
          </Button>
        ) : null}
        {backupId !== null ? (
          <Button small onPress={() => openDialog.set({ kind: 'versions', owner, backupId })}>
            {texts.notices.showVersion}
          </Button>
        ) : null}
        {plan ? (
          <Button
            small
            onPress={() =>
              openDialog.set({
                kind: 'plan-versions',
                ownerId: owner.id,
                planId: plan.id,
                title: plainTitle(plan.title),
                versionId: notice.backupId,
              })
            }
          >
            {texts.notices.showVersion}
          </Button>
        ) : null}
        <Button
          small
          kind="quiet"
          isDisabled={isRunning}
          onPress={() => void run(() => dismiss(sidekeep, owner.id, notice.id))}
        >
          {strings.common.dismiss}
        </Button>
      </div>
    </>
  );
}

async function dismiss(sidekeep: Sidekeep, projectId: string, noticeId: string): Promise<void> {
  const result = await makeChange(sidekeep, {
    projectId,
    subject: `notice:${noticeId}`,
    call: () => sidekeep.client.context.dismiss({ projectId, noticeId }),
    handled: () => true,
  });
  // Dismissed by the other window meanwhile: that is what was wanted.
  if (!result.ok && result.error.code !== 'not-found') {
    sidekeep.toasts.show(texts.notices.failed(result.error.message));
  }
}

function textOf(notice: ContextNotice, planTitle: string | null): string {
  const { notices } = texts;
  const { kind, at, count, planId, items } = notice;
  const isKept = notice.backupId !== null;
  const time = momentOf(at, Date.now());
  const names = notices.names(
    items.map((item) => notices.name(plainTitle(item))),
    count,
  );
  if (kind === 'migration') return notices.migration(count, names);
  if (kind === 'merge') return notices.merge(count, names);
  if (planId !== null) {
    const title = planTitle === null ? (names ?? notices.aPlan) : notices.name(planTitle);
    return kind === 'overwritten' ? notices.planOverwritten(time, title, isKept) : notices.planDisplaced(time, title);
  }
  return kind === 'overwritten' ? notices.overwritten(time, count, names, isKept) : notices.displaced(time, names);
}
