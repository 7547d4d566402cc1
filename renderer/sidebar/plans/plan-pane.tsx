import { History, Save, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Plan } from '../../../src/contract/index.ts';
import { useContext, useSidekeep } from '../../state/hooks.ts';
import type { PlanSession } from '../../state/plan-session.ts';
import type { PlanView } from '../../state/plan-view.ts';
import { useStore } from '../../state/store.ts';
import { undoableDeletes } from '../../state/undo.ts';
import { IconButton } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { PinToggle } from '../../ui/knowledge/pin-toggle.tsx';
import { Loading } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { openDialog } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { BackToList } from './new-plan.tsx';
import { forgetPlan, openPlan } from './open-plans.ts';
import type { PlanEditor } from './plan-editor.ts';
import { PlanNotices } from './plan-notices.tsx';

/** The open plan. `plan` is null once it is no longer in the list; its text stays until another one is opened. */
export function PlanPane(props: { ownerId: string; planId: string; plan: Plan | null; readOnly: boolean }) {
  const { ownerId, planId, plan, readOnly } = props;
  const sidekeep = useSidekeep();
  const { session, editor } = useMemo(() => openPlan(sidekeep, ownerId, planId), [sidekeep, ownerId, planId]);
  const view = useStore(session);
  const { confirmed } = useContext(ownerId);
  const lastTitle = useRef('');
  if (plan) lastTitle.current = plan.title;
  const title = lastTitle.current;
  const locked = readOnly || view.readOnly !== null || view.phase !== 'ready';
  // A plan that the person is deleting is not one that was deleted elsewhere, though its removal is told before the answer.
  const [removing, setRemoving] = useState(false);
  useEffect(() => {
    if (confirmed && !removing) session.contextChanged(confirmed);
  }, [session, confirmed, removing]);
  useEffect(() => () => void session.save(), [session]);
  useEffect(() => editor.configure({ locked, name: strings.plans.editor(plainTitle(title)) }), [editor, locked, title]);
  const remove = async () => {
    setRemoving(true);
    // What was typed goes into the file, so that it comes back with the plan from wherever that is asked for.
    await session.save();
    session.keep();
    const unsaved = session.get().unsaved ? sidekeep.drafts.read(session.key) : null;
    const result = await undoableDeletes(sidekeep, strings.undo).plan(ownerId, planId, unsaved);
    if (!result.ok) return setRemoving(false);
    forgetPlan(ownerId, planId);
    navigation.openPlan(ownerId, null);
    void focusAfter(Promise.resolve(), () => document.querySelector('#new-entry'), sectionTab);
  };
  return (
    <section className="plan" aria-labelledby="plan-title">
      <header className="plan-head">
        <BackToList ownerId={ownerId} />
        <h2 id="plan-title" className="plan-title">
          <UserText text={title} as="one-line" />
        </h2>
        <PlanState view={view} />
        <IconButton
          label={strings.plans.save}
          shortcut={shortcutLabel('mod+S')}
          isDisabled={!view.unsaved || locked}
          onPress={() => void session.save()}
        >
          <Save size={16} aria-hidden="true" />
        </IconButton>
        {plan === null ? null : <PinToggle kind="plan" id={planId} />}
        <IconButton
          label={texts.planVersions.open}
          isDisabled={plan === null}
          onPress={() =>
            openDialog.set({ kind: 'plan-versions', ownerId, planId, title: plainTitle(title), versionId: null })
          }
        >
          <History size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={strings.plans.delete(plainTitle(title))}
          hint={strings.plans.deleteOpen}
          isDisabled={readOnly || plan === null}
          onPress={() => void remove()}
        >
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      </header>
      <PlanNotices ownerId={ownerId} title={title} session={session} view={view} />
      {view.phase === 'loading' ? (
        <div className="pane-state">
          <Loading rows={3} />
        </div>
      ) : null}
      <EditorPlace editor={editor} session={session} isHidden={view.phase === 'loading' || view.phase === 'failed'} />
    </section>
  );
}

function PlanState({ view }: { view: PlanView }) {
  const { plans } = strings;
  const text = view.saving ? plans.saving : view.unsaved ? plans.unsaved : view.phase === 'ready' ? plans.saved : '';
  return <span className={view.unsaved ? 'plan-state plan-state-unsaved' : 'plan-state'}>{text}</span>;
}

function EditorPlace({ editor, session, isHidden }: { editor: PlanEditor; session: PlanSession; isHidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session is another editor, and is mounted anew
  useEffect(() => (place.current ? editor.mount(place.current) : undefined), [editor, session]);
  return <div ref={place} className="plan-editor" hidden={isHidden} />;
}
