import { type FileState, MAXIMUM_NAME_BYTES, readWhole, removeDurably, writeDurably } from '../files/index.ts';
import { isRecord, own } from '../files/json.ts';
import { artifactOf } from './artifacts.ts';
import type { FolderChoice } from './own-folder.ts';
import type { SessionFiles } from './session-files.ts';

/**
 * What `<id>.cleanup-pending.json` says is to be done. Whatever it says, and also when it says nothing that can be read,
 * its session is hidden (docs/formats/session-format.md, sections 3 and 12).
 */
export interface PendingMarker {
  /** `delete`, `fork`, another program's word; null when it cannot be read. */
  readonly operation: string | null;
  /** In ms. */
  readonly createdAt: number | null;
  /** What becomes of a folder of the session's own that holds files. */
  readonly folder: FolderChoice;
}

const MARKER_BYTES = 64 * 1024;

/** The marker of a session; missing when there is none. */
export async function readMarker(files: SessionFiles): Promise<FileState<{ value: PendingMarker }>> {
  if (!hasMarker(files)) return { state: 'missing' };
  const read = await readWhole(files.fileSystem, await files.path('cleanup-pending'), { limit: MARKER_BYTES });
  return read.state === 'present' ? { ...read, value: parseMarker(read.bytes) } : read;
}

/**
 * Hides a session in every program that shares the store, durably. The word must be exactly `delete`: for any other the
 * reference removes the files.
 */
export async function writeMarker(files: SessionFiles, createdAt: number, folder?: FolderChoice): Promise<void> {
  if (!hasMarker(files)) return;
  const text = `${JSON.stringify({ operation: 'delete', createdAt, folder })}\n`;
  await writeDurably(files.fileSystem, await files.path('cleanup-pending'), Buffer.from(text));
}

/** Takes the marker away, durably; a link is removed, never what it points to. */
export async function removeMarker(files: SessionFiles): Promise<void> {
  if (hasMarker(files)) await removeDurably(files.fileSystem, await files.path('cleanup-pending'));
}

/** The id of the session whose marker has this file name; null for any other name. */
export function idOfMarker(name: string): string | null {
  const { suffix } = artifactOf('cleanup-pending');
  return name.endsWith(suffix) && name.length > suffix.length ? name.slice(0, -suffix.length) : null;
}

/** Ids so long that a disk takes no marker's name are not hidden by one; nobody can look for it either. */
const hasMarker = (files: SessionFiles): boolean =>
  Buffer.byteLength(files.name('cleanup-pending')) <= MAXIMUM_NAME_BYTES;

function parseMarker(bytes: Buffer): PendingMarker {
  let value: unknown = null;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    // It hides its session all the same.
  }
  const operation = isRecord(value) ? own(value, 'operation') : null;
  const createdAt = isRecord(value) ? own(value, 'createdAt') : null;
  const folder = isRecord(value) ? own(value, 'folder') : null;
  return {
    operation: typeof operation === 'string' ? operation : null,
    createdAt: typeof createdAt === 'number' ? createdAt : null,
    folder: folder === 'trash' || folder === 'keep' ? folder : undefined,
  };
}
