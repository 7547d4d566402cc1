import { describe, expect, it } from 'vitest';
import { listed } from '../../../renderer/state/session-list.ts';
import { detailKey } from '../../../renderer/state/session-sync.ts';
import { Failure, type SessionRef } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { openWindow, settle, type TestWindow } from '../window.ts';

const ref = (id: string): SessionRef => ({ store: 'global', id });

/** A window over some sessions of Chats, `s0` the oldest, with their list loaded. */
async function withSessions(count: number): Promise<TestWindow> {
  const window = await openWindow(({ sessions }) => {
    for (let index = 0; index < count; index++) sessions.add(`s${index}`);
  });
  await window.sidekeep.sessions.load(CHATS);
  window.store.calls.length = 0;
  return window;
}

const ids = ({ sidekeep }: TestWindow): string[] => sidekeep.sessions.list(CHATS).rows.map(({ session }) => session.id);

describe('a list of sessions', () => {
  it('is loading before it was read, and failed when it could not be', async () => {
    using window = await openWindow(({ failing }) => {
      failing.set('sessions.list', new Failure('io', 'The disk did not answer.'));
    });
    const { sessions } = window.sidekeep;
    expect(sessions.list(CHATS)).toMatchObject({ isRead: false, problem: null });
    await sessions.load(CHATS);
    expect(sessions.list(CHATS)).toMatchObject({ isRead: false, problem: { code: 'io' } });
    window.store.failing.clear();
    await sessions.load(CHATS);
    expect(sessions.list(CHATS)).toMatchObject({ isRead: true, rows: [], total: 0, problem: null });
  });

  it('follows titles, activity, pins, what comes and what goes without being read again', async () => {
    using window = await withSessions(3);
    const { sessions } = window.store;
    expect(ids(window)).toEqual(['s2', 's1', 's0']);
    sessions.change(ref('s0'), { title: 'renamed', pinned: true });
    sessions.change(ref('s1'), { lastActivity: sessions.now() });
    const { row } = sessions.add('s3');
    sessions.push([row]);
    sessions.throwAway(ref('s2'));
    expect(ids(window)).toEqual(['s0', 's3', 's1']);
    const { rows, total } = window.sidekeep.sessions.list(CHATS);
    expect([rows[0]?.title, total]).toEqual(['renamed', 3]);
    expect(window.store.calls).toEqual([]);
  });

  it('loses a session that became another owner’s', async () => {
    using window = await withSessions(2);
    window.store.sessions.change(ref('s1'), { ownerId: 'path_other' });
    expect(ids(window)).toEqual(['s0']);
  });

  it('is read once after a gap, and takes what was pushed meanwhile', async () => {
    using window = await withSessions(2);
    const { sessions } = window.store;
    sessions.silent = true;
    sessions.change(ref('s0'), { title: 'unseen' });
    sessions.silent = false;
    sessions.change(ref('s1'), { title: 'seen' });
    sessions.change(ref('s1'), { title: 'pushed while asking' });
    await settle();
    const titles = window.sidekeep.sessions.list(CHATS).rows.map(({ title }) => title);
    expect(titles).toEqual(['pushed while asking', 'unseen']);
    expect(window.store.calls).toEqual(['sessions.list']);
  });

  it('does not let an answer that was made before a push take that push back', async () => {
    using window = await withSessions(1);
    const { store, sidekeep } = window;
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = store.sessions;
    const reading = sidekeep.sessions.load(CHATS);
    await settle();
    // The next reading is answered late, while pushes overtake it.
    store.before = () => gate;
    const second = sidekeep.sessions.load(CHATS);
    page.change(ref('s0'), { title: 'newest' });
    release();
    await Promise.all([reading, second]);
    expect(sidekeep.sessions.list(CHATS).rows[0]?.title).toBe('newest');
  });

  it('is read page by page to its end, each session once, while others move', async () => {
    using window = await withSessions(250);
    const { sidekeep, store } = window;
    expect(sidekeep.sessions.list(CHATS)).toMatchObject({ total: 250 });
    expect(ids(window)).toHaveLength(100);
    // One from beyond what was read comes to the top, one from the top goes.
    store.sessions.change(ref('s3'), { lastActivity: store.sessions.now() });
    store.sessions.throwAway(ref('s249'));
    while (sidekeep.sessions.list(CHATS).cursor !== null) await sidekeep.sessions.more(CHATS);
    const all = ids(window);
    expect([all.length, new Set(all).size, all[0]]).toEqual([249, 249, 's3']);
    expect(sidekeep.sessions.list(CHATS).total).toBe(249);
  });

  it('begins again when its cursor is void, as far as it was read', async () => {
    using window = await withSessions(250);
    const { sidekeep, store } = window;
    await sidekeep.sessions.more(CHATS);
    store.sessions.epoch += 1;
    await sidekeep.sessions.more(CHATS);
    expect(ids(window).length).toBeGreaterThanOrEqual(200);
    expect(sidekeep.sessions.list(CHATS).problem).toBeNull();
  });

  it('counts again when a session went that was not among its rows', async () => {
    using window = await withSessions(150);
    window.store.sessions.throwAway(ref('s1'));
    await settle();
    expect(window.sidekeep.sessions.list(CHATS).total).toBe(149);
  });

  it('keeps its rows when it cannot be read any more', async () => {
    using window = await withSessions(2);
    window.store.failing.set('sessions.list', new Failure('io', 'The disk did not answer.'));
    await window.sidekeep.sessions.load(CHATS);
    expect(ids(window)).toEqual(['s1', 's0']);
    expect(window.sidekeep.sessions.list(CHATS).problem?.code).toBe('io');
  });

  it('shows a rescued copy below the session that it is a copy of, and alone when that is not there', async () => {
    using window = await withSessions(2);
    const { sessions } = window.store;
    sessions.push([
      sessions.add('copy', { recoveryOf: 's0' }).row,
      sessions.add('stray', { recoveryOf: 'not there' }).row,
    ]);
    const shown = listed(window.sidekeep.sessions.list(CHATS).rows);
    expect(shown.map(({ row, isCopy }) => [row.session.id, isCopy])).toEqual([
      ['stray', true],
      ['s1', false],
      ['s0', false],
      ['copy', true],
    ]);
  });
});

describe('what is known of one session', () => {
  it('follows its row, and says when it is gone and when it is back', async () => {
    using window = await withSessions(1);
    const { sidekeep, store } = window;
    await sidekeep.sessions.loadDetail(ref('s0'));
    const entry = () => sidekeep.cache.getQueryData(detailKey(ref('s0')));
    store.sessions.change(ref('s0'), { title: 'live' });
    expect(entry()).toMatchObject({ detail: { row: { title: 'live' } }, isGone: false });
    const { store: key, name } = store.sessions.throwAway(ref('s0'));
    expect(entry()).toMatchObject({ isGone: true });
    await sidekeep.client.sessions.restore({ store: key, name });
    expect(entry()).toMatchObject({ isGone: false });
  });
});
