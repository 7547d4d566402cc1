import { onOneLine } from '../../context/find-excerpt.ts';
import { Pace } from '../../context/find-pace.ts';
import { characterStart, type FoldedText, fold, foldPatiently } from '../../context/find-text.ts';
import type { CallOutput } from '../../contract/contract.ts';
import type { FileHandle } from '../../files/file-system.ts';
import { LINE_CAP } from './lines.ts';
import { type StoredMessage, sanitise } from './message.ts';
import { readMessage, readPlace } from './row-reader.ts';
import type { RowPlace } from './rows.ts';
import type { View } from './views.ts';

export type FindOutput = CallOutput<'sessions.find'>;

export interface FindRequest {
  readonly head: string;
  readonly query: string;
  readonly from: number;
  readonly limit: number;
}

/** Rows whose places are asked for at once. */
const BATCH = 256;
const EXCERPT_LENGTH = 200;
const LEAD = 60;
/** Text of rows that are no messages is looked through only up to here, in bytes. */
const BYTES_LOOKED_AT = 1024 * 1024;

/**
 * Looks for a text in the rows of a head, in order: without regard to case and accents, any white space as good as any
 * other. Reads one row at a time and lets other work run in between.
 *
 * @throws Failure `cancelled`.
 */
export async function findInView(
  handle: FileHandle,
  view: View,
  { head, query, from, limit }: FindRequest,
  signal?: AbortSignal,
): Promise<FindOutput> {
  const pace = new Pace(signal);
  const pattern = patternOf(query);
  const matches: FindOutput['matches'] = [];
  const total = view.count(head);
  if (pattern === null) return { matches, next: null };
  for (let index = from; index < total; index += BATCH) {
    const places = await view.places(head, index, Math.min(index + BATCH, total));
    for (const [step, place] of places.entries()) {
      await pace.pause();
      const match = await matchIn(await textsOf(handle, place), pattern, pace);
      if (match === null) continue;
      matches.push({ index: index + step, ...match });
      if (matches.length === limit) return { matches, next: index + step + 1 < total ? index + step + 1 : null };
    }
  }
  return { matches, next: null };
}

/** Null when nothing is left of the query to look for. */
function patternOf(query: string): RegExp | null {
  const words = fold(query.trim())
    .folded.split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return words.length === 0 ? null : new RegExp(words.join('\\s+'), 'g');
}

async function textsOf(handle: FileHandle, place: RowPlace): Promise<string[]> {
  const message = place.length > LINE_CAP ? null : await readMessage(handle, place);
  if (message !== null) return shownTexts(message);
  const bytes = await readPlace(handle, place, Math.min(place.length, BYTES_LOOKED_AT));
  return [sanitise(bytes.toString('utf8'))];
}

function shownTexts(message: StoredMessage): string[] {
  const calls = message.toolCalls.flatMap((call) => [call.name, call.arguments]);
  return [message.content, message.reasoning ?? '', ...calls].filter((text) => text !== '').map(sanitise);
}

async function matchIn(texts: readonly string[], pattern: RegExp, pace: Pace) {
  let count = 0;
  let excerpt: string | null = null;
  for (const text of texts) {
    const folded = await foldPatiently(text, () => pace.pause());
    pattern.lastIndex = 0;
    for (let found = pattern.exec(folded.folded); found !== null; found = pattern.exec(folded.folded)) {
      excerpt ??= excerptOf(folded, found.index, found.index + found[0].length);
      count++;
    }
  }
  return excerpt === null ? null : { count, excerpt };
}

/** The text around a place, on one line. */
function excerptOf(folded: FoldedText, start: number, end: number): string {
  const { text } = folded;
  const [place] = folded.locate(start, end);
  const from = characterStart(text, Math.max(0, place - LEAD));
  const whole = onOneLine(text.slice(from, from + 4 * EXCERPT_LENGTH)).trim();
  const lead = text.slice(0, from).trim() === '' ? '' : '…';
  const isCut =
    whole.length > EXCERPT_LENGTH - 2 || text.slice(from + 4 * EXCERPT_LENGTH, from + 5 * EXCERPT_LENGTH).trim() !== '';
  const shown = isCut
    ? whole.slice(0, characterStart(whole, Math.min(EXCERPT_LENGTH - 2, whole.length))).trimEnd()
    : whole;
  return `${lead}${shown}${isCut ? '…' : ''}`;
}
