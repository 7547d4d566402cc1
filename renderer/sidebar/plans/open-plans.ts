import { PlanSession } from '../../state/plan-session.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { drawn } from '../focus-after.ts';
import { PlanEditor } from './plan-editor.ts';

/** A plan that was opened in this window. */
export interface OpenPlan {
  readonly session: PlanSession;
  readonly editor: PlanEditor;
}

/** Plans without unsaved text beyond these are forgotten, the least recently used first. */
const KEPT = 20;

/** The plans of this window, the most recently used last. Each keeps its own undo history. */
const open = new Map<string, OpenPlan>();

/** The plan, opened now if it was not. */
export function openPlan(sidekeep: Sidekeep, ownerId: string, planId: string): OpenPlan {
  const key = `${ownerId}/${planId}`;
  const known = open.get(key);
  open.delete(key);
  const plan = known ?? create(sidekeep, ownerId, planId);
  open.set(key, plan);
  forgetOld();
  return plan;
}

/** Goes on typing below the heading of a plan that was just made, once it is shown; unless the person went elsewhere. */
export async function focusWhenReady({ session, editor }: OpenPlan): Promise<void> {
  if (session.get().phase === 'loading') {
    await new Promise<void>((resolve) => {
      const forget = session.subscribe(() => {
        if (session.get().phase === 'loading') return;
        forget();
        resolve();
      });
    });
  }
  await drawn();
  if (document.activeElement === document.body) editor.focusBody();
}

/** Forgets a plan that was deleted by the person. */
export function forgetPlan(ownerId: string, planId: string): void {
  const key = `${ownerId}/${planId}`;
  open.get(key)?.session.discard();
  open.get(key)?.session[Symbol.dispose]();
  open.delete(key);
}

/** Keeps and saves what is not saved in any open plan; for when the window is hidden or closed. */
export async function saveOpenPlans(): Promise<void> {
  const saves = [...open.values()].map(({ session }) => {
    session.keep();
    return session.save();
  });
  await Promise.all(saves);
}

function create(sidekeep: Sidekeep, ownerId: string, planId: string): OpenPlan {
  const editor = new PlanEditor({
    edited: () => session.edited(),
    compositionEnded: () => session.compositionEnded(),
    save: () => void session.save(),
  });
  const session = new PlanSession(sidekeep, ownerId, planId, editor);
  void session.open();
  return { session, editor };
}

function forgetOld(): void {
  for (const [key, { session }] of open) {
    if (open.size <= KEPT) return;
    const { unsaved, saving } = session.get();
    if (unsaved || saving) continue;
    session[Symbol.dispose]();
    open.delete(key);
  }
}
