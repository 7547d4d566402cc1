import fc from 'fast-check';
import type { ContextStore } from '../../src/context/index.ts';
import type { ContextChange, ContextSnapshot } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { p1 } from './support.ts';

/** What a caller does next; which entry it means depends on what it sees then. */
export interface Step {
  kind: string;
  pick: number;
  other: number;
  text: string;
  flag: boolean;
  /** Which revision it names: none, that of the entry or list, or that of the whole context. */
  based: 'nothing' | 'entry' | 'context';
}

/** A step that was made, with what the window showed before and after: the change happened in between. */
export interface Done {
  call: string;
  input: Record<string, unknown>;
  seen: ContextSnapshot;
  from: number;
  to: number;
  result: Record<string, unknown> & { context: ContextChange };
}

export type Refused = Omit<Done, 'result'> & { failure: Failure };

const noteKinds = ['notes.create', 'notes.update', 'notes.update', 'notes.delete', 'notes.restore'];
const todoKinds = [
  'todos.add',
  'todos.add',
  'todos.update',
  'todos.update',
  'todos.delete',
  'todos.move',
  'todos.replace',
  'todos.clearCompleted',
  'todos.restore',
];
const planKinds = ['plans.create', 'plans.update', 'plans.delete', 'plans.setPinned', 'plans.restore'];

const steps = (kinds: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(9999),
    other: fc.nat(9999),
    text: fc.stringMatching(/^[a-z]{1,8}$/),
    flag: fc.boolean(),
    based: fc.constantFrom('nothing', 'nothing', 'entry', 'context'),
  });

export const listSteps = steps([...noteKinds, ...todoKinds]);
export const allSteps = steps([...noteKinds, ...todoKinds, ...planKinds, ...planKinds]);

/** How many entries a list holds at most: above, what would add takes away. */
const ENOUGH = 60;

/** The call that a step comes to, for somebody who sees this. Null when there is nothing to do it to. */
export function callOf(
  step: Step,
  seen: ContextSnapshot,
  trash: readonly { kind: string; trashId: string }[],
): { call: string; input: Record<string, unknown> } | null {
  const [list, name] = step.kind.split('.') as ['notes' | 'todos' | 'plans', string];
  const entries: readonly { id: string; revision: string | null }[] = seen[list];
  const isFull = entries.length >= ENOUGH;
  const adds = ['create', 'add', 'restore'].includes(name);
  const kind = isFull && adds ? `${list}.delete` : step.kind;
  const entry = entries[step.pick % Math.max(1, entries.length)];
  const whole = step.based === 'context' && seen.revision !== null ? { contextRevision: seen.revision } : {};
  const base = { ...p1, ...whole };
  if (kind.endsWith('.restore')) {
    const ofKind = trash.filter((item) => item.kind === list);
    const item = ofKind[step.pick % Math.max(1, ofKind.length)];
    return item === undefined ? null : { call: kind, input: { ...base, trashId: item.trashId } };
  }
  if (kind === 'notes.create') return { call: kind, input: { ...base, body: step.text } };
  if (kind === 'todos.add') return { call: kind, input: { ...base, text: step.text } };
  if (kind === 'plans.create') return { call: kind, input: { ...base, title: step.text, body: step.text } };
  if (kind === 'todos.clearCompleted') return { call: kind, input: base };
  if (kind === 'todos.replace') return { call: kind, input: { ...base, ...replaced(step, seen) } };
  if (entry === undefined) return null;
  const identity = { ...base, [`${list.slice(0, -1)}Id`]: entry.id };
  const revision = step.based === 'entry' && entry.revision !== null ? { revision: entry.revision } : {};
  switch (kind) {
    case 'notes.update':
      return {
        call: kind,
        input: { ...identity, ...revision, ...(step.flag ? { pinned: step.other % 2 === 0 } : { body: step.text }) },
      };
    case 'todos.update':
      return {
        call: kind,
        input: { ...identity, ...revision, ...(step.flag ? { completed: step.other % 2 === 0 } : { text: step.text }) },
      };
    case 'todos.move': {
      const before = step.flag ? null : (entries[step.other % entries.length]?.id ?? null);
      return { call: kind, input: { ...identity, before } };
    }
    case 'plans.update':
      return { call: kind, input: { ...identity, ...revision, raw: `# ${step.text}\n\n${step.text}\n` } };
    case 'plans.setPinned':
      return { call: kind, input: { ...identity, pinned: step.flag } };
    default:
      return { call: kind, input: { ...identity, ...revision } };
  }
}

/** Always with the revision of the list: without one it would take away what others added. */
function replaced(step: Step, seen: ContextSnapshot): object {
  const todos = seen.todos.map(({ id, text, completed }) => ({ id, text, completed }));
  const place = step.pick % Math.max(1, todos.length);
  const [todo] = step.flag ? todos.splice(place, 1) : [];
  if (todo && step.other % 2 === 0) todos.push(todo);
  const first = todos[step.other % Math.max(1, todos.length)];
  if (first) first.text = step.text;
  return { todos, todosRevision: seen.todosRevision };
}

/** Makes a call; answers what became of it. */
export async function make(
  store: ContextStore,
  { call, input }: { call: string; input: Record<string, unknown> },
  shown: () => ContextSnapshot,
): Promise<Done | Refused> {
  const [group = '', name = ''] = call.split('.');
  const calls = store as unknown as Record<string, Record<string, (input: object) => Promise<Done['result']>>>;
  const seen = shown();
  try {
    const result = await calls[group]?.[name]?.(input);
    if (result === undefined) throw new Error(`there is no call ${call}`);
    return { call, input, seen, from: seen.sequence, to: shown().sequence, result };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { call, input, seen, from: seen.sequence, to: shown().sequence, failure: error };
  }
}
