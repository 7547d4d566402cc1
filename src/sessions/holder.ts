import type { SessionHolder } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileStatus, ioFailure, readWhole, systemCode } from '../files/index.ts';
import { deviceName, type HolderEnvironment, nodeHolderEnvironment } from './holder-environment.ts';
import { type OwnerRecord, parseOwner } from './owner-record.ts';
import type { SessionFiles } from './session-files.ts';

/** A holder, and what it holds: the lock of one save, which takes milliseconds, or the session itself. */
export interface Hold {
  readonly by: 'save' | 'lease';
  readonly holder: SessionHolder;
}

/** Largest owner file that is read, in bytes. */
const OWNER_BYTES = 64 * 1024;
/** Owners on other machines count as gone when their newest sign of life is older: 24 hours. */
const STALE_MS = 24 * 60 * 60 * 1000;
/** A process that began this much later than an owner's time is another one; clocks are read to the second. */
const START_SLACK_MS = 2000;
/** Longest time that a handover is believed to last. */
const HANDOFF_MS = 60_000;

/**
 * Who else has a session open or is just saving it (docs/formats/session-format.md, section 13); null when nobody has.
 * Never this process. Writes nothing and takes no lock.
 *
 * @throws Failure `io` when the lock files cannot be looked at.
 */
export async function findHolder(
  files: SessionFiles,
  environment: HolderEnvironment = nodeHolderEnvironment,
): Promise<SessionHolder | null> {
  return (await findHold(files, environment))?.holder ?? null;
}

/** The same, with what is held. */
export async function findHold(
  files: SessionFiles,
  environment: HolderEnvironment = nodeHolderEnvironment,
): Promise<Hold | null> {
  const [lease, info, save] = await Promise.all([
    lockFile(files, 'lease-lock'),
    lockFile(files, 'lease-info'),
    lockFile(files, 'lock'),
  ]);
  if (lease === null && info === null && save === null) return null;
  const [kernelLease, kernelSave] = await kernelLocks([lease, save], environment);
  const records = await Promise.all([lease, info].map((file) => ownerIn(files, file)));
  const owner = records[0]?.record ?? records[1]?.record ?? null;
  if (kernelLease) {
    const { pid } = kernelLease;
    const isOwner = owner !== null && isHere(owner, environment) && (pid === null || owner.pid === pid);
    return {
      by: 'lease',
      holder: { pid: pid ?? (isOwner ? owner.pid : null), host: null, since: isOwner ? owner.acquiredAt : null },
    };
  }
  for (const found of records) {
    const holder = found && (await holderOf(found.record, found.modifiedAt, environment));
    if (holder) return { by: 'lease', holder };
  }
  return kernelSave ? { by: 'save', holder: { pid: kernelSave.pid, host: null, since: null } } : null;
}

/** The refusal of a change to a session that somebody else has open. */
export function heldFailure({ pid, host }: SessionHolder, what: string): Failure {
  const where = host === null ? '' : ' on another computer';
  const who = pid === null ? `another program${where}` : `another program${where} (process ${pid})`;
  return new Failure('in-use', `${what}: ${who} has it open. Nothing was changed. Close it there, then try again.`, {
    detail: { ...(pid === null ? {} : { pid }), elsewhere: host !== null },
  });
}

interface LockFile {
  readonly path: string;
  readonly status: FileStatus;
}

