import {
  Failure,
  type Implementation,
  type SessionMessage,
  type SessionRef,
  type SessionRow,
  sessionKey,
  sessionLimits,
  type TrashedRef,
} from '../../../src/contract/index.ts';
import type { MemoryChats } from './chats.ts';
import { extentOf, MAIN, type MemorySessions, message, messagesOf, type StoredSession } from './session-store.ts';

type SessionCalls = Implementation['sessions'];

/** The calls of the contract over {@link MemorySessions}. */
export function createSessionCalls(sessions: MemorySessions, chats: MemoryChats): SessionCalls {
  return { ...reads(sessions), ...writes(sessions, chats), ...trashCalls(sessions, chats) };
}

/** Makes a session and pushes its row. */
export function createSession(
  sessions: MemorySessions,
  { ownerId, title, text }: { ownerId: string; title?: string | undefined; text?: string | undefined },
): SessionRow {
  const first = text === undefined ? [] : [message('user', text, { id: sessions.newId() })];
  const { row } = sessions.add(
    sessions.newId(),
    {
      ownerId,
      ours: true,
      title: title ?? text?.slice(0, 80) ?? 'New session',
      titleSource: title === undefined ? (text === undefined ? 'generic' : 'preview') : 'custom',
      preview: text ?? null,
      createdAt: sessions.now(),
    },
    first,
  );
  sessions.push([row]);
  return row;
}

function reads(sessions: MemorySessions): Pick<SessionCalls, 'list' | 'get' | 'page' | 'text' | 'find' | 'reveal'> {
  return {
    list: async ({ ownerId, query = '', cursor = null, limit = 50 }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = [...sessions.all.values()]
        .filter(({ leaving }) => !leaving)
        .map(({ row }) => row)
        .filter((row) => ownerId === null || row.ownerId === ownerId)
        .filter((row) => words.every((word) => `${row.title} ${row.preview ?? ''}`.toLowerCase().includes(word)))
        .sort(inOrder);
      const from = cursor === null ? 0 : rows.findIndex((row) => comparePlaces(placeOf(row), placeAt(cursor)) > 0);
      if (cursor !== null && !cursor.startsWith(`${sessions.epoch} `)) {
        throw new Failure('conflict', 'The list is another one by now. Read it from its beginning.');
      }
      const page = from < 0 ? [] : rows.slice(from, from + limit);
      const last = page.at(-1);
      const isEnd = last === undefined || from + page.length >= rows.length;
      return {
        rows: page,
        cursor: isEnd ? null : `${sessions.epoch} ${JSON.stringify(placeOf(last))}`,
        total: rows.length,
        sequence: sessions.sequence,
        catalog: sessions.catalog,
      };
    },
    get: async ({ session }) => {
      const { row, format, holder, heads } = sessions.of(session);
      const broken = row.health === 'too-new' || row.health === 'unreadable' ? row.health : null;
      const readOnly = broken ?? (holder ? 'in-use' : row.ours ? null : 'foreign');
      return { row, format: broken ? null : format, holder, readOnly, heads, head: heads[0]?.id ?? MAIN };
    },
    page: async ({ session, head: named, before, from, limit = 50 }) => {
      const stored = readable(sessions.of(session));
      const head = named ?? stored.heads[0]?.id ?? MAIN;
      const { total, complete } = extentOf(stored, head);
      const all = messagesOf(stored, head).slice(0, total);
      const messages = from === undefined ? lastPage(all, before ?? total, limit) : firstPage(all, from, limit);
      const { holes, torn, generation } = stored;
      return { session, head, messages, total, complete, generation: String(generation), holes, torn };
    },
    text: async ({ session, head, index, part, offset, length }) => {
      const stored = readable(sessions.of(session));
      const found = messagesOf(stored, head ?? stored.heads[0]?.id ?? MAIN)[index];
      if (!found) throw new Failure('not-found', 'That message is no longer there.');
      const text =
        part === 'content'
          ? found.content
          : part === 'reasoning'
            ? (found.reasoning ?? '')
            : (found.toolCalls[part]?.arguments ?? '');
      return { text: text.slice(offset, offset + length), total: text.length };
    },
    find: async ({ session, head, query, from = 0, limit = 100 }) => {
      const stored = readable(sessions.of(session));
      const wanted = query.toLowerCase();
      const found = messagesOf(stored, head ?? stored.heads[0]?.id ?? MAIN).flatMap((found, index) => {
        const text = [found.content, found.reasoning ?? '', ...found.toolCalls.map((call) => call.arguments)].join(' ');
        const count = text.toLowerCase().split(wanted).length - 1;
        const at = text.toLowerCase().indexOf(wanted);
        return index < from || count === 0
          ? []
          : [{ index, count, excerpt: text.slice(Math.max(0, at - 40), at + 60) }];
      });
      const matches = found.slice(0, limit);
      return { matches, next: found.length > limit ? (matches.at(-1)?.index ?? 0) + 1 : null };
    },
    reveal: async ({ session }) => {
      sessions.of(session);
      return {};
    },
  };
}

