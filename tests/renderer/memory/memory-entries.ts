import { randomUUID } from 'node:crypto';
import {
  Failure,
  type Implementation,
  type MemoryEntry,
  type MemoryThreat,
  type MemoryTitle,
  memoryLimits,
  type Publish,
} from '../../../src/contract/index.ts';
import { revisionOf } from './context.ts';

/** A memory as its file would hold it. */
export interface StoredMemory {
  id: string;
  title: string;
  body: string;
  type: string;
  createdAt: number;
  updatedAt: number;
  sessionId: string | null;
  versions: MemoryEntry['versions'];
  /** Who allowed which text; null when nobody did. */
  allowed: { by: string; at: number; text: string } | null;
}

interface StoredMemories {
  /** Newest change first. */
  entries: StoredMemory[];
  trash: { trashId: string; entry: StoredMemory; deletedAt: number }[];
  readOnly: boolean;
  damaged: boolean;
}

/** What is remembered, in memory: for each owner, and for all under null. Tests change it from outside. */
export class MemoryEntries {
  readonly #all = new Map<string | null, StoredMemories>();
  readonly #publish: Publish;
  readonly #isOn: () => boolean;
  readonly #now: () => number;
  /** Called when what is remembered for an owner, or for all, changed. */
  onChange: (ownerId: string | null) => void = () => {};

