import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { SessionRow } from '../src/contract/index.ts';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import {
  answered,
  detailOf,
  fileOf,
  filesBelow,
  globalRef,
  lines,
  messageMode,
  pageOf,
  patient,
  prepareSession,
  railSession,
  sayRecorded,
  storeIn,
  talk,
} from './session-parts.ts';
import { expect, test } from './test.ts';

test.describe.configure({ timeout: 300_000 });

const said = (content: string) => ({ role: 'user', content });
const replace = (...messages: object[]) => ({ schema_version: 1, type: 'replace', revision: 1, messages });

/** Ways in which a session can be broken, each with what its row says about it. */
const ways: Record<string, { health: SessionRow['health']; make(dataFolder: string, id: string): void }> = {
  torn: {
    health: 'damaged',
    make: (folder, id) => writeFileSync(fileOf(folder, id), `${lines(said('whole'))}{"role":"user","con`),
  },
  hole: {
    health: 'damaged',
    make: (folder, id) => writeFileSync(fileOf(folder, id), `${lines(said('whole'))}not json\n${lines(said('after'))}`),
  },
  zeros: {
    health: 'damaged',
    make: (folder, id) => writeFileSync(fileOf(folder, id), `${lines(said('whole'))}${'\0'.repeat(4096)}`),
  },
  'torn log': {
    health: 'damaged',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), '');
      writeFileSync(fileOf(folder, id, '.events.jsonl'), `${lines(replace(said('logged')))}{"schema_version":1,"ty`);
    },
  },
  'newer log': {
    health: 'too-new',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), '');
      writeFileSync(fileOf(folder, id, '.events.jsonl'), lines({ ...replace(said('x')), schema_version: 7 }));
    },
  },
  'bad meta': {
    health: 'damaged',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), lines(said('whole')));
      writeFileSync(fileOf(folder, id, '.jsonl.meta'), '{"custom_title": [');
    },
  },
  'meta that is a folder': {
    health: 'damaged',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), lines(said('whole')));
      mkdirSync(fileOf(folder, id, '.jsonl.meta'));
    },
  },
  'meta that is a pipe': {
    health: 'damaged',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), lines(said('whole')));
      execFileSync('mkfifo', [fileOf(folder, id, '.jsonl.meta')]);
    },
  },
  'too large': {
    health: 'too-large',
    make: (folder, id) => {
      writeFileSync(fileOf(folder, id), lines(said('whole')));
      truncateSync(fileOf(folder, id), 200 * 1024 * 1024);
    },
  },
};

/** Names that stand where a session might, and are none. */
const strangers: Record<string, (dataFolder: string, id: string) => void> = {
  pipe: (folder, id) => execFileSync('mkfifo', [fileOf(folder, id)]),
  folder: (folder, id) => mkdirSync(fileOf(folder, id)),
  loop: (folder, id) => symlinkSync(`${id}.jsonl`, fileOf(folder, id)),
  'dangling link': (folder, id) => symlinkSync('nowhere', fileOf(folder, id)),
};

test('a thousand sessions, fifty of them broken: all good ones are listed, each broken one with its reason, none is touched', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const store = storeIn(dataFolder);
  for (let index = 0; index < 950; index++) {
    prepareSession(dataFolder, `good-${index}`, talk(`Good ${index}`, 2), {
      updated_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    });
  }
  const broken = new Map<string, SessionRow['health']>();
  for (let index = 0; index < 50; index++) {
    const [name = '', way] = Object.entries(ways)[index % Object.keys(ways).length] ?? [];
    if (way === undefined) continue;
    const id = `broken-${name.replaceAll(' ', '-')}-${index}`;
    // One file of 200 MB is enough.
    if (name === 'too large' && index > 10) continue;
    way.make(dataFolder, id);
    broken.set(id, way.health);
  }
  for (const [name, make] of Object.entries(strangers)) make(dataFolder, `stranger-${name.replaceAll(' ', '-')}`);
  writeFileSync(Buffer.concat([Buffer.from(`${store}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.jsonl')]), 'x\n');
  const before = filesBelow(store);

  const app = await launch({ dataFolder });
  await expect.poll(async () => (await everyRow(app.sidebar)).length, patient).toBe(950 + broken.size);
  const rows = await everyRow(app.sidebar);
  const good = rows.filter(({ session }) => session.id.startsWith('good-'));
  expect(good).toHaveLength(950);
  expect(good.every(({ health, title }) => health === 'good' && title.startsWith('Good '))).toBe(true);
  const told = async () =>
    Object.fromEntries(
      (await everyRow(app.sidebar))
        .filter(({ session }) => !session.id.startsWith('good-'))
        .map(({ session, health, reason }) => [session.id, [health, reason !== null && reason.length > 10]]),
    );
  await expect
    .poll(told, { timeout: 60_000 })
    .toEqual(Object.fromEntries([...broken].map(([id, health]) => [id, [health, true]])));
  for (const id of broken.keys()) {
    await detailOf(app.sidebar, globalRef(id));
    const page = await callBridge(app.sidebar, 'sessions.page', { session: globalRef(id) });
    expect(page.ok || page.error?.code === 'newer-version', id).toBe(true);
  }
  expect((await pageOf(app.sidebar, globalRef('good-500'))).total).toBe(2);
  await messageMode(app);
  await sayRecorded(app, 'among them all');
  await expect(railSession(app.sidebar, 'among them all')).toBeVisible(patient);
  await app.quit();
  const after = filesBelow(store);
  expect(Object.keys(before).filter((name) => after[name] !== before[name])).toEqual([]);
});

async function everyRow(page: Parameters<typeof callBridge>[0]): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  let cursor: string | null = null;
  do {
    const answer: { rows: SessionRow[]; cursor: string | null } = await answered(page, 'sessions.list', {
      ownerId: null,
      limit: 200,
      cursor,
    });
    rows.push(...answer.rows);
    cursor = answer.cursor;
  } while (cursor !== null);
  return rows;
}
