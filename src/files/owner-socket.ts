import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import { systemCode } from './failures.ts';
import type { FileSystem } from './file-system.ts';
import { FOLDER_MODE } from './folders.ts';

/** Longest path of a local socket that every system takes, in bytes. */
const MAXIMUM_SOCKET_PATH = 100;
const ANSWER_MS = 1000;
/** How long a socket of an owner that is just leaving is waited for. */
const LEAVING_MS = 1500;

/** What a probe found behind a socket: a process that listens (its number where it said so), or nobody. */
export type Answer = { alive: true; pid: number | null } | { alive: false };

/** Where this user's sockets are kept, in the order of preference. */
function socketFolders(): string[] {
  const runtime = process.env.XDG_RUNTIME_DIR ?? '';
  const own = `sidekeep-${process.getuid?.() ?? userInfo().username}`;
  return [...(isAbsolute(runtime) ? [runtime] : []), join(tmpdir(), own), join('/tmp', own)];
}

/** Name of the socket of the owner of a root; the same for every process of this user. */
export function socketName(root: string): string {
  return `sidekeep-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.sock`;
}

/**
 * Path of the socket for a root, in a folder that only this user can enter; a named pipe on Windows.
 *
 * @throws Failure `io` when there is no such folder.
 */
export async function socketPath(fileSystem: FileSystem, root: string): Promise<string> {
  const name = socketName(root);
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name.replace(/\.sock$/, '')}`;
  for (const folder of socketFolders()) {
    const path = join(folder, name);
    if (Buffer.byteLength(path) <= MAXIMUM_SOCKET_PATH && (await isPrivateFolder(fileSystem, folder))) return path;
  }
  throw new Failure(
    'io',
    'Sidekeep found no private folder for its socket, so it cannot tell whether another Sidekeep uses this data. Nothing was changed. Set XDG_RUNTIME_DIR to a folder of yours with mode 0700.',
    { detail: { reason: 'no-runtime-folder' } },
  );
}

/** Asks who listens on a socket that an owner file names. Only a socket with the name for this root is asked. */
export async function probe(path: string, root: string): Promise<Answer> {
  const ours = process.platform === 'win32' ? path.includes(socketName(root).slice(0, -5)) : isSocketOf(path, root);
  if (!ours) return { alive: false };
  const socket = connect(path);
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  let text = '';
  let connected = false;
  try {
    await once(socket, 'connect');
    connected = true;
    for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  } catch (error) {
    const nobody = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(systemCode(error) ?? '');
    // Any other trouble is no proof that nobody is there.
    if (nobody && !connected) return { alive: false };
  } finally {
    socket.destroy();
  }
  const pid = /^\{"sidekeep":1,"pid":(\d+)\}/.exec(text)?.[1];
  return { alive: true, pid: pid === undefined ? null : Number(pid) };
}

/**
 * Listens on the socket of a root; a dead one is replaced. The caller holds the claim on the root, so nobody else does the
 * same at this moment.
 *
 * @throws Failure `in-use` when another process answers there.
 */
export async function listen(fileSystem: FileSystem, path: string, root: string): Promise<Server> {
  const end = Date.now() + LEAVING_MS;
  for (;;) {
    const server = createServer((socket) => {
      // Nobody may keep us from closing by never hanging up.
      socket.setTimeout(ANSWER_MS, () => socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.end(`{"sidekeep":1,"pid":${process.pid}}\n`);
    });
    server.unref();
    try {
      server.listen(path);
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE') throw error;
    }
    const answer = await probe(path, root);
    if (answer.alive && Date.now() > end) throw inUse(answer.pid);
    if (answer.alive) await delay(50);
    else await fileSystem.unlink(path).catch(ignoreMissing);
  }
}

/** The refusal to work beside another owner. */
export function inUse(pid: number | null): Failure {
  const who = pid === null ? 'Another Sidekeep' : `Another Sidekeep (process ${pid})`;
  return new Failure('in-use', `${who} is using this data folder. Nothing was changed. Close it, then start again.`, {
    detail: pid === null ? {} : { pid },
  });
}

function isSocketOf(path: string, root: string): boolean {
  return isAbsolute(path) && basename(path) === socketName(root);
}

async function isPrivateFolder(fileSystem: FileSystem, folder: string): Promise<boolean> {
  try {
    await fileSystem.mkdir(folder, FOLDER_MODE);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') return false;
  }
  const status = await fileSystem.lstat(folder);
  const open = status.mode & 0o077n;
  return status.isDirectory() && open === 0n && status.uid === BigInt(process.getuid?.() ?? -1);
}

function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}
