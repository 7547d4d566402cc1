import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import { applyContextChange } from '../../src/contract/context-change.ts';
import type { EventPayload } from '../../src/contract/contract.ts';
import type { ContextSnapshot } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { mapBounded } from '../../src/files/index.ts';
import { type Fault, type FaultyFileSystem, faultyFileSystem, temporaryFiles } from '../files/support.ts';
import { NOW, p1, small } from './support.ts';

/** One attempt at a change over a folder of its own. */
export interface Trial {
  root: string;
  store: ContextStore;
  fileSystem: FaultyFileSystem;
  reports: string[];
  path(...names: string[]): string;
  /** Writes a file of the owner `p1`, outside the store. */
  put(content: unknown, ...names: string[]): Promise<void>;
  /** What a window shows that asked once, at the start, and heard every event since; null before it asked. */
  shown(): ContextSnapshot | null;
  /** Whether that window says that the context cannot be read. */
  isTroubled(): boolean;
  /** Lets a window ask. */
  show(): Promise<void>;
}

/** A change, with what has to be there before it. */
export interface Scenario {
  /** Prepares the folder, without faults, and answers what makes the change. */
  begin(trial: Trial): Promise<() => Promise<unknown>>;
  /** It is no one's wish but due: the next call does it again, so only what it leads to counts. */
  due?: boolean;
  /**
   * A note that another program's save is about: it has to be in the context, or in what was kept of it and told. As this
   * depends on the moment that a call fails at, it is no part of what has to be there before and after.
   */
  keeps?: string;
}

/** What a person would find: whole texts, and what is in the trash, without ids and times. */
export interface View {
  notes: unknown[];
  todos: unknown[];
  plans: unknown[];
  deleted: unknown[];
  /** Texts of damaged files, and the settings of the client. */
  files: string[];
}

/** A folder for many short-lived data folders: in memory where the system has such a place, for these tests sync a lot. */
export async function quickFolder(): Promise<string> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = await realpath(await mkdtemp(join(parent, 'sidekeep-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const PLAN = '1700000000-alpha.md';

/** The small context of the tests in a data folder, and a store over it whose calls to the disk can be made to fail. */
export async function openTrial(root: string): Promise<Trial> {
  const fileSystem = faultyFileSystem();
  const events: EventPayload<'context.changed'>[] = [];
  const reports: string[] = [];
  const store = openStore(root, {
    fileSystem,
    onEvent: (event) => void events.push(event),
    report: (where, error) => void reports.push(`${where}: ${error}`),
  });
  let shown: ContextSnapshot | null = null;
  let troubled = false;
  const path = (...names: string[]): string => join(root, 'projects', 'p1', ...names);
  const trial: Trial = {
    root,
    store,
    fileSystem,
    reports,
    path,
    put: async (content, ...names) => {
      await mkdir(path(...names, '..'), { recursive: true });
      await writeFile(path(...names), typeof content === 'string' ? content : JSON.stringify(content));
    },
    shown: () => {
      for (const event of events.splice(0)) {
        troubled = event.kind === 'problem';
        if (event.kind !== 'change') continue;
        const next = applyContextChange(shown, event.change);
        // Before it asked it has nothing that a change could stand on.
        if (next === null) expect(shown, 'a change was missed').toBeNull();
        shown = next;
      }
      return shown;
    },
    isTroubled: () => troubled,
    show: async () => {
      const context = await store.context.get(p1);
      events.length = 0;
      shown = context;
    },
  };
  await trial.put(small, 'context.json');
  await trial.put('# Alpha\n\nbody\n', 'plans', PLAN);
  return trial;
}

type StoreOptions = Parameters<typeof openContextStore>[0];

function openStore(root: string, options: Partial<StoreOptions>): ContextStore {
  return openContextStore({
    root,
    now: () => NOW,
    isKnownProject: () => true,
    sleep: () => Promise.resolve(),
    onEvent: () => undefined,
    report: (where, error) => expect.unreachable(`${where}: ${error}`),
    ...options,
  });
}

/** What a program that starts now would find; it moves no old data in. */
export async function viewOf(root: string): Promise<View> {
  const store = openStore(root, { isKnownProject: () => false });
  const files = await keptFiles(root);
  try {
    const context = await store.context.get(p1);
    const plans = await Promise.all(
      context.plans.map(async (plan) => {
        const text = plan.missing ? null : (await store.plans.read({ ...p1, planId: plan.id })).raw;
        return [plan.title, plan.pinned ?? false, text];
      }),
    );
    const { items } = await store.context.deleted(p1);
    return { ...partsOf(context), plans, deleted: items.map(({ kind, title, count }) => [kind, title, count]), files };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'malformed') throw error;
    return { notes: ['malformed'], todos: [], plans: [], deleted: [], files };
  } finally {
    await store.dispose();
  }
}

/** The same of what a window shows, as far as it goes. */
export function partsOf({ notes, todos, plans }: ContextSnapshot): Omit<View, 'deleted' | 'files'> {
  return {
    notes: notes.map((note) => [note.body, note.pinned ?? false]),
    todos: todos.map((todo) => [todo.text, todo.completed]),
    plans: plans.map((plan) => [plan.title, plan.pinned ?? false]),
  };
}

async function keptFiles(root: string): Promise<string[]> {
  const folder = join(root, 'projects', 'p1');
  const damaged = (await readdir(folder).catch(() => [])).filter((name) => name.includes('damaged'));
  const paths = [...damaged.map((name) => join(folder, name)), `${folder}.json`];
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)));
  return [...new Set(texts.filter((text) => text !== null))];
}

