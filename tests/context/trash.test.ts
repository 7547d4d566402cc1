import { lstat, mkdir, readdir, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { mutate } from '../../src/context/commit.ts';
import { readDocument } from '../../src/context/document.ts';
import { deleteNote } from '../../src/context/note-changes.ts';
import { always } from '../../src/context/project-context.ts';
import { clearCompleted, deleteTodo } from '../../src/context/todo-changes.ts';
import { Trash, trashPlanFile } from '../../src/context/trash.ts';
import { type RemovedItem, removedFrom } from '../../src/context/trash-item.ts';
import { DeletedItem } from '../../src/contract/entities.ts';
import { type JsonObject, parseStored } from '../../src/files/json.ts';
import { writableList } from '../../src/files/stored-list.ts';
import { faultyFileSystem } from '../files/support.ts';
import { type Owner, setUpOwner } from './owner.ts';
import { failure, NOW, small } from './support.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What deleting these notes of a context takes out. */
function removedNotes(raw: JsonObject, ...ids: string[]): RemovedItem[] {
  const list = writableList(readDocument(raw, 0).notes);
  return ids.map((id) => removedFrom('note', list, [id]));
}

const note = (id: string, body = id): JsonObject => ({ id, body, createdAt: 1, updatedAt: 1, source: 'manual' });
const empty = readDocument({ version: 2 }, 0);
const contextOf = (...notes: JsonObject[]): JsonObject => ({ version: 2, notes });

const trashOf = ({ files, clock, reports }: Owner): Trash =>
  new Trash(
    files,
    () => clock.now,
    (where, error) => void reports.push(`${where}: ${error}`),
  );

describe('what was deleted', () => {
  test('is kept whole, with numbers that no double holds, for its person alone, and read again after a restart', async () => {
    const owner = await setUpOwner();
    const text =
      '{"notes":[{"id":"n","body":"b","big":123456789012345678901234567890,"tiny":1e-400,"__proto__":{"a":1}}]}';
    const [id = ''] = await trashOf(owner).keep(removedNotes(parseStored(Buffer.from(text), ''), 'n'));
    const [name = ''] = await owner.names('.sidekeep', 'trash');
    expect(name).toMatch(new RegExp(`^${NOW}-[0-9a-f]{12}\\.json$`));
    expect(id).toBe(`${name.slice(0, -5)}.0`);
    expect((await lstat(owner.path('.sidekeep', 'trash', name))).mode & 0o777).toBe(0o600);
    expect((await lstat(owner.path('.sidekeep', 'trash'))).mode & 0o777).toBe(0o700);
    const item = await trashOf(owner).read(id);
    expect(item).toMatchObject({
      id,
      kind: 'note',
      deletedAt: NOW,
      entries: [{ index: 0, after: null, before: null }],
    });
    expect(JSON.stringify(item.entries[0]?.raw)).toBe(text.slice(10, -2));
  });

  test('is on the disk before it leaves the list', async () => {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    await owner.put(small, 'context.json');
    const before = await owner.text('context.json');
    fileSystem.fault = (call, _index, path) =>
      call === 'link' && path.includes('.sidekeep/trash') ? { code: 'EIO' } : null;
    await failure(
      mutate(owner.context, (newest) => deleteNote(newest, { noteId: 'n1' })),
      'io',
    );
    expect(await owner.text('context.json')).toBe(before);
    fileSystem.fault = (call, _index, path) =>
      call === 'handle.sync' && path.includes('.context.json') ? { code: 'EIO' } : null;
    await failure(
      mutate(owner.context, (newest) => deleteNote(newest, { noteId: 'n1' })),
      'io',
    );
    expect(await owner.text('context.json')).toBe(before);
    const document = await owner.context.load({ migrate: always, plans: false });
    expect(await owner.context.trash.list(document)).toEqual([]);
  });

  test('is one file for all that one commit deletes', async () => {
    const owner = await setUpOwner();
    const ids = await trashOf(owner).keep(removedNotes(contextOf(note('a'), note('b')), 'a', 'b'));
    expect(await owner.names('.sidekeep', 'trash')).toHaveLength(1);
    expect(ids.map((id) => id.slice(-2))).toEqual(['.0', '.1']);
    expect(await trashOf(owner).read(ids[1] ?? '')).toMatchObject({ entries: [{ raw: note('b'), after: 'a' }] });
    expect(await trashOf(owner).keep([])).toEqual([]);
    expect(await owner.names('.sidekeep', 'trash')).toHaveLength(1);
  });

  test('can be nested as deeply as its own file allows', async () => {
    const owner = await setUpOwner();
    const deep = `${'['.repeat(497)}${']'.repeat(497)}`;
    const raw = parseStored(Buffer.from(`{"notes":[{"id":"n","body":"b","deep":${deep}}]}`), '');
    const [id = ''] = await trashOf(owner).keep(removedNotes(raw, 'n'));
    expect(JSON.stringify((await trashOf(owner).read(id)).entries[0]?.raw)).toContain(deep);
  });

  test('that is taken back because the change was not made is gone', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const ids = await trash.keep(removedNotes(contextOf(note('a'), note('b')), 'a', 'b'));
    await trash.discard(ids);
    expect(await owner.names('.sidekeep', 'trash')).toEqual([]);
    await trash.discard(ids);
  });
});

