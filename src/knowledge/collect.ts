import type { ContextSnapshot, Plan, PlanDocument, ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { knowledgeLimits, type MemoryTitle, type Pin } from '../contract/knowledge-entities.ts';
import type { BlockInput, BlockPlan } from './block.ts';
import { noteTitle, shortTitle } from './block-text.ts';
import type { BlockMemory } from './memory-titles.ts';
import type { StoredPin } from './stored.ts';

/** Titles of what is remembered, flagged ones included. */
export interface MemoryTitles {
  readonly global: readonly MemoryTitle[];
  readonly owner: readonly MemoryTitle[];
  /** What could not be read, each in a sentence for the person. */
  readonly failed: readonly string[];
}

/** Where the knowledge of an owner is. */
export interface KnowledgeSources {
  /** @throws Failure when it cannot be read. */
  context(ownerId: ProjectId): Promise<ContextSnapshot>;
  /** @throws Failure as `plans.read`. */
  plan(ownerId: ProjectId, planId: string): Promise<PlanDocument>;
  /** Of all owners, and of one; nothing while memory is switched off. */
  memory(ownerId: ProjectId | null): Promise<MemoryTitles>;
}

/** What a session is to be told, and what could not be read. */
export interface Collected {
  readonly input: BlockInput;
  /** Each in a sentence for the person. */
  readonly leftOut: readonly string[];
}

const LONGEST_TITLE = 160;

/**
 * Reads what a session of an owner is to be told. It never fails: an owner whose context cannot be read gives no notes and
 * plans, a plan that cannot be read is marked, a memory that cannot be read gives no titles; each of them is named.
 *
 * @param ownerId Null for a session that is nobody's.
 */
export async function collect(
  sources: KnowledgeSources,
  ownerId: ProjectId | null,
  pins: readonly StoredPin[],
): Promise<Collected> {
  const leftOut: string[] = [];
  const told = pins.slice(0, knowledgeLimits.pins);
  if (told.length < pins.length) {
    leftOut.push(
      `More than ${knowledgeLimits.pins} notes and plans are pinned; the last ${pins.length - told.length} are left out.`,
    );
  }
  const [memory, pinned] = await Promise.all([
    readMemory(sources, ownerId, leftOut),
    readPinned(sources, ownerId, told, leftOut),
  ]);
  return { input: { ...pinned, memory }, leftOut };
}

/** The pins of a session as a person sees them. @param snapshot Null when the owner's context cannot be read. */
export function shownPins(pins: readonly StoredPin[], snapshot: ContextSnapshot | null): Pin[] {
  return pins.map(({ kind, id }) => {
    if (snapshot === null) return { kind, id, title: '', stale: false };
    if (kind === 'note') {
      const note = findEntry(snapshot.notes, id);
      return { kind, id: note?.id ?? id, title: note ? noteTitle(note.body) : '', stale: note === undefined };
    }
    const plan = findEntry(snapshot.plans, id);
    return { kind, id: plan?.id ?? id, title: plan ? shortTitle(plan.title, LONGEST_TITLE) : '', stale: !plan };
  });
}

/** An entry by the id in a pin, which was trimmed. */
export const findEntry = <Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  id: string,
): Entry | undefined => entries.find((entry) => entry.id === id) ?? entries.find((entry) => entry.id.trim() === id);

async function readPinned(
  sources: KnowledgeSources,
  ownerId: ProjectId | null,
  pins: readonly StoredPin[],
  leftOut: string[],
): Promise<Pick<BlockInput, 'notes' | 'plans'>> {
  if (ownerId === null || pins.length === 0) return { notes: [], plans: [] };
  const snapshot = await orLeftOut(() => sources.context(ownerId), 'Notes and plans are left out', leftOut);
  if (snapshot === null) return { notes: [], plans: [] };
  const present = <Entry extends { readonly id: string }>(
    kind: StoredPin['kind'],
    entries: readonly Entry[],
  ): Entry[] => pins.filter((pin) => pin.kind === kind).flatMap(({ id }) => findEntry(entries, id) ?? []);
  const plans = await Promise.all(
    present('plan', snapshot.plans).map((plan) => readPlan(sources, ownerId, plan, leftOut)),
  );
  return { notes: present('note', snapshot.notes), plans };
}

async function readPlan(
  sources: KnowledgeSources,
  ownerId: ProjectId,
  { id, title, createdAt }: Plan,
  leftOut: string[],
): Promise<BlockPlan> {
  const what = `The text of the plan “${shortTitle(title, LONGEST_TITLE)}” is left out`;
  const document = await orLeftOut(() => sources.plan(ownerId, id), what, leftOut);
  return { id, createdAt, title: document?.title || title, body: document?.body ?? null };
}

async function readMemory(
  sources: KnowledgeSources,
  ownerId: ProjectId | null,
  leftOut: string[],
): Promise<BlockMemory> {
  const titles = await orLeftOut(() => sources.memory(ownerId), 'Memories are left out', leftOut);
  leftOut.push(...(titles?.failed ?? []));
  const told = (list: readonly MemoryTitle[] = []) => list.filter(({ withheld }) => !withheld);
  return { global: told(titles?.global), owner: told(titles?.owner) };
}

async function orLeftOut<Value>(read: () => Promise<Value>, what: string, leftOut: string[]): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    leftOut.push(`${what}. ${error.message}`);
    return null;
  }
}
