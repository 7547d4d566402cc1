import { temporaryOwner } from '../files/index.ts';
import { idOfTranscript } from './session-id.ts';

/** A copy that a synchronising program put beside the original: it belongs to no session and is left alone. */
const conflictCopy = /\.sync-conflict-\d{8}-\d{6}|\(conflicted copy|\(conflict(?:ed)? |'s conflicted copy/i;

export const isConflictCopy = (name: string): boolean => conflictCopy.test(name);

const LOG = '.events.jsonl';
const GUARDIAN = '.guardian';

/**
 * Of the names in a store those that belong to a session besides what the table names: `<id>.` and anything, unless a
 * longer id of a session fits, and temp files beside any of its names (docs/formats/session-format.md, section 12).
 */
export function strayNames(id: string, names: readonly string[]): string[] {
  const prefix = `${id}.`;
  const temporaryPrefix = `.${prefix}`;
  const near = names.filter((name) => name.startsWith(prefix) || name.startsWith(temporaryPrefix));
  const longer = longerIds(id, near);
  return near.filter((name) => {
    if (isConflictCopy(name)) return false;
    if (name.startsWith(prefix)) return ownerAmong(name, id, longer) === id;
    return temporaryOwner(name) !== null && ownerAmong(name.slice(1), id, longer) === id;
  });
}

/** Ids among the names that begin with another one: by their transcripts, and by logs whose transcript is missing. */
function longerIds(id: string, names: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const name of names) {
    const stem = idOfTranscript(name) ?? (name.endsWith(LOG) ? name.slice(0, -LOG.length) : null);
    if (stem !== null && stem !== id && stem !== `${id}${GUARDIAN}`) ids.add(stem);
  }
  return ids;
}

/** The longest id that a name begins with. */
function ownerAmong(name: string, id: string, longer: ReadonlySet<string>): string {
  let owner = id;
  for (let dot = name.indexOf('.', id.length + 1); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const stem = name.slice(0, dot);
    if (longer.has(stem)) owner = stem;
  }
  return owner;
}
