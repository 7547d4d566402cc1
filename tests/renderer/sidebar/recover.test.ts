import { describe, expect, it } from 'vitest';
import { recover } from '../../../renderer/sidebar/recovery/recover.ts';
import { texts } from '../../../renderer/sidebar/strings.ts';
import { CHATS } from '../memory/context.ts';
import { backUp } from '../memory/recovery.ts';
import { note, openWindow, todo } from '../window.ts';

async function openDamaged() {
  const window = await openWindow((store) => {
    store.of(CHATS).notes = [note('n1', 'alpha')];
    store.of(CHATS).todos = [todo('t1', 'one')];
    backUp(store.of(CHATS), 'regular', 1_772_000_000_000);
  });
  window.store.damage(CHATS);
  return window;
}

const backupOf = (window: Awaited<ReturnType<typeof openWindow>>) => {
  const backup = window.store.of(CHATS).backups[0];
  if (!backup) throw new Error('no backup');
  return backup;
};

describe('recovering', () => {
  it('keeps showing what was known while the file is damaged, and then the version that was chosen', async () => {
    using window = await openDamaged();
    const entry = () => window.sidekeep.contexts.entry(CHATS);
    expect(entry()).toMatchObject({ view: { notes: [{ id: 'n1' }] }, problem: { code: 'malformed' } });
    expect(await recover(window.sidekeep, CHATS, backupOf(window), 'replace')).toBeNull();
    expect(entry()).toMatchObject({ view: { notes: [{ id: 'n1' }], todos: [{ id: 't1' }] }, problem: null });
    expect(window.sidekeep.toasts.get().at(-1)?.message).toMatch(/kept as context\.json\.damaged-\d+/);
  });

  it('starts empty where there is no version', async () => {
    using window = await openDamaged();
    expect(await recover(window.sidekeep, CHATS, null, 'replace')).toBeNull();
    expect(window.sidekeep.contexts.entry(CHATS)).toMatchObject({ view: { notes: [], todos: [] }, problem: null });
  });

  it('adds only what is missing, and says how much that was', async () => {
    using window = await openWindow((store) => {
      store.of(CHATS).notes = [note('n1', 'alpha'), note('n2', 'beta')];
      backUp(store.of(CHATS), 'overwritten', 1_772_000_000_000);
      store.of(CHATS).notes = [note('n1', 'changed')];
    });
    expect(await recover(window.sidekeep, CHATS, backupOf(window), 'merge')).toBeNull();
    expect(window.store.of(CHATS).notes.map(({ body }) => body)).toEqual(['changed', 'beta']);
    const said = texts.versions.added({ notes: 1, todos: 0, plans: 0 });
    expect(window.sidekeep.toasts.get().at(-1)?.message).toBe(said);
  });

  it('answers why it failed and changes nothing', async () => {
    using window = await openDamaged();
    const error = await recover(window.sidekeep, CHATS, { id: '1-regular', at: 1 }, 'replace');
    expect(error?.code).toBe('not-found');
    expect(window.sidekeep.contexts.entry(CHATS).problem?.code).toBe('malformed');
    expect(window.sidekeep.saves.get().failures).toEqual([]);
  });
});
