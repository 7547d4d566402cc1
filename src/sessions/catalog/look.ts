import { sep } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../contract/errors.ts';
import { ioFailure } from '../../files/index.ts';
import { type CatalogDisk, isFreshMark, isMark, type Mark, type Seen, sameMark } from './disk.ts';
import { type Facts, isCertified, isGlimpse } from './facts.ts';
import { firstLook } from './first-look.ts';
import { type ListingMeta, listingMeta, MAXIMUM_META_BYTES, metaDelays, parseMeta } from './meta.ts';
import { LOG, META, PENDING, TRANSCRIPT } from './names.ts';

/** A session to look at. `null`: whether the file is there is not known. */
export interface Target {
  readonly id: string;
  readonly hasLog: boolean | null;
  readonly hasMeta: boolean | null;
  /** Whether `cleanup-pending` must be asked for; a listing of names has told it already. */
  readonly asksPending: boolean;
}

export interface Looked {
  readonly id: string;
  /** `gone`: it is no session of the list (any more). */
  readonly facts: Facts | 'gone';
  /** When to look again, in ms from now: what was seen may have changed within the step of the disk's clock. */
  readonly again: number | null;
}

export interface LookOptions {
  readonly disk: CatalogDisk;
  /** The store's folder. */
  readonly folder: string;
  /** What is known of a session. */
  readonly known: (id: string) => Facts | undefined;
  /** Whether to read a session again though its files are the same: one that could not be read before. */
  readonly isDue: (id: string) => boolean;
  readonly now: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A file that does not parse and is younger than this may still be being written, in ms. */
const TORN_AGE = 2000;
/** Conversations that are looked into in one go: a few milliseconds. */
const TOGETHER = 8;
/** Wait before a second look at what changed in the moment of the first, in ms. */
const FRESH_WAIT = 120;

/**
 * Looks at sessions: at their names, and at the contents of only what changed since. Of a session that its meta file
 * certifies that is the meta file alone.
 *
 * @returns Those that changed.
 */
export async function lookAt(options: LookOptions, targets: readonly Target[]): Promise<Looked[]> {
  const places = await findPlaces(options, targets);
  const there = places.filter((place) => !place.isGone);
  await readDetails(options, there);
  await readGists(options, there);
  const now = options.now();
  return places.map(({ id, isGone, facts }) => {
    if (isGone) return { id, facts: 'gone', again: null };
    const isFresh = [facts.transcript, facts.log, facts.meta].some((mark) => isFreshMark(mark, now));
    const maybeTorn = facts.gist?.trouble === 'torn' && isYoung(youngest(facts), now);
    return { id, facts, again: maybeTorn ? TORN_AGE : isFresh ? FRESH_WAIT : null };
  });
}

/** A session that changed. */
interface Place {
  readonly id: string;
  /** Path of its files without their endings. */
  readonly stem: string;
  isGone: boolean;
  /** What is known so far. */
  facts: Facts;
  readonly before: Facts | undefined;
}

/** What the names of a session have. */
interface SeenFiles {
  readonly transcript: Seen;
  readonly log: Seen;
  readonly meta: Seen;
  readonly isPending: boolean;
}

async function findPlaces({ disk, folder, known, isDue }: LookOptions, targets: readonly Target[]): Promise<Place[]> {
  const paths: string[] = [];
  for (const { id, hasLog, hasMeta, asksPending } of targets) {
    const stem = folder + sep + id;
    paths.push(stem + TRANSCRIPT);
    if (hasLog !== false) paths.push(stem + LOG);
    if (hasMeta !== false) paths.push(stem + META);
    if (asksPending) paths.push(stem + PENDING);
  }
  const seen = await disk.look(paths);
  let next = 0;
  const take = (asked: boolean): Seen => (asked ? (seen[next++] ?? 'missing') : 'missing');
  const places: Place[] = [];
  for (const { id, hasLog, hasMeta, asksPending } of targets) {
    const files = {
      transcript: take(true),
      log: take(hasLog !== false),
      meta: take(hasMeta !== false),
      isPending: take(asksPending) !== 'missing',
    };
    const before = known(id);
    if (before !== undefined && isSame(files, before) && !isDue(id)) continue;
    places.push(placeOf(id, folder + sep + id, files, before));
  }
  return places;
}

/** Whether nothing changed since, obstacles included. */
function isSame({ transcript, log, meta, isPending }: SeenFiles, before: Facts): boolean {
  if (isPending || !isMark(transcript) || !sameMark(transcript, before.transcript)) return false;
  if (log === 'missing' || log === 'not-a-file') {
    if (before.log !== null) return false;
  } else if (log instanceof Error || !sameMark(log, before.log)) return false;
  if (meta === 'missing') return before.meta === null && before.detailsState === 'missing';
  return isMark(meta) ? sameMark(meta, before.meta) : before.meta === null && before.detailsState === 'unknown';
}

const nothing: Mark = { ino: 0, size: 0, mtime: 0, ctime: 0 };

function placeOf(id: string, stem: string, files: SeenFiles, before: Facts | undefined): Place {
  const { transcript, log, meta, isPending } = files;
  const obstacle = [transcript, log].find((one) => one instanceof Error);
  return {
    id,
    stem,
    before,
    isGone: isPending || transcript === 'missing' || transcript === 'not-a-file',
    facts: {
      transcript: isMark(transcript)
        ? transcript
        : before === undefined || isGlimpse(before)
          ? nothing
          : before.transcript,
      log: isMark(log) ? log : null,
      meta: isMark(meta) ? meta : null,
      details: before?.details ?? null,
      detailsState: meta === 'missing' ? 'missing' : 'unknown',
      gist: null,
      unreadable: obstacle instanceof Error ? reasonOf(obstacle) : null,
    },
  };
}

/** Reads the meta files; the same as before is not read again. */
async function readDetails(options: LookOptions, places: readonly Place[]): Promise<void> {
  let left = places.filter((one) => {
    const { facts, before } = one;
    if (facts.detailsState === 'missing') {
      one.facts = { ...facts, details: null };
      return false;
    }
    // A link, a folder, or a file whose status cannot be had: what was last known of it stays.
    if (facts.meta === null) {
      one.facts = withoutCertificate(facts);
      return false;
    }
    if (before?.detailsState !== 'present' || !sameMark(facts.meta, before.meta)) return true;
    one.facts = { ...facts, detailsState: 'present', details: before.details };
    return false;
  });
  for (const wait of [...metaDelays, null]) {
    left = await readMetas(options, left);
    if (left.length === 0 || wait === null) return;
    await (options.sleep ?? delay)(wait);
    await lookAgainAtMetas(options, left);
  }
}

/** @returns Those that another program may be writing just now. */
async function readMetas({ disk, now }: LookOptions, places: readonly Place[]): Promise<Place[]> {
  const answers = await disk.ends(
    places.map(({ stem, facts }) => ({
      path: stem + META,
      size: Math.min(facts.meta?.size ?? 0, MAXIMUM_META_BYTES + 1),
      head: MAXIMUM_META_BYTES + 1,
      tail: 0,
    })),
  );
  const time = now();
  return places.filter((one, index) => {
    const answer = answers[index];
    const read = answer === undefined || answer === 'missing' ? null : answer;
    const parsed =
      read === null ? null : read instanceof Error || isTooLarge(read.head) ? 'torn' : parseMeta(read.head);
    if (parsed === null) one.facts = { ...one.facts, detailsState: 'missing', details: null };
    else if (parsed !== 'torn') one.facts = present(one.facts, listingMeta(parsed, time));
    else one.facts = withoutCertificate(one.facts);
    return parsed === 'torn' && isYoung(one.facts.meta?.mtime ?? 0, time);
  });
}

const isTooLarge = (bytes: Buffer): boolean => bytes.length > MAXIMUM_META_BYTES;

async function lookAgainAtMetas({ disk }: LookOptions, places: readonly Place[]): Promise<void> {
  const seen = await disk.look(places.map(({ stem }) => stem + META));
  for (const [index, one] of places.entries()) {
    const meta = seen[index];
    // Gone in between: then it is read as missing.
    if (meta !== undefined && isMark(meta)) one.facts = { ...one.facts, meta };
  }
}

const present = (facts: Facts, details: ListingMeta): Facts => ({ ...facts, detailsState: 'present', details });

/** The last known title and folder are kept; that they are of this state of the conversation is not certain any more. */
const withoutCertificate = (facts: Facts): Facts => ({
  ...facts,
  detailsState: 'unknown',
  details: facts.details === null ? null : { ...facts.details, turns: null },
});

/** Looks into the conversations that nothing certifies, if they changed. */
async function readGists({ disk, now, isDue }: LookOptions, places: readonly Place[]): Promise<void> {
  const left = places.filter((one) => {
    const { facts, before } = one;
    if (facts.unreadable !== null || isCertified(facts)) return false;
    const isSame =
      before?.gist != null &&
      !isDue(one.id) &&
      sameMark(facts.transcript, before.transcript) &&
      sameMark(facts.log, before.log);
    if (isSame) one.facts = { ...facts, gist: before.gist };
    return !isSame;
  });
  for (let start = 0; start < left.length; start += TOGETHER) {
    if (start > 0) await turn();
    await readSomeGists(disk, left.slice(start, start + TOGETHER), now());
  }
}

async function readSomeGists(disk: CatalogDisk, places: readonly Place[], now: number): Promise<void> {
  const conversations = places.map(({ stem, facts: { transcript, log } }) => ({
    transcriptPath: stem + TRANSCRIPT,
    transcript,
    logPath: stem + LOG,
    log,
  }));
  const gists = await firstLook(disk, conversations, now);
  for (const [index, one] of places.entries()) {
    const gist = gists[index];
    // It vanished since its name was seen.
    if (gist === undefined || gist === 'missing') one.isGone = true;
    else if (gist instanceof Error) one.facts = { ...one.facts, unreadable: reasonOf(gist) };
    else one.facts = { ...one.facts, gist };
  }
}

const youngest = ({ transcript, log }: Facts): number => Math.max(transcript.mtime, log?.mtime ?? 0);
const isYoung = (mtime: number, now: number): boolean => now - mtime < TORN_AGE && now >= mtime;

/** An obstacle in words for the person, without a path. */
export function reasonOf(error: unknown): string {
  const failure = ioFailure(error, 'It could not be read', 'It is unchanged.');
  if (failure instanceof Failure) return failure.message;
  throw error;
}
