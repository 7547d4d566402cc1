import { applyContextChange } from '../../src/contract/context-change.ts';
import type { ContextChange, ContextSnapshot } from '../../src/contract/entities.ts';
import type { Done, Refused } from './model-steps.ts';

interface Entry {
  id: string;
  text: string;
  flag: boolean;
  createdAt: number;
}

type ListName = 'notes' | 'todos' | 'plans';
type Lists = Record<ListName, Entry[]>;

const listNames = ['notes', 'todos', 'plans'] as const;

/** The parts of a context that the model knows. */
export function listsOf({ notes, todos, plans }: Pick<ContextSnapshot, ListName>): Lists {
  return {
    notes: notes.map((note) => ({ ...note, text: note.body, flag: note.pinned ?? false })).map(entryOf),
    todos: todos.map((todo) => ({ ...todo, flag: todo.completed })).map(entryOf),
    plans: plans.map((plan) => ({ ...plan, text: plan.title, flag: plan.pinned ?? false })).map(entryOf),
  };
}

const entryOf = ({ id, text, flag, createdAt }: Entry): Entry => ({ id, text, flag, createdAt });

/**
 * What one owner's context has to be, worked out from what was acknowledged and nothing else. Acknowledged changes are told
 * to it in the order of their sequence; it says no when one does not follow from the state before it.
 */
export class ContextModel {
  /** What the changes of the answers rebuild, one after the other. */
  snapshot: ContextSnapshot;
  #lists: Lists;
  readonly #trash = new Map<string, { list: ListName; entries: Entry[] }>();
  /** State of each entry by sequence, for what was refused: its revision, or null where it was not there. */
  readonly #history = new Map<string, [sequence: number, revision: string | null][]>();
  readonly #revisions = new Map<number, string | null>();
  readonly #listRevisions = new Map<number, string>();

  constructor(first: ContextSnapshot) {
    this.snapshot = first;
    this.#lists = listsOf(first);
    this.#remember();
  }

  /** The lists as they have to be now. */
  get lists(): Lists {
    return this.#lists;
  }

  /** Takes an acknowledged change that changed something. */
  take(done: Done): void {
    const { context } = done.result;
    if (context.base !== this.snapshot.sequence || context.sequence !== context.base + 1) {
      throw new Error(`stands on ${context.base}, not on ${this.snapshot.sequence}`);
    }
    const expected = done.input.contextRevision;
    if (expected !== undefined && expected !== this.snapshot.revision) throw new Error('based on another context');
    const before = this.snapshot;
    const next = applyContextChange(before, context);
    if (next === null) throw new Error('the change cannot be applied');
    this.snapshot = next;
    const touched = this.#apply(done, next);
    this.#compare(touched, context);
    this.#remember();
  }

  /** Checks an answer that says that there was nothing to do. */
  takeUnchanged({ result: { context } }: Done): void {
    const isEmpty = listNames.every((name) => context[name].order === undefined && context[name].changed.length === 0);
    if (!isEmpty) throw new Error('changes something without saying so');
  }

