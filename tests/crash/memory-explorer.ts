import type { MemoryEntry } from '../../src/contract/entities.ts';
import type { FileSystem } from '../../src/files/index.ts';
import { type MemoryOwner, MemoryStore } from '../../src/memory/index.ts';
import { type CrashState, crashStates } from './crash-states.ts';
import { type DiskImage, imageOf } from './disk-image.ts';
import { refuseStrangers } from './explorer.ts';
import { DATA, firstDifference, Violation } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';

const START = 1_750_000_000_000;
const RESTART_MS = 60_000;
/** Most states at one position of a log. */
const LIMIT = 150;
const ENOUGH = 3;
const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

type Calls = MemoryStore['calls'];

/** One call of a scenario; it finds what is there by its title. */
export type MemoryStep = (ask: { calls: Calls; ownerId: MemoryOwner; idOf(title: string): Promise<string> }) => unknown;

export interface MemoryScenario {
  readonly name: string;
  readonly ownerId: MemoryOwner;
  readonly files?: Readonly<Record<string, string>>;
  /** One after the other; those of an inner list at once. */
  readonly steps: readonly (MemoryStep | readonly MemoryStep[])[];
  /** Something over the disk that is wrong on purpose. */
  readonly layer?: (disk: MemoryDisk) => FileSystem;
}

/** All that a person can see of a memory. */
interface View {
  entries: MemoryEntry[];
  deleted: string[];
}

export const steps = {
  create:
    (title: string, body: string): MemoryStep =>
    ({ calls, ownerId }) =>
      calls.create({ ownerId, title, body, type: 'fact', beside: true }, caller),
  update:
    (title: string, body: string): MemoryStep =>
    async ({ calls, ownerId, idOf }) =>
      calls.update({ ownerId, memoryId: await idOf(title), body }, caller),
  delete:
    (title: string): MemoryStep =>
    async ({ calls, ownerId, idOf }) =>
      calls.delete({ ownerId, memoryId: await idOf(title) }, caller),
  allow:
    (title: string): MemoryStep =>
    async ({ calls, ownerId, idOf }) => {
      const { id, revision } = await calls.read({ ownerId, memoryId: await idOf(title) }, caller);
      return calls.allow({ ownerId, memoryId: id, allowed: true, revision }, caller);
    },
  restore:
    (title: string): MemoryStep =>
    async ({ calls, ownerId }) => {
      const { items } = await calls.deleted({ ownerId }, caller);
      const item = items.find((one) => one.title === title);
      return calls.restore({ ownerId, trashId: item?.trashId ?? '' }, caller);
    },
};

/** Runs a scenario, then looks at every disk that a crash at any point of it may leave. */
export async function exploreMemory(scenario: MemoryScenario): Promise<{ distinct: number; violations: string[] }> {
  const { ownerId } = scenario;
  const files = Object.entries(scenario.files ?? {}).map(([path, content]) => [`${DATA}/${path}`, content]);
  const start = imageOf({ [DATA]: null, ...Object.fromEntries(files) });
  const disk = new MemoryDisk(start, START);
  const store = openMemory(disk, scenario.layer?.(disk) ?? disk);
  const marks = [{ begunAt: 0, acknowledgedAt: 0, image: disk.image() }];
  for (const step of scenario.steps) {
    const begunAt = disk.log.length;
    await Promise.all(
      [step].flat().map((one) => one({ calls: store.calls, ownerId, idOf: (title) => idOf(store, ownerId, title) })),
    );
    marks.push({ begunAt, acknowledgedAt: disk.log.length, image: disk.image() });
  }
  await store.dispose();
  const startMs = disk.now + RESTART_MS;
  const views: string[] = [];
  for (const { image } of marks) views.push(JSON.stringify(await inspect(image, ownerId, startMs)));

  const seen = new Set<string>();
  const distinct = new Set<string>();
  const violations: string[] = [];
  for (const state of crashStates(start, disk.born, disk.log, { limit: LIMIT, random: new Random(7) })) {
    const acknowledged = marks.filter(({ acknowledgedAt }) => acknowledgedAt <= state.position).length - 1;
    const key = `${state.hash} ${acknowledged}`;
    if (seen.has(key)) continue;
    seen.add(key);
    distinct.add(state.hash);
    const allowed = [views[acknowledged] ?? '', views[acknowledged + 1] ?? ''];
    const problem = await problemOf(state, {
      disk,
      ownerId,
      startMs,
      allowed,
      atOnce: scenario.steps.some(Array.isArray),
    });
    if (problem !== null)
      violations.push(`${scenario.name}: crash at ${state.position}; lost: ${state.lost || 'nothing'}\n  ${problem}`);
    if (violations.length >= ENOUGH) break;
  }
  return { distinct: distinct.size, violations };
}

