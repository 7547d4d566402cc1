import { link, readdir, readFile, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { failure, NOW, p1, type Setup, setUp, setUpSmall, window } from './support.ts';

const alpha = '1700000000-alpha.md';
const alphaPath = (setup: Setup): string => setup.path('projects', 'p1', 'plans', alpha);
const alphaPlan = { ...p1, planId: 'p1' };

describe('the list', () => {
  test('shows the title in the file, not the one in the manifest, and which file is gone', async () => {
    const setup = await setUpSmall();
    await writeFile(alphaPath(setup), '# Renamed\n');
    await setup.put({
      version: 2,
      plans: [
        { id: 'a', file: alpha, title: 'Manifest', createdAt: 1 },
        { id: 'b', file: 'gone.md', title: ' Gone ', createdAt: 2, pinned: true },
        { id: 'c', file: '../../escape.md', title: 'x' },
        { id: 'd', file: 'no-extension', title: 'x' },
      ],
    });
    const context = await setup.store.context.get(p1);
    expect(context.plans).toMatchObject([
      { id: 'b', title: 'Gone', missing: true, pinned: true, revision: null },
      { id: 'a', title: 'Renamed', missing: false },
    ]);
    expect(context.health.map(({ position, problem }) => [position, problem])).toEqual([
      [2, 'bad-file-name'],
      [3, 'bad-file-name'],
    ]);
  });

  test('a long plan has no revision until it was read whole; then its changes are seen', async () => {
    const setup = await setUpSmall();
    const { store, events } = setup;
    await writeFile(alphaPath(setup), `# Long\n${'x'.repeat(100_000)}`);
    const shown = window(setup, await store.context.get(p1));
    expect(shown().plans[0]).toMatchObject({ title: 'Long', revision: null });
    const { revision } = await store.plans.read(alphaPlan);
    expect(shown().plans[0]).toMatchObject({ title: 'Long', revision });
    expect(events).toHaveLength(1);
    await store.plans.read(alphaPlan);
    expect(events).toHaveLength(1);
    await writeFile(alphaPath(setup), `# Long\n${'y'.repeat(100_000)}`);
    await store.refreshPlan('p1', alpha);
    expect(shown().plans[0]?.revision).not.toBe(revision);
  });

  test('a plan behind a link is shown by its manifest and cannot be opened, saved, or reached by a delete', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    await writeFile(setup.path('secret.md'), '# Secret\n');
    await unlink(alphaPath(setup));
    await symlink(setup.path('secret.md'), alphaPath(setup));
    expect((await store.context.get(p1)).plans[0]).toMatchObject({ title: 'Alpha', missing: false, revision: null });
    for (const call of [() => store.plans.read(alphaPlan), () => store.plans.update({ ...alphaPlan, raw: 'x' })]) {
      expect((await failure(call(), 'io')).detail).toEqual({ reason: 'link' });
    }
    expect((await store.plans.delete(alphaPlan)).warning).toBeNull();
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([]);
    expect(await setup.text('secret.md')).toBe('# Secret\n');
  });
});