/** Which calls of a trial fail, by their place since the change began. */
export type Plan = { fault: Fault; from: number; last: number };

/** Names of the calls to the disk that a change makes when none fails, and what it leads to. */
export interface Course {
  calls: string[];
  /** What may be there when it is refused. */
  before: View;
  after: View;
}

/** Makes the change with no fault. */
export async function takeCourse(folder: string, scenario: Scenario): Promise<Course> {
  const trial = await openTrial(join(folder, 'course', 'data'));
  const run = await scenario.begin(trial);
  const before = without(await viewOf(trial.root), scenario.keeps);
  const start = trial.fileSystem.calls.length;
  const named: string[] = [];
  trial.fileSystem.fault = (call, _index, path) => {
    named.push(`${call} ${path.slice(trial.root.length).replaceAll(/[0-9a-f-]{6,}/g, '#')}`);
    return null;
  };
  await run();
  trial.fileSystem.fault = null;
  expect(named).toHaveLength(trial.fileSystem.calls.length - start);
  const after = without(await viewOf(trial.root), scenario.keeps);
  if (scenario.keeps !== undefined) await checkKept(trial, scenario.keeps, 'no fault');
  await trial.store.dispose();
  expect(trial.reports).toEqual([]);
  return { calls: named, before, after };
}

/** Makes the change while calls fail, and checks everything that has to hold whatever failed. */
export async function attempt(folder: string, name: string, scenario: Scenario, course: Course, plan: Plan) {
  const trial = await openTrial(join(folder, name, 'data'));
  const { fileSystem, store } = trial;
  const run = await scenario.begin(trial);
  const start = fileSystem.calls.length;
  const failed: string[] = [];
  fileSystem.fault = (call, index, path) => {
    if (index < start + plan.from || index > start + plan.last) return null;
    failed.push(`${call} ${path.slice(trial.root.length)}`);
    return plan.fault;
  };
  let warned = false;
  const outcome = await run().then(
    (value) => {
      warned = typeof (value as { warning?: unknown }).warning === 'string';
      return null;
    },
    (error: unknown) => error,
  );
  fileSystem.fault = null;
  const where = `${JSON.stringify(plan.fault)} from call ${plan.from} (${failed[0]}), then ${outcome}`;
  const single = plan.last === plan.from;
  const shown = trial.shown();
  if (outcome !== null) checkFailure(outcome, trial, where);
  checkReports(trial, where);
  let left = await viewOf(trial.root);
  if (!scenario.due) checkOutcome(without(left, scenario.keeps), course, outcome, single, where);
  // A single fault leaves the store able to look: then its windows know, or say that they cannot.
  if (single && shown !== null && !trial.isTroubled() && left.notes[0] !== 'malformed') {
    const { deleted: _deleted, files: _files, ...parts } = left;
    const plans = parts.plans.map((one) => (one as unknown[]).slice(0, 2));
    expect(partsOf(shown), `shown: ${where}`).toEqual({ ...parts, plans });
  }
  if (single) await checkLeftovers(trial, warned || isUnsure(outcome), where);
  if (scenario.due) {
    await run();
    left = await viewOf(trial.root);
    expect(left, `done at last: ${where}`).toEqual(course.after);
  }
  await checkNext(trial, left, where);
  // Where a file can have no second name nothing keeps what a rename replaces.
  const isKept = single && !(/^(?:link|lstat)/.test(failed[0] ?? '') && where.includes('EPERM'));
  if (scenario.keeps !== undefined && isKept) await checkKept(trial, scenario.keeps, where);
  await store.dispose();
  await rm(join(folder, name), { recursive: true });
}

