import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ContextSnapshot, DeletedItem } from '../../src/contract/entities.ts';
import { OWNER_FILE, temporaryOwner } from '../../src/files/index.ts';
import { quickFolder } from './fault-support.ts';
import { type Contents, Lane } from './kill-lane.ts';
import { bundle, type Program, StoreChild } from './store-child.ts';
import { NOW, p1 } from './support.ts';

const KILLS = 200;
/** Each on a folder of its own, one kill after the other. */
const FOLDERS = 2;
const LANES = 6;
/** Fast enough that what was deleted goes for good while this runs. */
const ROUND_MS = 10 * 24 * 60 * 60 * 1000;

/** Numbers below a limit that a seed decides. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return limit <= 0 ? 0 : Math.floor((state / 2 ** 32) * limit);
  };
}

async function contentsOf(child: StoreChild): Promise<Contents> {
  const [context, { items }] = await Promise.all([
    child.get<ContextSnapshot>('context.get', p1),
    child.get<{ items: DeletedItem[] }>('context.deleted', p1),
  ]);
  expect(context.plans.filter((plan) => plan.missing)).toEqual([]);
  const plans = await Promise.all(
    context.plans.map(async ({ id }) => {
      const { raw } = await child.get<{ raw: string }>('plans.read', { ...p1, planId: id });
      return { id, raw };
    }),
  );
  return { notes: context.notes, todos: context.todos, plans, deleted: items };
}

/** Kills a process some changes after its first, somewhere in the middle of the next ones. */
async function killAtWork(child: StoreChild, lanes: readonly Lane[], round: number, random: (limit: number) => number) {
  let left = random(25);
  const reached = new Promise<void>((resolve) => {
    child.onAnswer = () => {
      if (left-- <= 0) resolve();
    };
  });
  const running = Promise.all(lanes.map((lane) => lane.run(child, round)));
  await Promise.race([reached, running]);
  await delay(random(6));
  await child.kill();
  await running;
}

/** Kills one process after the other over one folder; answers how many changes were acknowledged. */
async function killAgainAndAgain(root: string, program: Program, kills: number, random: (limit: number) => number) {
  const lanes = Array.from({ length: LANES }, (_value, index) => new Lane(`L${index}`, random));
  let next = new StoreChild(root, { program });
  let child = next;
  onTestFinished(async () => {
    await Promise.all([child.kill(), next.kill()]);
  });
  for (let round = 0; round <= kills; round++) {
    child = next;
    if (round < kills) next = new StoreChild(root, { program });
    const where = `round ${round}`;
    const opening = child.ask('open', { now: NOW + round * ROUND_MS });
    // Some are killed while they take the folder over from the one before.
    if (round % 8 === 7) {
      await delay(random(25));
      await child.kill();
      continue;
    }
    const opened = await opening;
    expect(opened?.error, where).toBeUndefined();
    const contents = await contentsOf(child);
    for (const lane of lanes) lane.check(contents, round);
    expect(JSON.parse(await readFile(join(root, OWNER_FILE), 'utf8')), where).toMatchObject({ pid: child.process.pid });
    expect(child.reports, where).toEqual([]);
    if (round === kills) {
      await child.leave();
      break;
    }
    await killAtWork(child, lanes, round, random);
    expect(child.reports, where).toEqual([]);
    const text = await readFile(join(root, 'projects', 'p1', 'context.json'), 'utf8').catch(() => '{}');
    expect(() => JSON.parse(text), where).not.toThrow();
  }
  return lanes.reduce((sum, lane) => sum + lane.acknowledged, 0);
}

test(`after each of ${KILLS} kills at random moments every acknowledged change is there, and the others are whole or absent`, {
  timeout: 600_000,
}, async () => {
  const folder = await quickFolder();
  const program = await bundle(join(folder, 'program'));
  const seed = Date.now();
  const acknowledged = await Promise.all(
    Array.from({ length: FOLDERS }, async (_value, index) => {
      const root = join(folder, `root${index}`);
      await mkdir(root);
      const count = await killAgainAndAgain(root, program, KILLS / FOLDERS, randomOf(seed + index)).catch((error) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
      });
      // One that is killed in the moment of taking the folder leaves a temp file, which is swept when it is a day old.
      const names = (await readdir(root)).filter((name) => temporaryOwner(name) === null);
      expect(names).toEqual(['projects']);
      return count;
    }),
  );
  // Not a test of nothing: the kills hit processes at work.
  expect(Math.min(...acknowledged)).toBeGreaterThan(KILLS);
  console.log(`killed ${KILLS} times; ${acknowledged.join(' and ')} changes were acknowledged`);
});
