import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import { testStore } from './support.ts';
import { place, said, setUp } from './writing/support.ts';

const dead = '4000000-0123456789ab';
const id = '20260101-120000.123456789-sidekeep';
const half = {
  [`${id}.events.jsonl`]: '{"schema_version":1}\n',
  [`${id}.jsonl.meta`]: '{}',
  [`${id}.event-index.json`]: '{}',
};

function trashOver(stores: SessionStores, later = 60_000): SessionTrash {
  const trash = new SessionTrash({
    stores,
    now: () => Date.now() + later,
    report: (where, error) => expect.unreachable(`${where}: ${error}`),
  });
  onTestFinished(() => trash.dispose());
  return trash;
}

test('a creation that was stopped anywhere leaves a whole session or, after the next start, nothing', async () => {
  const rig = await setUp();
  await rig.writers.create({ ...place, messages: [said('first')] });
  const steps = rig.fileSystem.calls.length;
  const before = await readdir(rig.folder);
  for (let stop = 0; stop < steps; stop++) {
    await rig.restart();
    const start = rig.fileSystem.calls.length;
    // From here on the process does nothing any more.
    rig.fileSystem.fault = (_call, index) => (index - start >= stop ? { code: 'EIO' } : null);
    const isMade = await rig.writers.create({ ...place, messages: [said('typed')] }).then(
      () => true,
      () => false,
    );
    rig.fileSystem.fault = null;
    const trash = trashOver(new SessionStores(rig.fileSystem, rig.root));
    await trash.reconcile();
    const names = (await readdir(rig.folder)).filter((name) => !before.includes(name) && name !== '.trash');
    if (isMade) expect(names.length, `stopped at ${stop}`).toBeGreaterThan(0);
    const transcripts = names.filter((name) => /sidekeep\.jsonl$/.test(name));
    expect(
      transcripts.length === 0 ? names : [],
      `stopped at ${stop} before ${rig.fileSystem.calls[start + stop]}`,
    ).toEqual([]);
    expect((await trash.report()).findings).toEqual([]);
    for (const name of transcripts) await trash.delete({ store: 'global', id: name.slice(0, -'.jsonl'.length) });
    expect((await readdir(rig.folder)).filter((name) => name !== '.trash')).toEqual(before);
  }
}, 60_000);

test('what may be more than the half of a session that was being made stays', async () => {
  const cases: Readonly<Record<string, Record<string, string>>> = {
    'without the transcript that has no name yet': half,
    'with something else beside it': { ...half, [`.${id}.jsonl.${dead}.tmp`]: 'x', [`${id}.goal-state.json`]: '{}' },
    'of a process that is alive': { ...half, [`.${id}.jsonl.${process.ppid}-0123456789ab.tmp`]: 'x' },
    'of another program': Object.fromEntries(
      Object.entries({ ...half, [`.${id}.jsonl.${dead}.tmp`]: 'x' }).map(([name, text]) => [
        name.replace('-sidekeep', '-model'),
        text,
      ]),
    ),
  };
  for (const [why, files] of Object.entries(cases)) {
    const store = await testStore(files);
    await trashOver(store.stores).reconcile();
    const left = await readdir(store.folder);
    expect(
      Object.keys(files).filter((name) => !name.endsWith('.tmp') && !left.includes(name)),
      why,
    ).toEqual([]);
    for (const name of left.filter((one) => one.endsWith('.tmp'))) await rm(join(store.folder, name));
  }
  const young = await testStore({ ...half, [`.${id}.jsonl.${process.pid}-0123456789ab.tmp`]: 'x' });
  await trashOver(young.stores, -60_000).reconcile();
  const temporary = (await readdir(young.folder)).filter((name) => name.endsWith('.tmp'));
  expect(temporary).toHaveLength(1);
  for (const name of temporary) await rm(join(young.folder, name));
  expect((await readdir(young.folder)).sort()).toEqual(Object.keys(half).sort());
});

test('a file that was left beside a whole session goes, and the session stays', async () => {
  const store = await testStore({ ...half, [`${id}.jsonl`]: 'x\n', [`.${id}.jsonl.${dead}.tmp`]: 'x' });
  await trashOver(store.stores).reconcile();
  expect((await readdir(store.folder)).sort()).toEqual([...Object.keys(half), `${id}.jsonl`].sort());
});

test('the report names the half of a session as one orphan; the repair moves it to the trash', async () => {
  const store = await testStore(half);
  const trash = trashOver(store.stores);
  const report = await trash.report();
  expect(report.findings).toMatchObject([
    { kind: 'orphan', session: { store: 'global', id }, repair: 'move-to-trash', reason: expect.stringContaining('3') },
  ]);
  expect(report.sessions).toEqual([]);
  // The same finding has the same id, in whatever order the disk answers.
  for (let round = 0; round < 20; round++) {
    const { findings } = await trashOver(store.stores).report();
    expect(findings.map((finding) => finding.id)).toEqual([report.findings[0]?.id]);
  }
  expect(await trash.repair(report.id, [report.findings[0]?.id ?? ''])).toEqual({ done: 1, left: [] });
  expect(await readdir(store.folder)).toEqual(['.trash']);
  const [entry = ''] = await readdir(join(store.folder, '.trash'));
  expect(await readdir(join(store.folder, '.trash', entry))).toEqual(expect.arrayContaining(Object.keys(half)));
  expect((await trash.report()).findings).toEqual([]);
});
