import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentSecurityPolicy } from '../electron/protocol.ts';
import { secureWebPreferences } from '../electron/security.ts';
import { bridgeTable, type Role } from '../src/contract/index.ts';
import { expect, test } from './test.ts';

// What Electron's security checklist asks, asked of the running windows; the configuration as data is in
// tests/electron/security.test.ts.

test('the effective preferences of both windows are the secure ones', async ({ launch }) => {
  const { electronApplication } = await launch();
  const preferences = await electronApplication.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      // Not in Electron's documentation, and its only way to ask a window what is in force; used by this spec alone.
      const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      return contents.getLastWebPreferences();
    }),
  );
  expect(preferences).toHaveLength(2);
  for (const effective of preferences) expect(effective).toMatchObject(secureWebPreferences);
});

test('each window sees the calls and events of its role and nothing else of Node or Electron', async ({ launch }) => {
  const app = await launch();
  for (const [role, page] of [
    ['sidebar', app.sidebar],
    ['mini-chat', app.miniChat],
  ] as const) {
    const seen = await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow));
      frame.remove();
      const bridge = (globalThis as unknown as { sidekeep: Record<string, Record<string, unknown>> }).sidekeep;
      return {
        extra: Object.getOwnPropertyNames(globalThis).filter((name) => !plain.has(name) && !/^\d+$/.test(name)),
        calls: Object.entries(bridge).flatMap(([group, functions]) =>
          Object.keys(functions).map((name) => `${group}.${name}`),
        ),
        frozen: Object.isFrozen(bridge) && Object.values(bridge).every((functions) => Object.isFrozen(functions)),
        node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
          (name) => name in globalThis,
        ),
      };
    });
    expect(seen.node).toEqual([]);
    expect(seen.frozen).toBe(true);
    expect(seen.extra).toContain('sidekeep');
    expect(seen.extra.filter((name) => /ipc|electron|node|host|bridge/i.test(name))).toEqual([]);
    expect(new Set(seen.calls)).toEqual(namesOf(role));
  }
});

test('the pages carry the policy, and it holds: inline code, eval, foreign requests and markup are refused', async ({
  launch,
}) => {
  const { sidebar } = await launch();
  const result = await sidebar.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
    const global = globalThis as unknown as Record<string, unknown>;
    const script = document.createElement('script');
    const outcome: Record<string, unknown> = {};
    try {
      script.textContent = 'globalThis.inlineRan = true';
      document.head.append(script);
    } catch {
      outcome.scriptTextRefused = true;
    }
    // In a task of its own: while the debugger evaluates, it lifts the ban on eval.
    outcome.eval = await new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve(new Function('return "ran"')());
        } catch {
          resolve('refused');
        }
      });
    });
    try {
      document.body.insertAdjacentHTML('beforeend', '<img src=x>');
      outcome.markup = 'parsed';
    } catch {
      outcome.markup = 'refused';
    }
    outcome.fetch = await fetch('https://example.org/').then(
      () => 'loaded',
      () => 'refused',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const own = await fetch(location.href);
    return { ...outcome, inlineRan: global.inlineRan, policy: own.headers.get('content-security-policy'), violations };
  });
  expect(result).toMatchObject({ eval: 'refused', markup: 'refused', fetch: 'refused', policy: contentSecurityPolicy });
  expect(result.inlineRan).toBeUndefined();
  expect(result.violations).toEqual(expect.arrayContaining(['connect-src']));
  test.info().annotations.push({ type: 'violations', description: result.violations.join(', ') });
});
test.use({ expectedPageErrors: [/Content Security Policy|Trusted|Refused to|violates the following|ERR_/i] });

test('a page cannot leave, open another page or embed one', async ({ launch }) => {
  const { sidebar, electronApplication } = await launch();
  const before = sidebar.url();
  const denied = await sidebar.evaluate(async () => {
    const popup = window.open('https://example.org/');
    const link = document.createElement('a');
    link.href = 'https://example.org/';
    link.textContent = 'away';
    document.body.append(link);
    link.click();
    link.remove();
    // Electron answers null; the development host closes the window before it loads anything.
    for (let wait = 0; popup && !popup.closed && wait < 50; wait++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return popup === null || popup.closed;
  });
  expect(denied).toBe(true);
  await sidebar.waitForTimeout(300);
  expect(sidebar.url()).toBe(before);
  const windows = await electronApplication.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect(windows).toBe(2);
});

test('no permission is granted', async ({ launch }) => {
  const { sidebar } = await launch();
  const states = await sidebar.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
    const answers = await Promise.all(
      names.map((name) =>
        navigator.permissions.query({ name: name as PermissionName }).then(
          (status) => status.state,
          () => 'unknown',
        ),
      ),
    );
    return Object.fromEntries(names.map((name, index) => [name, answers[index]]));
  });
  expect(Object.values(states)).not.toContain('granted');
});

test('no request reaches even this machine', async ({ launch }) => {
  let reached = 0;
  const server = createServer((_request, response) => {
    reached += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { sidebar } = await launch();
    await sidebar.evaluate(async (target) => {
      const image = new Image();
      image.src = `${target}/picture.png`;
      await fetch(target, { mode: 'no-cors' }).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }, `http://127.0.0.1:${port}`);
    expect(reached).toBe(0);
  } finally {
    server.close();
  }
});

function namesOf(role: Role): Set<string> {
  const table = bridgeTable(role);
  const events = table.events.map((name) =>
    name.replace(/\.(.)/, (_dot, first: string) => `.on${first.toUpperCase()}`),
  );
  return new Set([...table.calls, ...events]);
}
