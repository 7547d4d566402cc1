/** A text as the main process has it. */
export interface Stored {
  readonly text: string;
  readonly revision: string;
}

/** A note or a todo that is being edited in place. Every change of it is one of the functions below. */
export interface EntryEdit {
  /** What the person's text started from; a save names its revision. */
  readonly base: Stored;
  readonly mine: string;
  /** A change from outside that waits for a decision: the other text, or that the entry is gone. */
  readonly theirs: Stored | 'deleted' | null;
  /** An input method is composing: nothing may be written into the field. */
  readonly composing: boolean;
  /** What came from outside meanwhile; null is "deleted", undefined is "nothing". */
  readonly waiting: Stored | null | undefined;
  /** The text is on its way; the row shows it as if it were saved. */
  readonly saving: boolean;
}

export const startEdit = (base: Stored): EntryEdit => ({
  base,
  mine: base.text,
  theirs: null,
  composing: false,
  waiting: undefined,
  saving: false,
});

export const typed = (edit: EntryEdit, mine: string): EntryEdit => ({ ...edit, mine });

/** Whether there is anything to save. */
export const isChanged = (edit: EntryEdit): boolean => edit.mine !== edit.base.text;

/**
 * The edit after the entry was seen outside as `current` (null: it is gone). An untouched text follows; equal texts agree;
 * a change of anything but the text only moves the revision; everything else waits for the person. While an input method
 * composes, nothing happens until it has ended.
 */
export function seenOutside(edit: EntryEdit, current: Stored | null): EntryEdit {
  if (current !== null && current.revision === edit.base.revision) {
    return edit.theirs === null && edit.waiting === undefined ? edit : { ...edit, theirs: null, waiting: undefined };
  }
  if (edit.composing) return { ...edit, waiting: current };
  if (current === null) return edit.theirs === 'deleted' ? edit : { ...edit, theirs: 'deleted' };
  if (edit.mine === edit.base.text) return { ...edit, base: current, mine: current.text, theirs: null };
  if (current.text === edit.base.text || current.text === edit.mine) return { ...edit, base: current, theirs: null };
  if (typeof edit.theirs === 'object' && edit.theirs?.revision === current.revision) return edit;
  return { ...edit, theirs: current };
}

export const compositionStarted = (edit: EntryEdit): EntryEdit => ({ ...edit, composing: true });

export function compositionEnded(edit: EntryEdit): EntryEdit {
  const ended = { ...edit, composing: false, waiting: undefined };
  return edit.waiting === undefined ? ended : seenOutside(ended, edit.waiting);
}

/** The person's text stands; the next save replaces the other one knowingly. */
export const keepMine = (edit: EntryEdit): EntryEdit =>
  edit.theirs === null || edit.theirs === 'deleted' ? edit : { ...edit, base: edit.theirs, theirs: null };

/** The other text stands. */
export const takeTheirs = (edit: EntryEdit): EntryEdit =>
  edit.theirs === null || edit.theirs === 'deleted'
    ? edit
    : { ...edit, base: edit.theirs, mine: edit.theirs.text, theirs: null };
