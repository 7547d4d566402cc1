import { Failure } from '../contract/errors.ts';
import { readWhole } from '../files/index.ts';
import { isRecord, own, parseStored } from '../files/json.ts';
import type { SessionFiles } from '../sessions/session-files.ts';

/** Largest file that is read for this, in bytes. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;

/**
 * What names the last summary that took the place of the beginning of a conversation (docs/formats/session-format.md,
 * section 3, `.context.json`): what was told before it may not be seen any more.
 *
 * @returns Null where there is none. A file that cannot be read is dropped by its own program, and so says nothing.
 */
export async function lastCompaction(files: SessionFiles): Promise<string | null> {
  try {
    const read = await readWhole(files.fileSystem, await files.path('context'), { limit: MAXIMUM_BYTES });
    if (read.state !== 'present') return null;
    const projection = own(parseStored(read.bytes, 'The summary of the conversation'), 'projection');
    if (!isRecord(projection)) return null;
    const count = own(projection, 'covered_count');
    const hash = own(projection, 'covered_prefix_hash');
    if (typeof count !== 'number' || count <= 0) return null;
    return `${count}:${typeof hash === 'string' ? hash : ''}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return null;
  }
}
