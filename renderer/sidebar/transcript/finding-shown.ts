import { Store } from '../../state/store.ts';

/** Whether the search in the session that is shown is there. */
export const isFinding = new Store(false);

/** Shows the search in the session, or goes to it where it is shown; what was typed is typed over then. */
export function wantFind(): void {
  const field = document.querySelector<HTMLInputElement>('#session-find');
  if (field === null) isFinding.set(true);
  field?.focus();
  field?.select();
}
