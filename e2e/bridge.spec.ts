import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { projectIdOf } from '../src/context/project-id.ts';
import { callBridge } from './bridge.ts';
import type { RunningApp } from './launch-app.ts';
import { expect, test } from './test.ts';

const demo = projectIdOf('/home/dev/demo-app');

/** Counts the pushes of a context that a page receives from now on. */
async function countChanges(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const global = globalThis as unknown as {
      pushes: number;
      sidekeep: { context: { onChanged(l: () => void): void } };
    };
    global.pushes = 0;
    global.sidekeep.context.onChanged(() => {
      global.pushes += 1;
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { pushes: number }).pushes);
}

const contextFile = (app: RunningApp, id: string): string => path.join(app.contextRoot, 'projects', id, 'context.json');

test('the kinds of failure stay apart through the real bridge, and no path or stack crosses', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const broken = projectIdOf('/home/dev/broken');
  mkdirSync(path.dirname(contextFile(app, broken)), { recursive: true });
  writeFileSync(contextFile(app, broken), '{"version": 2, "notes": [');
  const answers = {
    unknownPlan: await callBridge(app.sidebar, 'plans.read', { projectId: demo, planId: 'none' }),
    malformed: await callBridge(app.sidebar, 'context.get', { projectId: broken }),
    blankNote: await callBridge(app.sidebar, 'notes.create', { projectId: demo, body: '  ' }),
    unknownProject: await callBridge(app.sidebar, 'notes.create', { projectId: 'path_L25v', body: 'x' }),
    stale: await callBridge(app.sidebar, 'notes.delete', { projectId: demo, noteId: 'none', revision: '0'.repeat(16) }),
    otherRole: await callBridge(app.miniChat, 'projects.add', { path: '/' }),
  };
  expect(Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, answer.error?.code]))).toEqual({
    unknownPlan: 'not-found',
    malformed: 'malformed',
    blankNote: 'invalid',
    unknownProject: 'not-found',
    stale: 'not-found',
    otherRole: 'absent',
  });
  expect(JSON.stringify(answers)).not.toMatch(/\/tmp\/|\/home\/|\.ts:|\.cjs:|\bat /);
});

test('what cannot cross the bridge is refused with a reason, and nothing goes unhandled', async ({ launch }) => {
  const { sidebar } = await launch({ sampleData: true });
  const outcomes = await sidebar.evaluate(async (projectId) => {
    const { notes } = (
      globalThis as unknown as {
        sidekeep: { notes: { create(i: unknown): Promise<{ ok: boolean; error?: { code: string } }> } };
      }
    ).sidekeep;
    const attempts = [
      { projectId, body: 'x', f() {} },
      { projectId, body: Symbol('s') },
      { projectId, body: document.body },
      { projectId, body: 1n },
      { projectId, body: new Date() },
    ];
    const answers: string[] = [];
    for (const attempt of attempts) {
      try {
        const answer = await notes.create(attempt);
        answers.push(answer.ok ? 'stored' : (answer.error?.code ?? 'none'));
      } catch {
        answers.push('refused at the bridge');
      }
    }
    return answers;
  }, demo);
  expect(outcomes.filter((outcome) => outcome !== 'invalid' && outcome !== 'refused at the bridge')).toEqual([]);
});

test('a request over the cap is refused fast and the bridge goes on', async ({ launch }) => {
  const { sidebar } = await launch({ sampleData: true });
  const code = await sidebar.evaluate(async (projectId) => {
    const { notes } = (
      globalThis as unknown as { sidekeep: { notes: { create(i: unknown): Promise<{ error?: { code: string } }> } } }
    ).sidekeep;
    return (await notes.create({ projectId, body: 'x'.repeat(3 * 1024 * 1024) })).error?.code;
  }, demo);
  expect(code).toBe('too-large');
  expect((await callBridge(sidebar, 'context.get', { projectId: demo })).ok).toBe(true);
});

test('a subframe is not served', async ({ launch }) => {
  const { sidebar } = await launch();
  const inFrame = await sidebar.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const inner = frame.contentWindow as unknown as { sidekeep?: unknown };
    const exposed = inner.sidekeep !== undefined;
    frame.remove();
    return exposed;
  });
  expect(inFrame).toBe(false);
});

test('after subscriptions that ended and ten reloads, one change is told once to each window', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  await app.sidebar.evaluate(() => {
    const { context } = (globalThis as unknown as { sidekeep: { context: { onChanged(l: () => void): () => void } } })
      .sidekeep;
    for (let round = 0; round < 50; round++) context.onChanged(() => {})();
  });
  for (let round = 0; round < 10; round++) {
    await app.sidebar.reload();
    await app.sidebar.waitForLoadState('load');
  }
  await callBridge(app.sidebar, 'context.get', { projectId: demo });
  const [sidebar, miniChat] = [await countChanges(app.sidebar), await countChanges(app.miniChat)];
  expect((await callBridge(app.miniChat, 'notes.create', { projectId: demo, body: 'once' })).ok).toBe(true);
  await expect.poll(sidebar).toBe(1);
  await app.sidebar.waitForTimeout(1500);
  expect([await sidebar(), await miniChat()]).toEqual([1, 1]);
  expect(app.errors()).not.toMatch(/MaxListenersExceeded/);
});

test('the answer and the push of a tick hold the todo, not the store', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const file = contextFile(app, demo);
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  stored.notes = Array.from({ length: 200 }, (_, index) => ({
    id: `big-${index}`,
    body: 'x'.repeat(10_000),
    createdAt: index + 1,
    updatedAt: index + 1,
    source: 'manual',
  }));
  writeFileSync(file, JSON.stringify(stored, null, 2));
  const todo = stored.todos[0];
  const result = await app.sidebar.evaluate(
    async ([projectId, todoId]) => {
      const bridge = (
        globalThis as unknown as { sidekeep: Record<string, Record<string, (i: unknown) => Promise<unknown>>> }
      ).sidekeep;
      const pushed: number[] = [];
      bridge.context?.onChanged?.((payload: unknown) => pushed.push(JSON.stringify(payload).length));
      await bridge.context?.get?.({ projectId });
      pushed.length = 0;
      const answered: number[] = [];
      for (let round = 0; round < 20; round++) {
        const answer = await bridge.todos?.update?.({ projectId, todoId, completed: round % 2 === 0 });
        answered.push(JSON.stringify(answer).length);
      }
      return { largest: Math.max(...answered, ...pushed), pushes: pushed.length };
    },
    [demo, todo.id] as const,
  );
  expect(result.pushes).toBeGreaterThanOrEqual(19);
  // Of a store of two million bytes.
  expect(result.largest).toBeLessThan(50_000);
});

test('windows that close while changes are pushed harm nothing', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  for (let round = 0; round < 100; round++) {
    await app.electronApplication.evaluate(async ({ BrowserWindow }, delay) => {
      const window = BrowserWindow.getAllWindows().find((candidate) =>
        candidate.webContents.getURL().includes('mini-chat'),
      );
      await new Promise((resolve) => setTimeout(resolve, delay));
      window?.webContents.reload();
    }, round % 6);
    const answer = await callBridge(app.sidebar, 'todos.add', { projectId: demo, text: `round ${round}` });
    expect(answer.ok).toBe(true);
  }
  const context = await callBridge(app.sidebar, 'context.get', { projectId: demo });
  expect(context.value?.todos).toHaveLength(106);
  expect(app.errors()).not.toMatch(/destroyed|Uncaught/);
});
