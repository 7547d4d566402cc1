import { chmod, link, lstat, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { BACKUP_INTERVAL_MS, Backups, MAXIMUM_BACKUPS } from '../../src/context/backups.ts';
import { Backup, BackupId, PlanVersion } from '../../src/contract/entities.ts';
import { faultyFileSystem } from '../files/support.ts';
import { type Owner, setUpOwner } from './owner.ts';
import { failure, NOW, small } from './support.ts';

const YEAR = 365 * 24 * 60 * 60 * 1000;
const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const backupsOf = ({ files, clock, reports }: Owner): Backups =>
  new Backups(
    files,
    () => clock.now,
    (where, error) => void reports.push(`${where}: ${error}`),
  );

const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777;

describe('an earlier version', () => {
  test('is kept byte for byte for its person alone, and read again', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    const odd = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(small)]);
    const id = await backups.save(odd, 'overwritten');
    expect(id).toBe(`${NOW}-overwritten`);
    expect(BackupId.parse(id)).toBe(id);
    expect((await backupsOf(owner).read(id)).bytes).toEqual(odd);
    expect(await modeOf(owner.path('.sidekeep', 'backups', `${id}.json`))).toBe(0o600);
    expect(await modeOf(owner.path('.sidekeep', 'backups'))).toBe(0o700);
  });

  test('can be the file that was replaced: moved, with its date, and closed to others but not opened to its owner', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    for (const [mode, kept] of [
      [0o666, 0o600],
      [0o644, 0o600],
      [0o444, 0o400],
      [0o600, 0o600],
    ] as const) {
      await owner.put(small, '.context.json.kept');
      await chmod(owner.path('.context.json.kept'), mode);
      await utimes(owner.path('.context.json.kept'), 1_600_000_000, 1_600_000_000);
      const id = await backups.adopt(owner.path('.context.json.kept'), 'regular');
      expect(await owner.names()).toEqual(['.sidekeep', 'plans']);
      expect(await modeOf(owner.path('.sidekeep', 'backups', `${id}.json`))).toBe(kept);
      expect(await backups.read(id)).toEqual({ bytes: bytes(small), modifiedAt: 1_600_000_000_000 });
    }
  });

  test('takes no name that something has, and several of one moment stay apart', async () => {
    const owner = await setUpOwner();
    await owner.put('stranger', '.sidekeep', 'backups', `${NOW}-regular.json`);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push(await backupsOf(owner).save(bytes(`${index}`), 'regular'));
    expect(new Set(ids).size).toBe(3);
    expect(await owner.text('.sidekeep', 'backups', `${NOW}-regular.json`)).toBe('stranger');
    expect((await backupsOf(owner).list()).map(({ id }) => id).slice(0, 3)).toEqual(ids.reverse());
  });

  test('that is gone, or was never one, is not found; a link is not read through', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    for (const id of [`${NOW}-regular`, '../../context', '', `${NOW}-other`, `${NOW}-regular-1/../x`]) {
      await failure(backups.read(id), 'not-found');
    }
    await owner.put(small, 'target');
    await mkdir(owner.path('.sidekeep', 'backups'), { recursive: true });
    await symlink(owner.path('target'), owner.path('.sidekeep', 'backups', `${NOW}-regular.json`));
    expect(await failure(backups.read(`${NOW}-regular`), 'io')).toMatchObject({ detail: { reason: 'link' } });
    expect(await backups.list()).toEqual([]);
    await failure((async () => backups.readPlan('../x.md', `${NOW}-regular`))(), 'not-found');
  });

  test('is not put behind a link', async () => {
    const owner = await setUpOwner();
    await mkdir(owner.path('elsewhere'));
    await mkdir(owner.path('.sidekeep'));
    await symlink(owner.path('elsewhere'), owner.path('.sidekeep', 'backups'));
    const backups = backupsOf(owner);
    await failure(backups.save(bytes('x'), 'regular'), 'io');
    await owner.put(small, 'kept');
    await failure(backups.adopt(owner.path('kept'), 'regular'), 'io');
    await failure(backups.isDue(), 'io');
    expect(await owner.names('elsewhere')).toEqual([]);
    expect(await owner.names()).toContain('kept');
  });
});