describe('a new plan', () => {
  test('is a file with its title as heading, then a link', async () => {
    const { store, stored, text, events } = await setUp();
    const made = await store.plans.create({ ...p1, title: ' My\nplan\t! ', body: '  indented\n\n' });
    expect(made.plan).toMatchObject({ title: 'My plan !', file: `${NOW}-my-plan.md`, createdAt: NOW, missing: false });
    expect(await text('projects', 'p1', 'plans', made.plan.file)).toBe('# My plan !\n\n  indented\n\n');
    expect((await stored()).plans).toEqual([
      { id: made.plan.id, file: made.plan.file, title: 'My plan !', createdAt: NOW },
    ]);
    expect(events).toEqual([{ kind: 'change', change: made.context }]);
    const blank = await store.plans.create({ ...p1, body: ' \n' });
    expect(await text('projects', 'p1', 'plans', blank.plan.file)).toBe('# Plan\n');
    expect((await store.context.get(p1)).plans.map((plan) => plan.id)).toEqual([blank.plan.id, made.plan.id]);
  });

  // logancyang/obsidian-copilot#1976, TriliumNext/Trilium#10263
  test.each(['あ'.repeat(120), '😀'.repeat(100), 'a'.repeat(400), 'é'.repeat(300)])(
    'takes the long title %s',
    async (title) => {
      const { store } = await setUp();
      const { plan, clamped } = await store.plans.create({ ...p1, title, body: 'b' });
      expect(Buffer.byteLength(plan.file)).toBeLessThanOrEqual(200);
      expect(plan.file).toMatch(/^[a-z0-9-]+\.md$/);
      expect(title.startsWith(plan.title)).toBe(true);
      expect(plan.title.isWellFormed()).toBe(true);
      expect(clamped).toBe(title.length > 160);
      expect((await store.plans.read({ ...p1, planId: plan.id })).title).toBe(plan.title);
    },
  );

  // forum.obsidian.md t/44984, laurent22/joplin#5028
  test('titles that are bad file names open with their title, under a portable name, in order', async () => {
    const { store, path } = await setUp();
    const titles = ['a/b:c*?"<>|\\', '..', '.', 'CON', '-rf', '.hidden', 'end.', '///', '🎉', '\u202Egnp.exe'];
    for (const title of [...titles, 'end ', 'a\nb', '\t', '', '   ']) {
      const { plan } = await store.plans.create({ ...p1, title, body: 'b' });
      const expected = title.replace('\n', ' ').trim() || 'Plan';
      expect((await store.plans.read({ ...p1, planId: plan.id })).title).toBe(expected);
      expect(plan.file).toMatch(/^\d+-[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    }
    const { plans } = await store.context.get(p1);
    expect(
      plans
        .map((plan) => plan.title)
        .reverse()
        .slice(0, titles.length),
    ).toEqual(titles);
    expect(await readdir(path('projects', 'p1', 'plans'))).toHaveLength(titles.length + 5);
  });

  // esengine/DeepSeek-Reasonix#10612
  test('a hundred of one title in one millisecond get a file and an id each', async () => {
    const { store, path } = await setUp();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_value, index) => store.plans.create({ ...p1, title: 'Same', body: `${index}` })),
    );
    expect(new Set(made.map(({ plan }) => plan.id)).size).toBe(100);
    expect(new Set(made.map(({ plan }) => plan.file)).size).toBe(100);
    expect(await readdir(path('projects', 'p1', 'plans'))).toHaveLength(100);
    for (const [index, { plan }] of made.entries()) {
      expect((await store.plans.read({ ...p1, planId: plan.id })).body).toBe(`${index}`);
    }
  });

  test('never overwrites a file that no link names', async () => {
    const setup = await setUpSmall();
    const stranger = setup.path('projects', 'p1', 'plans', `${NOW}-same.md`);
    await writeFile(stranger, 'a stranger');
    const { plan } = await setup.store.plans.create({ ...p1, title: 'Same', body: 'b' });
    expect(plan.file).toBe(`${NOW}-same-1.md`);
    expect(await readFile(stranger, 'utf8')).toBe('a stranger');
  });

  test('one that is too long, or holds half a character, is refused and leaves no file', async () => {
    const { store, path } = await setUpSmall();
    await failure(store.plans.create({ ...p1, title: 'T', body: 'x'.repeat(199_999) }), 'invalid');
    await failure(store.plans.create({ ...p1, title: 'T', body: 'half \ud83d' }), 'invalid');
    expect(await readdir(path('projects', 'p1', 'plans'))).toEqual([alpha]);
  });

  test('the 501st is refused', async () => {
    const { store, put, path } = await setUp();
    const plans = Array.from({ length: 500 }, (_value, index) => ({
      id: `p${index}`,
      file: `p${index}.md`,
      createdAt: 1,
    }));
    await put({ version: 2, plans });
    await failure(store.plans.create({ ...p1, body: 'b' }), 'limit');
    expect(await readdir(path('projects', 'p1', 'plans'))).toEqual([]);
  });

  test('when its link cannot be written its file goes again', async () => {
    const fileSystem = faultyFileSystem();
    const { store, path } = await setUpSmall({ fileSystem });
    await store.context.get(p1);
    fileSystem.fault = (call, _index, path) =>
      call === 'rename' && path.includes('context.json') ? { code: 'ENOSPC' } : null;
    await failure(store.plans.create({ ...p1, title: 'New', body: 'b' }), 'io');
    expect(await readdir(path('projects', 'p1', 'plans'))).toEqual([alpha]);
  });
});

