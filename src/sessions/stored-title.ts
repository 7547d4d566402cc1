import { dirname } from 'node:path';
import { type FileSystem, readWhole } from '../files/index.ts';
import { isRecord, own } from '../files/json.ts';
import { catalogDisk, isMark } from './catalog/disk.ts';
import { firstLook } from './catalog/first-look.ts';

const META_BYTES = 4 * 1024 * 1024;
const TITLE_LENGTH = 200;

/**
 * The title of a session that the list does not have: what its meta file says, else the beginning of the first message that
 * a person wrote (docs/formats/session-format.md, section 11). At most the first look of a conversation is read for it.
 *
 * @param pathOf Where the files are.
 * @returns Null when nothing tells a title, or cannot be read: a title is never worth a failure.
 */
export async function storedTitle(
  fileSystem: FileSystem,
  pathOf: (kind: 'meta' | 'transcript' | 'events') => Promise<string>,
): Promise<string | null> {
  return (await titleIn(fileSystem, await pathOf('meta'))) ?? (await previewIn(fileSystem, pathOf));
}

async function titleIn(fileSystem: FileSystem, path: string): Promise<string | null> {
  const read = await readWhole(fileSystem, path, { limit: META_BYTES });
  if (read.state !== 'present') return null;
  try {
    const meta: unknown = JSON.parse(read.bytes.toString('utf8'));
    if (!isRecord(meta)) return null;
    for (const key of ['custom_title', 'topic_title', 'preview']) {
      const title = plain(own(meta, key));
      if (title !== '') return title;
    }
  } catch {
    // A meta that cannot be read gives no title.
  }
  return null;
}

async function previewIn(
  fileSystem: FileSystem,
  pathOf: (kind: 'transcript' | 'events') => Promise<string>,
): Promise<string | null> {
  const [transcriptPath, logPath] = [await pathOf('transcript'), await pathOf('events')];
  const disk = await catalogDisk(fileSystem, dirname(transcriptPath));
  const [transcript, log] = await disk.look([transcriptPath, logPath]);
  if (transcript === undefined || !isMark(transcript)) return null;
  const seenLog = log !== undefined && isMark(log) ? log : null;
  const [gist] = await firstLook(disk, [{ transcriptPath, transcript, logPath, log: seenLog }], 0);
  return typeof gist === 'object' && !(gist instanceof Error) ? gist.preview : null;
}

/** Text of one line without control characters and marks that change its direction. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  return [...text.trim()].slice(0, TITLE_LENGTH).join('');
}
