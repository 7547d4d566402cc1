import { Failure } from '../contract/errors.ts';
import { moveDurably, readParsed, writeDurably } from '../files/index.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored, withKeys } from '../files/json.ts';
import { isTime } from '../files/stored-entry.ts';
import { type Left, readFileOf } from './merge-folders.ts';
import type { ProjectFiles } from './project-files.ts';

const LOG = 'merge-log.json';

/**
 * Notes in `.sidekeep/merge-log.json` what a merge left in the source that was put aside: `{ version: 1, left: [{ at, what,
 * reason }] }`, with `dismissed` (ms) once its person has seen it. What it says already is not said again.
 *
 * @param at When the merge began, in ms.
 */
export async function logLeft(files: ProjectFiles, at: number, left: readonly Left[]): Promise<void> {
  await addLines(
    files,
    LOG,
    'left',
    left.map(({ what, reason }) => ({ at, what, reason })),
  );
}

/**
 * Takes along what the logs of the source tell and nobody has dismissed: what earlier merges left, and the links that its
 * migration dropped.
 *
 * @returns Logs that cannot be read, and so stay in the source.
 */
export async function mergeLogs(source: ProjectFiles, destination: ProjectFiles): Promise<Left[]> {
  const left: Left[] = [];
  for (const [name, key] of [
    [LOG, 'left'],
    ['migration.json', 'dropped'],
  ] as const) {
    try {
      const bytes = await readFileOf(source, ['.sidekeep', name]);
      const log = bytes === null ? null : parseStored(bytes, 'A log');
      await addLines(destination, name, key, log === null ? [] : openLinesOf(log, key));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'malformed') throw error;
      left.push({ what: name, reason: 'unreadable' });
    }
  }
  return left;
}

const logPath = (files: ProjectFiles, name: string): Promise<string> =>
  files.root.locate('projects', files.id, '.sidekeep', name);

function linesOf(log: JsonObject, key: string): unknown[] {
  const lines = own(log, key);
  return Array.isArray(lines) ? lines : [];
}

function openLinesOf(log: JsonObject, key: string): unknown[] {
  const dismissed = own(log, 'dismissed');
  const after = isTime(dismissed) ? dismissed : -1;
  return linesOf(log, key).filter((line) => {
    const at = isRecord(line) ? own(line, 'at') : undefined;
    return !isTime(at) || at > after;
  });
}

async function addLines(files: ProjectFiles, name: string, key: string, lines: readonly unknown[]): Promise<void> {
  if (lines.length === 0) return;
  await files.prepareFolder('.sidekeep');
  const path = await logPath(files, name);
  let log: JsonObject;
  try {
    log = await readLog(files, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'malformed') throw error;
    // A damaged log must not stand between a person and the merge; it is kept beside the new one.
    await moveDurably(files.fileSystem, path, `${path}.damaged-${Date.now()}`);
    log = { version: 1 };
  }
  const known = linesOf(log, key);
  const texts = new Set(known.map(textOf));
  const fresh = lines.filter((line) => !texts.has(textOf(line)));
  if (fresh.length === 0) return;
  const all = [...known, ...fresh];
  await writeDurably(files.fileSystem, path, serialiseStored(withKeys(log, { [key]: all })));
}

const textOf = (line: unknown): string => JSON.stringify(line);

/** A log as it is; an empty one when there is none. @throws Failure when it cannot be read. */
async function readLog(files: ProjectFiles, name: string): Promise<JsonObject> {
  const read = await readParsed(files.fileSystem, await logPath(files, name), (bytes) => parseStored(bytes, 'A log'));
  if (read.state === 'unknown') throw read.failure;
  return read.state === 'missing' ? { version: 1 } : read.value;
}