describe('saving', () => {
  test('stores the document byte for byte and its title in the manifest, told as one change', async () => {
    const setup = await setUpSmall();
    const { store, stored, events } = setup;
    const { revision } = await store.plans.read(alphaPlan);
    const raw = '\uFEFF# Beta\r\n\r\nb  \n';
    const saved = await store.plans.update({ ...alphaPlan, raw, revision });
    expect(saved.document).toMatchObject({ raw, title: 'Beta', body: 'b  \n', readOnly: null, plan: { file: alpha } });
    expect(await readFile(alphaPath(setup))).toEqual(Buffer.from(raw));
    expect((await stored()).plans).toMatchObject([{ title: 'Beta', file: alpha }]);
    expect(events).toEqual([{ kind: 'change', change: saved.context }]);
    expect(saved.context.plans.changed).toEqual([saved.document.plan]);
    expect(saved.document.plan.revision).toBe(saved.document.revision);
    expect(await store.plans.read(alphaPlan)).toEqual(saved.document);
    expect(events).toHaveLength(1);
  });

  // icewind1991/files_markdown#125, stablyai/orca#21099, mdx-editor/editor#639
  test.each(['# T\r\n\r\na  \r\nb\tc\n\n\n', '# T'])('keeps line ends, blanks and the end of %j', async (raw) => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    await writeFile(alphaPath(setup), raw);
    const read = await setup.store.plans.read(alphaPlan);
    expect(read.raw).toBe(raw);
    const renames = (): number => fileSystem.calls.filter((call) => call === 'rename').length;
    const before = renames();
    await setup.store.plans.update({ ...alphaPlan, raw: read.raw, revision: read.revision });
    expect(renames()).toBe(before);
    await setup.store.plans.update({ ...alphaPlan, raw: raw.replace('T', 'U') });
    expect(await readFile(alphaPath(setup), 'utf8')).toBe(raw.replace('T', 'U'));
  });

  // openchamber/openchamber#3059
  test('a plan whose file is gone is not made again, and its link stays', async () => {
    const setup = await setUpSmall();
    const { store, text } = setup;
    const shown = window(setup, await store.context.get(p1));
    const before = await text('projects', 'p1', 'context.json');
    await rm(alphaPath(setup));
    await failure(store.plans.update({ ...alphaPlan, raw: '# Alpha\n\nback' }), 'not-found');
    await failure(store.plans.read(alphaPlan), 'not-found');
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([]);
    expect(await text('projects', 'p1', 'context.json')).toBe(before);
    expect(shown().plans).toMatchObject([{ title: 'Alpha', missing: true }]);
    await store.plans.delete(alphaPlan);
    await failure(store.plans.update({ ...alphaPlan, raw: 'x' }), 'not-found');
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([]);
  });

  test('a plan that goes while it is being saved is not made again', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    await setup.store.context.get(p1);
    fileSystem.fault = (call, _index, path) => {
      if (call === 'handle.sync' && path.includes(`.${alpha}`)) rmNow(alphaPath(setup));
      return null;
    };
    await failure(setup.store.plans.update({ ...alphaPlan, raw: '# Back' }), 'not-found');
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([]);
  });

  // Zettlr/Zettlr#4394
  test('an edit from outside that keeps size and date is a conflict when unsaved, and is shown otherwise', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    await utimes(alphaPath(setup), 1_700_000_000, 1_700_000_000);
    const { revision } = await store.plans.read(alphaPlan);
    const shown = window(setup, await store.context.get(p1));
    const other = `${alphaPath(setup)}.new`;
    await writeFile(other, '# Omega\n\nbody\n');
    await utimes(other, 1_700_000_000, 1_700_000_000);
    await rename(other, alphaPath(setup));
    const conflict = await failure(store.plans.update({ ...alphaPlan, raw: '# Mine', revision }), 'conflict');
    expect(conflict.detail).toMatchObject({ current: { title: 'Omega' }, document: { raw: '# Omega\n\nbody\n' } });
    expect(await readFile(alphaPath(setup), 'utf8')).toBe('# Omega\n\nbody\n');
    await writeFile(alphaPath(setup), '# Sigma\n\nbody\n');
    await utimes(alphaPath(setup), 1_700_000_000, 1_700_000_000);
    await store.refreshPlan('p1', alpha);
    expect(shown().plans[0]?.title).toBe('Sigma');
  });

  test('a change from outside during the save is seen: a conflict with a revision, the last one wins without', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    const { revision } = await setup.store.plans.read(alphaPlan);
    let once = true;
    const interfere = (): void => {
      once = true;
      fileSystem.fault = (call, _index, path) => {
        if (once && call === 'handle.sync' && path.includes(`.${alpha}`)) writeNow(alphaPath(setup), `# Outside`);
        if (call === 'handle.sync') once = false;
        return null;
      };
    };
    interfere();
    await failure(setup.store.plans.update({ ...alphaPlan, raw: '# Mine', revision }), 'conflict');
    expect(await readFile(alphaPath(setup), 'utf8')).toBe('# Outside');
    interfere();
    await setup.store.plans.update({ ...alphaPlan, raw: '# Mine' });
    expect(await readFile(alphaPath(setup), 'utf8')).toBe('# Mine');
  });

  test('a document over the limit, or not UTF-8, opens read-only and is left as it is', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    const long = `# Long\n${'x'.repeat(200_000)}`;
    await writeFile(alphaPath(setup), long);
    expect(await store.plans.read(alphaPlan)).toMatchObject({ readOnly: 'too-long', raw: long, title: 'Long' });
    expect((await failure(store.plans.update({ ...alphaPlan, raw: 'short' }), 'invalid')).detail).toEqual({
      reason: 'too-long',
    });
    await writeFile(alphaPath(setup), Buffer.from([0x23, 0x20, 0xff, 0xfe]));
    expect(await store.plans.read(alphaPlan)).toMatchObject({ readOnly: 'encoding' });
    expect((await failure(store.plans.update({ ...alphaPlan, raw: 'x' }), 'invalid')).detail).toEqual({
      reason: 'encoding',
    });
    expect(await readFile(alphaPath(setup))).toEqual(Buffer.from([0x23, 0x20, 0xff, 0xfe]));
    await failure(store.plans.update({ ...alphaPlan, raw: 'half \udc00' }), 'invalid');
  });

  test('when only the title in the manifest cannot be written, the text is saved and nothing is said to be lost', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    await setup.store.context.get(p1);
    fileSystem.fault = (call, _index, path) =>
      call === 'rename' && path.includes('context.json') ? { code: 'ENOSPC' } : null;
    const saved = await setup.store.plans.update({ ...alphaPlan, raw: '# Beta' });
    expect(saved.document.plan.title).toBe('Beta');
    expect(setup.reports.splice(0)).toEqual([expect.stringContaining('title of a saved plan')]);
    fileSystem.fault = null;
    expect((await setup.store.context.get(p1)).plans[0]?.title).toBe('Beta');
  });
});

