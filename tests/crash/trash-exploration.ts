import type { TrashedRef } from '../../src/contract/entities.ts';
import type { SessionTrash } from '../../src/sessions/trash.ts';
import { type CrashState, crashStates } from './crash-states.ts';
import type { DiskImage } from './disk-image.ts';
import { Violation } from './inspection.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';

/** Most states at one position, and of a second crash, which is played in every so many states. */
const LIMIT = 25;
const DEEP = 60;
const DEEP_LIMIT = 6;
/** Violations after which a scenario is broken enough. */
const ENOUGH = 5;

/** Something that is done to the trash, and where the session is when the program starts after it. */
export interface TrashStep<Place> {
  readonly name: string;
  readonly place: Place;
  readonly run: (trash: SessionTrash, kept: { item: TrashedRef | null }) => Promise<unknown>;
}

export interface TrashRun<Place> {
  readonly name: string;
  readonly start: DiskImage;
  readonly disk: MemoryDisk;
  readonly trash: SessionTrash;
  readonly steps: readonly TrashStep<Place>[];
  /** Where the session is before the first step. */
  readonly before: Place;
  /**
   * Looks at a disk as a crash left it, starts the program on it and looks again.
   *
   * @param running Name of the step that the crash came in; null between two.
   * @returns The disk that it started on.
   * @throws Violation.
   */
  readonly look: (state: CrashState, allowed: readonly Place[], running: string | null) => Promise<MemoryDisk>;
}

export interface TrashExploration {
  readonly distinct: number;
  readonly violations: readonly string[];
}

/** Runs the steps, then looks at every disk that a crash at any point of the last one may leave. */
export async function exploreSteps<Place>(run: TrashRun<Place>, first: boolean): Promise<TrashExploration> {
  const { name, start, disk, trash, before, look } = run;
  const kept: { item: TrashedRef | null } = { item: null };
  const done: { step: TrashStep<Place>; begunAt: number; acknowledgedAt: number }[] = [];
  for (const step of run.steps) {
    const begunAt = disk.log.length;
    await step.run(trash, kept);
    done.push({ step, begunAt, acknowledgedAt: disk.log.length });
    // What a step leaves for later would not be a part of it.
    disk.advance(1000);
  }
  await trash.dispose();

  const violations: string[] = [];
  const seen = new Set<string>();
  const random = new Random(7);
  const check = async (
    state: CrashState,
    allowed: readonly Place[],
    running: string | null,
    deepen: boolean,
  ): Promise<void> => {
    const key = `${state.hash} ${allowed}`;
    if (seen.has(key)) return;
    seen.add(key);
    try {
      const reopened = await look(state, allowed, running);
      if (!deepen || seen.size % DEEP !== 0) return;
      const again = crashStates(state.image, reopened.born, reopened.log, { limit: DEEP_LIMIT, random });
      for (const second of again) await check(second, allowed, running, false);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      violations.push(`${name}: crash at ${state.position}, lost: ${state.lost || 'nothing'}\n  ${error.message}`);
    }
  };
  // What comes before the last step is a scenario of its own.
  const from = done.at(-1)?.begunAt ?? 0;
  for (const state of crashStates(start, disk.born, disk.log, { limit: LIMIT, random, from })) {
    if (violations.length >= (first ? 1 : ENOUGH)) break;
    const place = done.filter(({ acknowledgedAt }) => acknowledgedAt <= state.position).at(-1)?.step.place ?? before;
    const running = done.find(
      ({ begunAt, acknowledgedAt }) => begunAt < state.position && state.position < acknowledgedAt,
    );
    const allowed = running === undefined ? [place] : [place, running.step.place];
    await check(state, allowed, running?.step.name ?? null, true);
  }
  return { distinct: seen.size, violations };
}
