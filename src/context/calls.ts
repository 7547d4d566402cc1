import { randomUUID } from 'node:crypto';
import type { Caller, Implementation } from '../contract/contract.ts';
import { bringBack } from './bring-back.ts';
import { type Change, notFound } from './change.ts';
import { type Committed, mutate, trashIdOf } from './commit.ts';
import type { ContextDocument } from './document.ts';
import { createNote, deleteNote, updateNote } from './note-changes.ts';
import { createPlan, deletePlan, readPlan, setPlanPinned, updatePlan } from './plan-operations.ts';
import { planVersions, readPlanVersion } from './plan-versions.ts';
import { never, type ProjectContext } from './project-context.ts';
import { recover } from './recover.ts';
import { restoreNote, restoreTodos } from './restore-changes.ts';
import { restorePlan } from './restore-plan.ts';
import { addTodo, clearCompleted, deleteTodo, moveTodo, replaceTodos, updateTodo } from './todo-changes.ts';
import type { TrashItem } from './trash.ts';

/** The calls of a group, without the caller: nothing here depends on who asks. */
type Group<Name extends keyof Implementation> = {
  [Call in keyof Implementation[Name]]: Implementation[Name][Call] extends (
    input: infer Input,
    caller: Caller,
  ) => Promise<infer Output>
    ? (input: Input) => Promise<Output>
    : never;
};

/** The calls about the context of one owner. */
export interface ContextCalls {
  readonly context: Omit<Group<'context'>, 'find'>;
  readonly notes: Group<'notes'>;
  readonly todos: Group<'todos'>;
  readonly plans: Group<'plans'>;
}

/** Whose context is changed, and which revision of it the caller based that on. */
export interface Target {
  projectId: string;
  contextRevision?: string | undefined;
}

/** What the calls need of the store: its queue, and the way into it. */
export interface CallsOptions {
  now: () => number;
  isKnown: (projectId: string) => Promise<boolean>;
  /** Whether changes on disk are told as they happen, so that plan files need not be looked at for each reading. */
  isWatching: () => boolean;
  /** Runs a job on any owner's context, one at a time. */
  read: <Value>(projectId: string, job: (context: ProjectContext) => Promise<Value>) => Promise<Value>;
  /** The same, for an owner that may be written to. */
  write: <Value>(target: Target, job: (context: ProjectContext) => Promise<Value>) => Promise<Value>;
  /** Makes a change together with whatever else waits for the next write. */
  change: <Result>(target: Target, change: (document: ContextDocument) => Change<Result>) => Promise<Committed<Result>>;
}

/** One method for each call. */
export function contextCalls({ now, isKnown, isWatching, read, write, change }: CallsOptions): ContextCalls {
  /** For a change that needs a file read first, but is one of the context file alone. */
  const restore = <Result>(
    input: Target & { trashId: string },
    kind: TrashItem['kind'],
    restored: (document: ContextDocument, item: TrashItem) => Change<Result>,
  ): Promise<Committed<Result>> =>
    write(input, async (context) => {
      const item = await context.trash.read(input.trashId);
      if (item.kind !== kind) throw notFound(kind === 'note' ? 'note' : 'list of todos');
      return mutate(context, (newest) => restored(newest, item), input.contextRevision);
    });

  return {
    context: {
      get: ({ projectId }) =>
        read(projectId, async (context) => {
          const plans = isWatching() ? 'doubtful' : true;
          await context.load({ migrate: () => isKnown(projectId), forReading: true, plans });
          return context.snapshot;
        }),
      deleted: ({ projectId }) =>
        read(projectId, async (context) => {
          const document = await context.load({ migrate: never, plans: false });
          return { items: await context.trash.list(document) };
        }),
      backups: ({ projectId }) => read(projectId, async (context) => ({ backups: await context.backups.list() })),
      recover: (input) => write(input, (context) => recover(context, input)),
      bringBack: (input) =>
        write(input, async (context) => {
          await context.load({ migrate: never, plans: false });
          const reverted = context.overwritten.revertedBy(input.noticeId);
          if (reverted === null) throw notFound('notice');
          const again = (newest: ContextDocument) => bringBack(newest, reverted);
          const { result, context: change } = await mutate(context, again, input.contextRevision);
          await context.notices.dismiss(input.noticeId, now());
          context.publish();
          return { ...result, context: change };
        }),
      dismiss: ({ projectId, noticeId }) =>
        write({ projectId }, async (context) => {
          await context.load({ migrate: never, plans: false });
          await context.notices.dismiss(noticeId, now());
          return { context: context.publish() };
        }),
    },

    notes: {
      create: async (input) => {
        const id = randomUUID();
        const { result, context } = await change(input, (newest) => createNote(newest, input, id, now()));
        return { ...result, context };
      },
      update: async (input) => {
        const { result, context } = await change(input, (newest) => updateNote(newest, input, now()));
        return { ...result, context };
      },
      delete: async (input) => {
        const committed = await change(input, (newest) => deleteNote(newest, input));
        return { trashId: trashIdOf(committed), context: committed.context };
      },
      restore: async (input) => {
        const { result, context } = await restore(input, 'note', restoreNote);
        return { ...result, context };
      },
    },

    todos: {
      replace: async (input) => {
        const { result, trashId, context } = await change(input, (newest) => replaceTodos(newest, input, now()));
        return { ...result, trashId, context };
      },
      add: async (input) => {
        const id = randomUUID();
        const { result, context } = await change(input, (newest) => addTodo(newest, input.text, id, now()));
        return { ...result, context };
      },
      update: async (input) => {
        const { result, context } = await change(input, (newest) => updateTodo(newest, input));
        return { ...result, context };
      },
      delete: async (input) => {
        const committed = await change(input, (newest) => deleteTodo(newest, input));
        return { trashId: trashIdOf(committed), context: committed.context };
      },
      move: async (input) => {
        const { context } = await change(input, (newest) => moveTodo(newest, input));
        return { context };
      },
      clearCompleted: async (input) => {
        const { result, trashId, context } = await change(input, clearCompleted);
        return { ...result, trashId, context };
      },
      restore: async (input) => {
        const { result, context } = await restore(input, 'todos', restoreTodos);
        return { ...result, context };
      },
    },

    plans: {
      create: (input) => write(input, (context) => createPlan(context, input, randomUUID())),
      read: ({ projectId, planId }) => read(projectId, (context) => readPlan(context, planId)),
      update: (input) => write(input, (context) => updatePlan(context, input)),
      delete: (input) => write(input, (context) => deletePlan(context, input)),
      setPinned: (input) => write(input, (context) => setPlanPinned(context, input)),
      restore: (input) => write(input, (context) => restorePlan(context, input)),
      versions: ({ projectId, planId }) => read(projectId, (context) => planVersions(context, planId)),
      readVersion: ({ projectId, ...input }) => read(projectId, (context) => readPlanVersion(context, input)),
    },
  };
}
