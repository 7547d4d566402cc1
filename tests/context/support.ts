import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ContextStore, type ContextStoreOptions, openContextStore } from '../../src/context/index.ts';
import { applyContextChange } from '../../src/contract/context-change.ts';
import { checkEvent } from '../../src/contract/dispatch.ts';
import type { ContextSnapshot } from '../../src/contract/entities.ts';
import { type ErrorCode, type EventPayload, Failure } from '../../src/contract/index.ts';
import { temporaryFolder } from '../files/support.ts';

type ContextEvent = EventPayload<'context.changed'>;

/** A store over a folder of its own, and what a window would see of it. */
export interface Setup {
  store: ContextStore;
  root: string;
  /** Every event so far; each was checked against the contract. */
  events: ContextEvent[];
  /** What was reported: faults that harm no answer. */
  reports: string[];
  /** Path below the root. */
  path(...names: string[]): string;
  /** Text of a file below the root. */
  text(...names: string[]): Promise<string>;
  /** `projects/p1/context.json` as JSON. */
  stored(projectId?: string): Promise<Record<string, unknown>>;
  /** Writes `projects/<id>/context.json`. */
  put(content: unknown, projectId?: string): Promise<void>;
}

export const NOW = 1_750_000_000_000;

/** Opens a store; when the test ends it is closed and nothing may have been reported that the test did not take. */
export async function setUp(options: Partial<ContextStoreOptions> = {}): Promise<Setup> {
  const root = options.root ?? join(await temporaryFolder(), 'context');
  const events: ContextEvent[] = [];
  const reports: string[] = [];
  const report = (where: string, error: unknown): void => void reports.push(`${where}: ${error}`);
  const store = openContextStore({
    now: () => NOW,
    isKnownProject: () => true,
    // Waiting is for other programs; where a test plays one, it says so.
    sleep: () => Promise.resolve(),
    ...options,
    root,
    onEvent: (event) => {
      expect(checkEvent('context.changed', event, report)).toEqual(event);
      events.push(event);
      options.onEvent?.(event);
    },
    report,
  });
  onTestFinished(async () => {
    await store.dispose();
    expect(reports).toEqual([]);
  });
  const path = (...names: string[]): string => join(root, ...names);
  return {
    store,
    root,
    events,
    reports,
    path,
    text: (...names) => readFile(path(...names), 'utf8'),
    stored: async (projectId = 'p1') => JSON.parse(await readFile(path('projects', projectId, 'context.json'), 'utf8')),
    put: async (content, projectId = 'p1') => {
      await mkdir(path('projects', projectId, 'plans'), { recursive: true });
      const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
      await writeFile(path('projects', projectId, 'context.json'), text);
    },
  };
}

/** The sample folder of the tests, copied. */
export async function setUpSample(): Promise<Setup> {
  const root = join(await temporaryFolder(), 'context');
  await cp(join(import.meta.dirname, '../../e2e/fixtures/context'), root, { recursive: true });
  return setUp({ root });
}

/** One note, two todos and one plan, with its file. */
export async function setUpSmall(options: Partial<ContextStoreOptions> = {}): Promise<Setup> {
  const setup = await setUp(options);
  await setup.put(small);
  await writeFile(setup.path('projects', 'p1', 'plans', '1700000000-alpha.md'), '# Alpha\n\nbody\n');
  return setup;
}

export const small = {
  version: 2,
  notes: [{ id: 'n1', body: 'alpha', createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, source: 'manual' }],
  todos: [
    { id: 't1', text: 'one', completed: false, createdAt: 1_700_000_000_000 },
    { id: 't2', text: 'two', completed: true, createdAt: 1_700_000_000_001 },
  ],
  plans: [{ id: 'p1', file: '1700000000-alpha.md', title: 'Alpha', createdAt: 1_700_000_000_000 }],
};

export const p1 = { projectId: 'p1' };

/** The failure of a call, which must have this code. */
export async function failure(call: Promise<unknown>, code: ErrorCode): Promise<Failure> {
  const error = await call.then(
    (value) => expect.unreachable(`the call succeeded: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({ code });
  return error as Failure;
}

/** A window that shows one owner: it knows only its first snapshot and the events. */
export function window(setup: Setup, first: ContextSnapshot): () => ContextSnapshot {
  let shown = first;
  let taken = setup.events.length;
  return () => {
    for (const event of setup.events.slice(taken)) {
      if (event.kind !== 'change' || event.change.projectId !== first.projectId) continue;
      const next = applyContextChange(shown, event.change);
      if (next === null) return expect.unreachable('a change was missed');
      shown = next;
    }
    taken = setup.events.length;
    return shown;
  };
}