function writes(
  sessions: MemorySessions,
  chats: MemoryChats,
): Pick<SessionCalls, 'create' | 'append' | 'rename' | 'fork' | 'pin'> {
  return {
    create: async ({ ownerId, title, text, requestId }) => {
      const known = requestId === undefined ? undefined : sessions.requests.get(requestId);
      if (known) return { row: sessions.of(known).row };
      const row = createSession(sessions, { ownerId, title, text });
      chats.settle(row);
      if (requestId !== undefined) sessions.requests.set(requestId, row.session);
      return { row };
    },
    append: async ({ session, text, messageId }) => {
      const stored = writable(sessions.of(session));
      if (!stored.row.ours) {
        throw new Failure('conflict', 'This session was made by another program. Continue it as a copy.');
      }
      const at = stored.recorded.get(messageId);
      const answer = (index: number, leftOut: string[]) => {
        const list = messagesOf(stored, MAIN);
        const found = list[index];
        if (!found) throw new Failure('malformed', 'The message is not where it was recorded.');
        const before = list[index - 1];
        const told = before?.origin === 'host' ? before : null;
        return { message: found, told, leftOut, total: list.length, generation: String(stored.generation) };
      };
      if (at !== undefined) return answer(at, []);
      const told = sessions.tell(session);
      const now = sessions.now();
      const id = `told-${told?.digest}-${messageId}`;
      const host = told === null ? [] : [message('user', told.text, { id, origin: 'host', createdAt: now })];
      const index = messagesOf(stored, MAIN).length + host.length;
      stored.recorded.set(messageId, index);
      sessions.grow(session, [...host, message('user', text, { id: messageId, createdAt: now })]);
      return answer(index, told?.leftOut ?? []);
    },
    rename: async ({ session, title, seen }) => {
      const { row } = writable(sessions.of(session));
      const current = row.titleSource === 'custom' ? row.title : '';
      if (seen !== undefined && seen !== current) {
        throw new Failure('conflict', 'This session has another title by now. Nothing was overwritten.');
      }
      const change =
        title === null
          ? ({ title: row.preview ?? 'Session', titleSource: row.preview ? 'preview' : 'generic' } as const)
          : ({ title, titleSource: 'custom' } as const);
      return { row: sessions.change(session, change) };
    },
    fork: async ({ session, head, index, ownerId }) => {
      const stored = readable(sessions.of(session));
      const all = messagesOf(stored, head ?? stored.heads[0]?.id ?? MAIN);
      const { row } = sessions.add(
        sessions.newId(),
        {
          ownerId: ownerId ?? stored.row.ownerId,
          ours: true,
          title: stored.row.title,
          titleSource: stored.row.titleSource,
          preview: stored.row.preview,
          parentId: session.id,
        },
        all.slice(0, index === undefined ? undefined : index + 1),
      );
      chats.settle(row);
      sessions.push([row]);
      return { row };
    },
    pin: async ({ session, pinned }) => {
      sessions.of(session);
      const count = [...sessions.all.values()].filter(({ row }) => row.pinned).length;
      if (pinned && count >= sessionLimits.pinned) {
        throw new Failure('limit', `There are ${sessionLimits.pinned} pinned sessions already. Nothing was changed.`);
      }
      return { row: sessions.change(session, { pinned }) };
    },
  };
}

function trashCalls(
  sessions: MemorySessions,
  chats: MemoryChats,
): Pick<SessionCalls, 'delete' | 'restore' | 'trash' | 'purge' | 'report' | 'repair'> {
  const entryOf = ({ store, name }: TrashedRef) => {
    const entry = sessions.trash.find(({ item }) => item.store === store && item.name === name);
    if (!entry) throw new Failure('not-found', 'It is no longer in the trash. Nothing was changed.');
    return entry;
  };
  /** Takes the folder of a chat along, if it may go; answers how many files went with it, or why it stays. */
  const takeFolder = (session: SessionRef, isWanted: boolean): { files: number | null; kept: string | null } => {
    const folder = chats.ofSession.get(sessionKey(session));
    const files = folder === undefined ? undefined : chats.folders.get(folder);
    if (folder === undefined || files === undefined) return { files: null, kept: null };
    const stays = chats.stays.get(folder) ?? (files > 0 && !isWanted ? 'There are files in it.' : null);
    if (stays !== null) return { files: null, kept: stays };
    chats.folders.delete(folder);
    return { files, kept: null };
  };
  const drop = (entry: ReturnType<typeof entryOf>) => sessions.trash.splice(sessions.trash.indexOf(entry), 1);
  return {
    delete: async ({ session, whenFree, folder }) => {
      const stored = sessions.of(session);
      if (stored.holder && whenFree !== true) {
        throw new Failure('in-use', 'Another program has this session open. Nothing was deleted.');
      }
      if (!stored.holder) {
        const { files, kept } = takeFolder(session, folder === 'trash');
        const { store, name } = sessions.throwAway(session, files);
        return { trashed: { store, name }, folderKept: kept };
      }
      stored.leaving = true;
      chats.leaving.set(sessionKey(session), folder ?? 'keep');
      sessions.push([], [session]);
      return { trashed: null, folderKept: null };
    },
    restore: async (ref) => {
      const entry = entryOf(ref);
      const key = sessionKey(entry.item.session);
      if (entry.item.problem !== null) throw new Failure('malformed', entry.item.problem);
      if (sessions.all.has(key)) {
        throw new Failure('conflict', 'A session of that name is there again. The one in the trash stays there.');
      }
      drop(entry);
      const folder = chats.ofSession.get(key);
      if (folder !== undefined && entry.item.folderFiles !== null) chats.folders.set(folder, entry.item.folderFiles);
      sessions.all.set(key, entry.stored);
      sessions.push([entry.stored.row]);
      return { row: entry.stored.row };
    },
    trash: async () => ({ items: sessions.trash.map(({ item }) => item) }),
    purge: async ({ items }) => {
      const failed: { item: TrashedRef; reason: string }[] = [];
      for (const item of items) {
        try {
          drop(entryOf(item));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          failed.push({ item, reason: error.message });
        }
      }
      return { purged: items.length - failed.length, failed };
    },
    report: async () => {
      sessions.report ??= reportOf(sessions);
      return sessions.report;
    },
    repair: async ({ reportId, findings }) => {
      const report = sessions.report;
      if (report?.id !== reportId) throw new Failure('not-found', 'That report is an old one. Make a new one.');
      const known = report.findings.filter(({ id, repair }) => findings.includes(id) && repair !== null);
      sessions.report = { ...report, findings: report.findings.filter((finding) => !known.includes(finding)) };
      const left = findings
        .filter((id) => !known.some((finding) => finding.id === id))
        .map((finding) => ({ finding, reason: 'It changed since the report was made and was left alone.' }));
      return { done: known.length, left };
    },
  };
}

