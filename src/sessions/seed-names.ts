import { type Artifact, type ArtifactKind, artifactOf, artifacts, sidecarEndings } from './artifacts.ts';

/**
 * The functions of the reference that name a session's files, byte for byte as it has them, surrounding blanks included
 * (docs/formats/session-format.md, section 1). They take the path of a transcript. For compatibility only: everything
 * else here works on a checked id and never meets a blank.
 */
type SeedFunction = (sessionPath: string) => string;

const TRANSCRIPT = '.jsonl';

/**
 * What the reference trims: Unicode White_Space. JavaScript's own `trim` leaves U+0085 and takes U+FEFF.
 */
const blank = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const blanksAround = new RegExp(`^${blank}+|${blank}+$`, 'g');

const trim = (text: string): string => text.replace(blanksAround, '');

const stemOf = (path: string): string =>
  path.endsWith(TRANSCRIPT) ? path.slice(0, path.length - TRANSCRIPT.length) : path;

function seedName({ family, suffix, seed }: Artifact, sessionPath: string): string {
  const path = seed?.blanks === 'trimmed' ? trim(sessionPath) : sessionPath;
  if ((seed?.blanks === 'judged' ? trim(path) : path) === '') return '';
  return (family === 'append' ? path : stemOf(path)) + suffix;
}

const named =
  (kind: ArtifactKind): SeedFunction =>
  (sessionPath) =>
    seedName(artifactOf(kind), sessionPath);

export const sessionMeta = named('meta');
export const sessionGoalState = named('goal-state');
export const sessionEventLog = named('events');
export const sessionEventLogDamaged = named('events-damaged');
export const sessionEventLogRotating = named('events-rotating');
export const sessionTurnEventLog = named('turns');
export const sessionTurnEventLogDamaged = named('turns-damaged');
export const sessionEventIndex = named('event-index');
export const sessionDisplayIndex = named('display-index');
export const sessionTranscriptProjection = named('transcript-projection');
export const sessionConflictLog = named('conflicts');
export const sessionRecoveryState = named('recovery');
export const sessionContext = named('context');
export const sessionPinnedContext = named('pinned-context');
export const sessionCheckpointDir = named('checkpoints');
export const sessionJobsDir = named('jobs');
export const sessionInboxDir = named('inbox');
export const sessionCleanupPending = named('cleanup-pending');
export const sessionLockFile = named('lock');
export const sessionLeaseLock = named('lease-lock');
export const sessionLeaseInfo = named('lease-info');

/** Every file that the reference counts as a sidecar, in its order; null for a blank path. The path is trimmed first. */
export function sessionSidecarFiles(sessionPath: string): string[] | null {
  const path = trim(sessionPath);
  if (path === '') return null;
  return artifacts()
    .flatMap((row) => (row.seed?.listed == null ? [] : [{ row, place: row.seed.listed }]))
    .sort((left, right) => left.place - right.place)
    .map(({ row }) => seedName(row, path));
}

/** Whether a file name is a transcript's as the reference sees it: a scan here asks for more. */
export function isSessionTranscriptName(name: string): boolean {
  const trimmed = trim(name);
  return trimmed.endsWith(TRANSCRIPT) && !sidecarEndings.some((ending) => trimmed.endsWith(ending));
}
