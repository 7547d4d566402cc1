import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../src/contract/index.ts';
import { FILE_MODE } from '../src/files/index.ts';

const start = 1_700_000_000_000;
/** Length of a long plan that can still be edited. */
const planUnits = limits.planRaw - 1000;

/** Words as people type them, with letters of two and three bytes among them. */
const words = 'Проверить сборку — the build ещё раз, потом записать, was noch fehlt („später“), и назвать причину. ';

/** Text of a number of UTF-16 units, different for each `seed`. */
export const textOf = (seed: string, units: number): string =>
  `${seed} ${words.repeat(Math.ceil(units / words.length))}`.slice(0, units).trim();

/** A stored note, as the format has it. */
export type StoredNote = { id: string; body: string; createdAt: number; updatedAt: number; source: 'manual' };

/** @param units Length of each body in UTF-16 units. */
export const storedNotes = (count: number, units: number): StoredNote[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `note-${index}`,
    body: textOf(`Note ${index}.`, units),
    createdAt: start - index,
    updatedAt: start - index,
    source: 'manual',
  }));

/** The notes and todos of a context file of about 1 MB: as many as fit, as long as they may be. */
export const megabyte = () => ({
  notes: storedNotes(limits.notes, limits.noteBody),
  todos: storedTodos(limits.todos),
});

const storedTodos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `todo-${index}`,
    text: textOf(`Todo ${index}.`, limits.todoText),
    completed: index % 3 === 0,
    createdAt: start + index,
  }));

/** A project's data before the core sees it. @returns its context file. */
export const writeProject = async (
  root: string,
  projectId: string,
  lists: { notes?: unknown[]; todos?: unknown[]; plans?: unknown[] },
): Promise<string> => {
  const file = contextFile(root, projectId);
  await mkdir(path.join(path.dirname(file), 'plans'), { recursive: true, mode: 0o700 });
  const content = JSON.stringify({ version: 2, notes: [], todos: [], plans: [], ...lists }, null, 2);
  // As the core itself makes it, or each write would have another mode to keep.
  await writeFile(file, content, { mode: FILE_MODE });
  return file;
};

/** A project with every list full and plans of the largest size. @returns its context file. */
export const writeFullProject = async (root: string, projectId: string): Promise<string> => {
  const plans = Array.from({ length: limits.plans }, (_, index) => ({
    id: `plan-${index}`,
    file: `plan-${index}.md`,
    title: `Plan ${index}`,
    createdAt: start + index,
  }));
  const file = await writeProject(root, projectId, { ...megabyte(), plans });
  for (const plan of plans) {
    const text = `# ${plan.title}\n\n${'A line of a long plan, with some words in it.\n'.repeat(5000)}`;
    await writeFile(path.join(path.dirname(file), 'plans', plan.file), text.slice(0, planUnits));
  }
  return file;
};

export const contextFile = (root: string, projectId: string): string =>
  path.join(root, 'projects', projectId, 'context.json');
