import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SessionFinding, SessionReport } from '../../src/contract/entities.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import { type Files, smallSession, type TestStore, testStore, wholeSession } from './support.ts';

const ref = (id: string) => ({ store: 'global' as const, id });
const journal = (id: string): string =>
  JSON.stringify({ version: 1, op: 'delete', phase: 'done', id, deletedAt: 1_790_000_000_000, artifacts: [] });

async function kit(files: Files = {}): Promise<TestStore & { trash: SessionTrash }> {
  const store = await testStore(files);
  const trash = new SessionTrash({ stores: store.stores, report: () => undefined });
  onTestFinished(() => trash.dispose());
  return { ...store, trash };
}

const brief = (findings: readonly SessionFinding[]) =>
  findings.map(({ kind, name, repair }) => `${kind} ${name} ${repair}`).sort();

/** Makes files of the store look as if nobody had touched them for two days. */
async function age(store: TestStore, ...names: string[]): Promise<void> {
  const time = Date.now() / 1000 - 2 * 24 * 60 * 60;
  for (const name of names) await utimes(join(store.folder, name), time, time);
}

describe('the report', () => {
  test('tells how much space each session takes up, and by what', async () => {
    const { trash, ...store } = await kit({
      ...wholeSession('s1'),
      ...smallSession('s2'),
      ...smallSession('s2.b'),
      's2.unknown.bin': 'x'.repeat(1000),
      'subagents/c.jsonl': 'four',
    });
    const report = await trash.report();
    expect(SessionReport.parse(report)).toEqual(report);
    expect(report.sessions.map(({ session }) => session.id)).toEqual(['s2', 's1', 's2.b']);
    const [s2] = report.sessions;
    expect(s2).toMatchObject({
      title: 'Title MARK-s2',
      parts: expect.arrayContaining([{ kind: 'other', bytes: 1000 }]),
    });
    const parts = report.sessions.find(({ session }) => session.id === 's1')?.parts ?? [];
    expect(parts).toEqual(
      expect.arrayContaining([
        { kind: 'checkpoints', bytes: 14 },
        { kind: 'guardian/events', bytes: 7 },
      ]),
    );
    const all = Object.values(await store.read()).join('').length;
    expect(report.totals.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(all);
    expect(report.totals).toContainEqual({ kind: 'subagents', bytes: 4, files: 1 });
    expect(brief(report.findings)).toEqual([
      'damaged s1.events.jsonl.damaged null',
      'damaged s1.turns.jsonl.damaged null',
    ]);
  });

  test('names what is left over once a session, and what it would do', async () => {
    const { trash, ...store } = await kit({
      ...smallSession('s1'),
      'gone.jsonl.meta': '{}',
      'gone.display-index.json': '{}',
      'gone.ckpt/x': 'x',
      'orphan.events.jsonl': '{}',
      'half.guardian.jsonl': 'x',
      '.trash/half.jsonl/half.jsonl': 'x',
      '.trash/empty.jsonl/.trash-meta.json': '{"key":"empty.jsonl","deletedAt":1}',
      '.trash/rest.jsonl/rest.jsonl.meta': '{}',
      '.trash/good.jsonl-deleted-1-00/.sidekeep-journal.json': journal('good'),
      '.trash/file': 'x',
      's1.sync-conflict-20260101-120000-ABCDEFG.jsonl': 'x',
      'old.jsonl.lock': '',
      'young.jsonl.lock': '',
      '.s1.jsonl.4000000-0123456789ab.tmp': 'x',
      '.s1.jsonl.4000001-0123456789ab.tmp': 'x',
      'notes.txt': 'x',
    });
    await mkdir(join(store.folder, 'folder.jsonl'));
    await symlink('/nowhere', join(store.folder, 'link.jsonl'));
    await age(store, 'old.jsonl.lock', '.s1.jsonl.4000000-0123456789ab.tmp');
    const before = await store.read();
    const { findings } = await trash.report();
    expect(brief(findings)).toEqual(
      [
        'orphan gone.ckpt move-to-trash',
        'orphan orphan.events.jsonl move-to-trash',
        'trash-leftover half.guardian.jsonl move-to-trash',
        'trash-leftover empty.jsonl remove',
        'trash-leftover rest.jsonl remove',
        'trash-leftover file remove',
        'conflict-copy s1.sync-conflict-20260101-120000-ABCDEFG.jsonl null',
        'left-over old.jsonl.lock remove',
        'stray-temporary .s1.jsonl.4000000-0123456789ab.tmp remove',
        'stray-temporary .s1.jsonl.4000001-0123456789ab.tmp null',
        'unreadable folder.jsonl null',
        'unreadable link.jsonl null',
      ].sort(),
    );
    expect(await store.read(), 'nothing is changed').toEqual(before);
    const again = await trash.report();
    expect(again.findings, 'the same findings have the same ids').toEqual(findings);
    await rmTemporary(store);
  });

  test('names what a program wrote after a delete; the repair keeps it', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    await trash.delete(ref('s1'));
    await store.write({ 's1.jsonl': 'LATE', 's1.jsonl.meta': '{}' });
    const report = await trash.report();
    expect(brief(report.findings)).toEqual(['left-over s1.jsonl move-to-trash']);
    expect(report.findings[0]?.session).toEqual(ref('s1'));
    expect(await trash.repair(report.id, [report.findings[0]?.id ?? ''])).toEqual({ done: 1, left: [] });
    const read = await store.read();
    expect(Object.keys(read).filter((name) => !name.startsWith('.trash/'))).toEqual([]);
    expect(Object.values(read).filter((text) => text === 'LATE')).toHaveLength(1);
    expect((await trash.report()).findings).toEqual([]);
  });

  test('can be stopped', async () => {
    const { trash } = await kit(smallSession('s1'));
    await expect(trash.report(AbortSignal.abort())).rejects.toThrow();
  });

  test('of one store that cannot be looked at names the reason and the others', async () => {
    const { trash, ...store } = await kit(smallSession('s1'));
    await mkdir(join(store.root, 'projects'));
    await symlink(store.folder, join(store.root, 'projects', 'linked'));
    const report = await trash.report();
    expect(report.sessions).toHaveLength(1);
    await mkdir(join(store.root, 'projects', 'inner'));
    await symlink(store.folder, join(store.root, 'projects', 'inner', 'sessions'));
    expect((await trash.report()).unread.map(({ store: key }) => key)).toContain('project:inner');
  });
});

