import { ConversationCount, type Counted } from './count.ts';
import type { CatalogDisk, Ends, EndsRequest, Mark } from './disk.ts';

/** Most bytes of a session that its first look reads (docs/formats/session-format.md, section 11). */
export const FIRST_LOOK_BYTES = 65_536;
const LOG_HEAD = 24_576;
const LOG_TAIL = 16_384;
const TRANSCRIPT_HEAD = 16_384;
const TRANSCRIPT_TAIL = 8192;

/** The files of a session that a first look reads, as they were seen. */
export interface Conversation {
  readonly transcriptPath: string;
  readonly transcript: Mark;
  readonly logPath: string;
  readonly log: Mark | null;
}

/**
 * What is known of a conversation that nothing certifies: from its beginning and its end, or from all of it.
 */
export interface Gist {
  /** Which file holds it (docs/formats/session-format.md, section 4). */
  authority: 'log' | 'transcript';
  /** Number of messages that a person wrote; null while that is not known for certain. */
  turns: number | null;
  preview: string | null;
  firstAt: number | null;
  lastAt: number | null;
  firstWriter: string | null;
  lastWriter: string | null;
  /** Whether everything was looked at that ever will be: nothing is left for the background. */
  isWhole: boolean;
  /** Whether there is any record at all. */
  hasContent: boolean;
  trouble: Trouble | null;
}

/** What is wrong with a conversation; `gone` for one whose file vanished while it was looked at. */
export type Trouble = 'holes' | 'torn' | 'too-new' | 'too-many';

/**
 * Looks at the beginning and the end of conversations, at most {@link FIRST_LOOK_BYTES} of each. Small ones are then known
 * as a whole.
 *
 * @returns In the order of the conversations: the gist, `missing` when the transcript is gone, or why it cannot be read.
 */
export async function firstLook(
  disk: CatalogDisk,
  conversations: readonly Conversation[],
  now: number,
): Promise<(Gist | 'missing' | Error)[]> {
  const requests = conversations.map(requestsFor);
  const answers = await disk.ends(requests.flat());
  let next = 0;
  return conversations.map((conversation, index) => {
    const own = answers.slice(next, next + (requests[index]?.length ?? 0));
    next += own.length;
    const failed = own.find((answer) => answer instanceof Error);
    if (failed instanceof Error) return failed;
    const [transcript, log] = own;
    if (!isEnds(transcript)) return 'missing';
    return gistOf(conversation, transcript, isEnds(log) ? log : null, now);
  });
}

function requestsFor({ transcript, transcriptPath, log, logPath }: Conversation): EndsRequest[] {
  if (log === null || log.size === 0) {
    return [{ path: transcriptPath, size: transcript.size, ...shares(transcript.size, FIRST_LOOK_BYTES) }];
  }
  const left = FIRST_LOOK_BYTES - log.size;
  const whole = left >= TRANSCRIPT_HEAD;
  return [
    {
      path: transcriptPath,
      size: transcript.size,
      ...(whole ? { head: TRANSCRIPT_HEAD, tail: 0 } : { head: TRANSCRIPT_HEAD, tail: TRANSCRIPT_TAIL }),
    },
    { path: logPath, size: log.size, ...(whole ? { head: log.size, tail: 0 } : { head: LOG_HEAD, tail: LOG_TAIL }) },
  ];
}

/** A file that fits is read at once, else three quarters of what may be read are its beginning. */
const shares = (size: number, limit: number): { head: number; tail: number } =>
  size <= limit ? { head: limit, tail: 0 } : { head: (limit / 4) * 3, tail: limit / 4 };

const isEnds = (answer: Ends | 'missing' | Error | undefined): answer is Ends =>
  typeof answer === 'object' && !(answer instanceof Error);

