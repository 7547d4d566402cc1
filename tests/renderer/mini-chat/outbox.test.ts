import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftKey } from '../../../renderer/mini-chat/draft-keys.ts';
import { Outbox } from '../../../renderer/mini-chat/outbox.ts';
import { createSidekeep, type Sidekeep } from '../../../renderer/state/sidekeep.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS, emptyContext } from '../memory/context.ts';
import { MemoryStore } from '../memory/store.ts';
import { settle } from '../window.ts';

const KEY = draftKey(CHATS);
const STORED = `sidekeep.draft/mini-chat/${KEY}`;

class MapStorage {
  readonly values = new Map<string, string>();
  get length() {
    return this.values.size;
  }
  key = (index: number) => [...this.values.keys()][index] ?? null;
  getItem = (key: string) => this.values.get(key) ?? null;
  setItem = (key: string, value: string) => void this.values.set(key, value);
  removeItem = (key: string) => void this.values.delete(key);
}

let store: MemoryStore;
let storage: MapStorage;
let sidekeep: Sidekeep;
let outbox: Outbox;
let saved: string[];

beforeEach(async () => {
  store = new MemoryStore();
  storage = new MapStorage();
  sidekeep = createSidekeep(store.pair.connect('mini-chat'), 'mini-chat', storage);
  saved = [];
  outbox = new Outbox(sidekeep, (mode, count) => saved.push(`${count} ${mode}`));
  await sidekeep.contexts.load(CHATS);
});

afterEach(() => {
  sidekeep[Symbol.dispose]();
});

const type = (text: string) => sidekeep.drafts.write(KEY, text);
const typed = () => sidekeep.drafts.read(KEY).text;
const diskFull = () => new Failure('io', 'The disk is full. Free some space and try again.');

test('a saved text leaves the field, the storage and the outbox', async () => {
  type('/todo milk\n\nbread');
  await outbox.send(CHATS, 'note');
  expect(store.of(CHATS).todos.map(({ text }) => text)).toEqual(['milk', 'bread']);
  expect(saved).toEqual(['2 todo']);
  expect([typed(), storage.values.size, outbox.get().outgoing.length]).toEqual(['', 0, 0]);
});

test('a plan is its first line and the rest', async () => {
  type('# Release\n\n- one');
  await outbox.send(CHATS, 'plan');
  expect([...store.of(CHATS).files.values()]).toEqual(['# Release\n\n- one']);
});

test('a text on its way outlives a page that dies', async () => {
  store.before = () => new Promise(() => {});
  type('not acknowledged');
  void outbox.send(CHATS, 'note');
  const reborn = createSidekeep(store.pair.connect('mini-chat'), 'mini-chat', storage);
  expect(reborn.drafts.read(KEY).text).toBe('not acknowledged');
  reborn[Symbol.dispose]();
});

test('a text that was not saved is back in an empty field, and can be sent again', async () => {
  store.failing.set('notes.create', diskFull());
  type('/note keep me');
  await outbox.send(CHATS, 'todo');
  expect(typed()).toBe('/note keep me');
  expect(outbox.get()).toMatchObject({ outgoing: [], returned: { projectId: CHATS, error: { code: 'io' } } });
  expect(storage.getItem(STORED)).toContain('/note keep me');

  store.failing.clear();
  await outbox.send(CHATS, 'todo');
  expect(store.of(CHATS).notes.map(({ body }) => body)).toEqual(['keep me']);
  expect([typed(), outbox.get().returned]).toEqual(['', null]);
});

test('it never mixes with what was typed meanwhile', async () => {
  store.failing.set('todos.add', diskFull());
  type('first');
  const sent = outbox.send(CHATS, 'todo');
  type('second');
  await sent;
  expect(typed()).toBe('second');
  const [waiting] = outbox.get().outgoing;
  expect(waiting).toMatchObject({ text: 'first', mode: 'todo', error: { code: 'io' } });
  expect(storage.getItem(STORED)).toContain('first');

  store.failing.clear();
  await outbox.retry(waiting?.id ?? -1);
  expect(store.of(CHATS).todos.map(({ text }) => text)).toEqual(['first']);
  expect(typed()).toBe('second');
  expect(outbox.get().outgoing).toEqual([]);
  expect(storage.getItem(STORED)).not.toContain('first');
});