/** The test's own temp files, which a suite takes for leaks. */
async function rmTemporary(store: TestStore): Promise<void> {
  const { rm, readdir } = await import('node:fs/promises');
  for (const name of await readdir(store.folder)) if (name.endsWith('.tmp')) await rm(join(store.folder, name));
}

describe('the repair', () => {
  test('does exactly what the report showed, and only for the findings named', async () => {
    const { trash, ...store } = await kit({
      ...smallSession('s1'),
      'gone.jsonl.meta': '{}',
      'gone.ckpt/x': 'KEEP',
      'other.jsonl.meta': '{}',
      '.trash/empty.jsonl/.trash-meta.json': '{"key":"empty.jsonl","deletedAt":1}',
    });
    const report = await trash.report();
    const ids = report.findings.filter(({ name }) => name !== 'other.jsonl.meta').map(({ id }) => id);
    expect(await trash.repair(report.id, ids)).toEqual({ done: 2, left: [] });
    const read = await store.read();
    expect(Object.keys(read).filter((name) => name.includes('gone.ckpt/x'))).toEqual([
      expect.stringMatching(/^\.trash\/gone\.jsonl-deleted-\d+-00\/gone\.ckpt\/x$/),
    ]);
    expect(Object.keys(read)).toContain('other.jsonl.meta');
    expect(Object.keys(read).filter((name) => name.includes('empty'))).toEqual([]);
    expect(Object.keys(read)).toEqual(expect.arrayContaining(Object.keys(smallSession('s1'))));
  });

  test('leaves what has changed since, with the reason', async () => {
    const { trash, ...store } = await kit({
      'a.jsonl.meta': '{}',
      'b.jsonl.meta': '{}',
      'c.jsonl.meta': '{}',
      '.trash/d.jsonl/d.jsonl.meta': '1',
    });
    const report = await trash.report();
    await writeFile(join(store.folder, 'a.jsonl.meta'), '{"more":1}');
    await store.write({ 'b.jsonl': 'NEW' });
    await store.write({ '.trash/d.jsonl/d.jsonl': 'NEW' });
    const { done, left } = await trash.repair(
      report.id,
      report.findings.map(({ id }) => id),
    );
    expect(done).toBe(1);
    expect(left).toHaveLength(3);
    const read = await store.read();
    expect(read).toMatchObject({
      'a.jsonl.meta': '{"more":1}',
      'b.jsonl': 'NEW',
      'b.jsonl.meta': '{}',
      '.trash/d.jsonl/d.jsonl': 'NEW',
    });
    expect(Object.keys(read)).not.toContain('c.jsonl.meta');
  });

  test('does nothing for a report that is not known, or a finding that it has not', async () => {
    const { trash } = await kit({ 'a.jsonl.meta': '{}', 'x.sync-conflict-20260101-120000-A.jsonl': 'x' });
    await expect(trash.repair('none', ['x'])).rejects.toMatchObject({ code: 'not-found' });
    const report = await trash.report();
    const copy = report.findings.find(({ kind }) => kind === 'conflict-copy')?.id ?? '';
    const { done, left } = await trash.repair(report.id, ['other', copy]);
    expect(done).toBe(0);
    expect(left.map(({ finding }) => finding)).toEqual(['other', copy]);
  });
});
