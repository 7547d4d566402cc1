import type { Project, SessionRow } from '../../src/contract/index.ts';
import type { Deletion, FolderChoice, FolderWithFiles } from '../state/chat-deletion.ts';
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
  | { readonly kind: 'session-held'; readonly row: SessionRow; readonly deletion: Deletion }
  /** The folder of a chat that is to be deleted holds files. */
  | {
      readonly kind: 'chat-folder';
      readonly row: SessionRow;
      readonly facts: FolderWithFiles;
      readonly onAnswer: (choice: FolderChoice) => void;
    }
  /** A project is to be chosen in which a chat goes on. */
  | { readonly kind: 'chat-project'; readonly row: SessionRow }
  | { readonly kind: 'session-trash' }
  | { readonly kind: 'session-report' }
  | { readonly kind: 'settings' }
  /** `owner` null: of all places. */
  | { readonly kind: 'forgotten'; readonly owner: Owner | null }
  /** The sessions of an owner, where the window is too narrow for the rail. */
  | { readonly kind: 'session-list'; readonly owner: Owner };

/** The dialog that is open; null for none. */
export const openDialog = new Store<OpenDialog | null>(null);

export const closeDialog = (): void => openDialog.set(null);

/**
 * Opens a dialog that is a question, and closes it with its answer. Resolves with null when it is closed without one, or
 * gives way to another dialog.
 */
export function ask<Answer>(question: (onAnswer: (answer: Answer) => void) => OpenDialog): Promise<Answer | null> {
  return new Promise((resolve) => {
    let given: Answer | null = null;
    const opened = question((answer) => {
      given = answer;
      closeDialog();
    });
    openDialog.set(opened);
    const stop = openDialog.subscribe(() => {
      if (openDialog.get() === opened) return;
      stop();
      resolve(given);
    });
  });
}

/** The owner that the main area shows, for shortcuts; null before the list of projects is there. */
export const shownOwner = new Store<Owner | null>(null);
