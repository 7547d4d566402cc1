import type { ContextSnapshot, Note, Plan, Section, Todo } from '../../src/contract/index.ts';

/** One entry of the stream. */
export type StreamItem =
  | { readonly kind: 'note'; readonly key: string; readonly time: number; readonly note: Note }
  | { readonly kind: 'todo'; readonly key: string; readonly time: number; readonly todo: Todo }
  | { readonly kind: 'plan'; readonly key: string; readonly time: number; readonly plan: Plan };

/** The entries of one day, oldest first. */
export interface StreamDay {
  /** Local start of the day in milliseconds since 1970; 0 stands for "not known". */
  readonly day: number;
  readonly items: readonly StreamItem[];
}

/** An entry that did not change keeps its item, so that its row does not render again. */
const made = new WeakMap<Note | Todo | Plan, StreamItem>();

/**
 * Notes, plans and todos of one owner in the order in which they were made, oldest first: the newest stand beside the
 * composer. Of the ticked todos only those in `kept` are there.
 */
export function streamItems(view: ContextSnapshot, kept: ReadonlySet<string>): StreamItem[] {
  // Notes and plans come newest first, todos oldest first: so entries of the same moment keep their order.
  const items = [
    ...view.plans.toReversed().map(planItem),
    ...view.notes.toReversed().map(noteItem),
    ...view.todos.filter((todo) => !todo.completed || kept.has(todo.id)).map(todoItem),
  ];
  return items.sort((one, other) => one.time - other.time);
}

/** The newest `count` items, by day. */
export function streamDays(items: readonly StreamItem[], count: number): StreamDay[] {
  const days: { day: number; items: StreamItem[] }[] = [];
  for (const item of items.slice(-count)) {
    const day = startOfDay(item.time);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

/** Where the sidebar shows an item. */
export function placeOf(item: StreamItem): { section: Section; entryId: string } {
  if (item.kind === 'note') return { section: 'notes', entryId: item.note.id };
  if (item.kind === 'todo') return { section: 'todos', entryId: item.todo.id };
  return { section: 'plans', entryId: item.plan.id };
}

/** The text of an item, as stored. */
export function textOf(item: StreamItem): string {
  if (item.kind === 'note') return item.note.body;
  return item.kind === 'todo' ? item.todo.text : item.plan.title;
}

/** Local start of a moment's day; 0 for 0. */
export const startOfDay = (time: number): number => (time === 0 ? 0 : new Date(time).setHours(0, 0, 0, 0));

const remember = <Entry extends Note | Todo | Plan>(entry: Entry, make: (entry: Entry) => StreamItem): StreamItem => {
  const item = made.get(entry) ?? make(entry);
  made.set(entry, item);
  return item;
};

const noteItem = (note: Note): StreamItem =>
  remember(note, () => ({ kind: 'note', key: `note:${note.id}`, time: note.createdAt, note }));
const todoItem = (todo: Todo): StreamItem =>
  remember(todo, () => ({ kind: 'todo', key: `todo:${todo.id}`, time: todo.createdAt, todo }));
const planItem = (plan: Plan): StreamItem =>
  remember(plan, () => ({ kind: 'plan', key: `plan:${plan.id}`, time: plan.createdAt, plan }));
