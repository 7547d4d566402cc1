import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryOwner } from '../../src/files/index.ts';
import type { Told } from './storm-process.ts';
import { caller, inGlobal, listed, wholeCore } from './whole-core.ts';

const KILLS = Number(process.env.KILLS ?? 6);
const script = fileURLToPath(new URL('storm-process.ts', import.meta.url));

/** Lets a process work on the folder for some time after it began, or after it had something done, and kills it. */
async function killedAfter(
  folder: string,
  since: Told['state'],
  ms: number,
): Promise<{ told: Told[]; errors: string }> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'close');
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const before = output;
      output += chunk;
      const sign = `{"state":"${since}"`;
      if (!before.includes(sign) && output.includes(sign)) setTimeout(resolve, ms);
    });
    void exited.then(() => resolve());
  });
  child.kill('SIGKILL');
  await exited;
  const whole = output.slice(0, output.lastIndexOf('\n') + 1);
  return {
    told: whole
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as Told),
    errors,
  };
}

interface Expected {
  messages: string[];
  /** Where it is to be: for what was under way, that is open. */
  place: 'live' | 'trash' | 'nowhere' | 'open' | 'trash-or-nowhere';
}

function fold(expected: Map<string, Expected>, told: readonly Told[]): void {
  const after = { append: 'live', delete: 'trash', restore: 'live', purge: 'nowhere', create: 'live' } as const;
  for (const { state, call, id, message } of told) {
    if (id === '') continue;
    const one = expected.get(id) ?? { messages: [], place: 'live' };
    expected.set(id, one);
    if (state === 'begin' && (call === 'delete' || call === 'restore')) one.place = 'open';
    if (state === 'begin' && call === 'purge') one.place = 'trash-or-nowhere';
    if (state !== 'done') continue;
    one.place = after[call];
    if (call === 'append' || call === 'create') one.messages.push(message);
  }
}

test('whenever the program is killed, each session is where it was last said to be, whole, after the next start', async () => {
  const { folder, store, open } = await wholeCore();
  const expected = new Map<string, Expected>();
  for (let kill = 0; kill < KILLS; kill++) {
    const { told, errors } = await killedAfter(folder, kill === 0 ? 'begin' : 'done', 50 + kill * 97);
    expect(errors).toBe('');
    expect(told.length).toBeGreaterThan(0);
    fold(expected, told);
    const core = await open();
    // What is to be finished at the start is done once nothing is hidden and nothing in the trash is under way.
    const unfinished = async () => [
      ...(await readdir(store)).filter((name) => name.endsWith('.cleanup-pending.json')),
      ...(await core.calls.sessions.trash({}, caller)).items.filter(({ problem }) => problem !== null),
    ];
    await expect.poll(unfinished, { timeout: 10_000 }).toEqual([]);
    const live = new Set(await listed(core));
    const { items } = await core.calls.sessions.trash({}, caller);
    const trashed = new Map(items.map((item) => [item.session.id, item]));
    expect(trashed.size).toBe(items.length);
    for (const [id, { messages, place }] of expected) {
      const found = live.has(id) ? 'live' : trashed.has(id) ? 'trash' : 'nowhere';
      if (live.has(id)) expect(trashed.has(id), `${id} is live and in the trash`).toBe(false);
      if (place === 'open') expect(found, id).not.toBe('nowhere');
      else if (place === 'trash-or-nowhere') expect(found, id).not.toBe('live');
      else expect(found, id).toBe(place);
      const item = trashed.get(id);
      if (item) {
        await core.calls.sessions.restore({ store: item.store, name: item.name }, caller);
      }
      if (found === 'nowhere') {
        expected.delete(id);
        for (const name of await readdir(store, { recursive: true })) expect(name).not.toContain(`${id}.`);
        continue;
      }
      const page = await core.calls.sessions.page({ session: inGlobal(id), from: 0, limit: 200 }, caller);
      const contents = page.messages.map(({ content }) => content);
      expect(
        contents.filter((text) => messages.includes(text)),
        `messages of ${id}`,
      ).toEqual(messages);
      expect(new Set(contents).size).toBe(contents.length);
      expected.set(id, { messages: contents, place: 'live' });
    }
    // A session that was being made and never was leaves nothing.
    const orphans = async () =>
      (await core.calls.sessions.report({}, caller)).findings.filter(
        ({ kind }) => kind === 'orphan' || kind === 'trash-leftover',
      );
    await expect.poll(orphans, { timeout: 10_000 }).toEqual([]);
    await core.dispose();
  }
  // Those that were killed left temp files, which are swept when they are a day old.
  for (const name of await readdir(store, { recursive: true })) {
    if (temporaryOwner(basename(name)) !== null) await unlink(join(store, name));
  }
  expect(expected.size).toBeGreaterThan(3);
}, 300_000);
