import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProjectEntry } from '../../src/context/projects.ts';
import { openSidekeep } from '../../src/sidekeep.ts';
import { temporaryFolder } from '../files/support.ts';
import { withoutSessions } from '../without-sessions.ts';
import { failure } from './support.ts';

/** The whole core over a root, and what was published. */
async function setUp() {
  const folder = await temporaryFolder();
  const settings: { entries: readonly ProjectEntry[] } = { entries: [] };
  const published: { name: string; payload: unknown }[] = [];
  const open = async () => {
    const core = await openSidekeep({
      contextRoot: join(folder, 'context'),
      ...withoutSessions(join(folder, 'context')),
      projectEntries: {
        load: () => settings.entries,
        save: (entries) => {
          settings.entries = entries;
        },
      },
      publish: (name, payload) => void published.push({ name, payload }),
      report: (where, error) => expect.unreachable(`${where}: ${error}`),
    });
    onTestFinished(() => core.dispose());
    return core;
  };
  const core = await open();
  await mkdir(join(folder, 'old'));
  const caller = { role: 'sidebar', signal: new AbortController().signal } as const;
  const { project } = await core.calls.projects.add({ path: join(folder, 'old') }, caller);
  return { folder, settings, published, core, project, caller };
}

test('after a project was relocated its data is there, and the old id is not known, also to calls that waited', async () => {
  const { folder, core, project, caller, published } = await setUp();
  const { calls } = core;
  const before = await calls.notes.create({ projectId: project.id, body: 'before' }, caller);
  await rename(join(folder, 'old'), join(folder, 'new'));
  const waiting: Promise<unknown>[] = [];
  const relocating = calls.projects.relocate({ projectId: project.id, path: join(folder, 'new') }, caller);
  for (let index = 0; index < 50; index++) {
    waiting.push(
      calls.notes.create({ projectId: project.id, body: `n${index}` }, caller).then(
        () => `n${index}`,
        (error: unknown) => error,
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { project: moved, merged } = await relocating;
  const answers = await Promise.all(waiting);
  const made = answers.filter((answer) => typeof answer === 'string');
  for (const error of answers.filter((answer) => typeof answer !== 'string')) {
    expect(error).toMatchObject({ code: 'not-found' });
  }
  const { notes } = await calls.context.get({ projectId: moved.id }, caller);
  expect(notes.map(({ body }) => body).sort()).toEqual(['before', ...made].sort());
  expect(merged?.notes).toBe(notes.length);
  await failure(calls.notes.delete({ projectId: project.id, noteId: before.note.id }, caller), 'not-found');
  expect((await calls.context.get({ projectId: project.id }, caller)).notes).toEqual([]);
  expect((await readdir(join(folder, 'context', 'projects'))).filter((name) => name === project.id)).toEqual([]);
  expect(published.filter(({ name }) => name === 'projects.changed').length).toBeGreaterThan(0);
  expect((await calls.projects.list({}, caller)).projects.map(({ id }) => id)).toEqual([moved.id]);
});
