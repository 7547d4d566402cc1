import { constants, promises } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive, isInside, systemCode } from '../files/index.ts';

/** What the system tells of processes and locks; another one stands in for it in tests. */
export interface HolderEnvironment {
  readonly platform: NodeJS.Platform;
  /** This process: what it holds is never held by somebody else. */
  readonly pid: number;
  readonly host: string;
  now(): number;
  isAlive(pid: number): boolean;
  /** When a process began, in ms; null where the system does not tell, and for one that has ended. */
  startedAt(pid: number): Promise<number | null>;
  /** The system's table of file locks (Linux); null where there is none. */
  locks(): Promise<string | null>;
  /** Number of the device that a path is on as that table names it, `<major>:<minor>` in hex; null when it cannot be told. */
  deviceOf(path: string): Promise<string | null>;
  /** Whether a lock on the file keeps others out, where the system has no table of them (Windows, macOS). */
  isLocked(path: string): Promise<boolean>;
}

/** Ticks of a second in which Linux tells the start of a process, the same on every machine. */
const TICKS = 100;
/** macOS: take an exclusive lock with the open, which fails at once with `O_NONBLOCK` when somebody has one. */
const O_EXLOCK = 0x20;

/** This machine. */
export const nodeHolderEnvironment: HolderEnvironment = {
  platform: process.platform,
  pid: process.pid,
  host: hostname(),
  now: Date.now,
  isAlive,
  startedAt,
  locks: () => (process.platform === 'linux' ? textOf('/proc/locks') : Promise.resolve(null)),
  deviceOf,
  isLocked: (path) => isLocked(path, process.platform),
};

async function startedAt(pid: number): Promise<number | null> {
  const [system, process] = await Promise.all([textOf('/proc/stat'), textOf(`/proc/${pid}/stat`)]);
  const boot = Number(/^btime (\d+)$/m.exec(system ?? '')?.[1] ?? Number.NaN);
  // The second field is the program's name in brackets and may hold blanks; the start is the 22nd.
  const fields = process?.slice(process.lastIndexOf(')') + 2).split(' ') ?? [];
  const started = boot * 1000 + (Number(fields[19] ?? Number.NaN) * 1000) / TICKS;
  return Number.isFinite(started) ? started : null;
}

/** The device of the innermost mount that a path is on: some file systems show another one in a file's status. */
async function deviceOf(path: string): Promise<string | null> {
  let found: { point: string; device: string } | null = null;
  for (const line of ((await textOf('/proc/self/mountinfo')) ?? '').split('\n')) {
    const fields = line.split(' ');
    const point = fields[4]?.replace(/\\(\d{3})/g, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    const [major, minor] = fields[2]?.split(':').map(Number) ?? [];
    if (point === undefined || major === undefined || minor === undefined || !isInside(point, path)) continue;
    if (found === null || point.length >= found.point.length) found = { point, device: deviceName(major, minor) };
  }
  return found?.device ?? null;
}

/** A device as the table of locks writes it. */
export const deviceName = (major: number, minor: number): string =>
  `${major.toString(16).padStart(2, '0')}:${minor.toString(16).padStart(2, '0')}`;

/** Null for what this system does not have, or does not let be read: then nothing is told. */
const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

async function isLocked(path: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'win32' && platform !== 'darwin') return false;
  const flags = constants.O_RDONLY | (platform === 'darwin' ? O_EXLOCK | constants.O_NONBLOCK : 0);
  try {
    const handle = await promises.open(path, flags);
    try {
      // On Windows the locked byte is the first one.
      if (platform === 'win32') await handle.read(Buffer.alloc(1), 0, 1, 0);
    } finally {
      await handle.close();
    }
    return false;
  } catch (error) {
    // Any other error tells nothing about a lock.
    return ['EBUSY', 'EAGAIN', 'EWOULDBLOCK'].includes(systemCode(error) ?? '');
  }
}
