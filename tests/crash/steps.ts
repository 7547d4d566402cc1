import type { ContextSnapshot, Note, Plan, Todo } from '../../src/contract/entities.ts';
import type { Random } from './random.ts';
import type { Session, Step } from './recording.ts';

/** The owner that steps are about, unless they say so. */
const p1 = { projectId: 'p1' };

const snapshot = ({ store }: Session): Promise<ContextSnapshot> => store.context.get(p1);

/** Takes one of a list that must not be empty. */
function at<Entry>(list: readonly Entry[], place: number): Entry {
  const entry = list.at(place % Math.max(1, list.length));
  if (entry === undefined) throw new Error('the fixture holds too little for this step');
  return entry;
}

const noteAt = async (session: Session, place: number): Promise<Note> => at((await snapshot(session)).notes, place);
const todoAt = async (session: Session, place: number): Promise<Todo> => at((await snapshot(session)).todos, place);
const planAt = async (session: Session, place: number): Promise<Plan> => at((await snapshot(session)).plans, place);

/** A step that is a call. */
function step(name: string, run: (session: Session) => Promise<unknown>): Step {
  return { name, run, touches: idsIn };
}

/** The ids of entries that a call's answer names. */
function idsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const { note, todo, plan, trashId, id } = answer as {
    note?: Note;
    todo?: Todo;
    plan?: Plan;
    trashId?: string | null;
    id?: string;
  };
  return [note?.id, todo?.id, plan?.id, trashId, id].filter((id) => typeof id === 'string');
}

/** Every mutation of notes, by the place of the note in the list. */
export const notes = {
  create: (body: string): Step => step('notes.create', ({ store }) => store.notes.create({ ...p1, body })),
  update: (place: number, body: string): Step =>
    step('notes.update', async (session) =>
      session.store.notes.update({ ...p1, noteId: (await noteAt(session, place)).id, body }),
    ),
  delete: (place: number): Step =>
    step('notes.delete', async (session) => {
      const { id } = await noteAt(session, place);
      return { id, ...(await session.store.notes.delete({ ...p1, noteId: id })) };
    }),
};

/** Every mutation of todos. */
export const todos = {
  add: (text: string): Step => step('todos.add', ({ store }) => store.todos.add({ ...p1, text })),
  replace: (places: readonly number[], text: string): Step =>
    step('todos.replace', async (session) => {
      const list = (await snapshot(session)).todos;
      const kept = places.map((place) => at(list, place)).filter((todo, index, all) => all.indexOf(todo) === index);
      const added = { id: `added ${list.length} ${text}`, text };
      return session.store.todos.replace({
        ...p1,
        todos: [...kept.map(({ id, text, completed }) => ({ id, text, completed })), added],
      });
    }),
  update: (place: number, text: string): Step =>
    step('todos.update', async (session) =>
      session.store.todos.update({ ...p1, todoId: (await todoAt(session, place)).id, text }),
    ),
  tick: (place: number): Step =>
    step('todos.update', async (session) => {
      const { id, completed } = await todoAt(session, place);
      return session.store.todos.update({ ...p1, todoId: id, completed: !completed });
    }),
  delete: (place: number): Step =>
    step('todos.delete', async (session) => {
      const { id } = await todoAt(session, place);
      return { id, ...(await session.store.todos.delete({ ...p1, todoId: id })) };
    }),
  move: (place: number, before: number | null): Step =>
    step('todos.move', async (session) =>
      session.store.todos.move({
        ...p1,
        todoId: (await todoAt(session, place)).id,
        before: before === null ? null : (await todoAt(session, before)).id,
      }),
    ),
  clearCompleted: (): Step => step('todos.clearCompleted', ({ store }) => store.todos.clearCompleted(p1)),
};

/** Every mutation of plans. */
export const plans = {
  create: (title: string, body: string): Step =>
    step('plans.create', ({ store }) => store.plans.create({ ...p1, title, body })),
  update: (place: number, raw: string): Step =>
    step('plans.update', async (session) =>
      session.store.plans.update({ ...p1, planId: (await planAt(session, place)).id, raw }),
    ),
  delete: (place: number): Step =>
    step('plans.delete', async (session) => {
      const { id } = await planAt(session, place);
      return { id, ...(await session.store.plans.delete({ ...p1, planId: id })) };
    }),
  setPinned: (place: number, pinned: boolean): Step =>
    step('plans.setPinned', async (session) =>
      session.store.plans.setPinned({ ...p1, planId: (await planAt(session, place)).id, pinned }),
    ),
};

