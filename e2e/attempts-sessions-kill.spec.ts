import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { TrashedSession } from '../src/contract/index.ts';
import { kill } from './attempts-parts.ts';
import { callBridge } from './bridge.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { composer } from './mini-chat-parts.ts';
import { kept, prepareWhole, trashIn, WHOLE } from './session-files.ts';
import {
  answered,
  globalRef,
  idsIn,
  listed,
  messageMode,
  pageOf,
  patient,
  recorded,
  sayRecorded,
  storeIn,
  texts,
} from './session-parts.ts';
import { expect, test } from './test.ts';

// Each starts the program several times and waits for the disk.
test.describe.configure({ timeout: 300_000 });

const counts = (all: readonly string[], wanted: readonly string[]): number[] =>
  wanted.map((text) => all.filter((one) => one === text).length);

test('killed in the middle of many sends, every message that was answered is there once, in order', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'the first');
  const [id = ''] = idsIn(dataFolder);
  const answers: string[] = [];
  await app.miniChat.exposeFunction('answered', (text: string) => void answers.push(text));
  const sending = app.miniChat
    .evaluate(async (session) => {
      const it = globalThis as unknown as {
        sidekeep: { sessions: { append(input: object): Promise<{ ok: boolean }> } };
        answered(text: string): void;
      };
      const one = async (text: string) => {
        const answer = await it.sidekeep.sessions.append({ session, text, messageId: text.replaceAll(' ', '-') });
        if (answer.ok) it.answered(text);
      };
      for (let round = 0; round < 300; round++) await Promise.all([one(`left ${round}`), one(`right ${round}`)]);
    }, globalRef(id))
    .catch(() => 'the window went with the program');
  await expect.poll(() => answers.length, patient).toBeGreaterThan(30);
  await kill(app);
  await sending;

  const again = await launch({ dataFolder });
  const page = await pageOf(again.sidebar, globalRef(id));
  const shown = recorded(dataFolder, id);
  expect(page.total).toBe(shown.length);
  expect(counts(shown, answers)).toEqual(answers.map(() => 1));
  expect(new Set(shown).size, 'none is there twice').toBe(shown.length);
  for (const side of ['left', 'right']) {
    const numbers = shown.filter((text) => text.startsWith(side)).map((text) => Number(text.split(' ')[1]));
    expect(numbers, 'in order').toEqual([...numbers].sort((first, second) => first - second));
  }
  // The same message sent again, since its answer never came, is the one that is there.
  const last = shown.at(-1) ?? '';
  await answered(again.miniChat, 'sessions.append', {
    session: globalRef(id),
    text: last,
    messageId: last.replaceAll(' ', '-'),
  });
  expect(counts(recorded(dataFolder, id), [last])).toEqual([1]);
});

test('killed right after Enter, each message is recorded once: before, or by the window that comes back', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  let app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'begun');
  const [id = ''] = idsIn(dataFolder);
  const typed = ['begun'];
  for (let round = 0; round < 2; round++) {
    const text = `typed ${round}`;
    typed.push(text);
    await composer(app.miniChat).fill(text);
    await app.miniChat.keyboard.press('Enter');
    // Chromium writes what the page remembers a moment later: only what it shows as its own by then is promised.
    await expect.poll(() => texts(app.miniChat), patient).toContain(text);
    const wasRecorded = recorded(dataFolder, id).includes(text);
    await kill(app);
    app = await launch({ dataFolder });
    await messageMode(app);
    if (!wasRecorded && !recorded(dataFolder, id).includes(text)) {
      await expect.poll(() => unsaid(app.miniChat, text), patient).toBe(true);
    }
  }
  const all = recorded(dataFolder, id);
  expect(counts(all, ['begun'])).toEqual([1]);
  for (const text of typed) expect(all.filter((one) => one === text).length, text).toBeLessThanOrEqual(1);
});

/** Whether a message is still with the person: in the field, or on its way. */
const unsaid = async (page: Page, text: string): Promise<boolean> =>
  (await composer(page).inputValue()) === text || (await texts(page)).includes(text);

/** Begins a call and ends the program as soon as a condition on the disk holds. */
async function killDuring(app: RunningApp, call: string, input: object, isAt: () => boolean): Promise<void> {
  const answer = callBridge(app.sidebar, call, input).catch(() => 'the window went with the program');
  const end = Date.now() + 30_000;
  while (!isAt() && Date.now() < end) await turn();
  await kill(app);
  await answer;
}

test('killed in the middle of a delete and of bringing back, the session is wholly there or wholly in the trash', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareWhole(dataFolder, 'never half of it');
  const before = kept(dataFolder);
  const files = () => readdirSync(storeIn(dataFolder)).filter((name) => name.startsWith(`${WHOLE}.`)).length;
  const all = files();
  const marker = path.join(storeIn(dataFolder), `${WHOLE}.cleanup-pending.json`);
  /** Where the session is, after what was left undone is done; fails when it is in between. */
  const whereabouts = async (app: RunningApp): Promise<'live' | TrashedSession> => {
    await expect.poll(() => existsSync(marker), patient).toBe(false);
    await expect
      .poll(async () => (Object.keys(kept(dataFolder)).length === 0) !== (trashIn(dataFolder).length === 0), patient)
      .toBe(true);
    const { items } = await answered<{ items: TrashedSession[] }>(app.sidebar, 'sessions.trash', {});
    // The list of the last run is shown until the disk was looked at.
    await expect.poll(async () => (await listed(app.sidebar)).length + items.length, patient).toBe(1);
    if (items[0] === undefined) {
      expect(kept(dataFolder)).toEqual(before);
      return 'live';
    }
    expect(items[0].problem).toBeNull();
    return items[0];
  };
  let app = await launch({ dataFolder });
  const session = globalRef(WHOLE);
  const seen: string[] = [];
  // At the first sign of it, when some of it has gone, and when most has.
  for (const left of [all, all - 3, 6]) {
    const isGoing = () => (left === all ? existsSync(marker) : files() <= left);
    await killDuring(app, 'sessions.delete', { session }, isGoing);
    app = await launch({ dataFolder });
    const place = await whereabouts(app);
    seen.push(place === 'live' ? 'live' : 'trash');
    if (place === 'live') {
      await answered(app.sidebar, 'sessions.delete', { session });
    }
    const { items } = await answered<{ items: TrashedSession[] }>(app.sidebar, 'sessions.trash', {});
    const [item] = items;
    if (item === undefined) return expect(items).toHaveLength(1);
    const isComing = () => files() >= Math.max(1, all - left);
    await killDuring(app, 'sessions.restore', { store: item.store, name: item.name }, isComing);
    app = await launch({ dataFolder });
    const after = await whereabouts(app);
    seen.push(after === 'live' ? 'live' : 'trash');
    if (after !== 'live') await answered(app.sidebar, 'sessions.restore', { store: after.store, name: after.name });
    expect(kept(dataFolder)).toEqual(before);
  }
  expect(seen).toHaveLength(6);
});
