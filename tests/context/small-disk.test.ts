import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openContextStore } from '../../src/context/index.ts';
import type { ContextSnapshot } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { temporaryFiles, temporaryFolder } from '../files/support.ts';
import { type Answer, StoreChild } from './store-child.ts';
import { p1 } from './support.ts';

/** Makes a call of the store, wherever that is. */
type Ask = (call: string, input: object) => Promise<Pick<Answer, 'value' | 'error'>>;

/** A disk that takes only so much. */
interface SmallDisk {
  root: string;
  ask: Ask;
  /** What the failures on this disk say. */
  reason: string;
  /** Gives the disk room, or takes it away again. */
  setRoom(isThere: boolean): Promise<void>;
}

/** A disk in memory, which only the system's administrator can make. */
async function mountedDisk(): Promise<SmallDisk> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sidekeep-disk-')));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
  expect(mounted.status, String(mounted.stderr)).toBe(0);
  const root = join(folder, 'context');
  const store = openContextStore({
    root,
    isKnownProject: () => true,
    onEvent: () => undefined,
    // What cannot be kept beside a change on a full disk is said here; what that is, is not asked.
    report: () => undefined,
  });
  onTestFinished(async () => {
    await store.dispose();
    const left = await temporaryFiles(folder);
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
    expect(left, 'temp files left').toEqual([]);
  });
  const groups = store as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  const ballast = join(folder, 'ballast');
  return {
    root,
    reason: 'disk-full',
    ask: async (call, input) => {
      const [group = '', name = ''] = call.split('.');
      try {
        return { value: await groups[group]?.[name]?.(input) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { code, message, detail } = error;
        return { error: { code, message, detail: detail ?? null } };
      }
    },
    setRoom: async (isThere) => {
      if (isThere) return rm(ballast, { force: true });
      const { bavail, bsize } = await statfs(folder);
      await writeFile(ballast, Buffer.alloc(Math.max(0, Number(bavail) * Number(bsize) - 4 * 4096)));
    },
  };
}

/** A process that may write no large file: the system takes a part of a write, and refuses the rest. */
async function limitedDisk(): Promise<SmallDisk> {
  const root = join(await temporaryFolder(), 'context');
  await mkdir(root);
  let child = new StoreChild(root, { limit: 8 });
  onTestFinished(() => child.kill());
  const open = () => child.get('open', { now: Date.now() });
  await open();
  return {
    root,
    reason: 'too-large',
    ask: async (call, input) => {
      const answer = await child.ask(call, input);
      return answer ?? expect.unreachable('the process ended');
    },
    setRoom: async (isThere) => {
      await child.leave();
      child = new StoreChild(root, { limit: isThere ? 4096 : 8 });
      await open();
    },
  };
}

/** Whether this user may mount; a container may forbid it even to an administrator. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = join(tmpdir(), `sidekeep-mount-${process.pid}`);
  const script = 'mkdir "$0" && mount -t tmpfs -o size=64k tmpfs "$0" && umount "$0"; code=$?; rmdir "$0"; exit $code';
  return spawnSync('sh', ['-c', script, folder]).status === 0;
}

const disks: [string, () => Promise<SmallDisk>][] = [
  ['a process that may write no large file', limitedDisk],
  ...(canMount() ? [['a small disk', mountedDisk] satisfies [string, () => Promise<SmallDisk>]] : []),
];

const long = (name: string): string => `${name} ${'text '.repeat(60)}`.trim();

/** Somebody who makes changes, and knows which of them were acknowledged: texts by id. */
class Keeper {
  readonly notes = new Map<string, string>();
  readonly todos = new Map<string, string>();
  readonly plans = new Map<string, string>();
  readonly refusals: NonNullable<Answer['error']>[] = [];
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async work(round: number): Promise<void> {
    const note = await this.#make('notes.create', { body: long(`note ${round}`) });
    if (note) this.notes.set((note.note as { id: string }).id, long(`note ${round}`));
    const todo = await this.#make('todos.add', { text: `todo ${round}` });
    if (todo) this.todos.set((todo.todo as { id: string }).id, `todo ${round}`);
    const body = `${long('body').repeat(20)}\n`;
    const plan = await this.#make('plans.create', { title: `Plan ${round}`, body });
    if (plan) this.plans.set((plan.plan as { id: string }).id, `# Plan ${round}\n\n${body}`);
    for (const noteId of [...this.notes.keys()].slice(0, 2)) {
      const text = long(`note edited ${round}`);
      if (await this.#make('notes.update', { noteId, body: text })) this.notes.set(noteId, text);
    }
    for (const planId of [...this.plans.keys()].slice(0, 1)) {
      const raw = `# Edited ${round}\n\n${long('more').repeat(22 + (round % 100))}\n`;
      if (await this.#make('plans.update', { planId, raw })) this.plans.set(planId, raw);
    }
  }

  async check(root: string): Promise<void> {
    const { value } = await this.#ask('context.get', p1);
    const context = value as ContextSnapshot;
    expect(new Map(context.notes.map((note) => [note.id, note.body]))).toEqual(this.notes);
    expect(new Map(context.todos.map((todo) => [todo.id, todo.text]))).toEqual(this.todos);
    const texts = await Promise.all(
      context.plans.map(async ({ id }) => {
        const read = (await this.#ask('plans.read', { ...p1, planId: id })).value as { raw: string };
        return [id, read.raw] as const;
      }),
    );
    expect(new Map(texts)).toEqual(this.plans);
    const stored = JSON.parse(await readFile(join(root, 'projects', 'p1', 'context.json'), 'utf8'));
    expect(stored.notes).toHaveLength(this.notes.size);
    expect(await temporaryFiles(join(root, 'projects'))).toEqual([]);
    // No text of a plan that was refused stays behind.
    expect(await readdir(join(root, 'projects', 'p1', 'plans'))).toHaveLength(this.plans.size);
  }

  async #make(call: string, input: object): Promise<Record<string, unknown> | null> {
    const { value, error } = await this.#ask(call, { ...p1, ...input });
    if (error === undefined) return value as Record<string, unknown>;
    this.refusals.push(error);
    return null;
  }
}

test.each(disks)(
  '%s: what was acknowledged is there, the rest is refused, and with more room it goes on',
  { timeout: 120_000 },
  async (_name, makeDisk) => {
    const disk = await makeDisk();
    const keeper = new Keeper(disk.ask);
    const { refusals, notes } = keeper;
    for (let round = 0; round < 200 && refusals.length < 12; round++) {
      if (round === 4) await disk.setRoom(false);
      await keeper.work(round);
    }
    expect(refusals.length).toBeGreaterThanOrEqual(12);
    for (const { code, message, detail } of refusals) {
      expect({ code, detail }).toMatchObject({ code: 'io', detail: { reason: disk.reason } });
      expect(message).toMatch(/unchanged/);
      expect(message).not.toContain('/');
    }
    expect(notes.size).toBeGreaterThan(4);
    await keeper.check(disk.root);

    await disk.setRoom(true);
    const before = refusals.length;
    await keeper.work(300);
    expect(refusals).toHaveLength(before);
    await keeper.check(disk.root);
  },
);