/** What brings something back. */
export const returns = {
  /** Something that was deleted, by its place among all that was. */
  restore: (place: number): Step =>
    step('restore', async ({ store }) => {
      const { id: trashId, kind } = at((await store.context.deleted(p1)).items, place);
      if (kind === 'note') return store.notes.restore({ ...p1, trashId });
      return kind === 'todos' ? store.todos.restore({ ...p1, trashId }) : store.plans.restore({ ...p1, trashId });
    }),
  /** An earlier version, by its place among all there are; null only puts a damaged file aside. */
  recover: (place: number | null, mode: 'replace' | 'merge'): Step =>
    step('context.recover', async ({ store }) => {
      const backupId = place === null ? null : at((await store.context.backups(p1)).backups, place).id;
      return store.context.recover({ ...p1, backupId, mode });
    }),
};

/** What is no mutation of one context. */
export const others = {
  /** One owner becomes part of another. */
  merge: (from: string, to: string): Step =>
    step('projects.relocate', ({ store }) => store.merge({ from, to, path: null }, () => undefined)),
  dismiss: (): Step =>
    step('context.dismiss', async (session) => {
      const { id: noticeId } = at((await snapshot(session)).notices, 0);
      return session.store.context.dismiss({ ...p1, noticeId });
    }),
  get: (): Step => step('context.get', ({ store }) => store.context.get(p1)),
  restart: (): Step => step('a new start', (session) => session.restart()),
  /** Lets time pass, for what is done only every few minutes. */
  wait: (minutes: number): Step => step('a wait', async ({ disk }) => disk.advance(minutes * 60_000)),
};

/** A step for which a context has what it needs, whatever it holds. */
export function anyStep(random: Random, index: number): Step {
  const place = random.below(5);
  const list: (() => Step)[] = [
    () => notes.create(`note ${index}`),
    () => notes.create(`note ${index} ${'with a long text '.repeat(random.below(20))}`),
    () => ifAny('notes', notes.update(place, `changed ${index}`)),
    () => ifAny('notes', notes.delete(place)),
    () => todos.add(`todo ${index}`),
    () => ifAny('todos', todos.update(place, `todo changed ${index}`)),
    () => ifAny('todos', todos.tick(place)),
    () => ifAny('todos', todos.delete(place)),
    () => ifAny('todos', todos.move(place, random.below(2) === 0 ? null : random.below(5))),
    () => ifAny('todos', todos.replace([random.below(5), random.below(5)], `replaced ${index}`)),
    () => todos.clearCompleted(),
    () => plans.create(random.below(2) === 0 ? 'Alpha' : `Plan ${index}`, 'text\n'.repeat(random.below(5))),
    () => ifAny('plans', plans.update(place, `# Changed ${index}\n\n${'more\n'.repeat(random.below(1500))}`)),
    () => ifAny('plans', plans.delete(place)),
    () => ifAny('plans', plans.setPinned(place, random.below(2) === 0)),
    () => ifDeleted(returns.restore(place)),
    () => ifDeleted(returns.restore(place)),
    () => ifKept(returns.recover(place, random.below(2) === 0 ? 'replace' : 'merge')),
    () => others.wait(6),
    () => others.restart(),
  ];
  return random.of(list)();
}

function ifAny(list: 'notes' | 'todos' | 'plans', step: Step): Step {
  return {
    ...step,
    run: async (session) => ((await snapshot(session))[list].length > 0 ? step.run(session) : null),
  };
}

function ifDeleted(step: Step): Step {
  return {
    ...step,
    run: async (session) => ((await session.store.context.deleted(p1)).items.length > 0 ? step.run(session) : null),
  };
}

function ifKept(step: Step): Step {
  return {
    ...step,
    run: async (session) => ((await session.store.context.backups(p1)).backups.length > 0 ? step.run(session) : null),
  };
}