interface Expected {
  disk: MemoryDisk;
  ownerId: MemoryOwner;
  startMs: number;
  /** What may be seen: the state after all that was acknowledged, and after one step more. */
  allowed: readonly string[];
  /** Whether steps ran side by side: then any part of the one step more may be there, each entry in one of its states. */
  atOnce: boolean;
}

async function problemOf(
  state: CrashState,
  { disk, ownerId, startMs, allowed, atOnce }: Expected,
): Promise<string | null> {
  try {
    refuseStrangers(state.image, disk);
    const found = await inspect(state.image, ownerId, startMs);
    if (allowed.includes(JSON.stringify(found))) return null;
    if (atOnce && allowed[1] && isBetween(found, JSON.parse(allowed[0] ?? '') as View, JSON.parse(allowed[1]) as View))
      return null;
    return firstDifference(JSON.stringify(found), allowed[0] ?? '') ?? 'it is another state';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** Whether each entry is as it was before or after, and nothing is in neither the list nor the trash. */
function isBetween(found: View, before: View, after: View): boolean {
  const known = new Set([...before.entries, ...after.entries].map((entry) => JSON.stringify(entry)));
  const there = new Set([...found.entries.map(({ title }) => title), ...found.deleted]);
  return (
    found.entries.every((entry) => known.has(JSON.stringify(entry))) &&
    before.entries.every(({ title }) => there.has(title)) &&
    before.deleted.every((title) => there.has(title))
  );
}

/** Opens a disk as after a crash, looks, writes, brings all back, and looks from another start. */
async function inspect(image: DiskImage, ownerId: MemoryOwner, startMs: number): Promise<View> {
  const disk = new MemoryDisk(image, startMs);
  const first = openMemory(disk, disk);
  const view = await viewOf(first, ownerId);
  await first.calls.create({ ownerId, title: 'further', body: 'one', type: 'fact', beside: true }, caller);
  for (const title of view.deleted)
    await steps.restore(title)({ calls: first.calls, ownerId, idOf: () => Promise.resolve('') });
  await first.dispose();
  const second = openMemory(disk, disk);
  const later = await viewOf(second, ownerId);
  await second.dispose();
  const titles = new Set(later.entries.map(({ title }) => title));
  for (const title of ['further', ...view.entries.map((entry) => entry.title), ...view.deleted]) {
    if (!titles.has(title)) throw new Violation(`“${title}” is gone at the next start`);
  }
  return view;
}

function openMemory(disk: MemoryDisk, fileSystem: FileSystem): MemoryStore {
  return new MemoryStore({
    root: DATA,
    fileSystem,
    isEnabled: () => true,
    isKnownOwner: () => true,
    now: () => disk.now,
    person: () => 'jo',
    sleep: () => Promise.resolve(),
    report: (where, error) => {
      throw new Error(`reported: ${where}`, { cause: error });
    },
  });
}

async function viewOf({ calls }: MemoryStore, ownerId: MemoryOwner): Promise<View> {
  const { entries } = await calls.list({ ownerId }, caller);
  const whole: MemoryEntry[] = [];
  for (const { id } of entries) whole.push(await calls.read({ ownerId, memoryId: id }, caller));
  const { items } = await calls.deleted({ ownerId }, caller);
  return { entries: whole, deleted: items.map(({ title }) => title).sort() };
}

async function idOf({ calls }: MemoryStore, ownerId: MemoryOwner, title: string): Promise<string> {
  const { entries } = await calls.list({ ownerId }, caller);
  const found = entries.find((entry) => entry.title === title);
  if (found === undefined) throw new Error(`there is no “${title}”`);
  return found.id;
}
