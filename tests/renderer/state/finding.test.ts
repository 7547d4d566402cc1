import { afterEach, beforeEach, expect, test } from 'vitest';
import { Finding, isSettled, keyOfFound, MOST_FOUND } from '../../../renderer/state/finding.ts';
import { Failure, type FoundEntry } from '../../../src/contract/index.ts';
import { project } from '../memory/application.ts';
import { CHATS, emptyContext } from '../memory/context.ts';
import { MemoryStore } from '../memory/store.ts';
import { note, settle, todo } from '../window.ts';

const OTHER = 'path_other';

let store: MemoryStore;
let finding: Finding;

beforeEach(() => {
  store = new MemoryStore();
  store.of(CHATS).notes = [note('n1', 'alpha beta'), note('n2', 'alpha gamma')];
  store.of(CHATS).todos = [todo('t1', 'alpha todo'), todo('t2', 'alpha done', true)];
  store.of(CHATS).plans = [{ id: 'p1', file: 'p1.md', createdAt: 1 }];
  store.of(CHATS).files.set('p1.md', '# Plan\n\nabout alpha');
  store.contexts.set(OTHER, { ...emptyContext(), notes: [note('o1', 'alpha elsewhere')] });
  store.application.setProjects([project(OTHER, 'Other')]);
  finding = new Finding(store.pair.connect('mini-chat'));
});

afterEach(() => {
  expect(store.reports).toEqual([]);
});

const ids = () => finding.get().answer?.found.map(({ id }) => id);
const active = () => finding.get().answer?.found.find((found) => keyOfFound(found) === finding.get().active)?.id;
const searches = () => store.calls.filter((name) => name === 'context.find').length;

/** Holds searches back; each call of the result lets the oldest go on. */
function hold(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  store.before = async (name) => {
    if (name === 'context.find') await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return async () => {
    await settle();
    waiting.shift()?.();
    await settle();
  };
}

test('entries stand by section, with the first one active', async () => {
  finding.search(CHATS, ' alpha ');
  await settle();
  expect(ids()).toEqual(['n1', 'n2', 't1', 't2', 'p1']);
  expect(finding.get().answer?.counts).toEqual({ notes: 2, todos: 2, plans: 1 });
  expect(active()).toBe('n1');
  finding.step(-1);
  expect(active()).toBe('p1');
  finding.step(1);
  finding.step(1);
  expect(active()).toBe('n2');
});

test('a search of all projects finds the entries of each', async () => {
  finding.search(null, 'elsewhere');
  await settle();
  expect(finding.get().answer?.found.map(({ projectId }) => projectId)).toEqual([OTHER]);
});

test('typing asks once at a time, and the last words have the last word', async () => {
  const release = hold();
  for (const typed of ['a', 'al', 'alpha', 'alpha g']) finding.search(CHATS, typed);
  await settle();
  expect(searches()).toBe(1);
  await release();
  // That of the first letter shows until the next is there, and says that it is not the answer.
  expect(finding.get().answer?.search.query).toBe('a');
  expect(isSettled(finding.get())).toBe(false);
  await release();
  expect(searches()).toBe(2);
  expect(ids()).toEqual(['n2']);
  expect(isSettled(finding.get())).toBe(true);
});

test('an answer about another place, or to a search that was left, is not shown', async () => {
  const release = hold();
  finding.search(CHATS, 'alpha');
  finding.search(OTHER, 'alpha');
  await release();
  expect(finding.get().answer).toBe(null);
  await release();
  expect(ids()).toEqual(['o1']);
  finding.search(OTHER, 'else');
  finding.search(OTHER, '');
  await release();
  expect(finding.get()).toEqual({ search: null, answer: null, problem: null, active: null });
});

test('Enter waits for the answer to what was typed', async () => {
  const acted: string[] = [];
  const act = ({ id }: FoundEntry) => acted.push(id);
  finding.search(CHATS, 'alpha');
  await settle();
  const release = hold();
  finding.search(CHATS, 'alpha gamma');
  finding.act(act);
  expect(acted).toEqual([]);
  await release();
  expect(acted).toEqual(['n2']);

  // What is typed after Enter takes it back.
  finding.search(CHATS, 'alpha to');
  finding.act(act);
  finding.search(CHATS, 'alpha tod');
  await release();
  await release();
  expect(ids()).toEqual(['t1']);
  expect(acted).toEqual(['n2']);
});

test('a change of what is searched is followed, and the choice stays', async () => {
  const stop = finding.watch();
  finding.search(CHATS, 'alpha');
  await settle();
  finding.step(1);
  store.change(CHATS, (stored) => stored.notes.unshift(note('n0', 'alpha new')));
  await settle();
  expect(ids()).toEqual(['n0', 'n1', 'n2', 't1', 't2', 'p1']);
  expect(active()).toBe('n2');
  store.change(CHATS, (stored) => void stored.notes.splice(2, 1));
  await settle();
  expect(active()).toBe('n0');
  const before = searches();
  store.change(OTHER, (stored) => void stored.notes.splice(0, 1));
  stop();
  store.change(CHATS, (stored) => void stored.notes.splice(0, 1));
  await settle();
  expect(searches()).toBe(before);
});

test('a change during a search leads to one more', async () => {
  const stop = finding.watch();
  const release = hold();
  finding.search(CHATS, 'alpha');
  await settle();
  for (let index = 0; index < 5; index++)
    store.change(CHATS, (stored) => stored.notes.unshift(note(`x${index}`, 'alpha')));
  await release();
  await release();
  await settle();
  expect(searches()).toBe(2);
  expect(finding.get().answer?.counts.notes).toBe(7);
  stop();
});

test('a failure is told and can be repeated', async () => {
  store.failing.set('context.find', new Failure('io', 'The disk could not be read.'));
  finding.search(CHATS, 'alpha');
  await settle();
  expect(finding.get().problem?.message).toBe('The disk could not be read.');
  store.failing.clear();
  finding.again();
  await settle();
  expect(finding.get().problem).toBe(null);
  expect(active()).toBe('n1');
  // An unreadable disk is also reported for the person who looks after the program.
  expect(store.reports.splice(0)).toHaveLength(1);
});

test('many are counted and the first are shown; a long search is sent as far as it goes', async () => {
  store.of(CHATS).todos = Array.from({ length: 300 }, (_, index) => todo(`t${index}`, 'beta'));
  finding.search(CHATS, 'beta');
  await settle();
  expect(finding.get().answer?.counts.todos).toBe(300);
  expect(ids()).toHaveLength(MOST_FOUND);
  finding.search(CHATS, 'x'.repeat(900));
  await settle();
  expect(finding.get()).toMatchObject({ problem: null, answer: { found: [] } });
});
