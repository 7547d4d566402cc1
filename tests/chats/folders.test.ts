import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ChatFolders } from '../../src/chats/folders.ts';
import { faultyFileSystem } from '../files/support.ts';
import { chatFolders, read, write } from './support.ts';

const DAY = '2026-03-01';
const PLACE = `${DAY}/session-x`;

describe('a new folder', () => {
  test('has the local day and a name of its own, for its person alone', async () => {
    const { folders, root } = await chatFolders({
      now: () => Date.UTC(2026, 2, 2, 6, 30),
      timeZone: 'America/Los_Angeles',
    });
    const place = await folders.make();
    expect(place).toMatch(/^2026-03-01\/session-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(folders.pathOf(place)).toBe(join(root, place));
    for (const path of [root, join(root, DAY), join(root, place)]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('is another one for each of a hundred calls at once', async () => {
    const { folders, root } = await chatFolders();
    const places = await Promise.all(Array.from({ length: 100 }, () => folders.make()));
    expect(new Set(places).size).toBe(100);
    expect((await readdir(join(root, places[0]?.slice(0, 10) ?? ''))).length).toBe(100);
  });

  test('never takes a name that something has', async () => {
    const names = ['taken', 'taken', 'free'];
    const { folders, root } = await chatFolders({
      now: () => Date.UTC(2026, 2, 1, 12),
      timeZone: 'UTC',
      newName: () => names.shift() ?? '',
    });
    await write(root, { [`${DAY}/session-taken`]: 'a file of somebody' });
    expect(await folders.make()).toBe(`${DAY}/session-free`);
    expect((await read(root))[`${DAY}/session-taken`]).toBe('a file of somebody');
  });

  test('is made although its day is removed at the same time', async () => {
    const fileSystem = faultyFileSystem();
    const { folders, root } = await chatFolders({ fileSystem });
    let seen = 0;
    fileSystem.fault = (call, _index, path) =>
      call === 'mkdir' && path.includes('session-') && seen++ === 0 ? { code: 'ENOENT' } : null;
    expect(await readdir(join(root, (await folders.make()).slice(0, 10)))).toHaveLength(1);
  });

  test('that cannot be made says so without a path', async () => {
    const fileSystem = faultyFileSystem();
    const { folders, base } = await chatFolders({ fileSystem });
    fileSystem.fault = (call) => (call === 'mkdir' ? { code: 'ENOSPC' } : null);
    const failure = await folders.make().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'io', detail: { reason: 'disk-full' } });
    expect(String(failure)).not.toContain(base);
  });
});

describe('nothing but an empty folder of the right shape and place is removed', () => {
  const wrong = [
    '',
    '.',
    '..',
    DAY,
    `${DAY}/`,
    `${DAY}/.`,
    `${DAY}/..`,
    `${DAY}/session-`,
    `${DAY}/Session-x`,
    `${DAY}/session-X`,
    `${DAY}/session-x/`,
    `${DAY}/session-x/deep`,
    `${DAY}/../session-x`,
    `../${DAY}/session-x`,
    `/${DAY}/session-x`,
    `${DAY}\\session-x`,
    `${DAY}/session-x\0`,
    `${DAY}/notes`,
    '2026-3-1/session-x',
    'context.json',
    'plans/session-x',
  ];

  test.each(wrong)('%j is no folder of a chat', async (place) => {
    const { folders, root } = await chatFolders();
    await write(root, {
      [`${PLACE}/deep`]: null,
      [`${DAY}/notes`]: null,
      'plans/session-x': null,
      'context.json': '{}',
    });
    const before = await read(root);
    for (const call of [
      () => folders.locate(place),
      () => folders.removeEmpty(place),
      () => folders.renew(place),
      () => folders.look(place),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await read(root)).toEqual(before);
  });

  test('one with a file in it stays, and so does one with an empty folder in it', async () => {
    const { folders, root } = await chatFolders();
    for (const content of ['x', null]) {
      await write(root, { [`${PLACE}/inner`]: content });
      const before = await read(root);
      expect(await folders.removeEmpty(PLACE)).toBe(false);
      expect(await read(root)).toEqual(before);
      await rm(join(root, PLACE), { recursive: true });
    }
  });

  test('a file in the place of one stays', async () => {
    const { folders, root } = await chatFolders();
    await write(root, { [PLACE]: 'mine' });
    expect(await folders.removeEmpty(PLACE)).toBe(false);
    expect(await folders.look(PLACE)).toMatchObject({ state: 'other' });
    expect(await read(root)).toMatchObject({ [PLACE]: 'mine' });
  });

  test('an empty one goes with its day; a day with anything in it stays, and the root always does', async () => {
    const { folders, root } = await chatFolders();
    await write(root, { [PLACE]: null, [`${DAY}/session-y`]: null, 'context.json': '{}' });
    expect(await folders.removeEmpty(PLACE)).toBe(true);
    expect(await read(root)).toEqual({ [`${DAY}/`]: '', [`${DAY}/session-y/`]: '', 'context.json': '{}' });
    expect(await folders.removeEmpty(`${DAY}/session-y`)).toBe(true);
    expect(await read(root)).toEqual({ 'context.json': '{}' });
    expect(await folders.removeEmpty(PLACE)).toBe(true);
    await rm(join(root, 'context.json'));
    expect(await folders.removeEmpty(PLACE)).toBe(true);
    expect((await stat(root)).isDirectory()).toBe(true);
  });

  test('a link in its place is removed, never what it points to', async () => {
    const { folders, base, root } = await chatFolders();
    await write(base, { 'elsewhere/outside/keep': 'KEEP', 'elsewhere/empty': null, [`chats/${DAY}`]: null });
    await symlink(join(base, 'elsewhere/outside'), join(root, PLACE));
    await symlink(join(base, 'elsewhere/empty'), join(root, DAY, 'session-y'));
    expect(await folders.look(PLACE)).toEqual({ state: 'link', files: 0, isEmpty: true });
    expect(await folders.removeEmpty(PLACE)).toBe(true);
    expect(await folders.removeEmpty(`${DAY}/session-y`)).toBe(true);
    expect(await read(base)).toEqual({
      'chats/': '',
      'elsewhere/': '',
      'elsewhere/outside/': '',
      'elsewhere/outside/keep': 'KEEP',
      'elsewhere/empty/': '',
    });
  });

  test('behind a link instead of a day nothing is looked at, made or removed', async () => {
    const { folders, base, root } = await chatFolders({ now: () => Date.UTC(2026, 2, 1, 12), timeZone: 'UTC' });
    await write(base, { 'elsewhere/session-x': null, chats: null });
    await symlink(join(base, 'elsewhere'), join(root, DAY));
    const before = await read(base);
    for (const call of [
      () => folders.removeEmpty(PLACE),
      () => folders.look(PLACE),
      () => folders.renew(`${DAY}/session-y`),
      () => folders.make(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'io', detail: { reason: 'link' } });
    }
    const found: string[] = [];
    for await (const { day } of folders.list()) found.push(day);
    expect(found).toEqual([]);
    expect(await read(base)).toEqual(before);
  });

  test('in a root that is a link itself everything works', async () => {
    const { base } = await chatFolders();
    await write(base, { [`real/${PLACE}`]: null });
    await symlink(join(base, 'real'), join(base, 'linked'));
    const folders = new ChatFolders({ root: join(base, 'linked') });
    expect(await folders.placeOf(join(base, 'real', PLACE))).toBe(PLACE);
    expect(await folders.placeOf(join(base, 'linked', PLACE))).toBe(PLACE);
    expect(await folders.holds(PLACE, join(base, 'real', PLACE, 'sub'))).toBe(true);
    expect(await folders.removeEmpty(PLACE)).toBe(true);
    expect(await read(join(base, 'real'))).toEqual({});
  });

  test('one that cannot be removed says so, and is where it was', async () => {
    const fileSystem = faultyFileSystem();
    const { folders, root } = await chatFolders({ fileSystem });
    await write(root, { [PLACE]: null });
    fileSystem.fault = (call) => (call === 'rmdir' ? { code: 'EACCES' } : null);
    await expect(folders.removeEmpty(PLACE)).rejects.toMatchObject({ code: 'io', detail: { system: 'EACCES' } });
    expect(await read(root)).toHaveProperty([`${PLACE}/`]);
  });
});

test('a path names a folder only when it is exactly that one', async () => {
  const { folders, base, root } = await chatFolders();
  await write(root, { [PLACE]: null });
  await symlink(root, join(base, 'other-way'));
  expect(await folders.placeOf(join(root, PLACE))).toBe(PLACE);
  expect(await folders.placeOf(join(root, DAY, 'session-gone'))).toBe(`${DAY}/session-gone`);
  expect(await folders.placeOf(join(base, 'other-way', PLACE))).toBe(PLACE);
  const others = [
    root,
    join(root, DAY),
    join(root, PLACE, 'deeper'),
    join(root, PLACE, DAY, 'session-y'),
    `${root}/${DAY}/x/../session-x`,
    `${root}/./${PLACE}`,
    `${root}//${PLACE}`,
    `${root}/${PLACE}/`,
    `${root}-old/${PLACE}`,
    join(base, PLACE),
    `/mnt/backup${root}/${PLACE}`,
    PLACE,
    `chats/${PLACE}`,
    `${root}/${DAY}/session-x\0`,
    '',
  ];
  for (const path of others) expect(await folders.placeOf(path), path).toBeNull();
});

test('a directory in a folder is told however it is written or reached', async () => {
  const { folders, base, root } = await chatFolders();
  await write(root, { [`${PLACE}/sub`]: null, [`${DAY}/session-xy`]: null });
  await symlink(join(root, PLACE, 'sub'), join(base, 'way-in'));
  for (const path of [
    join(root, PLACE),
    `${root}/${PLACE}/`,
    `${root}/${DAY}/session-xy/../session-x`,
    join(root, PLACE, 'not', 'there'),
    join(base, 'way-in'),
    join(base, 'way-in', 'deeper'),
    join(root, PLACE).toUpperCase(),
  ]) {
    expect(await folders.holds(PLACE, path), path).toBe(true);
  }
  for (const path of [root, join(root, DAY), join(root, DAY, 'session-xy'), `${root}-old/${PLACE}`, PLACE, '', base]) {
    expect(await folders.holds(PLACE, path), path).toBe(false);
  }
});

test('files are counted at any depth, links as one and not followed', async () => {
  const { folders, base, root } = await chatFolders();
  await write(base, {
    'outside/a': 'x',
    'outside/b': 'x',
    [`chats/${PLACE}/one`]: '1',
    [`chats/${PLACE}/a/b/two`]: '2',
  });
  await symlink(join(base, 'outside'), join(root, PLACE, 'a', 'link'));
  expect(await folders.look(PLACE)).toEqual({ state: 'folder', files: 3, isEmpty: false });
  expect(await folders.look(`${DAY}/session-gone`)).toEqual({ state: 'missing', files: 0, isEmpty: true });
});

describe('a folder is made again', () => {
  test('only when it is certainly gone', async () => {
    const { folders, root } = await chatFolders();
    expect(await folders.renew(PLACE)).toBe(true);
    expect(await folders.renew(PLACE)).toBe(false);
    expect((await stat(join(root, PLACE))).mode & 0o777).toBe(0o700);
    await rm(join(root, PLACE), { recursive: true });
    await writeFile(join(root, PLACE), 'mine');
    expect(await folders.renew(PLACE)).toBe(false);
    expect((await read(root))[PLACE]).toBe('mine');
  });

  test.each(['EACCES', 'EIO', 'ENOTDIR', 'ELOOP'])('not after %s', async (code) => {
    const fileSystem = faultyFileSystem();
    const { folders, root } = await chatFolders({ fileSystem });
    await mkdir(root);
    fileSystem.fault = (call, _index, path) => (call === 'lstat' && path.endsWith('session-x') ? { code } : null);
    await expect(folders.renew(PLACE)).rejects.toMatchObject({ code: 'io' });
    expect(await readdir(root)).toEqual([]);
  });
});

test('a day that cannot be read hides no other', async () => {
  const { folders, root } = await chatFolders();
  await write(root, {
    [PLACE]: null,
    '2026-03-02/session-y': null,
    '2026-03-02/stranger': null,
    '2026-03-03': 'a file',
    notes: 'x',
  });
  await chmod(join(root, DAY), 0o000);
  onTestFinished(() => chmod(join(root, DAY), 0o700));
  const found: unknown[] = [];
  for await (const { day, folders: places } of folders.list()) found.push([day, places.map(({ place }) => place)]);
  // Whoever is the administrator reads it all the same.
  const first = process.getuid?.() === 0 ? [[DAY, [PLACE]]] : [];
  expect(found).toEqual([...first, ['2026-03-02', ['2026-03-02/session-y']]]);
});
