import { artifactName, artifactOf, sidecarEndings } from '../artifacts.ts';
import { idOfTranscript } from '../session-id.ts';

export const TRANSCRIPT = artifactName(artifactOf('transcript'), '');
export const LOG = artifactName(artifactOf('events'), '');
export const META = artifactName(artifactOf('meta'), '');
export const PENDING = artifactName(artifactOf('cleanup-pending'), '');
/** The titles that older desktops kept, by file name. */
export const TITLES = '.titles.json';

/** A session as the names in its folder tell of it. */
export interface NamedSession {
  readonly id: string;
  readonly hasLog: boolean;
  readonly hasMeta: boolean;
}

/**
 * The sessions in a folder: transcripts whose id the access rule allows and that no `cleanup-pending` hides
 * (docs/formats/session-format.md, sections 11 and 14).
 *
 * @param isKnown Whether an id was accepted before, so that it need not be checked again.
 */
export function namedSessions(
  names: readonly string[],
  isKnown: (id: string) => boolean,
): { sessions: NamedSession[]; hasTitles: boolean } {
  const endings = sidecarEndings;
  const transcripts: string[] = [];
  const others = new Set<string>();
  for (const name of names) {
    if (name.endsWith(META) || name.endsWith(PENDING) || name.endsWith(LOG)) others.add(name);
    else if (name.endsWith(TRANSCRIPT)) transcripts.push(name);
    else if (name === TITLES) others.add(name);
  }
  const sessions: NamedSession[] = [];
  for (const name of transcripts) {
    const id = name.slice(0, -TRANSCRIPT.length);
    if (others.has(id + PENDING) || !(isKnown(id) || isPlain(id, name, endings) || isSession(id))) continue;
    sessions.push({ id, hasLog: others.has(id + LOG), hasMeta: others.has(id + META) });
  }
  return { sessions, hasTitles: others.has(TITLES) };
}

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether an id, as most are, certainly is a session's: thousands of them are asked for at once. */
const isPlain = (id: string, name: string, endings: readonly string[]): boolean =>
  plain.test(id) && !endings.some((ending) => name.endsWith(ending));

/** Whether a transcript of this id is a session. */
export const isSession = (id: string): boolean => idOfTranscript(id + TRANSCRIPT) !== null;

const LOCKS = (['lock', 'lease-lock', 'lease-info'] as const).map((kind) => artifactName(artifactOf(kind), ''));

/** The session that a file with this name tells the holder of; null for any other name. */
export function lockedBy(name: string): string | null {
  const suffix = LOCKS.find((one) => name.endsWith(one));
  if (suffix === undefined) return null;
  const id = name.slice(0, -suffix.length);
  return isSession(id) ? id : null;
}

/** What a changed name in a store means for the list: one session, the title map, or nothing. */
export function meaningOf(name: string): { id: string } | 'titles' | null {
  if (name === TITLES) return 'titles';
  for (const suffix of [META, PENDING, LOG, TRANSCRIPT]) {
    if (!name.endsWith(suffix)) continue;
    const id = name.slice(0, -suffix.length);
    return isSession(id) ? { id } : null;
  }
  return null;
}
