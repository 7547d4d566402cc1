import type { CallError, Result } from '../../src/contract/index.ts';
import type { Sidekeep } from '../state/sidekeep.ts';

/**
 * Saves an edit: it is over once the main process has acknowledged it. On a failure the field comes back with its text;
 * a conflict and a deletion show themselves there.
 */
export async function saveEdit(
  sidekeep: Sidekeep,
  ownerId: string,
  editKey: string,
  save: (handled: (error: CallError) => boolean) => Promise<Result<{ clamped: boolean }>>,
): Promise<void> {
  const { editing, contexts } = sidekeep;
  editing.saving(editKey, true);
  const result = await save((error) => error.code === 'conflict' || error.code === 'not-found');
  if (result.ok) return editing.end(editKey);
  editing.saving(editKey, false);
  if (result.error.code !== 'conflict' && result.error.code !== 'not-found') return;
  const { confirmed } = await contexts.load(ownerId);
  if (confirmed) editing.reconcile(confirmed);
}
