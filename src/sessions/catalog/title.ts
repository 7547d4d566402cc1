import type { SessionRow } from '../../contract/entities.ts';
import { sessionLimits } from '../../contract/identifiers.ts';
import { clampText } from '../../files/text.ts';
import { plainLine } from './preview.ts';
import { isObject } from './shape.ts';

/** Title of a session of which nothing else is known. */
export const GENERIC_TITLE = 'Untitled session';

export interface TitleSources {
  custom: string | null;
  topic: string | null;
  /** From `.titles.json`. */
  map: string | null;
  preview: string | null;
}

/**
 * The title by its precedence: custom, topic, title map, preview, a generic one (docs/formats/session-format.md,
 * section 11). A text of which nothing can be seen counts as none.
 */
export function titleOf(sources: TitleSources): Pick<SessionRow, 'title' | 'titleSource'> {
  for (const titleSource of ['custom', 'topic', 'map', 'preview'] as const) {
    const title = clampText(plainLine(sources[titleSource] ?? ''), sessionLimits.title);
    if (title !== '') return { title, titleSource };
  }
  return { title: GENERIC_TITLE, titleSource: 'generic' };
}

/** Titles by session id. */
export type TitleMap = ReadonlyMap<string, string>;

export const noTitles: TitleMap = new Map();

/**
 * Reads a store's `.titles.json`: an object of titles by the transcript's file name. Entries that are no texts are left
 * out; null for bytes that are no such object, which another program may be writing.
 */
export function parseTitleMap(bytes: Uint8Array): TitleMap | null {
  let value: unknown;
  try {
    value = JSON.parse(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
  } catch {
    // Titles are a nicety: the sessions are listed without them.
    return null;
  }
  if (!isObject(value)) return null;
  const titles = new Map<string, string>();
  for (const [name, entry] of Object.entries(value)) {
    const title = isObject(entry) ? entry.title : entry;
    if (typeof title === 'string' && title.trim() !== '') titles.set(name.replace(/\.jsonl$/, ''), title);
  }
  return titles;
}
