import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryOwner } from '../../../src/files/index.ts';
import { made, recordsIn, said, setUp, slowDigest } from './support.ts';

const RUNS = 30;

test('whenever the program is killed, every message that was acknowledged is there, once', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.dispose();
  const acknowledged: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    const script = join(import.meta.dirname, 'appender-process.ts');
    const child = spawn(process.execPath, [script, rig.root, session.id, `${run}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let problems = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text;
    });
    const closed = once(child, 'close');
    const first = await Promise.race([once(child.stdout, 'data').then(() => 'begun'), closed.then(() => 'ended')]);
    expect(first, problems).toBe('begun');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.kill('SIGKILL');
    await closed;
    expect(problems).toBe('');
    // The last line may be cut short by the end.
    acknowledged.push(...output.split('\n').slice(0, -1));
  }
  await rig.restart();
  const last = await rig.writers.append(session, [said('last', 'last')]);
  await rig.writers.flush();
  const records = await recordsIn(rig.path(session, '.events.jsonl'));
  const ids = records.flatMap(({ messages = [] }) => messages.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(RUNS);
  expect(new Set(ids).size).toBe(ids.length);
  const there = new Set(ids);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  expect(records.map(({ revision }) => revision)).toEqual(records.map((_record, index) => index + 1));
  expect(last.total).toBe(ids.length);
  const transcript = (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').slice(0, -1);
  expect(transcript).toHaveLength(ids.length);
  // Those that were killed left temp files, which are swept when they are a day old.
  for (const name of await readdir(rig.folder)) if (temporaryOwner(name) !== null) await unlink(join(rig.folder, name));
  expect(records.at(-1)?.content_digest).toBe(slowDigest(transcript));
}, 300_000);