function reportOf(sessions: MemorySessions) {
  const rows = [...sessions.all.values()].map(({ row }) => row).sort((first, second) => second.bytes - first.bytes);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return {
    id: 'report-1',
    sessions: rows.slice(0, 100).map((row) => ({
      session: row.session,
      title: row.title,
      bytes: row.bytes,
      parts: [{ kind: 'log', bytes: row.bytes }],
    })),
    more: Math.max(0, rows.length - 100),
    totals: [{ kind: 'log', bytes, files: rows.length }],
    findings: [],
    unread: [],
  };
}

/** @throws newer-version, malformed */
function readable(stored: StoredSession): StoredSession {
  const { health, reason } = stored.row;
  if (health === 'too-new') throw new Failure('newer-version', reason ?? 'It was written by a newer program.');
  if (health === 'unreadable') throw new Failure('malformed', reason ?? 'It cannot be read.');
  return stored;
}

/** @throws in-use, newer-version, malformed */
function writable(stored: StoredSession): StoredSession {
  if (stored.holder) throw new Failure('in-use', 'Another program has this session open. Nothing was changed.');
  return readable(stored);
}

interface Place {
  pinned: boolean;
  at: number;
  key: string;
}

const placeOf = ({ pinned, lastActivity, session }: SessionRow): Place => ({
  pinned,
  at: lastActivity,
  key: sessionKey(session),
});

const placeAt = (cursor: string): Place => JSON.parse(cursor.slice(cursor.indexOf(' ') + 1)) as Place;

const comparePlaces = (first: Place, second: Place): number =>
  Number(second.pinned) - Number(first.pinned) ||
  second.at - first.at ||
  (first.key < second.key ? -1 : first.key > second.key ? 1 : 0);

/** Pinned ones and then those with the last activity first. */
export const inOrder = (first: SessionRow, second: SessionRow): number =>
  comparePlaces(placeOf(first), placeOf(second));

/** As many messages as a page may carry, the long ones cut. */
function firstPage(all: readonly SessionMessage[], from: number, limit: number): SessionMessage[] {
  const page: SessionMessage[] = [];
  let bytes = 0;
  for (const next of all.slice(from, from + limit)) {
    const short = cutLong(next);
    bytes += sizeOf(short);
    if (page.length > 0 && bytes > sessionLimits.pageBytes) break;
    page.push(short);
  }
  return page;
}

function lastPage(all: readonly SessionMessage[], before: number, limit: number): SessionMessage[] {
  const page: SessionMessage[] = [];
  let bytes = 0;
  for (let index = Math.min(before, all.length) - 1; index >= 0 && page.length < limit; index--) {
    const found = all[index];
    if (!found) break;
    const short = cutLong(found);
    bytes += sizeOf(short);
    if (page.length > 0 && bytes > sessionLimits.pageBytes) break;
    page.unshift(short);
  }
  return page;
}

const sizeOf = ({ content, reasoning, toolCalls }: SessionMessage): number =>
  content.length + (reasoning?.length ?? 0) + toolCalls.reduce((sum, call) => sum + call.arguments.length, 200);

function cutLong(whole: SessionMessage): SessionMessage {
  const most = sessionLimits.messageBytes;
  if (whole.content.length <= most) return whole;
  return { ...whole, content: whole.content.slice(0, most), cut: true };
}
