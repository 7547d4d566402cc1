import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { type Hint, hintKey } from '../../src/watch/hints.ts';
import { startWatcher, type Watcher, type WatcherOptions } from '../../src/watch/watcher.ts';

type Cleanup = () => unknown;
const cleanups: Cleanup[] = [];

/** Runs after the test, last registered first; every test that opens something registers its end here. */
export const afterwards = (cleanup: Cleanup): void => {
  cleanups.push(cleanup);
};

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A fresh folder with links resolved, removed after the test. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sidekeep-watch-')));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Paths of one project below a root. */
export const projectPaths = (root: string, projectId: string) => {
  const folder = path.join(root, 'projects', projectId);
  return {
    folder,
    context: path.join(folder, 'context.json'),
    plans: path.join(folder, 'plans'),
    plan: (file: string): string => path.join(folder, 'plans', file),
    legacy: path.join(root, 'projects', `${projectId}.json`),
  };
};

/** Makes a project with a context file and an empty plans folder. */
export const makeProject = (root: string, projectId: string, context = '{"version":2}') => {
  const project = projectPaths(root, projectId);
  mkdirSync(project.plans, { recursive: true });
  writeFileSync(project.context, context);
  return project;
};

/** Replaces a file as our own durable write does: a temporary file beside it, then a rename over it. */
export const replaceFile = (target: string, content: string): void => {
  const random = randomBytes(6).toString('hex');
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}-${random}.tmp`);
  writeFileSync(temporary, content);
  renameSync(temporary, target);
};

/** Waits until `condition` holds. The ceiling is far above what is needed, for slow and busy machines. */
export const eventually = async (what: string, condition: () => boolean, ceiling = 15_000): Promise<void> => {
  const end = performance.now() + ceiling;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${ceiling} ms: ${what}`);
    await wait(10);
  }
};

/** Batches of hints as they came, with questions to ask of them. */
export class HintLog {
  readonly batches: { at: number; hints: Hint[] }[] = [];

  readonly add = (hints: Hint[]): void => {
    this.batches.push({ at: performance.now(), hints });
  };

  clear(): void {
    this.batches.length = 0;
  }

  keys(): string[] {
    return this.batches.flatMap((batch) => batch.hints.map(hintKey));
  }

  has(key: string): boolean {
    return this.keys().includes(key);
  }

  /** Resolves when a hint of this key, or `all`, is there. */
  async waitFor(key: string): Promise<void> {
    await eventually(`a hint "${key}"`, () => this.has(key) || this.has('all'));
  }
}

/** Starts a real watcher, disposed after the test, and waits until it watches (or says why it does not). */
export const startedWatcher = async (
  root: string,
  options: Partial<WatcherOptions> = {},
): Promise<{ watcher: Watcher; log: HintLog; states: string[]; problems: Error[] }> => {
  const log = new HintLog();
  const states: string[] = [];
  const problems: Error[] = [];
  const watcher = startWatcher({
    root,
    onHints: log.add,
    onStatus: (status) => states.push(status.state),
    report: (problem) => problems.push(problem),
    ...options,
  });
  afterwards(() => watcher.dispose());
  await eventually('a first state', () => watcher.status().state !== 'starting');
  if (watcher.status().state === 'watching') await quiet(log);
  log.clear();
  return { watcher, log, states, problems };
};

/** Waits until no hint has come for a while. */
export const quiet = async (log: HintLog, pause = 250): Promise<void> => {
  await eventually('quiet', () => performance.now() - (log.batches.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= pause);
};
