import { FileText, Plus } from 'lucide-react';
import { limits, type Plan } from '../../../src/contract/index.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { NEW_PLAN, navigation } from '../navigation.ts';
import { NewPlan } from './new-plan.tsx';
import { PlanList } from './plan-list.tsx';
import { PlanPane } from './plan-pane.tsx';

/** The plans of one owner: a list, and beside it (or in its place, where it is narrow) the open one. */
export function PlansSection({
  ownerId,
  plans,
  readOnly,
}: {
  ownerId: string;
  plans: readonly Plan[];
  readOnly: boolean;
}) {
  const openId = useStore(navigation).openPlans[ownerId] ?? null;
  const canCreate = !readOnly && plans.length < limits.plans;
  return (
    <div className={openId === null ? 'plans' : 'plans plans-open'}>
      <div className="plans-list">
        {canCreate ? (
          <div className="plans-new">
            <Button id="new-entry" onPress={() => navigation.openPlan(ownerId, NEW_PLAN)}>
              <Plus size={16} aria-hidden="true" />
              {strings.plans.new}
            </Button>
          </div>
        ) : null}
        {!readOnly && !canCreate ? <p className="plans-full">{strings.plans.limit(limits.plans)}</p> : null}
        <PlanList ownerId={ownerId} plans={plans} openId={openId} />
      </div>
      <div className="plans-detail">
        <Detail ownerId={ownerId} plans={plans} openId={openId} readOnly={readOnly} />
      </div>
    </div>
  );
}

function Detail(props: { ownerId: string; plans: readonly Plan[]; openId: string | null; readOnly: boolean }) {
  const { ownerId, plans, openId, readOnly } = props;
  if (openId === NEW_PLAN && !readOnly) return <NewPlan ownerId={ownerId} />;
  if (openId !== null && openId !== NEW_PLAN) {
    const plan = plans.find((candidate) => candidate.id === openId) ?? null;
    return <PlanPane key={openId} ownerId={ownerId} planId={openId} plan={plan} readOnly={readOnly} />;
  }
  return (
    <div className="pane-state">
      <State icon={FileText} title={plans.length === 0 ? strings.plans.emptyTitle : strings.common.plans}>
        {plans.length === 0 ? strings.plans.empty : strings.plans.noneOpen}
      </State>
    </div>
  );
}
