import type { CallError, ContextChange, ContextSnapshot, Result } from '../../src/contract/index.ts';
import type { Sidekeep } from './sidekeep.ts';

/** Something that is to be on the disk, as the person asked for it. */
export interface Save<Value> {
  /** Whose it is. */
  projectId: string;
  /** What it is about, for the save state: `note:<id>`, `todo:<id>`, `plan:<id>`, `new-note`, … */
  subject: string;
  /** Asks the main process. */
  call(): Promise<Result<Value>>;
  /** What was typed, for "copy text" beside a failure. */
  text?: string;
  /** Whether the same call may help later; by default yes, unless {@link isFinal}. */
  retry?: () => void;
  /** Whether it may be made again by itself, once what stood in its way is gone; by default not. */
  byItself?: boolean;
  /** Failures that something else shows, so that the status line need not. */
  handled?: (error: CallError) => boolean;
}

/** One change of a context. */
export interface Change<Value extends { context: ContextChange }> extends Save<Value> {
  /** What the person sees until the answer is there. */
  optimistic?: (snapshot: ContextSnapshot) => ContextSnapshot;
}

/**
 * Makes a change: shown at once, kept when acknowledged, taken back and reported in the save state when it fails.
 * Resolves always, with the call's own result.
 */
export async function makeChange<Value extends { context: ContextChange }>(
  sidekeep: Sidekeep,
  change: Change<Value>,
): Promise<Result<Value>> {
  const { contexts } = sidekeep;
  const takeBack = change.optimistic ? contexts.show(change.projectId, change.optimistic) : () => {};
  return save(sidekeep, {
    ...change,
    retry: change.retry ?? (() => void makeChange(sidekeep, change)),
    call: async () => {
      const result = await change.call();
      if (result.ok) contexts.accept(result.value.context);
      takeBack();
      return result;
    },
  });
}

/** Saves something and reports in the save state how that went. Resolves always, with the call's own result. */
export async function save<Value>(sidekeep: Sidekeep, wanted: Save<Value>): Promise<Result<Value>> {
  const { saves } = sidekeep;
  saves.started();
  const result = await wanted.call();
  if (result.ok) saves.succeeded(wanted.subject);
  else if (wanted.handled?.(result.error)) saves.ended(wanted.subject);
  else {
    const again = wanted.retry ?? (() => void save(sidekeep, wanted));
    saves.failed({
      subject: wanted.subject,
      projectId: wanted.projectId,
      error: result.error,
      text: wanted.text ?? null,
      retry: isFinal(result.error) ? null : again,
      byItself: wanted.byItself ?? false,
    });
  }
  return result;
}

/** Whether the same call would fail again for the same reason. */
export const isFinal = (error: CallError): boolean =>
  ['invalid', 'forbidden', 'too-large', 'newer-version', 'not-found', 'limit'].includes(error.code);
