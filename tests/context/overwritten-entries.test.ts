import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { p1, type Setup, setUpSmall, small } from './support.ts';

const planFile = '1700000000-alpha.md';
const plan = { ...p1, planId: 'p1' };

/** Another program's save, noticed. */
async function putOutside(setup: Setup, content: object): Promise<void> {
  await setup.put(content);
  await setup.store.refresh('p1');
}

/** Texts of the notes of every earlier version. */
async function keptTexts(setup: Setup): Promise<string[]> {
  const { backups } = await setup.store.context.backups(p1);
  const texts = await Promise.all(
    backups.map(({ id }) => setup.text('projects', 'p1', '.sidekeep', 'backups', `${id}.json`)),
  );
  return texts.flatMap((text) => (JSON.parse(text) as typeof small).notes.map(({ body }) => body));
}

async function keptPlanTexts({ store }: Setup): Promise<string[]> {
  const { versions } = await store.plans.versions(plan);
  return Promise.all(versions.map(async ({ id }) => (await store.plans.readVersion({ ...plan, versionId: id })).raw));
}

const withBody = (body: string) => ({ ...small, notes: small.notes.map((note) => ({ ...note, body })) });

test('a note that was edited here and then elsewhere on the ground of the old text is among the earlier versions', async () => {
  const setup = await setUpSmall();
  await setup.store.context.get(p1);
  await setup.store.notes.update({ ...p1, noteId: 'n1', body: 'alpha, edited here' });
  await putOutside(setup, withBody('alpha, edited there'));
  expect(await keptTexts(setup)).toContain('alpha, edited here');
  expect((await setup.store.context.get(p1)).notices).toEqual([]);
});

test('what is edited on elsewhere is kept once, not at every save', async () => {
  const setup = await setUpSmall();
  await setup.store.context.get(p1);
  await setup.store.notes.update({ ...p1, noteId: 'n1', body: 'alpha, edited here' });
  for (const body of ['there', 'there again', 'and once more']) await putOutside(setup, withBody(body));
  const { backups } = await setup.store.context.backups(p1);
  expect(backups.filter(({ reason }) => reason === 'overwritten')).toHaveLength(1);
});

test('a list that another program empties is among the earlier versions, though nothing was changed here', async () => {
  const setup = await setUpSmall();
  await setup.store.context.get(p1);
  await putOutside(setup, { version: 2, notes: [], todos: [], plans: [] });
  expect(await keptTexts(setup)).toEqual(['alpha']);
});

test('what another program only adds to leaves no earlier version', async () => {
  const setup = await setUpSmall();
  await setup.store.context.get(p1);
  await putOutside(setup, { ...small, notes: [{ ...small.notes[0], id: 'n2', body: 'beta' }, ...small.notes] });
  expect((await setup.store.context.backups(p1)).backups).toEqual([]);
});

test('a plan that was saved here and then written elsewhere on the ground of the old text is among its versions', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  await store.plans.update({ ...plan, raw: '# Alpha\n\nwritten here\n' });
  await writeFile(setup.path('projects', 'p1', 'plans', planFile), '# Alpha\n\nwritten there\n');
  await store.refreshPlan('p1', planFile);
  expect(await keptPlanTexts(setup)).toContain('# Alpha\n\nwritten here\n');
  expect((await store.context.get(p1)).notices).toEqual([]);
});

test('a plan file that another program removes after a save here is among its versions', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  await store.plans.update({ ...plan, raw: '# Alpha\n\nwritten here\n' });
  await rm(setup.path('projects', 'p1', 'plans', planFile));
  await store.refreshPlan('p1', planFile);
  expect((await store.context.get(p1)).plans).toMatchObject([{ missing: true }]);
  expect(await keptPlanTexts(setup)).toContain('# Alpha\n\nwritten here\n');
});

test('what cannot be kept because the disk takes nothing is held, and kept once it does', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUpSmall({ fileSystem });
  const { store } = setup;
  await store.notes.create({ ...p1, body: 'made here' });
  fileSystem.fault = (call, _index, path) =>
    call === 'handle.write' && path.includes('backups') ? { code: 'ENOSPC' } : null;
  await putOutside(setup, small);
  expect(setup.reports.splice(0)).toHaveLength(2);
  expect((await store.context.get(p1)).notices).toMatchObject([{ items: ['made here'], backupId: null }]);
  fileSystem.fault = null;
  const [notice] = (await store.context.get(p1)).notices;
  expect(notice?.backupId).toMatch(/-overwritten$/);
  expect(setup.events.at(-1)).toMatchObject({ change: { notices: [notice] } });
  await store.context.recover({ ...p1, backupId: notice?.backupId ?? null, mode: 'merge' });
  expect((await store.context.get(p1)).notes.map(({ body }) => body)).toEqual(['made here', 'alpha']);
});

test('a folder that is moved away is not made again to keep what was in it, and comes back as it was', async () => {
  const setup = await setUpSmall();
  const { store } = setup;
  const { note } = await store.notes.create({ ...p1, body: 'made here' });
  await rename(setup.path('projects', 'p1'), setup.path('away'));
  await store.refresh('p1');
  expect((await store.context.get(p1)).notes).toEqual([]);
  expect(await readdir(setup.path('projects'))).toEqual([]);
  await rename(setup.path('away'), setup.path('projects', 'p1'));
  await store.refresh('p1');
  expect((await store.context.get(p1)).notes.map(({ id }) => id)).toEqual([note.id, 'n1']);
});
