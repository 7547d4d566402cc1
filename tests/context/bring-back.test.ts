import { expect, test } from 'vitest';
import { failure, p1, setUpSmall, small } from './support.ts';

test('what another program took back is made again: entries, texts, ticks and deletions', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  await store.context.get(p1);
  const { note } = await store.notes.create({ ...p1, body: 'made here' });
  await store.notes.delete({ ...p1, noteId: 'n1' });
  await store.todos.update({ ...p1, todoId: 't1', completed: true, text: 'edited here' });
  await store.todos.delete({ ...p1, todoId: 't2' });
  await setup.put(small);
  await store.refresh('p1');
  const { notices } = await store.context.get(p1);
  expect(notices).toMatchObject([{ kind: 'overwritten', count: 4 }]);
  const noticeId = notices[0]?.id ?? '';
  expect(await store.context.bringBack({ ...p1, noticeId })).toMatchObject({ changes: 4 });
  const context = await store.context.get(p1);
  expect(context.notes).toEqual([note]);
  expect(context.todos).toMatchObject([{ id: 't1', text: 'edited here', completed: true }]);
  expect(context.notices).toEqual([]);
  expect((await store.context.deleted(p1)).items.map(({ kind }) => kind).sort()).toEqual(['note', 'todos']);
  await failure(store.context.bringBack({ ...p1, noticeId }), 'not-found');
});

test('an entry that was changed once more since then stays as it is', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  await store.context.get(p1);
  await store.notes.update({ ...p1, noteId: 'n1', body: 'edited here' });
  await setup.put(small);
  await store.refresh('p1');
  const [notice] = (await store.context.get(p1)).notices;
  await setup.put({ ...small, notes: [{ ...small.notes[0], body: 'edited there' }] });
  expect(await store.context.bringBack({ ...p1, noticeId: notice?.id ?? '' })).toMatchObject({ changes: 0 });
  expect((await store.context.get(p1)).notes).toMatchObject([{ body: 'edited there' }]);
});

test('several that are missing come back in their order', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  await store.context.get(p1);
  for (const body of ['one', 'two', 'three']) await store.notes.create({ ...p1, body });
  await setup.put(small);
  await store.refresh('p1');
  const [notice] = (await store.context.get(p1)).notices;
  await store.context.bringBack({ ...p1, noticeId: notice?.id ?? '' });
  expect((await store.context.get(p1)).notes.map((note) => note.body)).toEqual(['three', 'two', 'one', 'alpha']);
});