test('what waits can be put back, with the mode it was sent in', async () => {
  store.failing.set('todos.add', diskFull());
  type('first');
  const sent = outbox.send(CHATS, 'todo');
  type('x');
  await sent;
  type('');
  outbox.putBack(outbox.get().outgoing[0]?.id ?? -1);
  expect(typed()).toBe('/todo first');
  expect(outbox.get().outgoing).toEqual([]);
});

test('of several todos only those that were not saved come back', async () => {
  for (let index = 0; index < 499; index++) {
    store.of(CHATS).todos.push({ id: `t${index}`, text: 'full', completed: false, createdAt: 1 });
  }
  type('fits\ndoes not\nnor this');
  await outbox.send(CHATS, 'todo');
  expect(store.of(CHATS).todos.at(-1)?.text).toBe('fits');
  expect(typed()).toBe('/todo does not\nnor this');
  expect(outbox.get().returned?.error.code).toBe('limit');
  expect(saved).toEqual(['1 todo']);
  expect(storage.getItem(STORED)).not.toContain('fits');
});

test('what was not saved goes where its place is now', async () => {
  store.contexts.set('new', emptyContext());
  store.failing.set('todos.add', diskFull());
  type('first');
  const sent = outbox.send(CHATS, 'todo');
  type('second');
  await sent;
  await outbox.send(CHATS, 'todo');
  outbox.follow([{ from: CHATS, to: 'new' }]);
  expect(outbox.get()).toMatchObject({
    outgoing: [{ projectId: 'new', text: 'first' }],
    returned: { projectId: 'new' },
  });

  store.failing.clear();
  await outbox.retry(outbox.get().outgoing[0]?.id ?? -1);
  expect(store.of('new').todos.map(({ text }) => text)).toEqual(['first']);
  expect(typed()).toBe('second');
});

test('what is on its way while its place moves does not fall on what was typed there', async () => {
  store.failing.set('notes.create', diskFull());
  type('on its way');
  sidekeep.drafts.write(draftKey('new'), 'typed there');
  const sent = outbox.send(CHATS, 'note');
  outbox.follow([{ from: CHATS, to: 'new' }]);
  await sent;
  expect(outbox.get()).toMatchObject({ outgoing: [{ projectId: 'new', error: { code: 'io' } }], returned: null });
  expect([typed(), sidekeep.drafts.read(draftKey('new')).text]).toEqual(['', 'typed there']);
});

test('what was refused for a damaged file can be saved once the file is whole again', async () => {
  const stop = outbox.watch();
  store.damage(CHATS);
  type('first');
  const sent = outbox.send(CHATS, 'todo');
  type('second');
  await sent;
  await outbox.send(CHATS, 'todo');
  const mended = () => [outbox.get().outgoing[0]?.mended, outbox.get().returned?.mended];
  expect(mended()).toEqual([false, false]);
  store.change(CHATS, (stored) => Object.assign(stored, { damaged: false }), true);
  await settle();
  expect(mended()).toEqual([true, true]);
  store.damage(CHATS);
  await settle();
  expect(mended()).toEqual([false, false]);
  stop();
});

test('a change elsewhere says nothing about a disk that was full', async () => {
  const stop = outbox.watch();
  store.failing.set('notes.create', diskFull());
  type('keep me');
  await outbox.send(CHATS, 'note');
  store.change(CHATS, (stored) => void stored.todos.push({ id: 't1', text: 'x', completed: false, createdAt: 1 }));
  await settle();
  expect(outbox.get().returned?.mended).toBe(false);
  stop();
});
