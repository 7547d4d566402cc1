import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { hintKey, type SessionHint } from '../../src/watch/session-tree.ts';
import { startSessionWatcher, type Watcher, type WatcherOptions } from '../../src/watch/watcher.ts';
import { afterwards, eventually } from './support.ts';

/** Makes the folder of a store below a sessions root; `null` names the one for all. */
export const makeStore = (root: string, slug: string | null): string => {
  const folder = storeFolder(root, slug);
  mkdirSync(folder, { recursive: true });
  return folder;
};

export const storeFolder = (root: string, slug: string | null): string =>
  slug === null ? path.join(root, 'sessions') : path.join(root, 'projects', slug, 'sessions');

/** Batches of session hints as they came, with questions to ask of them. */
export class SessionHintLog {
  readonly batches: { at: number; hints: SessionHint[] }[] = [];

  readonly add = (hints: SessionHint[]): void => {
    this.batches.push({ at: performance.now(), hints });
  };

  clear(): void {
    this.batches.length = 0;
  }

  /** A text for each hint, one for each name: `files global/a.jsonl`, `store project:x`, `stores`, `all`. */
  keys(): string[] {
    return this.batches
      .flatMap((batch) => batch.hints)
      .flatMap((hint) =>
        hint.kind === 'files' ? hint.names.map((name) => hintKey({ ...hint, names: [name] })) : [hintKey(hint)],
      );
  }

  has(key: string): boolean {
    return this.keys().includes(key);
  }
}

/** Waits until no hint has come for a while. */
export const quietLog = async (log: SessionHintLog, pause = 250): Promise<void> => {
  await eventually('quiet', () => performance.now() - (log.batches.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= pause);
};

/** Starts a real watcher of a sessions root, disposed after the test, and waits until it watches and is quiet. */
export const startedSessionWatcher = async (
  root: string,
  options: Partial<WatcherOptions<SessionHint>> = {},
): Promise<{ watcher: Watcher; log: SessionHintLog; problems: Error[] }> => {
  const log = new SessionHintLog();
  const problems: Error[] = [];
  const watcher = startSessionWatcher({
    root,
    onHints: log.add,
    report: (problem) => problems.push(problem),
    ...options,
  });
  afterwards(() => watcher.dispose());
  await eventually('a first state', () => watcher.status().state !== 'starting');
  if (watcher.status().state === 'watching') await quietLog(log);
  log.clear();
  return { watcher, log, problems };
};
