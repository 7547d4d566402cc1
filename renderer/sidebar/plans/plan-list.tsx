import { memo } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Plan } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useStorePart } from '../../state/store.ts';
import { strings } from '../../ui/strings.ts';
import { fullTime, shortTime } from '../../ui/time.ts';
import { UserText } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { VirtualList } from '../virtual-list.tsx';

/** The plans, newest first. */
export function PlanList({
  ownerId,
  plans,
  openId,
}: {
  ownerId: string;
  plans: readonly Plan[];
  openId: string | null;
}) {
  if (plans.length === 0) return null;
  return (
    <VirtualList label={strings.plans.list} entries={plans} estimate={56} kind="plan" ownerId={ownerId}>
      {(plan) => <PlanRow ownerId={ownerId} plan={plan} isOpen={plan.id === openId} />}
    </VirtualList>
  );
}

const PlanRow = memo(function PlanRow({ ownerId, plan, isOpen }: { ownerId: string; plan: Plan; isOpen: boolean }) {
  const { drafts } = useSidekeep();
  const unsaved = useStorePart(drafts, (all) => all.has(`${ownerId}/plan:${plan.id}`));
  return (
    <AriaButton
      className={isOpen ? 'plan-row plan-row-open' : 'plan-row'}
      {...(isOpen ? { 'aria-current': 'true' } : {})}
      onPress={() => navigation.openPlan(ownerId, plan.id)}
    >
      <span className="plan-row-title">
        <UserText text={plan.title} as="one-line" />
      </span>
      <span className="plan-row-facts">
        <time title={plan.createdAt === 0 ? undefined : fullTime(plan.createdAt)}>
          {shortTime(plan.createdAt, Date.now()) ?? strings.notes.noTime}
        </time>
        {plan.missing ? <span className="plan-row-missing">{strings.plans.missing}</span> : null}
        {unsaved ? <span className="plan-row-unsaved">{strings.plans.unsaved}</span> : null}
      </span>
    </AriaButton>
  );
});
