import { ArrowLeft } from 'lucide-react';
import { limits } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { useDraft, useSidekeep } from '../../state/hooks.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { composerKey, planTitleKey } from '../composer-keys.ts';
import { navigation } from '../navigation.ts';
import { focusWhenReady, openPlan } from './open-plans.ts';

/** The form of a new plan. What was typed is forgotten only when the plan is on disk. */
export function NewPlan({ ownerId }: { ownerId: string }) {
  const sidekeep = useSidekeep();
  const { drafts } = sidekeep;
  const [title, setTitle] = useDraft(planTitleKey(ownerId));
  const [body, setBody] = useDraft(composerKey(ownerId, 'plan'));
  const blank = title.text.trim() === '' && body.text.trim() === '';
  const create = async () => {
    if (drafts.read(planTitleKey(ownerId)).text.trim() + drafts.read(composerKey(ownerId, 'plan')).text.trim() === '')
      return;
    const sentTitle = drafts.send(planTitleKey(ownerId));
    const sentBody = drafts.send(composerKey(ownerId, 'plan'));
    const result = await actions(sidekeep).createPlan(ownerId, sentTitle.text, sentBody.text, () => void create());
    if (!result.ok) {
      sentTitle.restore();
      sentBody.restore();
      return;
    }
    sentTitle.acknowledge();
    sentBody.acknowledge();
    navigation.openPlan(ownerId, result.value.plan.id);
    void focusWhenReady(openPlan(sidekeep, ownerId, result.value.plan.id));
  };
  return (
    <section className="new-plan" aria-labelledby="new-plan-title">
      <header className="plan-head">
        <BackToList ownerId={ownerId} />
        <h2 id="new-plan-title" className="plan-title">
          {strings.plans.new}
        </h2>
      </header>
      <div className="new-plan-form">
        <TextField
          id="composer"
          label={strings.plans.newTitle}
          placeholder={strings.plans.newTitlePlaceholder}
          limit={limits.planTitle}
          autoFocus
          value={title.text}
          onChange={setTitle}
          onSubmit={() => void create()}
        />
        <TextArea
          label={strings.plans.newBody}
          showLabel
          placeholder={strings.plans.newBodyPlaceholder}
          limit={limits.planRaw - limits.planTitle - 4}
          rows={10}
          value={body.text}
          onChange={setBody}
          onSubmit={() => void create()}
        />
        <div className="dialog-actions">
          <Button kind="primary" isDisabled={blank} onPress={() => void create()}>
            {strings.plans.create}
            <kbd className="on-accent">{shortcutLabel('mod+Enter')}</kbd>
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Shown where the open plan stands in the place of the list. */
export function BackToList({ ownerId }: { ownerId: string }) {
  return (
    <span className="plans-back">
      <IconButton label={strings.plans.back} onPress={() => navigation.openPlan(ownerId, null)}>
        <ArrowLeft size={16} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
