import { firstDifference, type Inspection, inspect, type OwnerView, type Program } from './inspection.ts';
import type { RecordedStep, Recording } from './recording.ts';

/** Says what is wrong with what was found after a crash at a position; null when nothing is. */
export type Accept = (found: Inspection, position: number) => string | null;

/**
 * For calls one after the other: everything must be as it is when the last acknowledged call had just ended, or, if
 * another had begun, as when that one had ended.
 */
export async function acceptInTurn({ start, steps }: Recording, program: Program, startMs: number): Promise<Accept> {
  const expected: string[] = [];
  for (const image of [start, ...steps.map((step) => step.image)]) {
    expected.push(JSON.stringify(await inspect(image, program, startMs)));
  }
  return (found, position) => {
    const text = JSON.stringify(found);
    const acknowledged = steps.filter((step) => step.acknowledgedAt <= position).length;
    const isUnderWay = (steps[acknowledged]?.begunAt ?? Number.POSITIVE_INFINITY) < position;
    const before = firstDifference(text, expected[acknowledged] ?? '');
    if (before === null) return null;
    if (!isUnderWay) return `not what was acknowledged: ${before}`;
    const after = firstDifference(text, expected[acknowledged + 1] ?? '');
    return after === null ? null : `neither before the call: ${before}\n  nor after it: ${after}`;
  };
}

/**
 * For calls side by side, each of which touches other entries: each entry must be as before all of them or as after all of
 * them; as after, if the call that touched it was acknowledged; and all entries of one call alike.
 */
export async function acceptTogether(recording: Recording, program: Program, startMs: number): Promise<Accept> {
  const { start, disk, steps } = recording;
  const before = entriesOf((await inspect(start, program, startMs)).views);
  const after = entriesOf((await inspect(disk.image(), program, startMs)).views);
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  return ({ views }, position) => {
    const found = entriesOf(views);
    for (const [key, value] of found) {
      if (value !== before.get(key) && value !== after.get(key)) return `neither old nor new: ${key} is ${value}`;
    }
    for (const [key, value] of before) {
      if (value === after.get(key) && !found.has(key)) return `lost, though no call touched it: ${key}`;
    }
    for (const step of steps) {
      const keys = touched.filter((key) => step.touches.some((id) => key.endsWith(` ${id}`)));
      const done = keys.filter((key) => found.get(key) === after.get(key));
      if (done.length > 0 && done.length < keys.length) return `${step.name} is there in part only: ${done}`;
      if (isAcknowledged(step, position) && done.length < keys.length)
        return `${step.name} was acknowledged and is gone`;
    }
    return null;
  };
}

const isAcknowledged = (step: RecordedStep, position: number): boolean => step.acknowledgedAt <= position;

/** What is shown, each entry by a name of its own. */
function entriesOf(views: readonly (OwnerView | null)[]): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [owner, view] of views.entries()) {
    if (view === null) continue;
    const { notes, todos, plans, deleted } = view;
    for (const [kind, list] of Object.entries({ note: notes, todo: todos, plan: plans, deleted })) {
      for (const entry of list) entries.set(`${owner} ${kind} ${entry.id}`, JSON.stringify(entry));
    }
  }
  return entries;
}
