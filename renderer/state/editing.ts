import type { ContextSnapshot } from '../../src/contract/index.ts';
import type { DraftStore } from './drafts.ts';
import {
  compositionEnded,
  compositionStarted,
  type EntryEdit,
  isChanged,
  keepMine,
  type Stored,
  seenOutside,
  startEdit,
  takeTheirs,
  typed,
} from './entry-edit.ts';
import { Store } from './store.ts';

export type EditableKind = 'note' | 'todo';

/** Key of an edit, and of the draft that keeps it over a restart. */
export const editKey = (projectId: string, kind: EditableKind, id: string): string => `${projectId}/${kind}:${id}`;

/**
 * The notes and todos that are being edited in this window. An edit lives here and not in its row, so that no change of a
 * list can end it (openchamber/openchamber#1429); only the person does, or an acknowledged save.
 */
export class EditingStore extends Store<ReadonlyMap<string, EntryEdit>> {
  readonly #drafts: DraftStore;

  constructor(drafts: DraftStore) {
    super(restored(drafts));
    this.#drafts = drafts;
  }

  edit(key: string): EntryEdit | undefined {
    return this.get().get(key);
  }

  start(key: string, base: Stored): void {
    if (!this.edit(key)) this.#put(key, startEdit(base));
  }

  type(key: string, text: string): void {
    const edit = this.#change(key, (edit) => typed(edit, text));
    if (!edit) return;
    if (isChanged(edit)) this.#drafts.write(key, text, edit.base);
    else this.#drafts.clear(key);
  }

  composition(key: string, composing: boolean): void {
    this.#change(key, composing ? compositionStarted : compositionEnded);
  }

  keepMine(key: string): void {
    const edit = this.#change(key, keepMine);
    if (edit) this.#drafts.write(key, edit.mine, edit.base);
  }

  takeTheirs(key: string): void {
    this.#change(key, takeTheirs);
    this.#drafts.clear(key);
  }

  /** The text is on its way, or came back. */
  saving(key: string, saving: boolean): void {
    this.#change(key, (edit) => ({ ...edit, saving }));
  }

  /** Ends an edit: it was saved, or the person gave it up. */
  end(key: string): void {
    this.#put(key, undefined);
    this.#drafts.clear(key);
  }

  /** The edits of one owner go to another id; their drafts follow by themselves. */
  follow(from: string, to: string): void {
    for (const [key, edit] of [...this.get()]) {
      if (!key.startsWith(`${from}/`)) continue;
      const target = to + key.slice(from.length);
      if (!this.edit(target)) this.#put(target, edit);
      this.#put(key, undefined);
    }
  }

  /** Compares each edit of this owner with what the main process has now. */
  reconcile(snapshot: ContextSnapshot): void {
    const prefix = `${snapshot.projectId}/`;
    for (const key of this.get().keys()) {
      if (key.startsWith(prefix)) this.#change(key, (edit) => seenOutside(edit, storedEntry(snapshot, key)));
    }
  }

  #change(key: string, change: (edit: EntryEdit) => EntryEdit): EntryEdit | undefined {
    const before = this.edit(key);
    if (!before) return undefined;
    const after = change(before);
    if (after !== before) this.#put(key, after);
    return after;
  }

  #put(key: string, edit: EntryEdit | undefined): void {
    const edits = new Map(this.get());
    if (edit) edits.set(key, edit);
    else edits.delete(key);
    this.set(edits);
  }
}

/** The kind and the id in a key. */
export function partsOf(key: string): { projectId: string; kind: EditableKind; id: string } | null {
  const match = /^([^/]+)\/(note|todo):([\s\S]+)$/.exec(key);
  return match ? { projectId: match[1] ?? '', kind: match[2] as EditableKind, id: match[3] ?? '' } : null;
}

function storedEntry(snapshot: ContextSnapshot, key: string): Stored | null {
  const parts = partsOf(key);
  if (parts?.kind === 'note') {
    const note = snapshot.notes.find((note) => note.id === parts.id);
    return note ? { text: note.body, revision: note.revision } : null;
  }
  const todo = snapshot.todos.find((todo) => todo.id === parts?.id);
  return todo ? { text: todo.text, revision: todo.revision } : null;
}

/** Edits that a reload or a crash interrupted. */
function restored(drafts: DraftStore): ReadonlyMap<string, EntryEdit> {
  const edits = new Map<string, EntryEdit>();
  for (const [key, draft] of drafts.get()) {
    if (partsOf(key) && draft.base) edits.set(key, { ...startEdit(draft.base), mine: draft.text });
  }
  return edits;
}
