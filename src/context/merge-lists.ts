import type { Note, Todo } from '../contract/entities.ts';
import { type JsonObject, own, withKeys } from '../files/json.ts';
import { type Meet, unionOfLists, united, withOtherKeys } from '../files/list-union.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import { linkedFile, type PlanLink } from './entries.ts';

/** How many entries a merge brought: those of the source that the destination did not have as they are. */
export interface MergeCounts {
  notes: number;
  todos: number;
  plans: number;
}

export interface MergeOptions {
  /** New names of plan files of the source, by their names there; the links that name them are rewritten. */
  planFiles?: ReadonlyMap<string, string>;
}

const listNames = ['notes', 'todos', 'plans'] as const;

/**
 * The union of two contexts (docs/formats/context-format.md, section 10). The destination's entries stay in their order;
 * what the source adds comes behind. Nothing of either side is lost, entries over a limit, unknown keys and odd entries
 * included, and merging the same source again changes nothing.
 *
 * @param destination A context that may be written, like `source`: the caller refuses versions above ours.
 * @returns The top level to write.
 */
export function mergeDocuments(
  destination: ContextDocument,
  source: ContextDocument,
  { planFiles = new Map() }: MergeOptions = {},
): { raw: JsonObject; counts: MergeCounts } {
  const notes = unionOfLists('note', destination.notes, source.notes, meetNotes);
  const todos = unionOfLists('todo', destination.todos, source.todos, meetTodos);
  const plans = unionOfLists('plan', destination.plans, source.plans, meetPlans, ({ raw, view }) => {
    const file = planFiles.get(linkedFile(raw) ?? '');
    return file === undefined ? { raw, view } : { raw: withKeys(raw, { file }), view: { ...view, file } };
  });
  const raw = writtenDocument(destination, { notes: notes.raw, todos: todos.raw, plans: plans.raw });
  return {
    raw: withOtherKeys(raw, source.raw, roleOf),
    counts: { notes: notes.count, todos: todos.count, plans: plans.count },
  };
}

/** Different bodies both stay, and the later one keeps the id. */
const meetNotes: Meet<Note> = (destination, source) => {
  const winner = source.view.updatedAt > destination.view.updatedAt ? 'source' : 'destination';
  const [first, second] = winner === 'source' ? [source, destination] : [destination, source];
  // A note without a date of change counts as changed when it was made: an earlier date would belie that.
  const one = united(first.raw, second.raw, ['updatedAt', 'createdAt', 'pinned'], ['updatedAt']);
  return one === null ? { winner } : { one };
};

/** Of one text there is one todo, completed if either is. */
const meetTodos: Meet<Todo> = (destination, source) => {
  const one = united(destination.raw, source.raw, ['createdAt', 'completed']);
  if (one === null) return { winner: 'destination' };
  const completed = destination.view.completed || source.view.completed;
  return { one: completed && own(one, 'completed') !== true ? withKeys(one, { completed }) : one };
};

/** Of one file there is one link; the title is that of the file anyway. */
const meetPlans: Meet<PlanLink> = (destination, source) => {
  const sameFile = destination.view.file === source.view.file;
  const one = sameFile ? united(destination.raw, source.raw, ['createdAt', 'pinned', 'title', 'file']) : null;
  return one === null ? { winner: 'destination' } : { one };
};

function roleOf(key: string, value: unknown): 'merged' | 'odd' | 'other' {
  if (key === 'version') return 'merged';
  if (!listNames.some((name) => name === key)) return 'other';
  return Array.isArray(value) || (key === 'notes' && typeof value === 'string') ? 'merged' : 'odd';
}
