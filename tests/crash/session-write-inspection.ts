import { temporaryOwner } from '../../src/files/index.ts';
import { isSessionTranscriptName } from '../../src/sessions/seed-names.ts';
import { eachMessage } from '../../src/sessions/writing/log-messages.ts';
import { LogState } from '../../src/sessions/writing/log-state.ts';
import type { NewMessage } from '../../src/sessions/writing/message-text.ts';
import { Violation } from './inspection.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { STORE_FOLDER } from './session-write-recording.ts';

/** A session as anybody sees it who opens it. */
export interface SeenSession {
  readonly state: LogState;
  readonly messages: readonly Pick<NewMessage, 'id' | 'content'>[];
  /** Stored text of each message. */
  readonly lines: readonly string[];
}

/** Ids in a store: those of sessions that are listed, and of files that belong to none of these, with all their names. */
export interface StoreNames {
  readonly listed: readonly string[];
  readonly hidden: ReadonlyMap<string, readonly string[]>;
}

export async function namesOf(disk: MemoryDisk): Promise<StoreNames> {
  const all = await disk.readdir(STORE_FOLDER).catch(() => [] as string[]);
  const names = all.filter((name) => temporaryOwner(name) === null);
  const isMarked = (id: string): boolean => names.includes(`${id}.cleanup-pending.json`);
  const ids = names.filter(isSessionTranscriptName).map((name) => name.slice(0, -'.jsonl'.length));
  const listed = ids.filter((id) => !isMarked(id));
  const hidden = new Map<string, string[]>();
  for (const name of names) {
    if (listed.some((id) => name.startsWith(`${id}.`))) continue;
    const id = /^.*?-sidekeep/.exec(name)?.[0] ?? name;
    hidden.set(id, [...(hidden.get(id) ?? []), name]);
  }
  return { listed, hidden };
}

/** Reads a session from its log. @throws Violation when it is none of ours, or half of one. */
export async function seeSession(disk: MemoryDisk, id: string): Promise<SeenSession> {
  const state = new LogState();
  const lines: string[] = [];
  const handle = await disk.open(`${STORE_FOLDER}/${id}.events.jsonl`, 'r').catch(() => {
    throw new Violation(`${id} is listed, and has no log`);
  });
  await state.read(handle);
  await eachMessage(handle, { from: state.base, to: state.goodEnd }, (message) => void lines.push(message.toString()));
  await handle.close();
  if (!state.isOurs || state.records === 0) throw new Violation(`${id} is listed, and its log is not whole`);
  const messages = lines.map((line) => {
    const { id: messageId, content } = JSON.parse(line) as { id: string; content: string };
    return { id: messageId, content };
  });
  return { state, messages, lines };
}

/** A transcript must never hold a message that its log does not have, in its place. */
export function demandNotAhead(disk: MemoryDisk, id: string, { lines }: SeenSession): void {
  const text = disk.content(`${STORE_FOLDER}/${id}.jsonl`).toString();
  const whole = text.split('\n').slice(0, -1);
  for (const [index, line] of whole.entries()) {
    // What a crash tore is made good at the next write.
    if (line.includes('\0') || line === lines[index]) continue;
    throw new Violation(`the transcript of ${id} has what its log lacks: ${line.slice(0, 100)}`);
  }
}

/** After a write every file beside the log must be up to it. */
export function demandUpToDate(disk: MemoryDisk, id: string, { state, lines }: SeenSession): void {
  const content = (suffix: string): string => disk.content(`${STORE_FOLDER}/${id}${suffix}`).toString();
  const parsed = (suffix: string) => JSON.parse(content(suffix)) as Record<string, unknown>;
  if (content('.jsonl') !== lines.map((line) => `${line}\n`).join(''))
    throw new Violation(`the transcript of ${id} lags`);
  const log = content('.events.jsonl');
  if (!log.endsWith('\n') || state.torn || state.holes > 0) throw new Violation(`the log of ${id} is damaged`);
  const { revision, content_digest: digest, turns } = parsed('.jsonl.meta');
  if (revision !== state.revision || digest !== state.digest || turns !== state.turns) {
    throw new Violation(`the details of ${id} lag`);
  }
  const index = parsed('.event-index.json');
  if (index.log_size !== Buffer.byteLength(log) || index.message_count !== state.count) {
    throw new Violation(`the index of ${id} lags`);
  }
}

/** The own title of a session; null where it has none. */
export function titleOnDisk(disk: MemoryDisk, id: string): string | null {
  const meta = JSON.parse(disk.content(`${STORE_FOLDER}/${id}.jsonl.meta`).toString()) as { custom_title?: string };
  return meta.custom_title ?? null;
}
