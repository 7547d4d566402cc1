import { shareRoom, shortTitle } from './block-text.ts';

/** A memory's title, as a session is told of it. */
export interface BlockTitle {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  /** Ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Titles of what is remembered, without those that are withheld. */
export interface BlockMemory {
  readonly global: readonly BlockTitle[];
  readonly owner: readonly BlockTitle[];
}

const ADVICE = [
  'What is remembered from earlier work is listed here by title only; the texts behind the titles are not in this message.',
  'Read the text of a memory before you rely on it: a title alone is no ground to act on.',
  'A memory may be out of date or wrong. Compare it with what you find, and go by what you find.',
].join('\n\n');

const LONGEST_TITLE = 120;
const LONGEST_TYPE = 20;
/** Room for the mark that titles are left out, with its line break. */
const MARK_ROOM = 48;

const headings = { global: '### About the user', owner: '### About this project' } as const;
const scopes = ['global', 'owner'] as const;

/**
 * The part of a block about memories: oldest first, and where not all fit, those that changed last.
 *
 * @param room In UTF-16 code units.
 * @returns Null when there is nothing to list, or not even a beginning of it fits.
 */
export function memorySection(
  memory: BlockMemory,
  room: number,
): { readonly text: string; readonly listed: readonly BlockTitle[] } | null {
  const present = scopes.filter((scope) => memory[scope].length > 0);
  const frame = present.reduce((size, scope) => size + 2 + headings[scope].length, ADVICE.length);
  const linesRoom = room - frame;
  if (present.length === 0 || linesRoom <= 0) return null;
  const wanted = present.map((scope) => memory[scope].reduce((size, one) => size + lineOf(one).length + 1, 0));
  const total = wanted.reduce((sum, size) => sum + size, 0);
  const rooms = total <= linesRoom ? wanted : shareRoom(wanted, linesRoom - MARK_ROOM);
  const chosen = present.map((scope, index) => ({ scope, titles: newest(memory[scope], rooms[index] ?? 0) }));
  const listed = chosen.flatMap(({ titles }) => titles);
  if (listed.length === 0) return null;
  const left = memory.global.length + memory.owner.length - listed.length;
  const lists = chosen
    .filter(({ titles }) => titles.length > 0)
    .map(({ scope, titles }) => `\n\n${[headings[scope], ...titles.map(lineOf)].join('\n')}`);
  const mark = left === 0 ? '' : `\n\n(${left} more ${left === 1 ? 'title is' : 'titles are'} not listed)`;
  return { text: ADVICE + lists.join('') + mark, listed };
}

const lineOf = ({ type, title }: BlockTitle): string =>
  `- [${shortTitle(type, LONGEST_TYPE)}] ${shortTitle(title, LONGEST_TITLE)}`;

/** Those that changed last, as many as fit, oldest first. */
function newest(titles: readonly BlockTitle[], room: number): BlockTitle[] {
  let left = room;
  const chosen: BlockTitle[] = [];
  for (const title of titles.toSorted((one, other) => other.updatedAt - one.updatedAt || byId(one, other))) {
    left -= lineOf(title).length + 1;
    if (left < 0) break;
    chosen.push(title);
  }
  return chosen.sort(oldestFirst);
}

interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

const byId = (one: Dated, other: Dated): number => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Order of whatever stands in a block; the ids make it the same each time. */
export const oldestFirst = (one: Dated, other: Dated): number => one.createdAt - other.createdAt || byId(one, other);