describe('deleting', () => {
  test('takes the link, then the file', async () => {
    const setup = await setUpSmall();
    const { context, warning } = await setup.store.plans.delete(alphaPlan);
    expect(warning).toBeNull();
    expect(context.plans).toEqual({ order: [], changed: [] });
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([]);
  });

  test('is refused when the file is not the one that was seen', async () => {
    const setup = await setUpSmall();
    const { revision } = await setup.store.plans.read(alphaPlan);
    await writeFile(alphaPath(setup), '# Changed elsewhere');
    const conflict = await failure(setup.store.plans.delete({ ...alphaPlan, revision }), 'conflict');
    expect(conflict.detail).toMatchObject({ current: { title: 'Changed elsewhere' } });
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([alpha]);
  });

  test('a file that cannot be moved to the trash is a warning: the link is gone', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    fileSystem.fault = (call, _index, path) => (call === 'unlink' && path.endsWith(alpha) ? { code: 'EACCES' } : null);
    const { warning } = await setup.store.plans.delete(alphaPlan);
    expect(warning).toContain('could not be moved to the trash');
    expect((await setup.store.context.get(p1)).plans).toEqual([]);
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([alpha]);
  });

  test('a file that another link names stays, also one that is not shown or differs in case', async () => {
    const setup = await setUpSmall();
    const other = { id: 'other', file: ' 1700000000-ALPHA.md ', title: 'x', createdAt: 1 };
    await setup.put({ version: 2, plans: [{ id: 'p1', file: alpha, title: 'Alpha', createdAt: 2 }, other] });
    expect((await setup.store.plans.delete(alphaPlan)).warning).toBeNull();
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual([alpha]);
    expect((await setup.stored()).plans).toEqual([other]);
  });

  test('a plan that is gone already is not found', async () => {
    const { store } = await setUpSmall();
    await store.plans.delete(alphaPlan);
    await failure(store.plans.delete(alphaPlan), 'not-found');
    await failure(store.plans.read(alphaPlan), 'not-found');
    await failure(store.plans.setPinned({ ...alphaPlan, pinned: true }), 'not-found');
  });
});