describe('where something stood', () => {
  test('is told by the shown entries beside it and by its place among all', () => {
    const odd = { id: 'odd', body: ' ' };
    const list = writableList(readDocument({ notes: [odd, note('a'), 17, note('b'), note('c'), odd] }, 0).notes);
    expect(removedFrom('note', list, ['c', 'a'])).toEqual({
      kind: 'note',
      entries: [
        { raw: note('a'), index: 1, after: null, before: 'b' },
        { raw: note('c'), index: 4, after: 'b', before: null },
      ],
    });
  });

  test('is told of a plan with its file, and with whether another link names that', () => {
    const plans = [
      { id: 'a', file: 'A.md' },
      { id: 'b', file: 'b.md' },
      { id: 'c', file: 'a.md' },
    ];
    const list = writableList(readDocument({ plans }, 0).plans);
    expect(removedFrom('plan', list, ['b'])).toMatchObject({ file: 'b.md', entries: [{ after: 'a', before: 'c' }] });
    expect(removedFrom('plan', list, ['b']).shared).toBeUndefined();
    expect(removedFrom('plan', list, ['c'])).toMatchObject({ file: 'a.md', shared: true });
  });
});

describe('the list of what can come back', () => {
  test('is newest first and within the contract', async () => {
    const owner = await setUpOwner();
    await owner.put(small, 'context.json');
    await mutate(owner.context, (newest) => deleteNote(newest, { noteId: 'n1' }));
    owner.clock.now += 5;
    await mutate(owner.context, clearCompleted);
    owner.clock.now += 5;
    await mutate(owner.context, (newest) => deleteTodo(newest, { todoId: 't1' }));
    const items = await owner.context.trash.list(await owner.context.load({ migrate: always, plans: false }));
    expect(items).toMatchObject([
      { kind: 'todos', title: 'one', count: 1, deletedAt: NOW + 10, expiresAt: NOW + 10 + 30 * DAY },
      { kind: 'todos', title: 'two', count: 1 },
      { kind: 'note', title: 'alpha', count: 1, deletedAt: NOW },
    ]);
    for (const item of items) expect(DeletedItem.parse(item)).toEqual(item);
    expect(await owner.context.trash.list(empty)).toEqual(items);
  });

  test('leaves out what is in the lists again, also when only a crash left it there', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const raw = contextOf(note('a'), note('b'));
    await trash.keep(removedNotes(raw, 'a'));
    expect(await trash.list(readDocument(raw, 0))).toEqual([]);
    expect(await trash.list(readDocument(contextOf(note('b')), 0))).toHaveLength(1);
    // The same id in another list is another entry.
    expect(await trash.list(readDocument({ todos: [{ id: 'a', text: 'a' }] }, 0))).toHaveLength(1);
  });

  test('shows of one entry what was deleted last, and counts of many those that would come back', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const todos = ['a', 'b', 'c', 'd'].map((id) => ({ id, text: `text ${id}`, completed: true }));
    const list = writableList(readDocument({ todos }, 0).todos);
    const [batch] = await trash.keep([removedFrom('todos', list, ['a', 'b', 'c', 'd'])]);
    const newer = writableList(readDocument({ todos: [{ id: 'b', text: 'newer' }] }, 0).todos);
    const [single] = await trash.keep([removedFrom('todos', newer, ['b'])]);
    const now = readDocument({ todos: [{ id: 'a', text: 'a' }] }, 0);
    expect(await trash.list(now)).toMatchObject([
      { id: single, title: 'newer', count: 1 },
      { id: batch, title: 'text c', count: 2 },
    ]);
  });

  test('keeps its order when the clock jumps back', async () => {
    const owner = await setUpOwner();
    const [first] = await trashOf(owner).keep(removedNotes(contextOf(note('a', 'older')), 'a'));
    owner.clock.now -= 60 * 60 * 1000;
    const trash = trashOf(owner);
    const [second] = await trash.keep(removedNotes(contextOf(note('a', 'newer')), 'a'));
    const [third] = await trash.keep(removedNotes(contextOf(note('b')), 'b'));
    const items = await trash.list(empty);
    expect(items.map((item) => item.id)).toEqual([third, second]);
    expect(items[1]?.title).toBe('newer');
    expect(first).toBeDefined();
  });

  test('is cut to one short line, at a character', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    await trash.keep(removedNotes(contextOf(note('a', `\n ${'x'.repeat(98)}\n😀 tail`)), 'a'));
    const [item] = await trash.list(empty);
    expect(item?.title).toBe(`${'x'.repeat(98)} `);
  });

  test('passes over files that cannot be read, says so once, and leaves strangers and links alone', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const [id] = await trash.keep(removedNotes(contextOf(note('a')), 'a'));
    const folder = owner.path('.sidekeep', 'trash');
    const damaged = `${folder}/${NOW}-aaaaaaaaaaaa.json`;
    await writeFile(damaged, '{"version":1,');
    await utimes(damaged, 1, 1);
    await writeFile(`${folder}/${NOW}-dddddddddddd.json`, '{"version":2,"items":[]}');
    await writeFile(`${folder}/notes.json`, 'a stranger');
    await mkdir(`${folder}/${NOW}-bbbbbbbbbbbb.json`);
    await writeFile(`${folder}/target`, await readFile(`${folder}/${id?.slice(0, -2)}.json`));
    await symlink(`${folder}/target`, `${folder}/${NOW}-cccccccccccc.json`);
    expect(await trash.list(empty)).toMatchObject([{ id }]);
    expect(owner.reports.splice(0)).toHaveLength(4);
    await new Promise((resolve) => setTimeout(resolve, 120));
    await trash.list(empty);
    await trash.list(empty);
    owner.reports.length = 0;
    await trash.list(empty);
    expect(owner.reports.splice(0).filter((report) => report.includes('damaged'))).toEqual([]);
    await failure(trash.read(`${NOW}-aaaaaaaaaaaa.0`), 'malformed');
    await failure(trash.read(`${NOW}-dddddddddddd.0`), 'newer-version');
    expect(await failure(trash.read(`${NOW}-cccccccccccc.0`), 'io')).toMatchObject({ detail: { reason: 'link' } });
  });

  test('passes over a single item that cannot be read', async () => {
    const owner = await setUpOwner();
    const good = removedNotes(contextOf(note('a')), 'a')[0];
    const items = [
      null,
      { kind: 'note', entries: [] },
      { kind: 'x' },
      { kind: 'plan', entries: [{}], file: '../x' },
      good,
    ];
    await owner.put({ version: 1, items }, '.sidekeep', 'trash', `${NOW}-aaaaaaaaaaaa.json`);
    const trash = trashOf(owner);
    expect(await trash.list(empty)).toMatchObject([{ id: `${NOW}-aaaaaaaaaaaa.4`, title: 'a' }]);
    await failure(trash.read(`${NOW}-aaaaaaaaaaaa.1`), 'not-found');
    await failure(trash.read(`${NOW}-aaaaaaaaaaaa.9`), 'not-found');
  });

  test('is not looked for through a link, and is empty where there is none', async () => {
    const owner = await setUpOwner();
    expect(await trashOf(owner).list(empty)).toEqual([]);
    expect(await trashOf(owner).purge()).toBe(0);
    expect(await owner.names('.sidekeep')).toEqual([]);
    await mkdir(owner.path('elsewhere'));
    await mkdir(owner.path('.sidekeep'));
    await symlink(owner.path('elsewhere'), owner.path('.sidekeep', 'trash'));
    expect(await failure(trashOf(owner).list(empty), 'io')).toMatchObject({ detail: { reason: 'link' } });
    await failure(trashOf(owner).keep(removedNotes(contextOf(note('a')), 'a')), 'io');
    await failure(trashOf(owner).purge(), 'io');
    expect(await owner.names('elsewhere')).toEqual([]);
  });
});

