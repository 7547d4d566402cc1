import type { CallError, ContextSnapshot } from '../../../src/contract/index.ts';
import { makeChange } from '../../state/changes.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { dayAndTime } from '../../ui/time.ts';
import { texts } from '../strings.ts';

/**
 * Goes back to an earlier version, or adds what it holds, and says what came of it.
 * @param backup null only puts a damaged file aside
 * @returns why it failed, for the caller to show; null when it is done
 */
export async function recover(
  sidekeep: Sidekeep,
  projectId: string,
  backup: { id: string; at: number } | null,
  mode: 'replace' | 'merge',
): Promise<CallError | null> {
  const { client, contexts, toasts } = sidekeep;
  const before = contexts.entry(projectId).confirmed;
  const result = await makeChange(sidekeep, {
    projectId,
    subject: 'recover',
    call: () => client.context.recover({ projectId, backupId: backup?.id ?? null, mode }),
    handled: () => true,
  });
  if (!result.ok) return result.error;
  const after = contexts.entry(projectId).confirmed;
  const { damaged } = result.value;
  if (damaged !== null || backup === null) toasts.show(texts.versions.recovered(damaged));
  else if (mode === 'merge') toasts.show(texts.versions.added(gained(before, after)));
  else toasts.show(texts.versions.wentBack(dayAndTime(backup.at)));
  return null;
}

/** How many entries there are now that were not there before. */
function gained(before: ContextSnapshot | null, after: ContextSnapshot | null) {
  const count = (list: 'notes' | 'todos' | 'plans'): number => {
    const known = new Set(before?.[list].map(({ id }) => id));
    return (after?.[list] ?? []).filter(({ id }) => !known.has(id)).length;
  };
  return { notes: count('notes'), todos: count('todos'), plans: count('plans') };
}
