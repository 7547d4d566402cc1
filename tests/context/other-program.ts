// Another program on the same data folder, which knows nothing of Sidekeep. It does what the lines on its standard input
// say, one after the other, and answers each with a line.
import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

interface Stored {
  version: number;
  notes: Record<string, unknown>[];
  todos: Record<string, unknown>[];
  plans: Record<string, unknown>[];
}

/** What to do: `remember` the context and save it later, `save` it, and so on. */
export interface Task {
  do: 'remember' | 'save' | 'save plan' | 'add' | 'add in place' | 'edit';
  /** How often, and how long it rests in between, in ms. */
  times?: number;
  rest?: number;
  /** A name for what it adds. */
  name?: string;
  file?: string;
  text?: string;
  /** Ids of notes: one to change, and one to delete. */
  change?: string;
  remove?: string;
}

const folder = process.argv[2] ?? '';
const path = join(folder, 'context.json');
let memory: Stored | null = null;

const read = (): Stored => JSON.parse(readFileSync(path, 'utf8')) as Stored;

/** As OpenChamber writes an entry: known keys in its own order, the old flag always there. */
function serialised({ notes, todos, plans }: Stored): string {
  const stored = {
    version: 2,
    notes: notes.map(({ id, body, createdAt, updatedAt, source }) => ({
      id,
      body,
      source: source ?? 'manual',
      pinned: false,
      createdAt,
      updatedAt: updatedAt ?? createdAt,
    })),
    todos: todos.map(({ id, text, completed, createdAt }) => ({ id, text, completed: completed ?? false, createdAt })),
    plans: plans.map(({ id, title, file, createdAt }) => ({ id, title, file, pinned: false, createdAt })),
  };
  return JSON.stringify(stored, null, 2);
}

function replace(target: string, text: string): void {
  const temporary = `${target}.other-${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}

/** Two steps with a pause: whoever reads in between finds half of it. */
async function writeInPlace(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const half = Math.floor(bytes.length / 2);
  const file = openSync(path, 'r+');
  ftruncateSync(file, 0);
  writeSync(file, bytes, 0, half, 0);
  await delay(60);
  writeSync(file, bytes, half, bytes.length - half, half);
  closeSync(file);
}

const added = (stored: Stored, id: string): Stored => ({
  ...stored,
  notes: [{ id, body: id, createdAt: Date.now() }, ...stored.notes],
});

async function perform(task: Task): Promise<string[]> {
  const { times = 1, rest = 0, name = 'theirs' } = task;
  const ids = Array.from({ length: times }, (_value, index) => `${name}-${index}`);
  switch (task.do) {
    case 'remember':
      memory = read();
      return [];
    case 'save':
      if (memory !== null) replace(path, serialised(memory));
      return [];
    case 'save plan':
      replace(join(folder, 'plans', task.file ?? ''), task.text ?? '');
      return [];
    case 'edit': {
      const stored = read();
      const notes = stored.notes.filter((note) => note.id !== task.remove);
      const changed = notes.map((note) => (note.id === task.change ? { ...note, body: 'edited by them' } : note));
      replace(path, serialised({ ...stored, notes: changed }));
      return [];
    }
    default:
      for (const id of ids) {
        if (task.do === 'add') replace(path, serialised(added(read(), id)));
        else await writeInPlace(serialised(added(read(), id)));
        await delay(rest);
      }
      return ids;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await perform(JSON.parse(line) as Task))}\n`);
}
