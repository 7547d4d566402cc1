import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ErrorCode, Failure, type MemoryEntry } from '../../src/contract/index.ts';
import { memory as contract } from '../../src/contract/memory.ts';
import { type MemoryOwner, MemoryStore, type MemoryStoreOptions } from '../../src/memory/index.ts';
import { temporaryFolder } from '../files/support.ts';

export const NOW = 1_750_000_000_000;
const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

type Calls = MemoryStore['calls'];
type Input<Name extends keyof Calls> = Omit<Parameters<Calls[Name]>[0], 'ownerId'> & { ownerId?: MemoryOwner };

/** A store over a folder of its own, asked for the memory of `p1` where a test names nobody. */
export interface Setup {
  store: MemoryStore;
  root: string;
  /** Owners whose memory was told of as changed. */
  changed: MemoryOwner[];
  reports: string[];
  clock: { now: number };
  ask<Name extends keyof Calls>(name: Name, input: Input<Name>): ReturnType<Calls[Name]>;
  /** Remembers something that is no other. */
  remember(title: string, body: string, ownerId?: MemoryOwner): Promise<MemoryEntry>;
  path(...names: string[]): string;
  /** A file below the root as JSON; `projects/p1/memory.json` when none is named. */
  stored(...names: string[]): Promise<Record<string, unknown>>;
  put(content: unknown, ...names: string[]): Promise<void>;
}

const memoryOfOwner = ['projects', 'p1', 'memory.json'];

/** Opens a store; when the test ends it is closed, and nothing may have been reported that the test did not take. */
export async function setUp(options: Partial<MemoryStoreOptions> = {}): Promise<Setup> {
  const root = options.root ?? join(await temporaryFolder(), 'context');
  const changed: MemoryOwner[] = [];
  const reports: string[] = [];
  const clock = { now: NOW };
  const store = new MemoryStore({
    isEnabled: () => true,
    isKnownOwner: () => true,
    now: () => clock.now,
    person: () => 'jo',
    sleep: () => Promise.resolve(),
    report: (where, error) => void reports.push(`${where}: ${error}`),
    ...options,
    root,
  });
  store.onChange((ownerId) => void changed.push(ownerId));
  onTestFinished(async () => {
    await store.dispose();
    expect(reports).toEqual([]);
  });
  const path = (...names: string[]): string => join(root, ...names);
  const ask = (async (name: keyof Calls, { ownerId = 'p1', ...input }: { ownerId?: MemoryOwner }) => {
    const ask = store.calls[name] as (input: unknown, by: typeof caller) => Promise<unknown>;
    const answer = await ask({ ownerId, ...input }, caller);
    // As the bridge checks it.
    expect(contract[name].output.parse(answer)).toEqual(answer);
    return answer;
  }) as Setup['ask'];
  return {
    store,
    root,
    changed,
    reports,
    clock,
    ask,
    async remember(title, body, ownerId = 'p1') {
      const { entry } = await ask('create', { ownerId, title, body, type: 'fact', beside: true });
      if (entry === null) throw new Error('nothing was stored');
      return entry;
    },
    path,
    stored: async (...names) =>
      JSON.parse(await readFile(path(...(names.length === 0 ? memoryOfOwner : names)), 'utf8')),
    async put(content, ...names) {
      const file = path(...(names.length === 0 ? memoryOfOwner : names));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}

/** The failure of a call, which must be of this code. */
export async function failure(code: ErrorCode, call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`it should fail with ${code}, but: ${error}`);
  expect(error.code).toBe(code);
  return error;
}
