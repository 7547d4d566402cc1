import type { CallError, ContextChange, ContextSnapshot, Result } from '../../src/contract/index.ts';
import type { Sidekeep } from './sidekeep.ts';

/** One change of a context, as the person asked for it. */
export interface Change<Value extends { context: ContextChange }> {
  projectId: string;
  /** What it is about, for the save state: `note:<id>`, `todo:<id>`, `plan:<id>`, `new-note`, … */
  subject: string;
  /** Asks the main process. */
  call(): Promise<Result<Value>>;
  /** What the person sees until the answer is there. */
  optimistic?: (snapshot: ContextSnapshot) => ContextSnapshot;
  /** What was typed, for "copy text" beside a failure. */
  text?: string;
  /** Whether the same call may help later; by default yes, unless {@link isFinal}. */
  retry?: () => void;
  /** Whether it may be made again by itself, once what stood in its way is gone; by default not. */
  byItself?: boolean;
  /** Failures that something else shows, so that the status line need not. */
  handled?: (error: CallError) => boolean;
}

/**
 * Makes a change: shown at once, kept when acknowledged, taken back and reported in the save state when it fails.
 * Resolves always, with the call's own result.
 */
export async function makeChange<Value extends { context: ContextChange }>(
  sidekeep: Sidekeep,
  change: Change<Value>,
): Promise<Result<Value>> {
  const { contexts, saves } = sidekeep;
  const takeBack = change.optimistic ? contexts.show(change.projectId, change.optimistic) : () => {};
  saves.started();
  const result = await change.call();
  if (result.ok) {
    contexts.accept(result.value.context);
    takeBack();
    saves.succeeded(change.subject);
    return result;
  }
  takeBack();
  if (change.handled?.(result.error)) saves.ended(change.subject);
  else {
    const again = change.retry ?? (() => void makeChange(sidekeep, change));
    saves.failed({
      subject: change.subject,
      projectId: change.projectId,
      error: result.error,
      text: change.text ?? null,
      retry: isFinal(result.error) ? null : again,
      byItself: change.byItself ?? false,
    });
  }
  return result;
}

/** Whether the same call would fail again for the same reason. */
export const isFinal = (error: CallError): boolean =>
  ['invalid', 'forbidden', 'too-large', 'newer-version', 'not-found', 'limit'].includes(error.code);
