import type { FoundEntry, Implementation } from '../../../src/contract/index.ts';
import { parsePlan } from './context.ts';
import type { MemoryStore } from './store.ts';

/** Code units of a text around the first place that was found. */
const AROUND = 60;

/** Search in memory: every word must be there, in any case; accents count, which the real one is better at. */
export function createFind(store: MemoryStore): Implementation['context']['find'] {
  return async ({ projectId, query, limit }) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const ids = projectId === null ? [...store.contexts.keys()] : [projectId];
    const readable = ids.filter((id) => store.contexts.get(id)?.damaged === false);
    const found = words.length === 0 ? [] : readable.flatMap((id) => entriesOf(store, id, words));
    const count = (section: FoundEntry['section']) => found.filter((entry) => entry.section === section).length;
    const counts = { notes: count('notes'), todos: count('todos'), plans: count('plans') };
    return { counts, found: found.slice(0, limit ?? 100), unread: ids.length - readable.length };
  };
}

function entriesOf(store: MemoryStore, projectId: string, words: readonly string[]): FoundEntry[] {
  const { notes, todos, plans, files } = store.of(projectId);
  const found = (
    section: FoundEntry['section'],
    { id, createdAt, completed }: { id: string; createdAt: number; completed?: boolean },
    text: string,
    title: string,
  ): FoundEntry[] => {
    const folded = text.toLowerCase();
    if (!words.every((word) => folded.includes(word))) return [];
    const first = Math.min(...words.map((word) => folded.indexOf(word)));
    const start = Math.max(0, first - AROUND);
    const excerpt = text.slice(start, first + AROUND * 2).replaceAll('\n', ' ');
    return [
      {
        projectId,
        section,
        id,
        title,
        excerpt,
        highlights: places(excerpt.toLowerCase(), words),
        createdAt,
        ...(completed === undefined ? {} : { completed }),
      },
    ];
  };
  return [
    ...notes.flatMap((note) => found('notes', note, note.body, note.body.slice(0, 80))),
    ...todos.flatMap((todo) => found('todos', todo, todo.text, todo.text)),
    ...plans.flatMap((plan) => {
      const raw = files.get(plan.file) ?? '';
      return found('plans', plan, raw, parsePlan(raw).title);
    }),
  ];
}

/** Ranges of the words in a text, in order and without overlap. */
function places(text: string, words: readonly string[]): [number, number][] {
  const ranges: [number, number][] = [];
  let at = 0;
  while (at < text.length) {
    const word = words.find((candidate) => text.startsWith(candidate, at));
    if (word !== undefined) ranges.push([at, at + word.length]);
    at += word?.length ?? 1;
  }
  return ranges;
}
