import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionLimits } from '../../src/contract/index.ts';

// Outside of Electron its package answers the path of its executable; with this it does not look for one.
let settings: typeof import('../../electron/settings.ts');
beforeAll(async () => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', tmpdir());
  settings = await import('../../electron/settings.ts');
  return () => vi.unstubAllEnvs();
});

/** A settings store over a file with this text, or without a file. */
function setUp(text?: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'settings.json');
  if (text !== undefined) writeFileSync(file, text);
  const reports: string[] = [];
  const store = new settings.SettingsStore(folder, (where) => reports.push(where));
  const stored = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const aside = (): string[] => readdirSync(folder).filter((name) => name.startsWith('settings.json.damaged-'));
  return { store, folder, file, reports, stored, aside };
}

const defaults = {
  theme: 'system',
  lastTarget: null,
  chatsVisible: true,
  memoryEnabled: false,
  sidebar: { width: 260 },
};
const bounds = { x: 1, y: 2, width: 300, height: 400 };
const entry = { id: 'a', path: '/a', label: null, hidden: false };

test.each([
  '{"miniChat":"x","sidebar":null,"theme":7}',
  '{"miniChat":[],"sidebar":3,"projects":{"a":1}}',
  '{"sidebar":{"width":1e9,"bounds":[1]},"lastTarget":"..","contextRoot":5}',
  '{"pinnedSessions":{"store":"global"},"sessionsRoot":[]}',
  '{"chatsVisible":"no","memoryEnabled":1}',
  '[]',
  'null',
  '"text"',
  '\uFEFF{}',
])('values that do not fit fall back alone: %s', (text) => {
  const { store, reports } = setUp(text);
  expect(store.settings).toMatchObject(defaults);
  expect(store.projectEntries.load()).toEqual([]);
  expect(store.pinnedSessions.list()).toEqual([]);
  expect([store.stored.contextRoot, store.stored.sessionsRoot]).toEqual([null, null]);
  store.update({ theme: 'dark', miniChat: { mode: 'todo' }, sidebar: { width: 300 } });
  store.update({ chatsVisible: false, memoryEnabled: true });
  expect(store.settings).toMatchObject({ chatsVisible: false, memoryEnabled: true });
  store.setBounds('miniChat', bounds);
  expect(store.settings).toMatchObject({ theme: 'dark', miniChat: { mode: 'todo' }, sidebar: { width: 300 } });
  expect(store.stored.miniChat.bounds).toEqual(bounds);
  expect(reports).toEqual([]);
});

test.each(['', '{', '{"theme":"dark"'])('a file damaged before the start is put aside: %j', (text) => {
  const { store, aside, folder } = setUp(text);
  expect(store.settings).toMatchObject(defaults);
  expect(aside().map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual([text]);
});

test('a file damaged while the program runs takes nothing from it, and is put aside by the next change', () => {
  const { store, file, folder, stored, aside, reports } = setUp();
  store.update({ theme: 'dark' });
  store.projectEntries.save([entry]);
  writeFileSync(file, '{"theme":');
  expect(store.settings.theme).toBe('dark');
  expect(store.projectEntries.load()).toEqual([entry]);
  expect(reports).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe('{"theme":');
  store.update({ lastTarget: 'a' });
  expect(stored()).toEqual({ theme: 'dark', projects: [entry], lastTarget: 'a' });
  expect(aside().map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual(['{"theme":']);
});

test('settings that cannot be saved are a failure without a path; the place of a window is only reported', () => {
  const { store, file, reports } = setUp();
  store.update({ theme: 'dark' });
  rmSync(file);
  mkdirSync(file);
  expect(store.settings.theme).toBe('dark');
  expect(() => store.update({ theme: 'light' })).toThrow(
    expect.objectContaining({ code: 'io', message: expect.not.stringContaining(path.dirname(file)) }),
  );
  expect(() => store.setBounds('sidebar', bounds)).not.toThrow();
  expect(reports).toHaveLength(2);
  expect(existsSync(file)).toBe(true);
});

test('entries of projects that cannot be read and keys of a newer version stay; an id counts once', () => {
  const odd = [{ id: '..', path: '/x', label: null, hidden: false }, 7];
  const { store, stored } = setUp(JSON.stringify({ projects: [{ ...entry, color: 'red' }, ...odd, entry] }));
  expect(store.projectEntries.load()).toEqual([entry]);
  const added = { id: 'b', path: null, label: 'B', hidden: true };
  store.projectEntries.save([{ ...entry, label: 'A' }, added]);
  expect(stored().projects).toEqual([{ ...entry, label: 'A', color: 'red' }, ...odd, added]);
});

test('the mode of the composer that records messages is remembered', () => {
  const { store, stored } = setUp('{"miniChat":{"mode":"message","alwaysOnTop":7}}');
  expect(store.settings.miniChat).toMatchObject({ mode: 'message', alwaysOnTop: true });
  store.update({ miniChat: { mode: 'note' } });
  store.update({ miniChat: { mode: 'message' } });
  expect(stored().miniChat).toMatchObject({ mode: 'message' });
});

test('a root of sessions that is set is known', () => {
  expect(setUp('{"sessionsRoot":"/srv/sessions"}').store.stored.sessionsRoot).toBe('/srv/sessions');
});

describe('pinned sessions', () => {
  const one = { store: 'global', id: 'a' };
  const two = { store: 'project:x', id: 'a' };

  test('stay in order, each once, until their pin is taken away', () => {
    const { store, stored } = setUp();
    store.pinnedSessions.set(one, true);
    store.pinnedSessions.set(two, true);
    store.pinnedSessions.set({ ...one }, true);
    expect(store.pinnedSessions.list()).toEqual([one, two]);
    expect(stored().pinnedSessions).toEqual([one, two]);
    store.pinnedSessions.set(one, false);
    store.pinnedSessions.set(one, false);
    expect(store.pinnedSessions.list()).toEqual([two]);
  });

  test('that cannot be read stay in the file and take nothing from the others; one that is there twice counts once', () => {
    const odd = [{ store: 'global', id: '../x' }, 7, { store: 'global', id: 'b', color: 'red' }];
    const { store, stored } = setUp(JSON.stringify({ pinnedSessions: [one, ...odd, one], theme: 'dark' }));
    expect(store.pinnedSessions.list()).toEqual([one]);
    store.pinnedSessions.set(two, true);
    store.pinnedSessions.set(one, false);
    expect(stored()).toEqual({ pinnedSessions: [...odd, two], theme: 'dark' });
  });

  test('are limited: one more is refused, those that are there stay', () => {
    const many = Array.from({ length: sessionLimits.pinned }, (_, index) => ({ store: 'global', id: `s${index}` }));
    const { store } = setUp(JSON.stringify({ pinnedSessions: many }));
    expect(() => store.pinnedSessions.set(two, true)).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(store.pinnedSessions.list()).toEqual(many);
    store.pinnedSessions.set({ store: 'global', id: 's0' }, true);
    store.pinnedSessions.set({ store: 'global', id: 's0' }, false);
    store.pinnedSessions.set(two, true);
    expect(store.pinnedSessions.list()).toHaveLength(sessionLimits.pinned);
  });

  test('that cannot be saved are a failure', () => {
    const { store, file } = setUp();
    mkdirSync(file);
    expect(() => store.pinnedSessions.set(one, true)).toThrow(expect.objectContaining({ code: 'io' }));
    expect(store.pinnedSessions.list()).toEqual([]);
  });
});
