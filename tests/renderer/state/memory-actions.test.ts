import { describe, expect, it } from 'vitest';
import { memoryTexts } from '../../../renderer/sidebar/memory/strings.ts';
import { memoryActions } from '../../../renderer/state/memory-actions.ts';
import { emptyFields } from '../../../renderer/state/memory-fields.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { type StoredMemory, titleOf } from '../memory/memory-entries.ts';
import { openWindow, settle, type TestWindow } from '../window.ts';

const nothing = (): void => {};

async function withMemory(...titles: string[]): Promise<TestWindow & { entries: StoredMemory[] }> {
  const window = await openWindow();
  await window.sidekeep.client.settings.update({ memoryEnabled: true });
  const entries = titles.map((title) => window.store.memories.add(CHATS, title, `Text of ${title}`));
  return Object.assign(window, { entries });
}

const titles = ({ store }: TestWindow): string[] => store.memories.stored(CHATS).entries.map(({ title }) => title);

describe('forgetting a memory', () => {
  it('is undone whole, with what it said before', async () => {
    using window = await withMemory('one', 'two');
    const [one] = window.entries;
    if (!one) throw new Error('no memory');
    one.versions = [{ title: 'once', body: 'earlier', replacedAt: 5 }];
    const before = structuredClone(one);
    expect(await memoryActions(window.sidekeep, CHATS).forget(titleOf(one), memoryTexts.undo)).toBe(true);
    expect(titles(window)).toEqual(['two']);
    expect(window.sidekeep.toasts.actOnNewest()).toBe(true);
    await settle();
    expect(window.store.memories.stored(CHATS).entries.find(({ id }) => id === one.id)).toEqual(before);
    expect(window.sidekeep.toasts.get().map(({ message }) => message)).toEqual([memoryTexts.undo.restored]);
  });

  it('offers the undo again when it failed, and not when it cannot help', async () => {
    using window = await withMemory('one');
    const [one] = window.entries;
    if (!one) throw new Error('no memory');
    await memoryActions(window.sidekeep, CHATS).forget(titleOf(one), memoryTexts.undo);
    window.store.failing.set('memory.restore', new Failure('io', 'The disk is full.'));
    window.sidekeep.toasts.actOnNewest();
    await settle();
    expect(window.sidekeep.toasts.get().at(-1)?.message).toContain('The disk is full.');
    window.store.failing.clear();
    window.sidekeep.toasts.actOnNewest();
    await settle();
    expect(titles(window)).toEqual(['one']);
    window.store.memories.stored(CHATS).trash = [];
    await memoryActions(window.sidekeep, CHATS).forget(titleOf(one), memoryTexts.undo);
    window.store.memories.stored(CHATS).trash = [];
    window.sidekeep.toasts.actOnNewest();
    await settle();
    expect(window.sidekeep.toasts.get().at(-1)?.action).toBeNull();
  });

  it('says in the save state that it failed, and leaves the memory', async () => {
    using window = await withMemory('one');
    const [one] = window.entries;
    if (!one) throw new Error('no memory');
    window.store.failing.set('memory.delete', new Failure('io', 'The disk is full.'));
    expect(await memoryActions(window.sidekeep, CHATS).forget(titleOf(one), memoryTexts.undo)).toBe(false);
    expect(titles(window)).toEqual(['one']);
    expect(window.sidekeep.saves.get().failures.map(({ error }) => error.message)).toEqual(['The disk is full.']);
    expect(window.sidekeep.toasts.get()).toEqual([]);
  });
});

describe('remembering', () => {
  const like = { title: 'Deploy days', body: 'Deploys happen every Tuesday morning', type: 'fact' } as const;
  const near = { ...like, title: 'Days deploy' };

  it('stores nothing while similar ones are there, until the person chose', async () => {
    using window = await withMemory();
    const act = memoryActions(window.sidekeep, CHATS);
    await act.create(like, null, nothing);
    const asked = await act.create(near, null, nothing);
    expect(asked).toMatchObject({ ok: true, value: { entry: null, similar: [{ title: like.title }] } });
    expect(titles(window)).toEqual([like.title]);
    await act.create(near, { beside: true }, nothing);
    expect(titles(window)).toEqual([near.title, like.title]);
    const [, first] = window.store.memories.stored(CHATS).entries;
    await act.create({ ...near, title: 'Instead' }, { replaces: first?.id ?? '' }, nothing);
    expect(titles(window)).toEqual(['Instead', near.title]);
    expect(window.store.memories.stored(CHATS).entries[0]?.versions[0]?.title).toBe(like.title);
  });

  it('keeps the words beside a failure, and tries again with what the form holds then', async () => {
    using window = await withMemory();
    let tries = 0;
    window.store.failing.set('memory.create', new Failure('io', 'The disk is full.'));
    await memoryActions(window.sidekeep, CHATS).create({ ...emptyFields, title: 'A', body: 'B' }, null, () => {
      tries += 1;
    });
    const [failure] = window.sidekeep.saves.get().failures;
    expect(failure?.text).toBe('A\n\nB');
    failure?.retry?.();
    expect(tries).toBe(1);
  });

  it('is not told to be ready when a context can be read again', async () => {
    using window = await withMemory();
    window.store.failing.set('memory.create', new Failure('malformed', 'Damaged.'));
    await memoryActions(window.sidekeep, CHATS).create({ ...emptyFields, title: 'A', body: 'B' }, null, nothing);
    window.sidekeep.saves.readable(CHATS);
    expect(window.sidekeep.saves.get().failures.map(({ ready }) => ready)).toEqual([false]);
  });
});

it('sends only what an edit changed, with the revision that was read', async () => {
  using window = await withMemory('one');
  const [one] = window.entries;
  if (!one) throw new Error('no memory');
  const act = memoryActions(window.sidekeep, CHATS);
  const before = { title: one.title, body: one.body, type: 'fact' } as const;
  const { revision } = titleOf(one);
  window.store.memories.changeOutside(CHATS, one.id, { body: 'changed elsewhere' });
  const refused = await act.update(one.id, before, { ...before, title: 'mine' }, revision, () => true);
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(window.sidekeep.saves.get().failures).toEqual([]);
  await act.update(one.id, before, { ...before, title: 'mine' }, titleOf(one).revision, () => true);
  expect(window.store.memories.stored(CHATS).entries[0]).toMatchObject({ title: 'mine', body: 'changed elsewhere' });
});

it('answers that memory is off, as something to be told apart', async () => {
  using window = await openWindow();
  const answer = await window.sidekeep.client.memory.list({ ownerId: CHATS });
  expect(answer).toMatchObject({ ok: false, error: { code: 'not-found', detail: { disabled: true } } });
});

it('reads in the Mini Chat and changes nothing there', async () => {
  using window = await withMemory('one');
  const mini = window.connect('mini-chat');
  expect(await mini.client.memory.list({ ownerId: CHATS })).toMatchObject({ ok: true });
  expect(Object.keys(mini.client.memory).sort()).toEqual(['list', 'read']);
});
