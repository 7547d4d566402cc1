import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Drafts } from '../../src/chats/drafts.ts';
import { faultyFileSystem } from '../files/support.ts';
import { chatFolders, read, write } from './support.ts';

async function setUp(options: Parameters<typeof chatFolders>[0] = {}) {
  const kit = await chatFolders(options);
  const drafts = new Drafts(kit.folders, kit.users);
  /** Every folder of a chat there is. */
  const there = async (): Promise<string[]> =>
    Object.keys(await read(kit.root).catch(() => ({}))).filter((name) => /session-[^/]*\/$/.test(name));
  return { ...kit, drafts, there };
}

const session = { store: 'global', id: 's' };

describe('a draft', () => {
  test('has one folder, however often and from wherever it is asked for', async () => {
    const { drafts, there } = await setUp();
    const places = await Promise.all(Array.from({ length: 100 }, () => drafts.prepare('d')));
    expect(new Set(places).size).toBe(1);
    expect(await there()).toEqual([`${places[0]}/`]);
  });

  test('shares it with no other draft', async () => {
    const { drafts, there } = await setUp();
    const places = await Promise.all(Array.from({ length: 100 }, (_, index) => drafts.prepare(`d${index}`)));
    expect(new Set(places).size).toBe(100);
    expect(await there()).toHaveLength(100);
  });

  test('that was begun before midnight keeps its folder afterwards', async () => {
    let now = Date.UTC(2026, 2, 1, 23, 59, 59);
    const { drafts, folders } = await setUp({ now: () => now, timeZone: 'UTC' });
    const place = await drafts.prepare('d');
    now += 3000;
    expect(await drafts.prepare('d')).toBe(place);
    expect((await drafts.placeFor('d')).folder).toBe(place);
    expect(place).toMatch(/^2026-03-01\//);
    expect(await folders.make()).toMatch(/^2026-03-02\//);
  });

  test('that is given up leaves nothing behind', async () => {
    const { drafts, root } = await setUp();
    await drafts.prepare('d');
    expect(await drafts.discard('d')).toEqual({ removed: true, kept: null });
    expect(await readdir(root)).toEqual([]);
    expect(await drafts.discard('d')).toEqual({ removed: false, kept: null });
    expect(await drafts.discard('never')).toEqual({ removed: false, kept: null });
  });

  test('that is given up while its folder is being made leaves nothing behind', async () => {
    const { drafts, there } = await setUp();
    const preparing = drafts.prepare('d');
    expect(await drafts.discard('d')).toEqual({ removed: true, kept: null });
    await preparing;
    expect(await there()).toEqual([]);
  });

  test('that is given up keeps a folder with something in it', async () => {
    const { drafts, root } = await setUp();
    const place = await drafts.prepare('d');
    await write(root, { [`${place}/report.md`]: 'mine' });
    expect(await drafts.discard('d')).toEqual({ removed: false, kept: expect.stringContaining('in it') });
    expect(await read(root)).toHaveProperty([`${place}/report.md`], 'mine');
  });

  test('that is given up keeps a folder that a session names, or of which that cannot be told', async () => {
    const { drafts, root, name, state, there } = await setUp();
    const place = await drafts.prepare('d');
    name('other', join(root, place, 'sub'));
    expect(await drafts.discard('d')).toEqual({ removed: false, kept: 'Another session uses this folder.' });
    const second = await drafts.prepare('e');
    state.unsure = 'The disk is away.';
    expect(await drafts.discard('e')).toEqual({ removed: false, kept: expect.stringContaining('The disk is away.') });
    expect((await there()).sort()).toEqual([`${place}/`, `${second}/`].sort());
  });

  test('whose folder could not be made gets one with the next try', async () => {
    const fileSystem = faultyFileSystem();
    const { drafts, there } = await setUp({ fileSystem });
    fileSystem.fault = (call) => (call === 'mkdir' ? { code: 'ENOSPC' } : null);
    await expect(drafts.prepare('d')).rejects.toMatchObject({ code: 'io' });
    fileSystem.fault = null;
    expect(await there()).toEqual([]);
    await drafts.prepare('d');
    expect(await there()).toHaveLength(1);
  });
});

describe('the session of a draft', () => {
  test('gets its folder, made again if it is gone', async () => {
    const { drafts, root, there } = await setUp();
    const place = await drafts.prepare('d');
    await rm(join(root, place), { recursive: true });
    expect((await drafts.placeFor('d')).folder).toBe(place);
    expect(await there()).toEqual([`${place}/`]);
  });

  test('once made keeps it, whatever becomes of the draft', async () => {
    const { drafts, folders, there } = await setUp();
    const { folder, settle } = await drafts.placeFor('d');
    await settle({ session, directory: folders.pathOf(folder) });
    expect(await drafts.discard('d')).toEqual({ removed: false, kept: expect.any(String) });
    expect(await there()).toEqual([`${folder}/`]);
  });

  test('that could not be made leaves the folder to the draft, and takes it along when that is given up', async () => {
    const { drafts, there } = await setUp();
    const first = await drafts.placeFor('d');
    await first.settle(null);
    expect(await there()).toEqual([`${first.folder}/`]);
    const second = await drafts.placeFor('d');
    expect(second.folder).toBe(first.folder);
    expect(await drafts.discard('d')).toEqual({ removed: false, kept: expect.any(String) });
    expect(await there()).toHaveLength(1);
    await second.settle(null);
    expect(await there()).toEqual([]);
  });

  test('that an earlier try made elsewhere leaves no second folder', async () => {
    const { drafts, folders, there } = await setUp();
    const earlier = await folders.make();
    const { settle } = await drafts.placeFor('d');
    await settle({ session, directory: folders.pathOf(earlier) });
    expect(await there()).toEqual([`${earlier}/`]);
  });

  test('without a draft gets a new folder, which goes when it could not be made', async () => {
    const { drafts, folders, there } = await setUp();
    const one = await drafts.placeFor();
    const other = await drafts.placeFor();
    expect(one.folder).not.toBe(other.folder);
    await one.settle(null);
    await other.settle({ session, directory: folders.pathOf(other.folder) });
    expect(await there()).toEqual([`${other.folder}/`]);
  });
});