test('the pin is a flag in the manifest and nothing else', async () => {
  const setup = await setUpSmall();
  const { plan } = await setup.store.plans.setPinned({ ...alphaPlan, pinned: true });
  expect(plan).toMatchObject({ id: 'p1', pinned: true });
  expect((await setup.stored()).plans).toMatchObject([{ pinned: true, title: 'Alpha' }]);
  await setup.store.plans.setPinned({ ...alphaPlan, pinned: true });
  expect(setup.events).toHaveLength(1);
  expect(await readFile(alphaPath(setup), 'utf8')).toBe('# Alpha\n\nbody\n');
});

// laurent22/joplin#10186, laurent22/joplin#10672, paulmillr/chokidar#1293
test('every save of an outside editor is shown, whatever its way of saving, and nothing is written by us', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUpSmall({ fileSystem });
  const { store } = setup;
  const shown = window(setup, await store.context.get(p1));
  const path = alphaPath(setup);
  const ways = [
    (text: string) => writeFile(path, text),
    async (text: string) => {
      await writeFile(`${path}~`, text);
      await rename(`${path}~`, path);
    },
    async (text: string) => {
      await link(path, `${path}.bak`);
      await unlink(path);
      await writeFile(path, text);
      await unlink(`${path}.bak`);
    },
  ];
  for (let save = 1; save <= 6; save++) {
    await ways[save % 3]?.(`# Save ${save}\n\ntext ${save}\n`);
    await store.refreshPlan('p1', alpha);
    expect(shown().plans[0]?.title).toBe(`Save ${save}`);
    expect((await store.plans.read(alphaPlan)).body).toBe(`text ${save}\n`);
    expect(setup.events).toHaveLength(save);
    await store.refreshPlan('p1', alpha);
    expect(setup.events).toHaveLength(save);
  }
  expect(fileSystem.calls.filter((call) => /rename|wx|unlink|mkdir/.test(call))).toEqual([]);
});

test('a file that an editor deletes and makes again at once never shows as missing', async () => {
  let waited = 0;
  const path = (): string => alphaPath(setup);
  const sleep = async (): Promise<void> => {
    waited++;
    if (waited === 2) await writeFile(path(), '# Back\n');
  };
  const setup: Setup = await setUpSmall({ sleep });
  const shown = window(setup, await setup.store.context.get(p1));
  await rm(path());
  await setup.store.refreshPlan('p1', alpha);
  expect(shown().plans[0]).toMatchObject({ title: 'Back', missing: false });
  expect(setup.events).toHaveLength(1);
});

const { rmSync: rmNow, writeFileSync: writeNow } = await import('node:fs');
