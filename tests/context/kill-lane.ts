import { expect } from 'vitest';
import type { DeletedItem, Note, Todo } from '../../src/contract/entities.ts';
import type { StoreChild } from './store-child.ts';
import { p1 } from './support.ts';

/** What a folder holds, as the process that opened it says. */
export interface Contents {
  notes: Note[];
  todos: Todo[];
  plans: { id: string; raw: string }[];
  deleted: DeletedItem[];
}

/** Entries of one lane: their kind and id, and what they say. */
type Entries = ReadonlyMap<string, string>;
interface Deleted {
  kind: 'note' | 'todos' | 'plan';
  trashId: string;
  entries: [key: string, text: string][];
  round: number;
}

/** A change whose answer is not there yet. */
interface Pending {
  call: string;
  input: object;
  /** What it makes of the entries. An entry that it adds has no id yet: see `added`. */
  removes: string[];
  sets: [key: string, text: string][];
  added: { kind: string; text: string } | null;
  takes: Deleted | null;
}

/** How many rounds later something that was deleted is still brought back: the clock makes ten days of each. */
const ROUNDS_KEPT = 2;

/** One caller with its own entries, who knows what was acknowledged, and at most one change that was not. */
export class Lane {
  readonly #name: string;
  readonly #random: (limit: number) => number;
  #entries: Entries = new Map();
  #deleted: Deleted[] = [];
  #pending: Pending | null = null;
  #count = 0;
  acknowledged = 0;

  constructor(name: string, random: (limit: number) => number) {
    this.#name = name;
    this.#random = random;
  }

  /** Makes one change after the other until the process is gone. */
  async run(child: StoreChild, round: number): Promise<void> {
    for (;;) {
      const pending = this.#choose(round);
      this.#pending = pending;
      const answer = await child.ask(pending.call, { ...p1, ...pending.input });
      if (answer === null) return;
      const { error } = answer;
      if (error) throw new Error(`${pending.call} ${JSON.stringify(pending.input)}: ${JSON.stringify(error)}`);
      this.#acknowledge(pending, answer.value as Record<string, unknown>, round);
    }
  }

  /** Compares with what is there: all that was acknowledged, and what was not either whole or not at all. */
  check(contents: Contents, round: number): void {
    const where = `round ${round}`;
    const found = this.#own(contents);
    const pending = this.#pending;
    this.#pending = null;
    const shown = (entries: Entries): string => JSON.stringify([...entries].sort(), null, 1);
    if (pending !== null && shown(found) !== shown(this.#entries)) {
      const made = this.#after(pending, found);
      expect(shown(found), `${where}: ${this.#name} after ${pending.call}`).toBe(shown(made));
      if (pending.takes !== null) this.#deleted = this.#deleted.filter((one) => one !== pending.takes);
      this.#entries = made;
      return;
    }
    expect(shown(found), `${where}: ${this.#name}`).toBe(shown(this.#entries));
    const ids = new Set(contents.deleted.map((item) => item.id));
    this.#forgetOld(round);
    for (const { trashId, entries } of this.#deleted) {
      if (!entries.some(([key]) => found.has(key)))
        expect(ids, `${where}: what ${this.#name} deleted`).toContain(trashId);
    }
  }

  #own({ notes, todos, plans }: Contents): Map<string, string> {
    const all: [string, string][] = [
      ...notes.map((note): [string, string] => [`note ${note.id}`, note.body]),
      ...todos.map((todo): [string, string] => [`todo ${todo.id}`, `${todo.text}${todo.completed ? ' done' : ''}`]),
      ...plans.map((plan): [string, string] => [`plan ${plan.id}`, plan.raw]),
    ];
    return new Map(all.filter(([, text]) => text.replace('# ', '').startsWith(`${this.#name} `)));
  }

  #after(pending: Pending, found: Entries): Map<string, string> {
    const made = new Map(this.#entries);
    for (const key of pending.removes) made.delete(key);
    for (const [key, text] of pending.sets) made.set(key, text);
    if (pending.added !== null) {
      const { kind, text } = pending.added;
      const [key] = [...found].find(([one, said]) => one.startsWith(kind) && said === text && !made.has(one)) ?? [];
      if (key !== undefined) made.set(key, text);
    }
    return made;
  }

  #acknowledge(pending: Pending, value: Record<string, unknown>, round: number): void {
    this.acknowledged++;
    this.#pending = null;
    const found = new Map<string, string>();
    if (pending.added !== null) {
      const { kind, text } = pending.added;
      found.set(`${kind} ${(value[kind] as { id: string }).id}`, text);
    }
    const before = this.#entries;
    this.#entries = this.#after(pending, found);
    if (pending.takes !== null) this.#deleted = this.#deleted.filter((one) => one !== pending.takes);
    if (typeof value.trashId !== 'string') return;
    const entries = pending.removes.map((key): [string, string] => [key, before.get(key) ?? '']);
    const [kind = ''] = (entries[0]?.[0] ?? '').split(' ');
    this.#deleted.push({
      kind: kind === 'todo' ? 'todos' : (kind as 'note' | 'plan'),
      trashId: value.trashId,
      entries,
      round,
    });
  }

  #forgetOld(round: number): void {
    this.#deleted = this.#deleted.filter((one) => round - one.round <= ROUNDS_KEPT);
  }

  #choose(round: number): Pending {
    this.#forgetOld(round);
    const back = this.#deleted[this.#random(this.#deleted.length)];
    if (back !== undefined && this.#random(5) === 0) {
      const call = back.kind === 'todos' ? 'todos.restore' : `${back.kind}s.restore`;
      return { call, input: { trashId: back.trashId }, removes: [], sets: back.entries, added: null, takes: back };
    }
    const keys = [...this.#entries.keys()];
    const key = keys[this.#random(keys.length)];
    if (key === undefined || keys.length < 4 || (keys.length < 12 && this.#random(2) === 0)) return this.#create();
    return this.#random(3) > 0 && keys.length < 12 ? this.#update(key) : remove(key);
  }

  #text(): string {
    return `${this.#name} ${this.#count++} ${'text '.repeat(this.#random(20)).trim()}`.trim();
  }

  #create(): Pending {
    const text = this.#text();
    const base = { removes: [], sets: [], takes: null };
    const kind = (['note', 'todo', 'plan'] as const)[this.#random(3)] ?? 'note';
    if (kind === 'note') return { ...base, call: 'notes.create', input: { body: text }, added: { kind, text } };
    if (kind === 'todo') return { ...base, call: 'todos.add', input: { text }, added: { kind, text } };
    const input = { title: text, body: 'body\n' };
    return { ...base, call: 'plans.create', input, added: { kind, text: `# ${text}\n\nbody\n` } };
  }

  #update(key: string): Pending {
    const text = this.#text();
    const [kind, id = ''] = key.split(' ');
    const base = { removes: [], added: null, takes: null };
    if (kind === 'note') {
      return { ...base, call: 'notes.update', input: { noteId: id, body: text }, sets: [[key, text]] };
    }
    if (kind === 'plan') {
      const raw = `# ${text}\n${'line\n'.repeat(this.#random(2000))}`;
      return { ...base, call: 'plans.update', input: { planId: id, raw }, sets: [[key, raw]] };
    }
    return {
      ...base,
      call: 'todos.update',
      input: { todoId: id, text, completed: true },
      sets: [[key, `${text} done`]],
    };
  }
}

function remove(key: string): Pending {
  const [kind = '', id] = key.split(' ');
  return { call: `${kind}s.delete`, input: { [`${kind}Id`]: id }, removes: [key], sets: [], added: null, takes: null };
}
