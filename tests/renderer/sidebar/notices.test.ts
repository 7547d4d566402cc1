import { describe, expect, it } from 'vitest';
import { firstNotice } from '../../../renderer/sidebar/notices/first-notice.ts';
import { makeAgain } from '../../../renderer/sidebar/notices/make-again.ts';
import { texts } from '../../../renderer/sidebar/strings.ts';
import type { ContextNotice } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { note, openWindow, todo } from '../window.ts';

const notice = (id: string, kind: ContextNotice['kind'], at: number): ContextNotice => ({
  id,
  kind,
  at,
  backupId: null,
  planId: null,
  count: 2,
  items: [],
});

describe('the notice in the open', () => {
  it('is the newest about what another program replaced', () => {
    const notices = [notice('a', 'overwritten', 1), notice('b', 'displaced', 3), notice('c', 'merge', 9)];
    expect(firstNotice(notices)?.id).toBe('b');
    expect(firstNotice(notices.toReversed())?.id).toBe('b');
  });

  it('is the newest of all where nothing was replaced, and none where there is none', () => {
    expect(firstNotice([notice('a', 'merge', 1), notice('b', 'migration', 2)])?.id).toBe('b');
    expect(firstNotice([])).toBeNull();
  });
});

describe('making changes again', () => {
  const openTakenBack = () =>
    openWindow((store) => {
      const stored = store.of(CHATS);
      stored.todos = [todo('t1', 'deleted here')];
      stored.notices = [notice('taken', 'overwritten', 1)];
      stored.reverted.set('taken', (changed) => {
        changed.todos = [];
        changed.notes.unshift(note('n1', 'made here'));
        return 2;
      });
    });

  it('makes additions and deletions again, says how many, and the notice goes', async () => {
    using window = await openTakenBack();
    expect(await makeAgain(window.sidekeep, CHATS, 'taken', true)).toBe(true);
    const { view } = window.sidekeep.contexts.entry(CHATS);
    expect(view).toMatchObject({ todos: [], notes: [{ id: 'n1' }], notices: [] });
    expect(window.sidekeep.toasts.get().map(({ message }) => message)).toEqual([texts.notices.madeAgain(2)]);
  });

  it('leaves it to the earlier version where the changes are no longer known one by one', async () => {
    using window = await openTakenBack();
    window.store.of(CHATS).reverted.clear();
    expect(await makeAgain(window.sidekeep, CHATS, 'taken', true)).toBe(false);
    expect(window.sidekeep.toasts.get()).toEqual([]);
    expect(await makeAgain(window.sidekeep, CHATS, 'taken', false)).toBe(true);
    expect(window.sidekeep.toasts.get().at(-1)?.message).toMatch(/no longer known/);
    expect(window.sidekeep.saves.get()).toMatchObject({ running: 0, failures: [] });
  });
});
