import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codec } from './codec.ts';
import { report } from './runtime.ts';

/** What a second process tells the first one. */
export interface SecondInstance {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

/** A socket path may have 107 bytes on Linux and 103 on macOS. */
const longestSocketPath = 100;
const claimPatienceInMilliseconds = 2000;
const noticePatienceInMilliseconds = 2000;

/**
 * `app.requestSingleInstanceLock`, for real: a symbolic link in the userData folder whose text names the holder (creating one
 * is atomic, and its text is there at once), and a local socket on which the holder hears of later starts. A holder that was
 * killed is recognized by its pid and start time and taken over, under a second link so that only one process does it.
 */
export class SingleInstanceLock {
  private readonly folder: string;
  private readonly server: Server;
  private readonly me = `${process.pid}-${startTimeOf(process.pid) ?? '0'}`;
  private held = false;
  private notice: Promise<void> = Promise.resolve();

  constructor(userData: string, heard: (second: SecondInstance) => void) {
    this.folder = lockFolder(userData);
    this.server = createServer((socket) => receive(socket, heard));
    this.server.on('error', (error) => report('single instance socket', error));
    this.server.unref();
  }

  isHeld(): boolean {
    return this.held;
  }

  /** True when this process holds the lock now. Otherwise the holder is told, which `delivered` waits for. */
  request(additionalData: unknown): boolean {
    if (this.held) return true;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.listen();
    this.held = this.take();
    if (this.held) return true;
    this.server.close();
    const holder = readLink(join(this.folder, 'lock'));
    if (holder) this.notice = tell(this.socketOf(holder), additionalData);
    return false;
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    unlinkSync(join(this.folder, 'lock'));
    this.server.close();
  }

  /** Resolves when the holder has answered, or after two seconds. */
  delivered(): Promise<void> {
    return this.notice;
  }

  private take(): boolean {
    const lock = join(this.folder, 'lock');
    if (link(this.me, lock)) return true;
    const holder = readLink(lock);
    if (holder !== undefined && isAlive(holder)) return false;
    return this.underClaim(() => {
      const now = readLink(lock);
      if (now !== undefined && isAlive(now)) return false;
      if (now !== undefined) {
        unlinkSync(lock);
        rmSync(this.socketOf(now), { force: true });
      }
      return link(this.me, lock);
    });
  }

  private underClaim(work: () => boolean): boolean {
    const claim = join(this.folder, 'claim');
    const deadline = Date.now() + claimPatienceInMilliseconds;
    while (!link(this.me, claim)) {
      const claimant = readLink(claim);
      if (claimant !== undefined && !isAlive(claimant)) rmSync(claim, { force: true });
      else if (Date.now() > deadline) return false;
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
    try {
      return work();
    } finally {
      unlinkSync(claim);
    }
  }

  /** Node binds at once, so the socket is there before the lock names us. */
  private listen(): void {
    const path = this.socketOf(this.me);
    rmSync(path, { force: true }); // Of a process that had our pid, long dead.
    this.server.listen(path);
    if (this.server.listening) chmodSync(path, 0o600);
  }

  private socketOf(holder: string): string {
    return join(this.folder, `${holder.split('-')[0]}.sock`);
  }
}

function lockFolder(userData: string): string {
  const inside = join(userData, 'host-instance');
  if (Buffer.byteLength(join(inside, '4194304.sock')) <= longestSocketPath) return inside;
  const shared = join(tmpdir(), `sidekeep-host-${process.getuid?.() ?? 0}`);
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(shared);
  if (uid !== (process.getuid?.() ?? uid) || (mode & 0o077) !== 0) throw new Error(`host: ${shared} is not private`);
  return join(shared, createHash('sha256').update(userData).digest('hex').slice(0, 16));
}

/** False when the link exists already. */
function link(text: string, path: string): boolean {
  try {
    symlinkSync(text, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // Released meanwhile.
    throw error;
  }
}

function isAlive(holder: string): boolean {
  const [pid = '', startTime] = holder.split('-');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const now = startTimeOf(Number(pid));
  return now === undefined ? process.platform !== 'linux' : now === startTime;
}

/** When a process started, in clock ticks since boot; undefined for a zombie, or where there is no /proc. */
function startTimeOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined; // No such process, or no /proc: the caller tells these apart.
  }
}

function receive(socket: Socket, heard: (second: SecondInstance) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('error', (error) => report('second instance', error));
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    const message = JSON.parse(text) as { argv: string[]; workingDirectory: string; additionalData: string };
    socket.end('heard\n');
    heard({ ...message, additionalData: codec.decode(message.additionalData) });
  });
}

function tell(path: string, additionalData: unknown): Promise<void> {
  const message = { argv: process.argv, workingDirectory: process.cwd(), additionalData: codec.encode(additionalData) };
  return new Promise((resolve) => {
    const socket = createConnection(path, () => socket.write(`${JSON.stringify(message)}\n`));
    socket.setTimeout(noticePatienceInMilliseconds, () => socket.destroy());
    socket.on('data', () => socket.end());
    socket.on('error', (error) => report('the first instance does not listen', error));
    socket.on('close', () => resolve());
  });
}
