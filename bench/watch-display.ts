import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { hostDescription, launchApp } from '../e2e/launch-app.ts';
import { buildApplication } from '../scripts/build-application.ts';
import type { Bar } from './benchmark.ts';
import { contextWith, makeProjectFolder, type SaveStyle, saveAs, saveStyles } from './context-sample.ts';
import { describeTimes, milliseconds, quantile } from './statistics.ts';

/** Rounds that count, after some that only warm things up. Each measures both sides once. */
const rounds = 200;
const warmUp = 20;
/** Other projects beside the one that changes, on both sides. */
const bystanders = 20;
/** What the window may take longer than raw chokidar, at the 95th percentile. */
const allowance = 60;
const ceiling = 10_000;

/** File write → text in the sidebar's DOM, and in the same run file write → event of raw chokidar. */
export const measureDisplay = async (print: (line: string) => void): Promise<Bar[]> => {
  await buildApplication();
  const app = await launchApp();
  const rawRoot = mkdtempSync(path.join(tmpdir(), 'sidekeep-bench-'));
  let rawWatcher: ChildProcess | null = null;
  try {
    print(`Windows: ${hostDescription()}`);
    const chats = await chatsId(app.sidebar);
    const [shown, raw] = [app.contextRoot, rawRoot].map((root) => {
      for (let index = 0; index < bystanders; index += 1) {
        saveAs('in place', makeProjectFolder(root, `bystander-${index}`), contextWith(`bystander ${index}`));
      }
      const file = makeProjectFolder(root, chats);
      saveAs('in place', file, contextWith('start'));
      return file;
    });
    if (shown === undefined || raw === undefined) throw new Error('both sides have a file');
    rawWatcher = await startRawWatcher(rawRoot);
    await recordArrivals(app.sidebar);
    const samples = await measureRounds(app.sidebar, shown, rawWatcher, raw);
    return judge(samples, print);
  } finally {
    rawWatcher?.disconnect();
    rmSync(rawRoot, { recursive: true, force: true });
    await app.close();
  }
};

type Samples = { app: number[]; raw: number[]; appByStyle: Record<SaveStyle, number[]> };

const measureRounds = async (page: Page, shown: string, rawWatcher: ChildProcess, raw: string): Promise<Samples> => {
  const samples: Samples = { app: [], raw: [], appByStyle: { 'in place': [], 'by rename': [] } };
  for (let round = -warmUp; round < rounds; round += 1) {
    const style = saveStyles[Math.abs(round) % saveStyles.length] ?? 'in place';
    const text = `arrival-${round + warmUp}-`;
    const measureApp = async (): Promise<void> => {
      await wait(150 + Math.random() * 200);
      const arrival = arrivalOf(page, text);
      const began = saveAs(style, shown, contextWith(text));
      const time = (await within(arrival, `“${text}” in the window`)) - began;
      if (round < 0) return;
      samples.app.push(time);
      samples.appByStyle[style].push(time);
    };
    const measureRaw = async (): Promise<void> => {
      await wait(150 + Math.random() * 200);
      const event = once(rawWatcher, 'message');
      const began = saveAs(style, raw, contextWith(text));
      const [at] = await within(event, 'an event of raw chokidar');
      if (round >= 0) samples.raw.push(at - began);
    };
    // In turn, so that neither side always comes first.
    const order = round % 2 === 0 ? [measureApp, measureRaw] : [measureRaw, measureApp];
    for (const measure of order) await measure();
  }
  return samples;
};

const judge = ({ app, raw, appByStyle }: Samples, print: (line: string) => void): Bar[] => {
  print(`write → text in the sidebar: ${describeTimes(app)}`);
  for (const style of saveStyles) print(`  saved ${style}: ${describeTimes(appByStyle[style])}`);
  print(`write → event of raw chokidar: ${describeTimes(raw)}`);
  const difference = quantile(app, 0.95) - quantile(raw, 0.95);
  return [
    {
      promise: `write → text in the sidebar, p95 at most raw chokidar + ${allowance} ms`,
      measured: `+ ${milliseconds(difference)}`,
      held: difference <= allowance,
    },
  ];
};

const startRawWatcher = async (root: string): Promise<ChildProcess> => {
  const child = fork(path.join(import.meta.dirname, 'raw-watcher.ts'), [root]);
  await within(once(child, 'message'), 'raw chokidar to be ready');
  return child;
};

/** What runs in the window keeps its findings here. */
type Arrivals = { seen: Record<string, number>; waiting: Record<string, (at: number) => void> };

/** Lets the window note when each `arrival-<n>-` first stands in its document. */
const recordArrivals = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const arrivals: Arrivals = { seen: {}, waiting: {} };
    Object.assign(globalThis, { benchArrivals: arrivals });
    const look = (): void => {
      const fields = [...document.querySelectorAll('textarea')].map((field) => field.value);
      const text = [document.body.textContent, ...fields].join('\n');
      for (const [name] of text.matchAll(/arrival-\d+-/g)) {
        if (arrivals.seen[name] !== undefined) continue;
        arrivals.seen[name] = Date.now();
        arrivals.waiting[name]?.(arrivals.seen[name]);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });

/** Ms since 1970 at which a text stood in the window's document. */
const arrivalOf = (page: Page, text: string): Promise<number> =>
  page.evaluate((name) => {
    const { benchArrivals: arrivals } = globalThis as unknown as { benchArrivals: Arrivals };
    return (
      arrivals.seen[name] ??
      new Promise<number>((resolve) => {
        arrivals.waiting[name] = resolve;
      })
    );
  }, text);

/** Id of the chats root, which the sidebar shows at first. */
const chatsId = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    type Answer = { ok: true; value: { chatsId: string } } | { ok: false; error: { message: string } };
    const bridge = globalThis as unknown as { sidekeep: { projects: { list(input: object): Promise<Answer> } } };
    const answer = await bridge.sidekeep.projects.list({});
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value.chatsId;
  });

const within = async <Value>(promise: Promise<Value>, what: string): Promise<Value> => {
  const control = new AbortController();
  const late = wait(ceiling, undefined, { signal: control.signal }).then(
    () => {
      throw new Error(`Not within ${ceiling} ms: ${what}`);
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    control.abort();
  }
};