/** Runs attempts side by side. */
export async function attemptAll(folder: string, scenario: Scenario, course: Course, plans: readonly Plan[]) {
  await mapBounded(plans, 4, async (plan) => {
    await attempt(folder, `${plans.indexOf(plan)}`, scenario, course, plan);
  });
}

function checkFailure(outcome: unknown, { root }: Trial, where: string): void {
  expect(outcome, where).toBeInstanceOf(Failure);
  const { message, code } = outcome as Failure;
  expect(code, where).toBe('io');
  // What happened and what to do: at least two sentences, and nothing of where it was.
  expect(message.match(/[.;] ?/g)?.length, `${where}: ${message}`).toBeGreaterThan(1);
  expect(message, where).not.toContain(root);
  expect(message, where).not.toMatch(/\/|secret|\bE[A-Z]{3,}\b/);
}

/** What is only reported is a fault of the disk as well, not one of the program. */
function checkReports({ reports }: Trial, where: string): void {
  for (const report of reports.splice(0)) {
    expect(report, where).toMatch(/: (?:Failure|Error: E[A-Z]+)/);
  }
}

function checkOutcome(left: View, { before, after }: Course, outcome: unknown, single: boolean, where: string): void {
  if (outcome === null) {
    expect(left, `acknowledged: ${where}`).toEqual(after);
    return;
  }
  // It says so when the change may have been made; and when even looking again fails, nobody can tell.
  if ((!single || isUnsure(outcome)) && JSON.stringify(left) === JSON.stringify(after)) return;
  // Where nothing can be removed any more, a damaged file may have two names.
  expect(single ? left : { ...left, files: before.files }, `refused: ${where}`).toEqual(before);
}

const isUnsure = (outcome: unknown): boolean =>
  outcome instanceof Failure && outcome.detail?.reason === 'not-confirmed';

/** @param unsure Whether a change may stand half way: a plan whose link is gone may then still have its file. */
async function checkLeftovers({ root, path }: Trial, unsure: boolean, where: string): Promise<void> {
  expect(await temporaryFiles(join(root, '..')), `temp files: ${where}`).toEqual([]);
  const text = await readFile(path('context.json'), 'utf8').catch(() => '');
  if (unsure || !text.includes('"plans"')) return;
  const stray = (await readdir(path('plans')).catch(() => [])).filter((name) => !text.includes(name));
  expect(stray, `files of no plan: ${where}`).toEqual([]);
}

const without = (view: View, body: string | undefined): View => ({
  ...view,
  notes: view.notes.filter((note) => (note as unknown[])[0] !== body),
});

async function checkKept({ store, path }: Trial, body: string, where: string): Promise<void> {
  const { notes, notices } = await store.context.get(p1);
  if (notes.some((note) => note.body === body)) return;
  const told = notices.map((notice) => notice.backupId).filter((id) => id !== null);
  const texts = await Promise.all(told.map((id) => readFile(path('.sidekeep', 'backups', `${id}.json`), 'utf8')));
  expect(texts.join('\n'), `kept: ${where}`).toContain(JSON.stringify(body));
}

/** The next call works, on top of what is there. */
async function checkNext({ path, store, reports, shown }: Trial, left: View, where: string): Promise<void> {
  if (left.notes[0] === 'malformed') return;
  await store.notes.create({ ...p1, body: 'the next one' });
  const stored = JSON.parse(await readFile(path('context.json'), 'utf8')) as { notes: { body: string }[] };
  const bodies = stored.notes.map((note) => note.body);
  expect(bodies[0], `the next call: ${where}`).toBe('the next one');
  for (const [body] of left.notes as [string][]) expect(bodies, where).toContain(body);
  expect(reports, where).toEqual([]);
  const window = shown();
  if (window === null) return;
  // A plan that could not be read is looked at again when it is asked for; of that the window hears as well.
  const context = await store.context.get(p1);
  expect(shown(), where).toEqual(context);
}
