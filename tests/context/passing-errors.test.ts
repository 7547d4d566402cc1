import { mkdir, readdir, readFile, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem, temporaryFiles } from '../files/support.ts';
import { failure, p1, type Setup, setUp, setUpSmall, small, window } from './support.ts';

const alpha = '1700000000-alpha.md';
const plan = { ...p1, planId: 'p1' };

// openchamber/openchamber#129
describe('a plan that cannot be read for a while', () => {
  test.each(['EIO', 'EACCES', 'EMFILE', 'ETIMEDOUT'])('(%s) keeps its link, and opens once it can', async (code) => {
    for (const failing of ['lstat', 'open r', 'handle.read', 'handle.stat']) {
      const fileSystem = faultyFileSystem();
      const setup = await setUpSmall({ fileSystem });
      const { store } = setup;
      fileSystem.fault = (call, _index, path) => (call === failing && path.endsWith(alpha) ? { code } : null);
      const shown = window(setup, await store.context.get(p1));
      expect(shown().plans, failing).toMatchObject([{ id: 'p1', title: 'Alpha', missing: false }]);
      await store.todos.update({ ...p1, todoId: 't1', completed: true });
      await store.refreshPlan('p1', alpha);
      await failure(store.plans.read(plan), 'io');
      expect(shown().plans, failing).toMatchObject([{ id: 'p1', title: 'Alpha', missing: false }]);
      fileSystem.fault = null;
      expect((await store.plans.read(plan)).raw).toBe('# Alpha\n\nbody\n');
      expect(await setup.stored()).toEqual({
        ...small,
        todos: [{ ...small.todos[0], completed: true }, small.todos[1]],
      });
      expect((await store.context.get(p1)).plans).toMatchObject([{ id: 'p1', title: 'Alpha', missing: false }]);
    }
  });
});

// microsoft/vscode#303134, anomalyco/opencode#7607
describe('a disk that is full', () => {
  const changes: Record<string, (setup: Setup) => Promise<unknown>> = {
    'a note': ({ store }) => store.notes.create({ ...p1, body: 'new' }),
    'the text of a plan': ({ store }) => store.plans.update({ ...plan, raw: '# New\n' }),
    'a plan': ({ store }) => store.plans.create({ ...p1, title: 'New', body: 'b' }),
  };

  test.each(Object.keys(changes))('costs %s only while it is full, and says so', async (name) => {
    const make = changes[name] as (setup: Setup) => Promise<unknown>;
    for (const failing of ['handle.write', 'handle.sync', 'rename']) {
      // A new file takes its name by a link.
      if (name === 'a plan' && failing === 'rename') continue;
      const fileSystem = faultyFileSystem();
      const setup = await setUpSmall({ fileSystem });
      const { store, root } = setup;
      await store.context.get(p1);
      const before = await contents(setup);
      fileSystem.fault = (call) => (call === failing ? { code: 'ENOSPC' } : null);
      const { detail, message } = await failure(make(setup), 'io');
      expect(detail, failing).toMatchObject({ reason: 'disk-full' });
      expect(message).toContain('disk is full');
      expect(await temporaryFiles(root), failing).toEqual([]);
      expect(await contents(setup), failing).toEqual(before);
      fileSystem.fault = null;
      await make(setup);
      expect(await contents(setup)).not.toEqual(before);
    }
  });
});

/** What was saved: the context and the texts of its plans. */
async function contents({ path }: Setup): Promise<string[]> {
  const names = (await readdir(path('projects', 'p1', 'plans'))).map((name) => `plans/${name}`);
  return Promise.all(['context.json', ...names].map((name) => readFile(path('projects', 'p1', name), 'utf8')));
}

// slkiser/opencode-quota#265, microsoft/vscode#195539
describe('data that is kept elsewhere behind a link', () => {
  test.each(['context.json', 'a context.json that is gone', 'the folder of the project'])(
    'is neither changed nor replaced (%s), and that is said',
    async (linked) => {
      const setup = await setUp();
      const { store, path } = setup;
      const dot = path('..', 'elsewhere', 'dot');
      const folder = linked === 'the folder of the project';
      const target = join(dot, folder ? 'p1' : 'ctx.json');
      const place = folder ? path('projects', 'p1') : path('projects', 'p1', 'context.json');
      await setup.put(small);
      await mkdir(dot, { recursive: true });
      await rename(place, target);
      if (linked === 'a context.json that is gone') await unlink(target);
      await symlink(target, place);
      for (const call of [
        () => store.context.get(p1),
        () => store.notes.create({ ...p1, body: 'new' }),
        () => store.plans.create({ ...p1, body: 'new' }),
      ]) {
        const refused = await failure(call(), 'io');
        expect(refused.detail).toEqual({ reason: 'link' });
        expect(refused.message).toContain('link');
      }
      expect(await readlink(place)).toBe(target);
      if (linked === 'a context.json that is gone') expect(await readdir(dot)).toEqual([]);
      else {
        const file = folder ? join(target, 'context.json') : target;
        expect(await readFile(file, 'utf8')).toBe(JSON.stringify(small));
      }
    },
  );
});