describe('after 30 days', () => {
  test('nothing can come back, before it is removed for good and after', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const [id = ''] = await trash.keep(removedNotes(contextOf(note('a')), 'a'));
    owner.clock.now += 30 * DAY - 1;
    expect(await trash.list(empty)).toHaveLength(1);
    expect(await trash.purge()).toBe(0);
    owner.clock.now += 1;
    expect(await trash.list(empty)).toEqual([]);
    expect((await failure(trash.read(id), 'not-found')).message).toContain('30 days');
    expect(await trash.purge()).toBe(1);
    expect(await owner.names('.sidekeep', 'trash')).toEqual([]);
    await failure(trash.read(id), 'not-found');
    await failure(trash.read('../../context.0'), 'not-found');
  });

  test('documents of plans go as well, links as links, and no stranger', async () => {
    const owner = await setUpOwner();
    const trash = trashOf(owner);
    const folder = owner.path('.sidekeep', 'trash');
    await mkdir(folder, { recursive: true });
    await writeFile(owner.path('target'), 'text');
    await symlink(owner.path('target'), `${folder}/${NOW}-aaaaaaaaaaaa.1.md`);
    await writeFile(`${folder}/${NOW}-aaaaaaaaaaaa.0.md`, 'text');
    const strangers = [
      `${NOW}-AAAAAAAAAAAA.json`,
      `${NOW}-aaaaaaaaaaaa.txt`,
      'x.json',
      `9${'0'.repeat(15)}-aaaaaaaaaaaa.json`,
    ];
    for (const name of strangers) await writeFile(`${folder}/${name}`, '');
    await mkdir(`${folder}/${NOW}-bbbbbbbbbbbb.json`);
    await symlink(owner.path('target'), `${folder}/${NOW}-cccccccccccc.json`);
    owner.clock.now += 31 * DAY;
    expect(await trash.purge()).toBe(2);
    const left = [...strangers, `${NOW}-bbbbbbbbbbbb.json`, `${NOW}-cccccccccccc.json`].sort();
    expect((await readdir(folder)).sort()).toEqual(left);
    expect(await owner.text('target')).toBe('text');
  });

  test('one file that cannot be removed keeps no other one', async () => {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const trash = trashOf(owner);
    await trash.keep(removedNotes(contextOf(note('a')), 'a'));
    await trash.keep(removedNotes(contextOf(note('b')), 'b'));
    owner.clock.now += 31 * DAY;
    let failed = false;
    fileSystem.fault = (call) => {
      if (call !== 'unlink' || failed) return null;
      failed = true;
      return { code: 'EACCES' };
    };
    expect(await trash.purge()).toBe(1);
    expect(owner.reports.splice(0)).toHaveLength(1);
    expect(await trash.purge()).toBe(1);
  });
});

