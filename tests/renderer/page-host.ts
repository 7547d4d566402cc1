import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { contentSecurityPolicy } from '../../electron/protocol.ts';
import {
  bridgeTable,
  type CallName,
  type Client,
  type EventName,
  type Role,
  subscriberName,
} from '../../src/contract/index.ts';
import type { MemoryStore } from './memory/store.ts';

const ORIGIN = 'https://sidekeep.test';

/** The built pages in a real Chromium over an in-memory store, without Electron: under the same security policy. */
export interface PageHost {
  readonly browser: Browser;
  /** Opens a window of this role. `problems` collects what the page logged as an error. */
  open(role: Role, options?: Parameters<Browser['newContext']>[0]): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/** @param pages folder of the built pages */
export async function startPageHost(store: MemoryStore, pages: string, executablePath: string): Promise<PageHost> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    browser,
    async open(role, options) {
      const context = await browser.newContext(options);
      await servePages(context, pages);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
      await connectPage(page, store.pair.connect(role), role);
      await page.goto(`${ORIGIN}/${role}.html`);
      return { page, problems };
    },
    close: () => browser.close(),
  };
}

async function servePages(context: BrowserContext, pages: string): Promise<void> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  await context.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const body = await readFile(path.join(pages, pathname)).catch(() => null);
    if (body === null) return route.fulfill({ status: 404 });
    const contentType = types[path.extname(pathname)] ?? 'application/octet-stream';
    return route.fulfill({ body, contentType, headers: { 'content-security-policy': contentSecurityPolicy } });
  });
}

async function connectPage(page: Page, client: Client, role: Role): Promise<void> {
  const table = bridgeTable(role);
  await page.exposeFunction('sidekeepCall', (name: CallName, input: unknown) => {
    const [group = '', method = ''] = name.split('.');
    const groups = client as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
    return groups[group]?.[method]?.(input);
  });
  const on = client.on as (name: EventName, listener: (payload: unknown) => void) => () => void;
  for (const name of table.events) {
    on(name, (payload) => {
      page
        .evaluate(([event, value]) => dispatchEvent(new CustomEvent(`sidekeep:${event}`, { detail: value })), [
          name,
          payload,
        ] as const)
        // The page is being closed or loaded anew: it asks for everything when it starts.
        .catch(() => {});
    });
  }
  const events = table.events.map((name) => [name, ...name.split('.')] as const);
  await page.addInitScript(
    ({ calls, subscribers }) => {
      const bridge: Record<string, Record<string, unknown>> = {};
      const invoke = (window as unknown as { sidekeepCall(name: string, input: unknown): unknown }).sidekeepCall;
      for (const name of calls) {
        const [group = '', method = ''] = name.split('.');
        bridge[group] ??= {};
        bridge[group][method] = (input: unknown) => invoke(name, input);
      }
      for (const { group, subscriber, name } of subscribers) {
        bridge[group] ??= {};
        bridge[group][subscriber] = (listener: (payload: unknown) => void) => {
          const onEvent = (event: Event) => listener((event as CustomEvent).detail);
          addEventListener(`sidekeep:${name}`, onEvent);
          return () => removeEventListener(`sidekeep:${name}`, onEvent);
        };
      }
      Object.defineProperty(window, 'sidekeep', { value: bridge });
    },
    {
      calls: table.calls as string[],
      subscribers: events.map(([name, group = '', event = '']) => ({ name, group, subscriber: subscriberName(event) })),
    },
  );
}
