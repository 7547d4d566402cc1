import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { closeQuietly, type FileHandle, type FileIdentity, type FileSystem, identityOf } from '../../files/index.ts';
import { EntryList, type EntrySource, JoinedEntries } from './entries.ts';
import {
  hashEdges,
  type IndexHead,
  identityFields,
  type TranscriptFormat,
  type TranscriptIndex,
} from './index-head.ts';
import { LINE_CAP, readExactly, scanLines } from './lines.ts';
import { LogOneIndexer } from './log-one.ts';
import { LOG_TWO_BYTES, LogTwoIndexer } from './log-two.ts';
import { Oddities } from './oddities.ts';
import { PlainIndexer } from './plain.ts';
import { emptyList, type RowCollector } from './rows.ts';

export interface BuildOptions {
  signal?: AbortSignal | undefined;
  /** Told after each chunk: bytes that were gone through, and bytes in all. */
  onProgress?: (done: number, total: number) => void;
}

/** What an index of a file that was replaced is asked for: whether the old bytes begin the new ones. */
export type PreviousIndex = Pick<IndexHead, 'resume' | 'sum' | 'generation' | 'format'>;

/** An index with what is needed to go on with it; null where that has to be read again first. */
export interface BuiltIndex extends TranscriptIndex {
  readonly live: LogTwoIndexer | Oddities | null;
}

/**
 * Makes the index of a transcript, or goes on with one behind what it knows, by streaming: no more than a chunk or one line
 * is held. The caller has made sure that what the index knows is still there. When it fails, the index that it went on with
 * must not be used any more.
 *
 * @param known The index to go on with; null for a new one. Its list of entries is added to.
 * @param previous An index of what the file was before, to keep its generation if that is the beginning of what it is now.
 */
export async function buildIndex(
  fileSystem: FileSystem,
  path: string,
  format: TranscriptFormat,
  known: BuiltIndex | null,
  previous: PreviousIndex | null,
  options: BuildOptions = {},
): Promise<BuiltIndex> {
  const handle = await fileSystem.open(path, 'r');
  try {
    const identity = identityOf(await handle.stat());
    const sum = new RunningSum(known?.head.resume ?? 0, known?.head.sum ?? 0, previous?.resume ?? null);
    const indexer = await indexerFor(format, handle, known);
    await scan(handle, indexer, Number(identity.size), known?.head.resume ?? 0, sum, options);
    const { resume } = stateOf(indexer);
    const checksum = await sum.upTo(handle, resume);
    const isPrefix = previous !== null && previous.format === format && sum.watched === previous.sum;
    const generation = known?.head.generation ?? (isPrefix ? previous.generation : randomBytes(4).toString('hex'));
    const edges = await hashEdges(handle, resume);
    const entries = indexer instanceof LogTwoIndexer ? new EntryList() : join(known, indexer.rows);
    const head = headOf(format, identity, indexer, { resume, sum: checksum, edges, generation, count: entries.count });
    return { head, entries, live: indexer instanceof LogTwoIndexer ? indexer : indexer.rows.oddities };
  } finally {
    await closeQuietly(handle);
  }
}

/** Entries that are read at once. */
const ENTRY_STEP = 16_384;

type Indexer = PlainIndexer | LogOneIndexer | LogTwoIndexer;

async function indexerFor(format: TranscriptFormat, handle: FileHandle, known: BuiltIndex | null): Promise<Indexer> {
  if (format === 'log-2') {
    return known?.live instanceof LogTwoIndexer ? known.live : new LogTwoIndexer(known?.head.log ?? null);
  }
  const state = known?.head.list ?? emptyList;
  const oddities = await odditiesOf(known);
  return format === 'log-1' ? new LogOneIndexer(handle, state, oddities) : new PlainIndexer(state, oddities);
}

/** What is remembered of the rows before; read from their entries when that is not at hand. */
async function odditiesOf(known: BuiltIndex | null): Promise<Oddities> {
  if (known?.live instanceof Oddities) return known.live;
  const oddities = new Oddities(known?.head.list?.calls);
  const count = known?.entries.count ?? 0;
  for (let from = 0; from < count; from += ENTRY_STEP) {
    for (const { idHash } of (await known?.entries.slice(from, from + ENTRY_STEP)) ?? []) oddities.remember(idHash);
  }
  return oddities;
}

async function scan(
  handle: FileHandle,
  indexer: Indexer,
  size: number,
  from: number,
  sum: RunningSum,
  { signal, onProgress }: BuildOptions,
): Promise<void> {
  if (indexer instanceof LogTwoIndexer && size > LOG_TWO_BYTES) {
    indexer.refuse();
    return;
  }
  const cap = indexer instanceof LogTwoIndexer ? LOG_TWO_BYTES : LINE_CAP;
  const onBytes = (bytes: Buffer, offset: number): void => {
    sum.add(bytes, offset);
    onProgress?.(offset + bytes.length, size);
  };
  await scanLines(handle, { from, to: size, cap, signal, onBytes }, (line) => indexer.line(line));
}

/** The entries that were known and the new ones; of a list that begins anew, the new ones alone. */
function join(known: BuiltIndex | null, rows: RowCollector): EntrySource {
  if (known === null || rows.cleared) return rows.entries;
  if (rows.entries.count === 0) return known.entries;
  const joined =
    known.entries instanceof JoinedEntries ? known.entries : new JoinedEntries(known.entries, new EntryList());
  for (const entry of rows.entries.all()) joined.tail.push(entry);
  return joined;
}

const stateOf = (indexer: Indexer): { resume: number } =>
  indexer instanceof LogTwoIndexer ? indexer : indexer.state();

function headOf(
  format: TranscriptFormat,
  identity: FileIdentity,
  indexer: Indexer,
  rest: Pick<IndexHead, 'resume' | 'sum' | 'edges' | 'generation' | 'count'>,
): IndexHead {
  const list = indexer instanceof LogTwoIndexer ? null : indexer.state();
  return { version: 1, format, ...identityFields(identity), ...rest, list, log: null };
}

/** A checksum over a file as it is gone through, of which a value further back can be asked for. */
class RunningSum {
  /** Value at the watched offset, once that was passed. */
  watched: number | null = null;
  readonly #watch: number | null;
  #at: number;
  #sum: number;
  /** The last places with their values: what is torn at the end is not part of the answer. */
  readonly #marks: [offset: number, sum: number][] = [];

  constructor(at: number, sum: number, watch: number | null) {
    this.#at = at;
    this.#sum = sum;
    this.#watch = watch;
    this.#marks.push([at, sum]);
    if (watch === at) this.watched = sum;
  }

  add(bytes: Buffer, offset: number): void {
    const end = offset + bytes.length;
    if (this.#watch !== null && this.#watch > offset && this.#watch <= end) {
      this.watched = crc32(bytes.subarray(0, this.#watch - offset), this.#sum);
    }
    this.#sum = crc32(bytes, this.#sum);
    this.#at = end;
    this.#marks.push([end, this.#sum]);
    if (this.#marks.length > 1024) this.#marks.splice(0, 512);
  }

  /** The checksum of everything before an offset. */
  async upTo(handle: FileHandle, end: number): Promise<number> {
    if (end === this.#at) return this.#sum;
    const mark = this.#marks.findLast(([offset]) => offset <= end);
    let [at, sum] = mark ?? [0, 0];
    while (at < end) {
      const bytes = await readExactly(handle, at, Math.min(1024 * 1024, end - at));
      if (bytes.length === 0) break;
      sum = crc32(bytes, sum);
      at += bytes.length;
    }
    return sum;
  }
}
