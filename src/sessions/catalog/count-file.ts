import { closeQuietly, type FileSystem, isMissing, systemCode } from '../../files/index.ts';
import { scanLines } from '../transcript/lines.ts';
import { ConversationCount, type Counted } from './count.ts';
import { type Gist, gistFrom } from './first-look.ts';

/** A conversation to count. */
export interface CountRequest {
  readonly transcriptPath: string;
  /** Null where there is no log. */
  readonly logPath: string | null;
}

export interface CountOptions {
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called after every few MiB: others may have their turn. */
  readonly pause: () => Promise<void>;
}

/** Bytes that are counted without a pause. */
const STRETCH = 2 * 1024 * 1024;
/** Longest line that is parsed; a longer one makes the number of turns uncertain. In bytes. */
const LINE_CAP = 16 * 1024 * 1024;

/**
 * Counts a whole conversation, with one line of it in memory.
 *
 * @throws Failure `cancelled`, and whatever the file system throws.
 */
export async function countConversation(
  fileSystem: FileSystem,
  request: CountRequest,
  options: CountOptions,
): Promise<Gist> {
  if (request.logPath !== null) {
    const log = await countFile(fileSystem, request.logPath, 'log', options);
    if (log !== null && (log.isNative || log.isTooNew)) return whole('log', log);
  }
  const transcript = await countFile(fileSystem, request.transcriptPath, 'transcript', options);
  if (transcript === null) throw Object.assign(new Error('the transcript is gone'), { code: 'ENOENT' });
  return whole('transcript', transcript);
}

const whole = (authority: Gist['authority'], counted: Counted): Gist =>
  gistFrom(authority, { counted, isWhole: true, hasContent: counted.messages > 0 || counted.holes > 0 });

/** @returns Null for a file that is not there. */
async function countFile(
  fileSystem: FileSystem,
  path: string,
  kind: 'log' | 'transcript',
  { now, signal, pause }: CountOptions,
): Promise<Counted | null> {
  const count = new ConversationCount(kind, now());
  try {
    const handle = await fileSystem.open(path, 'r');
    try {
      let rested = 0;
      await scanLines(handle, { signal, cap: LINE_CAP }, (line) => {
        count.take(line);
        if (count.isOver) return false;
        if (line.offset - rested < STRETCH) return true;
        rested = line.offset;
        return pause();
      });
    } finally {
      await closeQuietly(handle);
    }
  } catch (error) {
    if (isMissing(error) && kind === 'log') return null;
    throw error;
  }
  return count.result();
}

/** An error of the system in a form that crosses threads. */
export interface CountFailure {
  readonly message: string;
  readonly code: string | null;
}

export const countFailure = (error: unknown): CountFailure => ({
  message: error instanceof Error ? error.message : String(error),
  code: systemCode(error),
});