  constructor(publish: Publish, isOn: () => boolean, now: () => number) {
    this.#publish = publish;
    this.#isOn = isOn;
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** What is stored, whether memory is on or not. */
  stored(ownerId: string | null): StoredMemories {
    const known = this.#all.get(ownerId) ?? { entries: [], trash: [], readOnly: false, damaged: false };
    this.#all.set(ownerId, known);
    return known;
  }

  /** @throws not-found while memory is off, malformed while the file is damaged */
  read(ownerId: string | null): StoredMemories {
    if (!this.#isOn()) {
      throw new Failure('not-found', 'Memory is switched off. Nothing was read or changed.', {
        detail: { disabled: true },
      });
    }
    const stored = this.stored(ownerId);
    if (stored.damaged) {
      throw new Failure('malformed', 'The file of this memory is damaged. It was left exactly as it is.');
    }
    return stored;
  }

  /** Puts a memory there, as before the window opens. */
  add(ownerId: string | null, title: string, body: string, more: Partial<StoredMemory> = {}): StoredMemory {
    const now = this.now();
    const times = { createdAt: now, updatedAt: now };
    const entry: StoredMemory = {
      id: randomUUID(),
      title,
      body,
      type: 'fact',
      ...times,
      sessionId: null,
      versions: [],
      allowed: null,
      ...more,
    };
    this.stored(ownerId).entries.unshift(entry);
    return entry;
  }

  /** Says that what is remembered there changed, by whomever. */
  changed(ownerId: string | null): void {
    this.onChange(ownerId);
    this.#publish('memory.changed', { ownerId });
  }

  /** Changes an entry as another program would. */
  changeOutside(ownerId: string | null, id: string, change: Partial<StoredMemory>): void {
    const { entries } = this.stored(ownerId);
    const entry = entries.find((candidate) => candidate.id === id);
    if (!entry) throw new Error(`no memory ${id}`);
    Object.assign(entry, change, { updatedAt: this.now() });
    this.changed(ownerId);
  }
}

export function createMemoryCalls(memories: MemoryEntries): Implementation['memory'] {
  const find = (ownerId: string | null, id: string): StoredMemory => {
    const entry = memories.read(ownerId).entries.find((candidate) => candidate.id === id);
    if (!entry) throw new Failure('not-found', 'That memory is no longer there. Nothing was changed.');
    return entry;
  };
  const writable = (ownerId: string | null) => {
    const stored = memories.read(ownerId);
    if (stored.readOnly) throw new Failure('newer-version', 'A newer program wrote this memory. Nothing was changed.');
    return stored;
  };
  const check = (entry: StoredMemory, revision: string | undefined): void => {
    if (revision !== undefined && revision !== titleOf(entry).revision) {
      throw new Failure('conflict', 'This memory says something else by now. Nothing was overwritten.');
    }
  };
  const write = (ownerId: string | null, entry: StoredMemory, title: string, body: string, type: string): void => {
    const now = memories.now();
    const versions = [{ title: entry.title, body: entry.body, replacedAt: now }, ...entry.versions];
    Object.assign(entry, { title, body, type, updatedAt: now, versions: versions.slice(0, memoryLimits.versions) });
    const { entries } = memories.stored(ownerId);
    entries.splice(entries.indexOf(entry), 1);
    entries.unshift(entry);
    memories.changed(ownerId);
  };
  return {
    list: async ({ ownerId }) => {
      const { entries, readOnly } = memories.read(ownerId);
      return { entries: entries.map(titleOf), readOnly };
    },
    read: async ({ ownerId, memoryId }) => entryOf(find(ownerId, memoryId)),
    create: async ({ ownerId, title, body, type, session, replaces, beside }) => {
      const { entries } = writable(ownerId);
      const cut = { title: title.slice(0, memoryLimits.title), body: body.slice(0, memoryLimits.body) };
      const clamped = cut.title !== title || cut.body !== body;
      const same =
        replaces === undefined
          ? entries.find((entry) => entry.title.toLowerCase() === cut.title.toLowerCase())
          : find(ownerId, replaces);
      if (same) {
        write(ownerId, same, cut.title, cut.body, type);
        return { entry: entryOf(same), replaced: true, clamped, similar: [] };
      }
      const similar = beside === true ? [] : entries.filter((entry) => isSimilar(entry, cut));
      if (similar.length > 0) return { entry: null, replaced: false, clamped, similar: similar.map(titleOf) };
      const most = ownerId === null ? memoryLimits.globalEntries : memoryLimits.ownerEntries;
      if (entries.length >= most) {
        throw new Failure('limit', `There are ${most} memories already. Nothing was stored; forget some first.`);
      }
      const entry = memories.add(ownerId, cut.title, cut.body, { type, sessionId: session?.id ?? null });
      memories.changed(ownerId);
      return { entry: entryOf(entry), replaced: false, clamped, similar: [] };
    },
    update: async ({ ownerId, memoryId, title, body, type, revision }) => {
      writable(ownerId);
      const entry = find(ownerId, memoryId);
      check(entry, revision);
      const cut = {
        title: (title ?? entry.title).slice(0, memoryLimits.title),
        body: (body ?? entry.body).slice(0, memoryLimits.body),
      };
      write(ownerId, entry, cut.title, cut.body, type ?? entry.type);
      const clamped = (title ?? entry.title) !== cut.title || (body ?? entry.body) !== cut.body;
      return { entry: entryOf(entry), clamped };
    },
    delete: async ({ ownerId, memoryId, revision }) => {
      const { entries, trash } = writable(ownerId);
      const entry = find(ownerId, memoryId);
      check(entry, revision);
      entries.splice(entries.indexOf(entry), 1);
      const deletedAt = memories.now();
      const trashId = `${deletedAt}-${String(trash.length).padStart(12, '0')}.0`;
      trash.unshift({ trashId, entry, deletedAt });
      memories.changed(ownerId);
      return { trashId };
    },
    restore: async ({ ownerId, trashId }) => {
      const { entries, trash } = writable(ownerId);
      const found = trash.find((item) => item.trashId === trashId);
      if (!found) throw new Failure('not-found', 'It is no longer there to bring back. Nothing was changed.');
      trash.splice(trash.indexOf(found), 1);
      entries.push(found.entry);
      entries.sort((first, second) => second.updatedAt - first.updatedAt);
      memories.changed(ownerId);
      return { entry: entryOf(found.entry) };
    },
    deleted: async ({ ownerId }) => ({
      items: memories
        .read(ownerId)
        .trash.map(({ trashId, entry, deletedAt }) => ({ trashId, title: entry.title, deletedAt })),
    }),
    allow: async ({ ownerId, memoryId, allowed, revision }) => {
      writable(ownerId);
      const entry = find(ownerId, memoryId);
      check(entry, revision);
      entry.allowed = allowed ? { by: 'ada', at: memories.now(), text: textOf(entry) } : null;
      memories.changed(ownerId);
      return { entry: entryOf(entry) };
    },
  };
}

const textOf = ({ title, body }: Pick<StoredMemory, 'title' | 'body'>): string => `${title}\n${body}`;

export function titleOf(entry: StoredMemory): MemoryTitle {
  const { id, title, type, createdAt, updatedAt, sessionId } = entry;
  const threat = threatOf(entry);
  return {
    id,
    title,
    type,
    createdAt,
    updatedAt,
    revision: revisionOf([id, title, entry.body, type]),
    threat,
    withheld: threat?.level === 'hold-back' && threat.allowed === null,
    sessionId,
  };
}

const entryOf = (entry: StoredMemory): MemoryEntry => ({
  ...titleOf(entry),
  body: entry.body,
  versions: entry.versions,
});

/** A few words in place of the patterns of the core. */
function threatOf(entry: StoredMemory): MemoryThreat | null {
  const text = textOf(entry);
  const allowed =
    entry.allowed !== null && entry.allowed.text === text ? { by: entry.allowed.by, at: entry.allowed.at } : null;
  if (/ignore (all |the )?previous instructions/i.test(text)) {
    const reason = 'It tells the agent to ignore its earlier instructions.';
    return { level: 'hold-back', category: 'instructions', reason, allowed };
  }
  if (/you are now/i.test(text)) {
    return { level: 'hint', category: 'identity', reason: 'It may give the agent another identity.', allowed };
  }
  return null;
}

function isSimilar(entry: StoredMemory, wanted: { title: string; body: string }): boolean {
  const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
  const first = words(textOf(entry));
  const second = words(textOf(wanted));
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared >= 4 && shared / first.size >= 0.75 && shared / second.size >= 0.75;
}