function gistOf({ transcript, log }: Conversation, transcriptEnds: Ends, logEnds: Ends | null, now: number): Gist {
  const plain = count('transcript', transcriptEnds, transcript.size, now);
  if (log === null || logEnds === null) return gistFrom('transcript', plain);
  const logged = count('log', logEnds, log.size, now);
  if (!logged.counted.isNative && !logged.counted.isTooNew && !logged.beginsNative) {
    return gistFrom('transcript', { ...plain, isWhole: plain.isWhole && logged.isWhole });
  }
  const gist = gistFrom('log', logged);
  // A log that begins with one long record tells no preview yet; the copy beside it may.
  return gist.isWhole ? gist : { ...gist, preview: gist.preview ?? plain.counted.preview };
}

/** What the ends of a file tell. */
interface Told {
  counted: Counted;
  isWhole: boolean;
  /** Whether a log's first record, too long to be read, is one of ours to read by its beginning. */
  beginsNative: boolean;
  hasContent: boolean;
}

export function gistFrom(
  authority: Gist['authority'],
  { counted, isWhole, hasContent }: Omit<Told, 'beginsNative'>,
): Gist {
  return {
    authority,
    turns: isWhole ? counted.turns : null,
    preview: counted.preview,
    firstAt: counted.firstAt,
    lastAt: counted.lastAt,
    firstWriter: counted.firstWriter,
    lastWriter: counted.lastWriter,
    isWhole: isWhole || counted.isTooNew,
    hasContent,
    trouble: counted.isTooNew ? 'too-new' : isWhole ? troubleOf(counted) : null,
  };
}

const troubleOf = ({ isTooMany, holes, isTorn }: Counted): Trouble | null =>
  isTooMany ? 'too-many' : holes > 0 ? 'holes' : isTorn ? 'torn' : null;

// `schema_version` and `type` stand first in every record.
const nativeStart = /^\ufeff?\s*\{\s*"schema_version"\s*:\s*(?:1\s*,\s*"type"\s*:\s*"(?:replace|append)"|2\s*,)/;

function count(kind: 'log' | 'transcript', { head, tail }: Ends, size: number, now: number): Told {
  const isWhole = head.length >= size;
  const beginning = new ConversationCount(kind, now);
  feed(beginning, head, { fromStart: true, toEnd: isWhole });
  const counted = beginning.result();
  const beginsNative = kind === 'log' && !isWhole && nativeStart.test(head.toString('utf8', 0, 200));
  const hasContent = size > 0 && head.some((byte) => byte > 0x20);
  if (tail.length === 0) return { counted, isWhole, beginsNative, hasContent };
  const ending = new ConversationCount(kind, now);
  feed(ending, tail, { fromStart: head.length + tail.length >= size, toEnd: true });
  const end = ending.result();
  return {
    counted: {
      ...counted,
      isNative: counted.isNative || end.isNative,
      isTooNew: counted.isTooNew || end.isTooNew,
      lastAt: end.lastAt ?? counted.lastAt,
      lastWriter: end.lastWriter ?? counted.lastWriter,
    },
    isWhole,
    beginsNative,
    hasContent,
  };
}

const LF = 0x0a;

/** Feeds the whole lines of a piece of a file; a piece that is not its beginning begins in the middle of a line. */
function feed(
  into: ConversationCount,
  bytes: Buffer,
  { fromStart, toEnd }: { fromStart: boolean; toEnd: boolean },
): void {
  const take = (start: number, end: number, terminated: boolean): void =>
    // Only the place of the file's first line matters: a byte order mark may stand there.
    into.take({
      offset: fromStart ? start : start + 1,
      length: end - start,
      bytes: bytes.subarray(start, end),
      terminated,
    });
  let start = fromStart ? 0 : bytes.indexOf(LF) + 1;
  while (start < bytes.length && !into.isOver) {
    const end = bytes.indexOf(LF, start);
    if (end < 0) {
      if (toEnd && (fromStart || start > 0)) take(start, bytes.length, false);
      return;
    }
    take(start, end, true);
    start = end + 1;
  }
}