describe('the list', () => {
  test('is newest first with what each holds, within the contract, and says which cannot be read', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    await backups.save(bytes(small), 'regular');
    owner.clock.now += 10;
    await backups.save(bytes('{"version":2,'), 'displaced');
    owner.clock.now += 10;
    await backups.save(bytes({ version: 1, notes: 'text', todos: [{}] }), 'recovered');
    await writeFile(owner.path('.sidekeep', 'backups', 'stranger.json'), '{}');
    await writeFile(owner.path('.sidekeep', 'backups', `${NOW}-regular.json.bak`), '{}');
    await mkdir(owner.path('.sidekeep', 'backups', `${NOW}-regular-7.json`));
    const list = await backups.list();
    expect(list).toEqual([
      {
        id: `${NOW + 20}-recovered`,
        at: NOW + 20,
        reason: 'recovered',
        bytes: 41,
        counts: { notes: 1, todos: 0, plans: 0 },
      },
      { id: `${NOW + 10}-displaced`, at: NOW + 10, reason: 'displaced', bytes: 13, counts: null },
      {
        id: `${NOW}-regular`,
        at: NOW,
        reason: 'regular',
        bytes: bytes(small).length,
        counts: { notes: 1, todos: 2, plans: 1 },
      },
    ]);
    for (const backup of list) expect(Backup.parse(backup)).toEqual(backup);
    expect(await backupsOf(owner).list()).toEqual(list);
  });

  test('reads a version once, and again when it is another one', async () => {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const backups = backupsOf(owner);
    const id = await backups.save(bytes(small), 'regular');
    await new Promise((resolve) => setTimeout(resolve, 120));
    await backups.list();
    const opened = (): number => fileSystem.calls.filter((call) => call === 'open r').length;
    const before = opened();
    expect(await backups.list()).toMatchObject([{ counts: { todos: 2 } }]);
    expect(opened()).toBe(before);
    await owner.put({ ...small, todos: [] }, '.sidekeep', 'backups', `${id}.json`);
    expect(await backups.list()).toMatchObject([{ counts: { todos: 0 } }]);
  });

  test('is there although the context cannot be read, and empty where nothing was kept', async () => {
    const owner = await setUpOwner();
    await owner.put('{', 'context.json');
    expect(await backupsOf(owner).list()).toEqual([]);
    expect(await owner.names('.sidekeep')).toEqual([]);
    await backupsOf(owner).save(bytes(small), 'regular');
    expect(await backupsOf(owner).list()).toHaveLength(1);
  });

  test('leaves out a time that no date can hold', async () => {
    const owner = await setUpOwner();
    await owner.put(small, '.sidekeep', 'backups', '9999999999999999-regular.json');
    expect(await backupsOf(owner).list()).toEqual([]);
  });
});

describe('a regular version', () => {
  test('is due when there is none, and again after five minutes, also across a restart', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    expect(await backups.isDue()).toBe(true);
    await backups.save(bytes('1'), 'regular');
    expect(await backups.isDue()).toBe(false);
    owner.clock.now += BACKUP_INTERVAL_MS - 1;
    expect(await backups.isDue()).toBe(false);
    expect(await backupsOf(owner).isDue()).toBe(false);
    owner.clock.now += 1;
    expect(await backups.isDue()).toBe(true);
    expect(await backupsOf(owner).isDue()).toBe(true);
    await backups.save(bytes('2'), 'overwritten');
    expect(await backups.isDue()).toBe(true);
  });

  test('is not looked for again at each write', async () => {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const backups = backupsOf(owner);
    await backups.isDue();
    const before = fileSystem.calls.length;
    await backups.isDue();
    await backups.save(bytes('1'), 'regular');
    const after = fileSystem.calls.length;
    expect(await backups.isDue()).toBe(false);
    expect(fileSystem.calls).toHaveLength(after);
    expect(after).toBeGreaterThan(before);
  });

  test.each([10_000, YEAR])('is due again when the clock jumps back by %d ms, once', async (jump) => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    await backups.save(bytes('before'), 'regular');
    owner.clock.now -= jump;
    expect(await backupsOf(owner).isDue()).toBe(true);
    expect(await backups.isDue()).toBe(true);
    await backups.save(bytes('after'), 'regular');
    owner.clock.now += 1000;
    expect(await backups.isDue()).toBe(false);
    owner.clock.now += BACKUP_INTERVAL_MS;
    expect(await backups.isDue()).toBe(true);
  });
});

