import {
  type CallError,
  type CallOutput,
  type CatalogState,
  type ChatList,
  type EventPayload,
  type SessionRow,
  sessionKey,
} from '../../src/contract/index.ts';

/** Where a row stands in a list: pinned ones first, then by last activity, then by name. */
interface Place {
  readonly pinned: boolean;
  readonly lastActivity: number;
  readonly key: string;
}

/** The beginning of the sessions of one owner, or of all, as far as it was asked for. */
export interface SessionList {
  /** In order; the first of `total`. */
  readonly rows: readonly SessionRow[];
  readonly total: number;
  /** Where the rows go on; null when these are all. */
  readonly cursor: string | null;
  readonly sequence: number;
  readonly catalog: CatalogState;
  /** Why the newest wish could not be fulfilled; the rows from before stay. */
  readonly problem: CallError | null;
  /** Whether anything was read at all: without it, and without a problem, the list is loading. */
  readonly isRead: boolean;
  /** The place up to which the rows were read; null when that is the end. */
  readonly readTo: Place | null;
  /** The total may be another one: a session came or went that was not among the rows. */
  readonly isTotalOld: boolean;
}

export type SessionPush = EventPayload<'sessions.changed'>;
export type ListAnswer = CallOutput<'sessions.list'>;

export const emptyList: SessionList = {
  rows: [],
  total: 0,
  cursor: null,
  sequence: 0,
  catalog: { state: 'loading', reason: null, progress: null },
  problem: null,
  isRead: false,
  readTo: null,
  isTotalOld: false,
};

/** A list that consists of this answer. */
export const listOf = (answer: ListAnswer): SessionList => ({
  rows: answer.rows,
  total: answer.total,
  cursor: answer.cursor,
  sequence: answer.sequence,
  catalog: answer.catalog,
  problem: null,
  isRead: true,
  readTo: boundaryOf(answer),
  isTotalOld: false,
});

/** The list with its next page. A row that came twice stands once. */
export function withNextPage(list: SessionList, answer: ListAnswer): SessionList {
  const fresh = new Set(answer.rows.map(({ session }) => sessionKey(session)));
  const rows = [...list.rows.filter(({ session }) => !fresh.has(sessionKey(session))), ...answer.rows].sort(byPlace);
  return {
    ...list,
    rows,
    total: answer.cursor === null ? rows.length : answer.total,
    cursor: answer.cursor,
    catalog: answer.catalog,
    problem: null,
    readTo: boundaryOf(answer),
    isTotalOld: false,
  };
}

/**
 * The list after a push; the list itself when it knew that already, null when something is missing between the two.
 * @param ownerId null: the list of all owners
 */
export function withPush(list: SessionList, push: SessionPush, ownerId: string | null): SessionList | null {
  if (push.sequence <= list.sequence) return list;
  if (push.all || push.sequence > list.sequence + 1) return null;
  return { ...withRows(list, ownerId, push.changed, push.removed), sequence: push.sequence, catalog: push.catalog };
}

/** The list with these rows changed or gone. May be applied twice. */
export function withRows(
  list: SessionList,
  ownerId: string | null,
  changed: readonly SessionRow[],
  removed: readonly SessionRow['session'][] = [],
): SessionList {
  if (changed.length === 0 && removed.length === 0) return list;
  const rows = new Map(list.rows.map((row) => [sessionKey(row.session), row]));
  let isTotalOld = list.isTotalOld;
  for (const session of removed) if (!rows.delete(sessionKey(session))) isTotalOld = true;
  for (const row of changed) {
    const key = sessionKey(row.session);
    if (ownerId !== null && row.ownerId !== ownerId) rows.delete(key);
    else {
      if (!rows.has(key)) isTotalOld = true;
      rows.set(key, row);
    }
  }
  const { readTo, cursor } = list;
  const all = [...rows.values()].sort(byPlace);
  // A row that went beyond what was read comes with the page that it belongs to.
  const kept = cursor === null || readTo === null ? all : all.filter((row) => compare(placeOf(row), readTo) <= 0);
  const gone = list.rows.length - [...rows.values()].filter((row) => list.rows.includes(row)).length;
  return cursor === null
    ? { ...list, rows: kept, total: kept.length, isTotalOld: false }
    : { ...list, rows: kept, isTotalOld: isTotalOld || gone > 0 };
}

/** The sessions of an owner as they are shown. */
export interface ShownSessions {
  readonly list: SessionList;
  /** They are those of the run before, and are being looked for. */
  readonly isOld: boolean;
}

/**
 * The chats as they are shown: as soon as one of both knows them, and never fewer for a moment while the sessions are
 * still being looked for.
 */
export function shownChats(list: SessionList, chats: ChatList | null): ShownSessions {
  const isSettled = list.isRead && list.catalog.state === 'ready';
  if (isSettled || chats === null) return { list, isOld: false };
  const { rows, total, confirmed } = chats;
  const shown = rows.length <= list.rows.length ? list : { ...list, rows, total: Math.max(total ?? 0, rows.length) };
  return { list: shown, isOld: !confirmed };
}

/** A row of the rail: a session, indented when it is a copy that was rescued from the one above it. */
export interface ListedSession {
  readonly row: SessionRow;
  readonly isCopy: boolean;
}

/** The rows as they are shown: each rescued copy below the session that it is a copy of, if that is among them. */
export function listed(rows: readonly SessionRow[]): ListedSession[] {
  const roots = new Set(rows.filter(({ recoveryOf }) => recoveryOf === null).map(({ session }) => sessionKey(session)));
  const rootOf = ({ session, recoveryOf }: SessionRow): string | null => {
    const key = recoveryOf === null ? null : sessionKey({ store: session.store, id: recoveryOf });
    return key !== null && roots.has(key) ? key : null;
  };
  const copies = Map.groupBy(
    rows.filter((row) => rootOf(row) !== null),
    rootOf,
  );
  return rows
    .filter((row) => rootOf(row) === null)
    .flatMap((row) => [
      { row, isCopy: row.recoveryOf !== null },
      ...(copies.get(sessionKey(row.session)) ?? []).map((copy) => ({ row: copy, isCopy: true })),
    ]);
}

const placeOf = ({ pinned, lastActivity, session }: SessionRow): Place => ({
  pinned,
  lastActivity,
  key: sessionKey(session),
});

const compare = (first: Place, second: Place): number =>
  Number(second.pinned) - Number(first.pinned) ||
  second.lastActivity - first.lastActivity ||
  (first.key < second.key ? -1 : first.key > second.key ? 1 : 0);

const byPlace = (first: SessionRow, second: SessionRow): number => compare(placeOf(first), placeOf(second));

function boundaryOf({ rows, cursor }: ListAnswer): Place | null {
  const last = rows.at(-1);
  return cursor === null || last === undefined ? null : placeOf(last);
}
