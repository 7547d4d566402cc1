import { sep } from 'node:path';
import type { Mark, QuickDisk } from './disk.ts';
import { type Facts, isCertified, notSeen } from './facts.ts';
import { listingMeta, parseMeta } from './meta.ts';
import { META, type NamedSession, namedSessions, TRANSCRIPT } from './names.ts';

/** The names in a store, before any of its files was looked at. */
export interface Named {
  /** The newest first, as far as ids tell. */
  readonly sessions: readonly NamedSession[];
  readonly hasTitles: boolean;
  /** Names that are no regular files. */
  readonly odd: ReadonlySet<string>;
}

/** Lists a store; null when its folder is absent. @throws an error of the system. */
export async function namesAtAGlance(quick: QuickDisk, folder: string): Promise<Named | null> {
  const kinds = await quick.kinds(folder);
  if (kinds === null) return null;
  const { names, odd } = kinds;
  const usual = odd.size === 0 ? names : names.filter((name) => !(odd.has(name) && name.endsWith(TRANSCRIPT)));
  const { sessions, hasTitles } = namedSessions(usual, () => false);
  return { sessions: newestFirst(sessions), hasTitles, odd };
}

/** Ids mostly begin with their time: the newest come first into a list that somebody waits for. */
export const newestFirst = (sessions: NamedSession[]): NamedSession[] =>
  sessions.sort((left, right) => (left.id < right.id ? 1 : -1));

export interface Glanced {
  /** Sessions of which the meta file tells everything that the order and the text of the list need. */
  readonly known: { id: string; facts: Facts }[];
  /** All others. */
  readonly rest: NamedSession[];
}

/** Reads the meta files of sessions, and nothing else. */
export async function glanceAt(
  quick: QuickDisk,
  folder: string,
  sessions: readonly NamedSession[],
  { odd, now }: { odd: ReadonlySet<string>; now: number },
): Promise<Glanced> {
  const rest: NamedSession[] = [];
  const asked: NamedSession[] = [];
  for (const session of sessions) {
    (session.hasMeta && !(odd.size > 0 && odd.has(session.id + META)) ? asked : rest).push(session);
  }
  const read = await quick.small(
    asked.map(({ id }) => folder + sep + id + META),
    (bytes, mark) => glimpseOf(bytes, mark, now),
  );
  const known: Glanced['known'] = [];
  for (const [index, session] of asked.entries()) {
    const facts = read[index];
    if (facts == null) rest.push(session);
    else known.push({ id: session.id, facts });
  }
  return { known, rest };
}

/** Null for a meta file that does not vouch for its session, or does not say when that was active. */
function glimpseOf(bytes: Buffer, meta: Mark, now: number): Facts | null {
  const parsed = parseMeta(bytes);
  if (parsed === null || parsed === 'torn') return null;
  const details = listingMeta(parsed, now);
  const facts: Facts = {
    transcript: notSeen,
    log: null,
    meta,
    details,
    detailsState: 'present',
    gist: null,
    unreadable: null,
  };
  return isCertified(facts) && details.updatedAt !== null ? facts : null;
}
