import { describe, expect, it } from 'vitest';
import { SessionFind } from '../../../renderer/state/session-find.ts';
import {
  endOf,
  firstOf,
  MOST_KEPT,
  PAGE,
  type SessionTranscript,
  unseen,
} from '../../../renderer/state/session-transcript.ts';
import { Failure, type SessionRef } from '../../../src/contract/index.ts';
import { message } from '../memory/session-store.ts';
import { openWindow, settle } from '../window.ts';

const session: SessionRef = { store: 'global', id: 's' };
const texts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => message('user', `text ${index + from}`));

/** A window with one session of so many messages, and its transcript, opened at the end. */
async function opened(count: number) {
  const window = await openWindow(({ sessions }) => void sessions.add('s', {}, texts(count)));
  const transcript = window.sidekeep.sessions.transcript(session);
  await transcript.goTo('end');
  return { window, transcript, sessions: window.store.sessions };
}

const contents = (transcript: SessionTranscript): string[] => transcript.get().messages.map(({ content }) => content);
const range = (transcript: SessionTranscript) => [firstOf(transcript.get()), endOf(transcript.get())];

describe('a transcript', () => {
  it('opens at its end, and follows what is recorded there', async () => {
    const { window, transcript, sessions } = await opened(100);
    expect(range(transcript)).toEqual([100 - PAGE, 100]);
    sessions.grow(session, texts(3, 100));
    await settle();
    expect(contents(transcript).slice(-3)).toEqual(['text 100', 'text 101', 'text 102']);
    expect(unseen(transcript.get())).toBe(0);
    window[Symbol.dispose]();
  });

  it('is read to both sides without a gap, and lets go of what is far away', async () => {
    const { window, transcript } = await opened(1000);
    for (let turn = 0; turn < 10; turn++) await transcript.earlier();
    expect(range(transcript), 'the end stays with whoever follows it').toEqual([1000 - MOST_KEPT, 1000]);
    transcript.read(1000 - MOST_KEPT, false);
    for (let turn = 0; turn < 10; turn++) await transcript.earlier();
    expect(range(transcript)).toEqual([1000 - MOST_KEPT - 10 * PAGE, 1000 - 10 * PAGE]);
    for (let turn = 0; turn < 20; turn++) await transcript.later();
    expect(range(transcript)).toEqual([1000 - MOST_KEPT, 1000]);
    const { messages } = transcript.get();
    expect(messages.every(({ index }, place) => index === 1000 - MOST_KEPT + place)).toBe(true);
    window[Symbol.dispose]();
  });

  it('counts what comes while the person reads elsewhere, and does not move them', async () => {
    const { window, transcript, sessions } = await opened(100);
    transcript.read(70, false);
    const before = contents(transcript);
    sessions.grow(session, texts(5, 100));
    await settle();
    expect(contents(transcript)).toEqual(before);
    expect(unseen(transcript.get())).toBe(5);
    await transcript.showEnd();
    expect([unseen(transcript.get()), endOf(transcript.get())]).toEqual([0, 105]);
    window[Symbol.dispose]();
  });

  it('is read anew, in the same place, when its messages are other ones', async () => {
    const { window, transcript, sessions } = await opened(300);
    await transcript.show(120);
    transcript.read(120, false);
    sessions.rewrite(session, texts(200, 5000));
    await settle();
    expect(transcript.get().total).toBe(200);
    expect(contents(transcript)).toContain('text 5120');
    expect(contents(transcript).some((text) => text === 'text 120')).toBe(false);
    window[Symbol.dispose]();
  });

  it('never mixes messages of two generations, also when they change while a page is on its way', async () => {
    const { window, transcript, sessions } = await opened(300);
    let isFirst = true;
    window.store.before = async (name) => {
      if (name !== 'sessions.page' || !isFirst) return;
      isFirst = false;
      sessions.rewrite(session, texts(300, 5000));
    };
    await transcript.earlier();
    await settle();
    expect(contents(transcript).every((text) => Number(text.slice(5)) >= 5000)).toBe(true);
    window[Symbol.dispose]();
  });

  it('keeps what it has when a page fails, and reads it when asked again', async () => {
    const { window, transcript } = await opened(200);
    window.store.failing.set('sessions.page', new Failure('io', 'The disk did not answer.'));
    await transcript.earlier();
    expect(transcript.get()).toMatchObject({ problem: { code: 'io' }, loading: null });
    expect(range(transcript)).toEqual([160, 200]);
    window.store.failing.clear();
    await transcript.earlier();
    expect(range(transcript)).toEqual([120, 200]);
    expect(transcript.get().problem).toBeNull();
    window[Symbol.dispose]();
  });

  it('reads to the end also where a page carries fewer messages than asked for', async () => {
    const window = await openWindow(({ sessions }) => {
      sessions.add(
        's',
        {},
        Array.from({ length: 30 }, () => message('user', 'x'.repeat(60_000))),
      );
    });
    const transcript = window.sidekeep.sessions.transcript(session);
    await transcript.goTo(0);
    transcript.read(0, false);
    while (endOf(transcript.get()) < 30) await transcript.later();
    expect(range(transcript)).toEqual([0, 30]);
    window[Symbol.dispose]();
  });

  it('says how far a long one has been gone through, and becomes complete', async () => {
    const { window, transcript, sessions } = await opened(500);
    sessions.count(session, 500);
    expect(transcript.get().complete).toBe(true);
    const long = await openWindow((store) => {
      store.sessions.add('s', {}, texts(500)).counted = 80;
    });
    const other = long.sidekeep.sessions.transcript(session);
    await other.goTo('end');
    expect(other.get()).toMatchObject({ total: 80, complete: false });
    long.store.sessions.count(session, 300);
    expect(other.get()).toMatchObject({ total: 300, complete: false, progress: { done: 300, total: 500 } });
    long.store.sessions.count(session, null);
    await settle();
    expect(other.get()).toMatchObject({ total: 500, complete: true, progress: null });
    expect(endOf(other.get())).toBe(500);
    window[Symbol.dispose]();
    long[Symbol.dispose]();
  });

  it('shows a message that this window recorded, once', async () => {
    const { window, transcript, sessions } = await opened(3);
    sessions.change(session, { ours: true });
    const miniChat = window.connect('mini-chat');
    const mine = miniChat.sessions.transcript(session);
    await mine.goTo('end');
    const result = await miniChat.client.sessions.append({ session, text: 'mine', messageId: 'one' });
    if (result.ok) mine.recorded(result.value);
    await settle();
    for (const each of [mine, transcript]) expect(contents(each)).toEqual(['text 0', 'text 1', 'text 2', 'mine']);
    window[Symbol.dispose]();
  });

  it('asks for nothing any more once it is let go', async () => {
    const { window, transcript, sessions } = await opened(3);
    transcript[Symbol.dispose]();
    window.store.calls.length = 0;
    sessions.grow(session, texts(1, 3));
    await settle();
    expect(window.store.calls).toEqual([]);
    window[Symbol.dispose]();
  });
});

