import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { checkEvent } from '../../../src/contract/dispatch.ts';
import { type SessionRef, type SessionRow, sessionKey } from '../../../src/contract/entities.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/files/index.ts';
import { SessionCatalog, type SessionCatalogOptions } from '../../../src/sessions/catalog/catalog.ts';
import type { CatalogChange } from '../../../src/sessions/catalog/pushes.ts';
import { type Files, type TestStore, testStore } from '../support.ts';

export interface TestCatalog {
  readonly store: TestStore;
  readonly catalog: SessionCatalog;
  /** Every push so far; each was checked against the contract. */
  readonly pushes: CatalogChange[];
  /** What was reported; the test fails at its end when something is left here. */
  readonly reports: string[];
  /** All rows of the list, page by page, after a look at everything. */
  rows(): Promise<SessionRow[]>;
  ids(): Promise<string[]>;
}

export type CatalogOptions = Partial<SessionCatalogOptions> & {
  files?: Files;
  store?: TestStore;
  fileSystem?: FileSystem;
};

/** A catalog over a store in a temporary folder; closed when the test ends. */
export async function testCatalog({ files, store: given, ...options }: CatalogOptions = {}): Promise<TestCatalog> {
  const fileSystem = options.fileSystem ?? nodeFileSystem;
  const store = given ?? (await testStore({}, fileSystem));
  if (files !== undefined) await store.write(files);
  const pushes: CatalogChange[] = [];
  const reports: string[] = [];
  const report = (where: string, error: unknown): void => void reports.push(`${where}: ${error}`);
  const catalog = new SessionCatalog({
    stores: store.stores,
    cacheFolder: null,
    ownerOf: async (directory) => `path_${Buffer.from(directory).toString('base64url')}`,
    patience: { first: 20_000, again: 20_000 },
    ...options,
    onChange: (change) => {
      expect(checkEvent('sessions.changed', change, report)).toEqual(change);
      pushes.push(change);
      options.onChange?.(change);
    },
    report,
  });
  onTestFinished(async () => {
    await catalog.dispose();
    expect(reports).toEqual([]);
  });
  const rows = async (): Promise<SessionRow[]> => {
    await catalog.refreshAll();
    return allRows(catalog);
  };
  return { store, catalog, pushes, reports, rows, ids: async () => (await rows()).map(({ session }) => session.id) };
}

/** All rows of a list, page by page. */
export async function allRows(
  catalog: SessionCatalog,
  input: { ownerId?: string; query?: string; limit?: number } = {},
) {
  const rows: SessionRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await catalog.list({ ownerId: null, limit: 200, ...input, cursor });
    rows.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

/** What a window that knows nothing but the pushes holds after them, by session. */
export function replay(pushes: readonly CatalogChange[], rows: Map<string, SessionRow>): Map<string, SessionRow> {
  for (const { changed, removed, all } of pushes) {
    expect(all).toBe(false);
    for (const row of changed) rows.set(sessionKey(row.session), row);
    for (const session of removed) rows.delete(sessionKey(session));
  }
  return rows;
}

export const ref = (id: string): SessionRef => ({ store: 'global', id });

/** Waits until something is so; fails after a while. */
export async function until(holds: () => boolean | Promise<boolean>, limit = 20_000): Promise<void> {
  const end = performance.now() + limit;
  while (!(await holds())) {
    if (performance.now() > end) expect.unreachable('it did not come to be so');
    await wait(10);
  }
}

/** Lines of a transcript. */
export const lines = (...messages: readonly Readonly<Record<string, unknown>>[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

export const user = (content: string, more: Record<string, unknown> = {}) => ({
  role: 'user',
  id: 'u',
  content,
  ...more,
});
export const assistant = (content: string, more: Record<string, unknown> = {}) => ({
  role: 'assistant',
  id: 'a',
  content,
  ...more,
});

/** A meta file that vouches for its turns. */
export const certified = (more: Record<string, unknown> = {}): string =>
  `${JSON.stringify(
    {
      id: 'x',
      revision: 3,
      content_digest: 'd',
      listing_revision: 3,
      listing_content_digest: 'd',
      schema_version: 2,
      turns: 2,
      preview: 'From the details',
      updated_at: '2026-03-01T10:00:00Z',
      ...more,
    },
    null,
    2,
  )}\n`;

/** A file system that remembers which files were opened, and how often. */
export function countingOpens(base: FileSystem = nodeFileSystem): {
  fileSystem: FileSystem;
  opened: Map<string, number>;
} {
  const opened = new Map<string, number>();
  return {
    opened,
    fileSystem: {
      ...base,
      open(path, flags, mode) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        opened.set(name, (opened.get(name) ?? 0) + 1);
        return base.open(path, flags, mode);
      },
    },
  };
}

export const cacheFileIn = (folder: string): string => join(folder, 'sessions.catalog');
