import type { Project, SessionRow } from '../../src/contract/index.ts';
import { Store } from '../state/store.ts';

/** Whose context a dialog is about. */
export interface Owner {
  readonly id: string;
  readonly title: string;
}

/** A dialog that can be opened from several places of the sidebar. */
export type OpenDialog =
  | { readonly kind: 'deleted'; readonly owner: Owner }
  /** `backupId`: the version to begin with; null: the newest that can be read. */
  | { readonly kind: 'versions'; readonly owner: Owner; readonly backupId: string | null }
  | {
      readonly kind: 'plan-versions';
      readonly ownerId: string;
      readonly planId: string;
      readonly title: string;
      /** The version to begin with; null: the newest. */
      readonly versionId: string | null;
    }
  | { readonly kind: 'relocate'; readonly project: Project }
  | { readonly kind: 'rename-session'; readonly row: SessionRow }
  /** Somebody has the session open that was to be deleted. */
  | { readonly kind: 'session-held'; readonly row: SessionRow }
  | { readonly kind: 'session-trash' }
  | { readonly kind: 'session-report' }
  | { readonly kind: 'settings' }
  /** The sessions of an owner, where the window is too narrow for the rail. */
  | { readonly kind: 'session-list'; readonly owner: Owner };

/** The dialog that is open; null for none. */
export const openDialog = new Store<OpenDialog | null>(null);

export const closeDialog = (): void => openDialog.set(null);

/** The owner that the main area shows, for shortcuts; null before the list of projects is there. */
export const shownOwner = new Store<Owner | null>(null);
