import { setTimeout as delay } from 'node:timers/promises';
import type { SessionRef } from '../../contract/entities.ts';
import { Failure } from '../../contract/errors.ts';
import { closeQuietly, type FileIdentity, type FileSystem, identify, ioFailure, isMissing } from '../../files/index.ts';
import type { TranscriptFormat } from './index-head.ts';
import { splitLine } from './json-values.ts';
import { readExactly, scanLines } from './lines.ts';
import { logShape, recordKind } from './records.ts';
import { markLength } from './rows.ts';

/** Names the files of a session that reading asks for; `SessionFiles` is one. */
export interface TranscriptFiles {
  readonly ref: SessionRef;
  path(kind: 'transcript' | 'events' | 'events-rotating' | 'cleanup-pending'): Promise<string>;
}

/** The file that says what a session holds. */
export interface TranscriptSource {
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly identity: FileIdentity;
}

/** What a log is: one that we read, one of a newer version, or nothing that counts (docs/formats/session-format.md, section 7). */
export type LogKind = 'log-1' | 'log-2' | 'too-new' | 'foreign';

/** A marker younger than this says that the log is being replaced, in ms (docs/formats/session-format.md, section 9). */
const ROTATION_MS = 10_000;
const ROTATION_POLL_MS = 20;
/** Longest wait for a log that is being replaced, in ms. */
const ROTATION_WAIT_MS = 5000;
const PROBE_BYTES = 4096;
/** How far a record is looked for behind an unreadable beginning. */
const PROBE_LIMIT = 4 * 1024 * 1024;

/**
 * Finds the file of a session that counts (docs/formats/session-format.md, section 4): a log of ours to read, else the
 * transcript. Reads a little of the log, nothing of the transcript.
 *
 * @param isEmptyLog Whether a log of this identity is known to hold no whole record.
 * @throws Failure `not-found`, `newer-version`, or `io` when it cannot be told.
 */
export async function findSource(
  fileSystem: FileSystem,
  files: TranscriptFiles,
  isEmptyLog: (identity: FileIdentity) => boolean,
): Promise<TranscriptSource> {
  const transcript = await identify(fileSystem, await files.path('transcript'));
  if (transcript.state === 'missing' || (await isPending(fileSystem, files))) throw notFound();
  if (transcript.state === 'unknown') throw transcript.failure;
  const log = await findLog(fileSystem, files, isEmptyLog);
  if (log !== null) return log;
  return { path: await files.path('transcript'), format: 'transcript', identity: transcript.identity };
}

/** A session with the marker of a delete or of a half-made fork is hidden from every program. */
async function isPending(fileSystem: FileSystem, files: TranscriptFiles): Promise<boolean> {
  const marker = await identify(fileSystem, await files.path('cleanup-pending'));
  if (marker.state !== 'unknown') return marker.state === 'present';
  // A link or a folder of that name is a marker too; what could not be looked at says nothing.
  if (['link', 'not-a-file'].includes(String(marker.failure.detail?.reason))) return true;
  throw marker.failure;
}

async function findLog(
  fileSystem: FileSystem,
  files: TranscriptFiles,
  isEmptyLog: (identity: FileIdentity) => boolean,
): Promise<TranscriptSource | null> {
  const path = await files.path('events');
  const state = await identify(fileSystem, path);
  const found = state.state === 'missing' ? await awaitRotation(fileSystem, files, path) : state;
  if (found.state === 'missing' || (found.state === 'present' && found.identity.size === 0n)) return null;
  if (found.state === 'unknown') throw found.failure;
  if (isEmptyLog(found.identity)) return null;
  const kind = await probeLog(fileSystem, path);
  if (kind === 'foreign') return null;
  if (kind === 'too-new') throw tooNew();
  return { path, format: kind, identity: found.identity };
}

/** Waits for a log that another program is about to put back, as a young marker says. */
async function awaitRotation(fileSystem: FileSystem, files: TranscriptFiles, path: string) {
  const started = performance.now();
  for (;;) {
    const state = await identify(fileSystem, path);
    if (state.state !== 'missing' || performance.now() - started > ROTATION_WAIT_MS) return state;
    const marker = await identify(fileSystem, await files.path('events-rotating'));
    if (marker.state !== 'present' || marker.identity.size > 0n) return state;
    const age = Date.now() - Number(marker.identity.mtimeNs / 1_000_000n);
    // A marker from the future is as left over as an old one.
    if (age > ROTATION_MS || age < -ROTATION_MS) return state;
    await delay(ROTATION_POLL_MS);
  }
}

/** Tells what a log is by its first record that can be read. */
export async function probeLog(fileSystem: FileSystem, path: string): Promise<LogKind> {
  try {
    const handle = await fileSystem.open(path, 'r');
    try {
      const front = await readExactly(handle, 0, PROBE_BYTES);
      return kindByFront(front) ?? (await kindByLines(handle));
    } finally {
      await closeQuietly(handle);
    }
  } catch (error) {
    // It went between the look and the opening: whoever asked looks again.
    if (isMissing(error)) throw error;
    throw ioFailure(error, 'The session could not be read', 'It is unchanged.');
  }
}

const frontPattern = /^\s*\{\s*"schema_version"\s*:\s*(\d{1,9})\s*,\s*"type"\s*:\s*"(\w{1,40})"/;

/** By the two members that stand first in a record, so that a long one need not be read. */
function kindByFront(front: Buffer): LogKind | null {
  const found = frontPattern.exec(front.subarray(markLength(front, 0)).toString('latin1'));
  if (found === null) return null;
  const kind = recordKind({ schema_version: Number(found[1]), type: found[2] });
  return kind === 'other' ? null : kind;
}

async function kindByLines(handle: Parameters<typeof scanLines>[0]): Promise<LogKind> {
  let kind: LogKind = 'foreign';
  await scanLines(handle, { to: PROBE_LIMIT }, ({ bytes, offset, terminated }) => {
    if (bytes === null) return true;
    const content = bytes.subarray(markLength(bytes, offset));
    const record = splitLine(content, terminated, logShape).pieces.find(({ value }) => value !== null)?.value;
    if (record == null) return true;
    const found = recordKind(record);
    kind = found === 'other' ? 'foreign' : found;
    return false;
  });
  return kind;
}

export function notFound(): Failure {
  return new Failure('not-found', 'There is no such session. Nothing was made in its place.');
}

export function tooNew(): Failure {
  return new Failure(
    'newer-version',
    'A newer version of a program wrote this session. It is unchanged. Open it with that program.',
  );
}
