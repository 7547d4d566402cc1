import { describe, expect, it } from 'vitest';
import { pinEntry } from '../../../renderer/state/knowledge-hooks.ts';
import { knowledgeTexts as texts } from '../../../renderer/ui/knowledge/strings.ts';
import { hostOf } from '../../../renderer/ui/transcript/items.ts';
import { Failure, type SessionRef } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { message } from '../memory/session-store.ts';
import { note, openWindow, type TestWindow } from '../window.ts';

const session: SessionRef = { store: 'global', id: 's' };

const opened = (): Promise<TestWindow> =>
  openWindow((store) => {
    store.of(CHATS).notes = [note('n1', 'alpha'), note('n2', 'beta')];
    store.sessions.add('s', { ownerId: CHATS, ours: true }, [message('user', 'hello')]);
  });

describe('pinning', () => {
  it('answers what is pinned then, and takes out again', async () => {
    using window = await opened();
    const pin = (id: string, pinned: boolean) =>
      pinEntry(window.sidekeep, { session, kind: 'note', id, pinned }, texts.notChanged);
    expect((await pin('n1', true))?.pins.map(({ title }) => title)).toEqual(['alpha']);
    expect((await pin('n2', true))?.pins.map(({ id }) => id)).toEqual(['n1', 'n2']);
    expect((await pin('n1', false))?.pins.map(({ id }) => id)).toEqual(['n2']);
  });

  it('says why it failed, and changes nothing', async () => {
    using window = await opened();
    window.store.failing.set('knowledge.pin', new Failure('in-use', 'Another program has it open.'));
    expect(
      await pinEntry(window.sidekeep, { session, kind: 'note', id: 'n1', pinned: true }, texts.notChanged),
    ).toBeNull();
    expect(window.sidekeep.toasts.get().map(({ message }) => message)).toEqual([
      texts.notChanged('Another program has it open.'),
    ]);
    expect(window.sidekeep.saves.get().failures).toEqual([]);
  });
});

describe('what goes with the next message', () => {
  const parts = (...kinds: ('note' | 'plan' | 'memory')[]) =>
    kinds.map((kind, index) => ({ kind, id: String(index), title: 't', told: 'whole' as const }));

  it('is said by kind and number', () => {
    expect(texts.line(parts('note', 'note', 'plan', 'memory'))).toBe(
      'Your next message also tells the session 2 notes, 1 plan, and the title of 1 memory.',
    );
    expect(texts.line(parts('memory', 'memory'))).toContain('the titles of 2 memories');
    expect(texts.line([])).toBeNull();
  });
});

describe('a message that nobody typed', () => {
  const digest = 'a'.repeat(64);

  it('is told apart from one of another program and from one of the person', () => {
    expect(hostOf(message('user', 'x', { origin: 'host', id: `told-${digest}-m1` }))).toBe('told');
    expect(hostOf(message('user', 'x', { origin: 'host', id: 'm1' }))).toBe('host');
    expect(hostOf(message('user', 'x', { origin: 'host', id: null }))).toBe('host');
    expect(hostOf(message('user', 'x', { id: `told-${digest}-m1` }))).toBeNull();
  });

  it('stands before the one that it goes with', async () => {
    using window = await opened();
    await pinEntry(window.sidekeep, { session, kind: 'note', id: 'n1', pinned: true }, texts.notChanged);
    const mini = window.connect('mini-chat');
    const answer = await mini.client.sessions.append({ session, text: 'and now?', messageId: 'm1' });
    expect(answer.ok && answer.value.told && hostOf(answer.value.told)).toBe('told');
    const page = await mini.client.sessions.page({ session });
    expect(page.ok && page.value.messages.map((each) => hostOf(each) ?? each.content)).toEqual([
      'hello',
      'told',
      'and now?',
    ]);
    expect(await mini.client.knowledge.owed({ session })).toMatchObject({ ok: true, value: { reason: null } });
  });
});
