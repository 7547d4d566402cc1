import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ProjectEntry } from '../../src/context/projects.ts';
import { type EventName, type SessionRef, type SessionRow, sessionKey } from '../../src/contract/index.ts';
import { openSidekeep, type Sidekeep } from '../../src/sidekeep.ts';
import { temporaryFolder } from '../files/support.ts';

export const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

export const inGlobal = (id: string): SessionRef => ({ store: 'global', id });

export interface WholeCore {
  /** Of everything: the roots, the cache and the project are below it. */
  readonly folder: string;
  /** Folder of the store for all. */
  readonly store: string;
  readonly project: string;
  readonly published: { name: EventName; payload: unknown }[];
  /** What was reported that no call told. */
  readonly reported: string[];
  /** The program, as after another start. */
  readonly open: () => Promise<Sidekeep>;
}

/** Roots for the whole core, with one project; nothing runs yet. */
export async function wholeCore(memoryEnabled: () => boolean = () => false): Promise<WholeCore> {
  const folder = await temporaryFolder();
  const store = join(folder, 'sessions', 'sessions');
  const project = join(folder, 'project');
  await mkdir(store, { recursive: true });
  await mkdir(project);
  const published: WholeCore['published'] = [];
  const reported: string[] = [];
  let entries: readonly ProjectEntry[] = [];
  let pins: SessionRef[] = [];
  const open = async (): Promise<Sidekeep> => {
    const core = await openSidekeep({
      contextRoot: join(folder, 'context'),
      sessionsRoot: join(folder, 'sessions'),
      cacheFolder: join(folder, 'cache'),
      pinnedSessions: {
        list: () => pins,
        set: (session, pinned) => {
          pins = [...pins.filter((pin) => sessionKey(pin) !== sessionKey(session)), ...(pinned ? [session] : [])];
        },
      },
      reveal: () => undefined,
      memoryEnabled,
      projectEntries: {
        load: () => entries,
        save: (next) => {
          entries = next;
        },
      },
      publish: (name, payload) => void published.push({ name, payload }),
      report: (where, error) => void reported.push(`${where}: ${error}`),
    });
    onTestFinished(() => core.dispose());
    return core;
  };
  onTestFinished(() => expect(reported, 'reported').toEqual([]));
  return { folder, store, project, published, reported, open };
}

/** The ids of the list. */
export async function listed({ calls }: Sidekeep): Promise<string[]> {
  return (await rows({ calls })).map(({ session }) => session.id);
}

/** All rows of the list, once all of them were looked at. */
export async function rows({ calls }: Pick<Sidekeep, 'calls'>): Promise<SessionRow[]> {
  const all: SessionRow[] = [];
  let cursor: string | null = null;
  await expect
    .poll(async () => (await calls.sessions.list({ ownerId: null }, caller)).catalog.state, { timeout: 10_000 })
    .not.toBe('loading');
  do {
    const page: { rows: SessionRow[]; cursor: string | null } = await calls.sessions.list(
      { ownerId: null, cursor, limit: 200 },
      caller,
    );
    all.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== null);
  return all;
}

/** Texts of all messages of a session, read in pages of some size from the end. */
export async function texts({ calls }: Sidekeep, session: SessionRef, limit = 200): Promise<string[]> {
  await expect
    .poll(async () => (await calls.sessions.page({ session, limit: 1 }, caller)).complete, { timeout: 20_000 })
    .toBe(true);
  const all: string[] = [];
  let before: number | null = null;
  do {
    const page = await calls.sessions.page({ session, limit, ...(before === null ? {} : { before }) }, caller);
    all.unshift(...page.messages.map(({ content }) => content));
    before = page.messages[0]?.index ?? 0;
  } while (before > 0);
  return all;
}

export const line = (id: string, content: string, role = 'user'): string =>
  `${JSON.stringify({ role, id, content })}\n`;