describe('finding in a session', () => {
  it('begins near where the person reads, goes around, and counts', async () => {
    const { window } = await opened(50);
    const find = new SessionFind(window.sidekeep.client, session, null);
    await find.search('text 1', 15, 50);
    const { matches, at } = find.get();
    expect(matches.map(({ index }) => index)).toEqual([1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(matches[at ?? 0]?.index).toBe(15);
    for (let turn = 0; turn < 5; turn++) find.step(1);
    expect(find.get().at).toBe(0);
    find.step(-1);
    expect(find.get().at).toBe(10);
    window[Symbol.dispose]();
  });

  it('never shows the answer to an older text, and searches on in what comes later', async () => {
    const { window, sessions } = await opened(600);
    const find = new SessionFind(window.sidekeep.client, session, null);
    const older = find.search('text', 0, 600);
    await find.search('text 599', 0, 600);
    await older;
    expect(find.get()).toMatchObject({ query: 'text 599', isRunning: false });
    expect(find.get().matches.map(({ index }) => index)).toEqual([599]);
    sessions.grow(session, [message('user', 'text 599 again')]);
    await find.grown(601);
    expect(find.get().matches.map(({ index }) => index)).toEqual([599, 600]);
    await find.search('nowhere', 0, 601);
    expect(find.get()).toMatchObject({ matches: [], at: null, isRunning: false });
    window[Symbol.dispose]();
  });
});