  /** Checks, at the end, that a refusal was right at some moment between the call and its answer. */
  checkRefusal({ call, input, from, to, failure }: Refused): void {
    if (failure.code === 'not-found') {
      const id = idOf(input);
      if (id === undefined) {
        this.#checkGoneTrash(String(input.trashId));
        return;
      }
      const other = input.before;
      const gone = this.#wasOtherwise(id, from, to, (revision) => revision === null);
      if (gone || (typeof other === 'string' && this.#wasOtherwise(other, from, to, (one) => one === null))) return;
      throw new Error(`${call} says that ${id} is not there, which it was`);
    }
    if (failure.code !== 'conflict') throw failure;
    const { contextRevision, revision, todosRevision } = input;
    const between = Array.from({ length: to - from + 1 }, (_value, index) => from + index);
    if (contextRevision !== undefined && (to > from || this.#revisions.get(from) !== contextRevision)) return;
    if (revision !== undefined && this.#wasOtherwise(idOf(input) ?? '', from, to, (one) => one !== revision)) return;
    if (todosRevision !== undefined && between.some((at) => this.#listRevisions.get(at) !== todosRevision)) return;
    throw new Error(`${call} says that something changed, which did not`);
  }

  #checkGoneTrash(trashId: string): void {
    if (this.#trash.has(trashId)) throw new Error('what was deleted cannot come back');
  }

  #wasOtherwise(id: string, from: number, to: number, test: (revision: string | null) => boolean): boolean {
    const states = this.#history.get(id) ?? [];
    const first = states.findLastIndex(([sequence]) => sequence <= from);
    return states.slice(Math.max(0, first)).some(([sequence, revision]) => sequence <= to && test(revision));
  }

  /** Changes the lists as the call says; answers which entries it may have touched. */
  #apply({ call, input, result }: Done, next: ContextSnapshot): Set<string> {
    const [list = 'notes', name = ''] = call.split('.') as [ListName, string];
    const entries = this.#lists[list];
    const id = idOf(input);
    const index = entries.findIndex((entry) => entry.id === id);
    const trashId = result.trashId;
    if (name === 'create' || name === 'add') {
      const made = listsOf(next)[list].find((entry) => entry.id === (result[list.slice(0, -1)] as Entry).id);
      const text = String(input.body ?? input.text);
      if (made === undefined || made.text !== (list === 'plans' ? input.title : text) || made.flag) {
        throw new Error('another entry was made');
      }
      this.#insert(list, made);
      return new Set([made.id]);
    }
    if (name === 'restore') return this.#restore(list, String(input.trashId), result, next);
    if (name === 'replace' || name === 'clearCompleted') return this.#replaceTodos(input, trashId);
    const entry = entries[index];
    if (entry === undefined || id === undefined) throw new Error(`${id} was not there`);
    if (input.revision !== undefined) {
      const current = this.#history.get(id)?.at(-1)?.[1];
      if (current !== input.revision) throw new Error('based on another state of the entry');
    }
    if (name === 'delete') {
      entries.splice(index, 1);
      this.#trash.set(String(trashId), { list, entries: [entry] });
    } else if (name === 'move') {
      entries.splice(index, 1);
      const target = entries.findIndex((one) => one.id === input.before);
      entries.splice(input.before === null ? entries.length : target, 0, entry);
    } else {
      const raw = typeof input.raw === 'string' ? input.raw.slice(2, input.raw.indexOf('\n')) : undefined;
      entries[index] = {
        ...entry,
        text: String(input.body ?? input.text ?? raw ?? entry.text),
        flag: Boolean(input.pinned ?? input.completed ?? entry.flag),
      };
    }
    return new Set([id]);
  }

  #replaceTodos(input: Done['input'], trashId: unknown): Set<string> {
    const known = new Map(this.#lists.todos.map((todo) => [todo.id, todo]));
    const wanted = input.todos as { id: string; text: string; completed: boolean }[] | undefined;
    if (wanted && input.todosRevision !== this.#listRevisions.get(this.snapshot.sequence - 1)) {
      throw new Error('based on another list');
    }
    this.#lists.todos = wanted
      ? wanted.map(({ id, text, completed }) => ({
          id,
          text,
          flag: completed,
          createdAt: known.get(id)?.createdAt ?? -1,
        }))
      : this.#lists.todos.filter((todo) => !todo.flag);
    const left = new Set(this.#lists.todos.map((todo) => todo.id));
    const gone = [...known.values()].filter((todo) => !left.has(todo.id));
    if (gone.length > 0) this.#trash.set(String(trashId), { list: 'todos', entries: gone });
    return new Set(known.keys());
  }

  /** Where what comes back stands is taken from the answer, but nothing else may move. */
  #restore(list: ListName, trashId: string, result: Done['result'], next: ContextSnapshot): Set<string> {
    const item = this.#trash.get(trashId);
    if (item === undefined || item.list !== list) throw new Error('something came back that was not deleted');
    const back = (result.todos ?? [result.note ?? result.plan]) as { id: string }[];
    const ids = new Set(back.map((entry) => entry.id));
    const after = listsOf(next)[list];
    const texts = (entries: readonly Entry[]): string =>
      JSON.stringify(entries.map((one) => [one.text, one.flag]).sort());
    const shown = after.filter((entry) => ids.has(entry.id));
    if (list !== 'plans' && texts(shown) !== texts(item.entries)) throw new Error('it came back as something else');
    const before = new Set(this.#lists[list].map((entry) => entry.id));
    const others = JSON.stringify(after.filter((entry) => before.has(entry.id)));
    if (others !== JSON.stringify(this.#lists[list])) throw new Error('more than what came back was changed');
    if (after.some((entry) => !before.has(entry.id) && !ids.has(entry.id))) throw new Error('more came back');
    this.#lists[list] = after;
    return ids;
  }

  /** Notes and plans stand newest first; a todo comes last. */
  #insert(list: ListName, made: Entry): void {
    if (list === 'todos') this.#lists.todos.push(made);
    else this.#lists[list].unshift(made);
  }

  /** What the change rebuilt is what the model says, and the change names no other entries. */
  #compare(touched: ReadonlySet<string>, context: ContextChange): void {
    for (const name of listNames) {
      const strange = context[name].changed.find((entry) => !touched.has(entry.id));
      if (strange) throw new Error(`the answer is about ${strange.id} as well`);
    }
    const found = listsOf(this.snapshot);
    if (JSON.stringify(found) !== JSON.stringify(this.#lists)) {
      throw new Error(`is ${JSON.stringify(found)}, should be ${JSON.stringify(this.#lists)}`);
    }
  }

  #remember(): void {
    const { sequence, revision, todosRevision } = this.snapshot;
    this.#revisions.set(sequence, revision);
    this.#listRevisions.set(sequence, todosRevision);
    const present = new Set<string>();
    for (const name of listNames) {
      for (const entry of this.snapshot[name]) {
        present.add(entry.id);
        this.#note(entry.id, sequence, entry.revision ?? '');
      }
    }
    for (const id of this.#history.keys()) if (!present.has(id)) this.#note(id, sequence, null);
  }

  #note(id: string, sequence: number, revision: string | null): void {
    const states = this.#history.get(id) ?? [];
    if (states.length > 0 && states.at(-1)?.[1] === revision) return;
    states.push([sequence, revision]);
    this.#history.set(id, states);
  }
}

const idOf = (input: Done['input']): string | undefined =>
  [input.noteId, input.todoId, input.planId].find((id) => typeof id === 'string') as string | undefined;
