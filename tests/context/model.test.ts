import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import { applyContextChange } from '../../src/contract/context-change.ts';
import type { EventPayload } from '../../src/contract/contract.ts';
import type { ContextSnapshot } from '../../src/contract/entities.ts';
import { quickFolder } from './fault-support.ts';
import { ContextModel, listsOf } from './model.ts';
import { allSteps, callOf, type Done, listSteps, make, type Refused, type Step } from './model-steps.ts';
import { p1, small } from './support.ts';

const CALLERS = 32;
const STEPS = 1000;

/** A store, what its windows show, and all that was asked of it. */
interface Run {
  root: string;
  store: ContextStore;
  first: ContextSnapshot;
  shown(): ContextSnapshot;
  done: Done[];
  refused: Refused[];
  perform(step: Step): Promise<void>;
}

async function begin(root: string): Promise<Run> {
  let shown: ContextSnapshot | null = null;
  const store = openContextStore({
    root,
    isKnownProject: () => true,
    onEvent: (event: EventPayload<'context.changed'>) => {
      if (event.kind === 'problem') throw new Error(event.error.message);
      const next = applyContextChange(shown, event.change);
      if (next === null || next.sequence !== (shown?.sequence ?? -1) + 1) throw new Error('a change was missed');
      shown = next;
    },
    report: (where, error) => expect.unreachable(`${where}: ${error}`),
  });
  const first = await store.context.get(p1);
  shown = first;
  const trash: { kind: string; trashId: string }[] = [];
  const run: Run = {
    root,
    store,
    first,
    shown: () => shown ?? first,
    done: [],
    refused: [],
    perform: async (step) => {
      const call = callOf(step, run.shown(), trash.slice(-40));
      if (call === null) return;
      const made = await make(store, call, run.shown);
      if ('failure' in made) {
        run.refused.push(made);
        return;
      }
      run.done.push(made);
      const { trashId } = made.result;
      if (typeof trashId === 'string') trash.push({ kind: call.call.split('.')[0] ?? '', trashId });
    },
  };
  return run;
}

/** Everything that was answered follows, in the order of its sequence, from what was there before. */
async function judge({ root, store, first, shown, done, refused }: Run): Promise<ContextModel> {
  const model = new ContextModel(first);
  const changed = done.filter(({ result: { context } }) => context.sequence !== context.base);
  changed.sort((left, right) => left.result.context.sequence - right.result.context.sequence);
  for (const one of changed) within(one, () => model.take(one));
  for (const one of done) if (!changed.includes(one)) within(one, () => model.takeUnchanged(one));
  for (const one of refused) within(one, () => model.checkRefusal(one));
  expect(model.snapshot).toEqual(shown());
  expect(await store.context.get(p1)).toEqual(shown());
  await store.dispose();
  await judgeDisk(root, model);
  return model;
}

/** What a program finds that starts now, and what stands in the file. */
async function judgeDisk(root: string, model: ContextModel): Promise<void> {
  const store = openContextStore({
    root,
    isKnownProject: () => true,
    onEvent: () => undefined,
    report: (where, error) => expect.unreachable(`${where}: ${error}`),
  });
  const { sequence: _sequence, ...context } = await store.context.get(p1);
  expect(listsOf(context)).toEqual(model.lists);
  expect(model.snapshot).toMatchObject({ ...context, plans: context.plans.map(({ id }) => ({ id })) });
  expect(context.plans.filter((plan) => plan.missing)).toEqual([]);
  await store.dispose();
  const stored = JSON.parse(await readFile(join(root, 'projects', 'p1', 'context.json'), 'utf8').catch(() => '{}'));
  expect(stored.todos?.map((todo: { id: string }) => todo.id) ?? []).toEqual(model.lists.todos.map((todo) => todo.id));
}

function within({ call, input }: Done | Refused, check: () => void): void {
  try {
    check();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${call} ${JSON.stringify(input)}: ${message}`, { cause: error });
  }
}

/** At once: a change that comes to nothing, and one that is based on the context as it is. */
const idleThenNew = [
  { kind: 'todos.move', pick: 1, other: 0, text: 'a', flag: true, based: 'nothing' } as const,
  { kind: 'notes.create', pick: 0, other: 0, text: 'a', flag: false, based: 'context' } as const,
].map((step) => ({ step, waits: false }));

test(`${CALLERS} callers of ${STEPS} changes each lose nothing, each is answered with its own change, in the order of the file`, {
  timeout: 600_000,
}, async () => {
  const run = await begin(join(await quickFolder(), 'context'));
  const seed = Date.now() % 2 ** 31;
  const steps = fc.sample(listSteps, { seed, numRuns: CALLERS * STEPS });
  const callers = Array.from({ length: CALLERS }, async (_value, caller) => {
    for (const step of steps.slice(caller * STEPS, (caller + 1) * STEPS)) await run.perform(step);
  });
  await Promise.all(callers);
  try {
    const model = await judge(run);
    // Most of it did something, and refusals are real ones.
    expect(run.done.length).toBeGreaterThan(CALLERS * STEPS * 0.6);
    expect(run.refused.length).toBeGreaterThan(100);
    expect(model.lists.notes.length + model.lists.todos.length).toBeGreaterThan(10);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
});

test('any few changes, some at once, plans and restarts among them, do what they do to the model', {
  timeout: 300_000,
}, async () => {
  const folder = await quickFolder();
  let count = 0;
  const action = fc.record({ step: allSteps, waits: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(action, { maxLength: 12 }), { maxLength: 4 }), async (lives) => {
      const root = join(folder, `${count++}`);
      await mkdir(join(root, 'projects', 'p1', 'plans'), { recursive: true });
      await writeFile(join(root, 'projects', 'p1', 'context.json'), JSON.stringify(small));
      await writeFile(join(root, 'projects', 'p1', 'plans', '1700000000-alpha.md'), '# Alpha\n');
      for (const life of lives) {
        const run = await begin(root);
        const begun: Promise<void>[] = [];
        for (const { step, waits } of life) {
          begun.push(run.perform(step));
          if (waits) await Promise.all(begun);
        }
        await Promise.all(begun);
        await judge(run);
      }
    }),
    { numRuns: 40, examples: [[[idleThenNew]]] },
  );
});