describe('the file of a deleted plan', () => {
  const id = `${NOW}-aaaaaaaaaaaa.0`;

  test('moves to the trash as it is', async () => {
    const owner = await setUpOwner();
    await owner.put(Buffer.from([0xff, 0x00, 0x0a]), 'plans', 'x.md');
    expect(await trashPlanFile(owner.files, 'x.md', id)).toBe(true);
    expect(await trashPlanFile(owner.files, 'x.md', id)).toBe(false);
    expect(await owner.names('plans')).toEqual([]);
    const read = await trashOf(owner).readPlan(id);
    expect(read).toMatchObject({ state: 'present', bytes: Buffer.from([0xff, 0x00, 0x0a]) });
  });

  test('that is a link moves as a link and is not read through', async () => {
    const owner = await setUpOwner();
    await owner.put('secret', 'target');
    await symlink(owner.path('target'), owner.path('plans', 'x.md'));
    expect(await trashPlanFile(owner.files, 'x.md', id)).toBe(true);
    expect(await readlink(await trashOf(owner).planPath(id))).toBe(owner.path('target'));
    expect(await trashOf(owner).readPlan(id)).toMatchObject({
      state: 'unknown',
      failure: { detail: { reason: 'link' } },
    });
    expect(await owner.text('target')).toBe('secret');
  });

  test('that is a folder stays, and nothing in the trash is written over', async () => {
    const owner = await setUpOwner();
    await mkdir(owner.path('plans', 'x.md'));
    await failure(trashPlanFile(owner.files, 'x.md', id), 'io');
    await owner.put('theirs', '.sidekeep', 'trash', `${id}.md`);
    await owner.put('text', 'plans', 'y.md');
    await failure(trashPlanFile(owner.files, 'y.md', id), 'io');
    expect(await owner.names('plans')).toEqual(['x.md', 'y.md']);
    expect(await owner.text('.sidekeep', 'trash', `${id}.md`)).toBe('theirs');
  });
});