/** A lock file that is there; links and folders are none. */
async function lockFile(files: SessionFiles, kind: 'lock' | 'lease-lock' | 'lease-info'): Promise<LockFile | null> {
  const path = await files.path(kind);
  try {
    const status = await files.fileSystem.lstat(path);
    return status.isFile() ? { path, status } : null;
  } catch (error) {
    if (['ENOENT', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return null;
    throw ioFailure(error, 'Whether the session is open elsewhere could not be told', 'It is unchanged.');
  }
}

/** For each file who holds the system's lock on it: null when nobody else does. */
async function kernelLocks(
  locked: readonly (LockFile | null)[],
  environment: HolderEnvironment,
): Promise<({ pid: number | null } | null)[]> {
  const table = await environment.locks();
  return Promise.all(
    locked.map(async (file) => {
      if (file === null) return null;
      if (table !== null) return inTable(table, file, environment);
      return (await environment.isLocked(file.path)) ? { pid: null } : null;
    }),
  );
}

async function inTable(
  table: string,
  { path, status }: LockFile,
  environment: HolderEnvironment,
): Promise<{ pid: number | null } | null> {
  // `1: FLOCK  ADVISORY  WRITE 20749 fe:00:2155607 0 EOF`; one that only waits has `->` before its kind.
  const lines = table.matchAll(/^\d+: (?:FLOCK|POSIX|OFDLCK) +\S+ +\S+ +(-?\d+) +([0-9a-f]+:[0-9a-f]+):(\d+) /gm);
  const same = [...lines].filter(([, , , inode]) => BigInt(inode ?? -1) === status.ino);
  if (same.length === 0) return null;
  const devices = [deviceOfStatus(status), await environment.deviceOf(path)];
  const holders = same.filter(([, , device]) => devices.includes(device ?? ''));
  const foreign = holders.find(([, pid]) => Number(pid) !== environment.pid);
  if (foreign === undefined) return null;
  const pid = Number(foreign[1]);
  // Locks of open files, and of processes that this one may not see, name none.
  return { pid: pid > 0 ? pid : null };
}

/** Device of a file as the table of locks writes it, from the number in its status (Linux, 64 bits). */
function deviceOfStatus({ dev }: FileStatus): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return deviceName(Number(major), Number(minor));
}

/** The owner that a file names; null when it names none that can be read: then only the system's lock tells. */
async function ownerIn(
  files: SessionFiles,
  file: LockFile | null,
): Promise<{ record: OwnerRecord; modifiedAt: number } | null> {
  if (file === null || file.status.size === 0n) return null;
  const read = await readWhole(files.fileSystem, file.path, { limit: OWNER_BYTES });
  const record = read.state === 'present' ? parseOwner(read.bytes) : null;
  return record && { record, modifiedAt: Number(file.status.mtimeNs / 1_000_000n) };
}

async function holderOf(
  owner: OwnerRecord,
  modifiedAt: number,
  environment: HolderEnvironment,
): Promise<SessionHolder | null> {
  const now = environment.now();
  const { handoff } = owner;
  if (handoff !== null && handoff.expiresAt > now && handoff.expiresAt < now + HANDOFF_MS) {
    const successor = { ...owner, ...handoff, host: handoff.host ?? owner.host };
    if (!(isHere(successor, environment) && successor.pid === environment.pid))
      return holderFrom(successor, environment);
  }
  if (!isHere(owner, environment)) {
    // A time far ahead is some clock's mistake, and no sign of life.
    const sign = [owner.lastSign, modifiedAt].find((time) => time !== null && time < now + STALE_MS);
    return sign != null && now - sign < STALE_MS ? holderFrom(owner, environment) : null;
  }
  const { pid } = owner;
  if (pid === null || pid === environment.pid || !environment.isAlive(pid)) return null;
  const started = await environment.startedAt(pid);
  const isReused = started !== null && owner.acquiredAt !== null && started > owner.acquiredAt + START_SLACK_MS;
  return isReused ? null : holderFrom(owner, environment);
}

const holderFrom = (owner: OwnerRecord, environment: HolderEnvironment): SessionHolder => ({
  pid: owner.pid,
  host: isHere(owner, environment) ? null : owner.host,
  since: owner.acquiredAt === null || owner.acquiredAt < 0 ? null : owner.acquiredAt,
});

/** Whether an owner is on this machine; one that names no machine is taken to be. Writer names have some letters replaced. */
function isHere({ host }: Pick<OwnerRecord, 'host'>, environment: HolderEnvironment): boolean {
  const plain = (name: string): string => name.replace(/[^A-Za-z0-9\-_.]/g, '-').toLowerCase();
  return host === null || plain(host) === plain(environment.host);
}
