import { randomUUID } from 'node:crypto';
import type { ContextNotice } from '../contract/entities.ts';
import { readWhole, writeDurably } from '../files/index.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored, withKeys } from '../files/json.ts';
import { isTime } from '../files/stored-entry.ts';
import { clampText, onOneLine } from '../files/text.ts';
import type { ProjectFiles } from './project-files.ts';

/** How many notices of one run are kept; the oldest go first, what they tell of stays in the backups. */
const MAXIMUM_NOTICES = 20;
const MAXIMUM_ITEMS = 20;
const MAXIMUM_ITEM_LENGTH = 200;

/** The logs of what could not be taken along, and where each has its entries and their names. */
const logs = [
  { kind: 'migration', entries: 'dropped', what: 'link' },
  { kind: 'merge', entries: 'left', what: 'what' },
] as const;
type Log = (typeof logs)[number];

/** What an owner's person has to be told, until they dismiss it. */
export class Notices {
  readonly #files: ProjectFiles;
  #live: readonly ContextNotice[] = [];
  #logged: readonly ContextNotice[] | null = null;
  #all: readonly ContextNotice[] = [];

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  /** Newest first; the very same list as long as nothing changed. */
  get all(): readonly ContextNotice[] {
    return this.#all;
  }

  /** Adds one of this run; answers its id. */
  add(notice: Omit<ContextNotice, 'id' | 'count' | 'items'>, labels: readonly string[]): string {
    const entry = { ...notice, id: randomUUID(), count: labels.length, items: itemsOf(labels) };
    this.#live = [entry, ...this.#live].slice(0, MAXIMUM_NOTICES);
    this.#join();
    return entry.id;
  }

  /** Says which earlier version a notice of this run is about. */
  setBackup(id: string, backupId: string): void {
    this.#live = this.#live.map((notice) => (notice.id === id ? { ...notice, backupId } : notice));
    this.#join();
  }

  /** Says how many links of the client wait outside the data folder; none takes the notice away. */
  setWaitingLinks(labels: readonly string[], at: number): void {
    const id = 'waiting-links';
    const known = this.#live.find((notice) => notice.id === id);
    const items = itemsOf(labels);
    if (known ? JSON.stringify(known.items) === JSON.stringify(items) : labels.length === 0) return;
    const others = this.#live.filter((notice) => notice.id !== id);
    const notice: ContextNotice = {
      id,
      kind: 'migration',
      at,
      backupId: null,
      planId: null,
      count: labels.length,
      items,
    };
    this.#live = labels.length === 0 ? others : [notice, ...others];
    this.#join();
  }

  /** Has the logs read again, as after a migration or a merge. */
  forgetLogs(): void {
    this.#logged = null;
  }

  /** Reads what the logs tell and nobody dismissed yet, once. A log that cannot be read tells nothing. */
  async readLogs(): Promise<void> {
    if (this.#logged !== null) return;
    const found = await Promise.all(logs.map(async (log) => noticeOf(log, await this.#read(log))));
    this.#logged = found.filter((notice) => notice !== null);
    this.#join();
  }

  /**
   * Takes a notice away.
   *
   * @returns Whether it was there.
   */
  async dismiss(id: string, now: number): Promise<boolean> {
    const found = this.#all.find((notice) => notice.id === id);
    if (found === undefined) return false;
    const log = logs.find((one) => logId(one) === id);
    if (log !== undefined) {
      const stored = await this.#read(log);
      await this.#files.prepareFolder('.sidekeep');
      const bytes = serialiseStored(withKeys(stored ?? { version: 1 }, { dismissed: Math.max(now, found.at) }));
      await writeDurably(this.#files.fileSystem, await this.#path(log), bytes);
    }
    this.#live = this.#live.filter((notice) => notice.id !== id);
    this.#logged = this.#logged?.filter((notice) => notice.id !== id) ?? null;
    this.#join();
    return true;
  }

  async #read(log: Log): Promise<JsonObject | null> {
    try {
      const read = await readWhole(this.#files.fileSystem, await this.#path(log));
      if (read.state !== 'present') return null;
      return parseStored(read.bytes, 'The log');
    } catch {
      // It only tells what happened once; nothing depends on it.
      return null;
    }
  }

  #path(log: Log): Promise<string> {
    return log.kind === 'migration' ? this.#files.migrationLogPath() : this.#files.mergeLogPath();
  }

  #join(): void {
    const all = [...this.#live, ...(this.#logged ?? [])].sort((left, right) => right.at - left.at);
    if (JSON.stringify(all) !== JSON.stringify(this.#all)) this.#all = all;
  }
}

const logId = (log: Log): string => `${log.kind}-log`;

function noticeOf(log: Log, stored: JsonObject | null): ContextNotice | null {
  const entries = stored === null ? null : own(stored, log.entries);
  const dismissed = stored === null ? null : own(stored, 'dismissed');
  const after = isTime(dismissed) ? dismissed : -1;
  const open = (Array.isArray(entries) ? (entries as unknown[]) : []).filter(isRecord).filter((entry) => {
    const at = own(entry, 'at');
    return isTime(at) && at > after;
  });
  if (open.length === 0) return null;
  const labels = open.map((entry) => nameOf(own(entry, log.what)));
  const at = Math.max(...open.map((entry) => Number(own(entry, 'at'))));
  return {
    id: logId(log),
    kind: log.kind,
    at,
    backupId: null,
    planId: null,
    count: open.length,
    items: itemsOf(labels),
  };
}

/** A link is told by the name of its file: its path is nobody's business but the disk's. */
export function nameOf(value: unknown): string {
  const path = isRecord(value) ? own(value, 'path') : value;
  return typeof path === 'string' ? (path.split(/[/\\]/).at(-1) ?? '') : '';
}

function itemsOf(labels: readonly string[]): string[] {
  return labels
    .map((label) => clampText(onOneLine(label), MAXIMUM_ITEM_LENGTH))
    .filter((label) => label !== '')
    .slice(0, MAXIMUM_ITEMS);
}