describe('of each reason', () => {
  test('the newest 20 are kept, of the context and of every plan', async () => {
    const owner = await setUpOwner();
    const backups = backupsOf(owner);
    for (let index = 0; index < MAXIMUM_BACKUPS + 3; index++) {
      owner.clock.now += 1000;
      await backups.save(bytes(`${index}`), 'regular');
      await backups.save(bytes(`${index}`), 'displaced', 'x.md');
    }
    await backups.save(bytes('one'), 'overwritten');
    await backups.save(bytes('one'), 'displaced', 'y.md');
    const list = await backups.list();
    expect(list).toHaveLength(MAXIMUM_BACKUPS + 1);
    expect((await backups.read(list.at(-1)?.id ?? '')).bytes.toString()).toBe('3');
    const versions = await backups.listPlan('x.md');
    expect(versions).toHaveLength(MAXIMUM_BACKUPS);
    expect((await backups.readPlan('x.md', versions[0]?.id ?? '')).bytes.toString()).toBe('22');
    for (const version of versions) expect(PlanVersion.parse(version)).toEqual(version);
    expect(await backups.listPlan('y.md')).toHaveLength(1);
    expect(await backups.listPlan('z.md')).toEqual([]);
  });

  test.each([60_000, YEAR])(
    'those made after the clock jumped back by %d ms stay, and push out the oldest',
    async (jump) => {
      const owner = await setUpOwner();
      const backups = backupsOf(owner);
      const save = async (text: string) => {
        await backups.save(bytes(text), 'regular');
        owner.clock.now += 1;
      };
      for (let index = 0; index < MAXIMUM_BACKUPS; index++) await save(`before ${index}`);
      owner.clock.now -= jump;
      for (let index = 0; index < 5; index++) await save(`after ${index}`);
      const list = await backups.list();
      const texts = await Promise.all(list.map(async ({ id }) => (await backups.read(id)).bytes.toString()));
      const expected = [
        ...[4, 3, 2, 1, 0].map((index) => `after ${index}`),
        ...Array.from({ length: 15 }, (_, index) => `before ${19 - index}`),
      ];
      expect(texts).toEqual(expected);
    },
  );

  test('nothing that is not ours is removed, and one that cannot be removed stops nothing', async () => {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const backups = backupsOf(owner);
    const folder = owner.path('.sidekeep', 'backups');
    await mkdir(folder, { recursive: true });
    await writeFile(owner.path('target'), 'text');
    await symlink(owner.path('target'), `${folder}/1-regular.json`);
    await mkdir(`${folder}/2-regular.json`);
    await writeFile(`${folder}/3.json`, '');
    for (let index = 0; index < MAXIMUM_BACKUPS; index++) {
      owner.clock.now += 1;
      await backups.save(bytes('x'), 'regular');
    }
    fileSystem.fault = (call, _index, path) =>
      call === 'unlink' && path.endsWith('-regular.json') ? { code: 'EACCES' } : null;
    owner.clock.now += 1;
    await backups.save(bytes('x'), 'regular');
    expect(owner.reports.splice(0).length).toBeGreaterThan(0);
    const names = await readdir(folder);
    expect(names).toEqual(expect.arrayContaining(['1-regular.json', '2-regular.json', '3.json']));
    expect(await owner.text('target')).toBe('text');
  });
});

test.each(['save', 'adopt'] as const)('a version is whole or not there, whichever call of %s fails', async (way) => {
  let failing = 0;
  for (let failed = true; failed; failing++) {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const backups = backupsOf(owner);
    await owner.put(small, 'context.json');
    await link(owner.path('context.json'), owner.path('kept'));
    await chmod(owner.path('kept'), 0o644);
    failed = false;
    let count = 0;
    fileSystem.fault = (call) => {
      if (call === 'handle.close' || count++ !== failing) return null;
      failed = true;
      return { code: 'EIO' };
    };
    const taking =
      way === 'save' ? backups.save(bytes(small), 'regular') : backups.adopt(owner.path('kept'), 'regular');
    const id = await taking.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'io' });
      return null;
    });
    fileSystem.fault = null;
    owner.reports.length = 0;
    const list = await backups.list();
    if (id !== null) expect(list.map((backup) => backup.id)).toContain(id);
    for (const backup of list) expect((await backups.read(backup.id)).bytes).toEqual(bytes(small));
    // What was to be adopted is still somewhere.
    if (way === 'adopt') expect(list.length + (await owner.names()).filter((name) => name === 'kept').length).toBe(1);
  }
  expect(failing).toBeGreaterThan(10);
});
