import { describe, expect, it } from 'vitest';
import { DraftStore } from '../../../renderer/state/drafts.ts';
import { EditingStore, editKey } from '../../../renderer/state/editing.ts';
import {
  compositionEnded,
  compositionStarted,
  keepMine,
  seenOutside,
  startEdit,
  takeTheirs,
  typed,
} from '../../../renderer/state/entry-edit.ts';
import { CHATS } from '../memory/context.ts';
import { MemoryStorage, note, openWindow, todo } from '../window.ts';

const base = { text: 'alpha', revision: '1' };
const outside = { text: 'beta', revision: '2' };

describe('an edit whose entry changes outside', () => {
  it('follows while the person has typed nothing', () => {
    expect(seenOutside(startEdit(base), outside)).toMatchObject({ mine: 'beta', base: outside, theirs: null });
  });

  it('keeps both texts when the person has typed', () => {
    const edit = seenOutside(typed(startEdit(base), 'alpha!'), outside);
    expect(edit).toMatchObject({ mine: 'alpha!', base, theirs: outside });
    expect(keepMine(edit)).toMatchObject({ mine: 'alpha!', base: outside, theirs: null });
    expect(takeTheirs(edit)).toMatchObject({ mine: 'beta', base: outside, theirs: null });
  });

  it('goes on when only something else than the text changed, or both texts are the same', () => {
    const edit = typed(startEdit(base), 'mine');
    expect(seenOutside(edit, { text: 'alpha', revision: '3' })).toMatchObject({ mine: 'mine', theirs: null });
    expect(seenOutside(edit, { text: 'mine', revision: '4' })).toMatchObject({ base: { revision: '4' }, theirs: null });
  });

  it('has no conflict any more when the old text comes back', () => {
    const edit = seenOutside(typed(startEdit(base), 'mine'), outside);
    expect(seenOutside(edit, base).theirs).toBeNull();
  });

  it('keeps the text when the entry is deleted', () => {
    expect(seenOutside(typed(startEdit(base), 'mine'), null)).toMatchObject({ mine: 'mine', theirs: 'deleted' });
  });

  it('is not touched while an input method composes (ianstormtaylor/slate#2067)', () => {
    const composing = compositionStarted(startEdit(base));
    const during = seenOutside(composing, outside);
    expect(during).toMatchObject({ mine: 'alpha', base, theirs: null });
    expect(compositionEnded(typed(during, 'alphaに'))).toMatchObject({ mine: 'alphaに', theirs: outside });
    expect(compositionEnded(during)).toMatchObject({ mine: 'beta', base: outside });
    expect(compositionEnded(typed(seenOutside(composing, null), 'alphaに')).theirs).toBe('deleted');
  });
});

describe('edits of a window', () => {
  it('survive every change of the list, and their own entry going away', async () => {
    using window = await openWindow((store) => {
      store.of(CHATS).todos = [todo('t1', 'one'), todo('t2', 'two')];
    });
    const { store, sidekeep } = window;
    const key = editKey(CHATS, 'todo', 't1');
    const reconcile = () => {
      const { confirmed } = sidekeep.contexts.entry(CHATS);
      if (confirmed) sidekeep.editing.reconcile(confirmed);
    };
    const [first] = sidekeep.contexts.entry(CHATS).view?.todos ?? [];
    sidekeep.editing.start(key, { text: 'one', revision: first?.revision ?? '' });
    sidekeep.editing.type(key, 'one, renamed');
    for (let turn = 0; turn < 10; turn++) {
      store.change(CHATS, (stored) => stored.todos.reverse().push(todo(`new-${turn}`, 'new')));
      reconcile();
    }
    expect(sidekeep.editing.edit(key)).toMatchObject({ mine: 'one, renamed', theirs: null });
    store.change(CHATS, (stored) => {
      stored.todos = stored.todos.filter((entry) => entry.id !== 't1');
    });
    reconcile();
    expect(sidekeep.editing.edit(key)).toMatchObject({ mine: 'one, renamed', theirs: 'deleted' });
  });

  it('come back after a reload, still knowing what they are based on', async () => {
    const storage = new MemoryStorage();
    const key = editKey(CHATS, 'note', 'n1');
    using drafts = new DraftStore(storage, 'sidebar');
    const editing = new EditingStore(drafts);
    editing.start(key, base);
    editing.type(key, 'half a thou');
    drafts.flush();
    using again = new DraftStore(storage, 'sidebar');
    expect(new EditingStore(again).edit(key)).toMatchObject({ mine: 'half a thou', base });
    using window = await openWindow((store) => {
      store.of(CHATS).notes = [note('n1', 'changed meanwhile')];
    });
    const reopened = new EditingStore(again);
    reopened.reconcile(window.store.snapshot(CHATS));
    expect(reopened.edit(key)?.theirs).toMatchObject({ text: 'changed meanwhile' });
  });

  it('leave no draft behind when they end or go back to the stored text', () => {
    const storage = new MemoryStorage();
    using drafts = new DraftStore(storage, 'sidebar');
    const editing = new EditingStore(drafts);
    editing.start('p/note:n1', base);
    editing.type('p/note:n1', 'x');
    drafts.flush();
    expect(storage.entries.size).toBe(1);
    editing.type('p/note:n1', 'alpha');
    drafts.flush();
    expect(storage.entries.size).toBe(0);
  });
});
