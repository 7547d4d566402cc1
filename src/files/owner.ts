import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createDurably } from './durable-create.ts';
import { writeDurably } from './durable-write.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { makeFolderDurably, removeDurably } from './folders.ts';
import { type FileIdentity, sameIdentity } from './identity.ts';
import { inUse, listen, probe, socketPath } from './owner-socket.ts';
import { isAlive, processStart } from './process-liveness.ts';
import { KeyedQueue } from './queue.ts';
import { identify, readWhole } from './read-whole.ts';
import { childPath, Root } from './root.ts';
import type { Unchanged } from './verified-replace.ts';

/** Name of the file in a root that says who owns it. */
export const OWNER_FILE = '.sidekeep-owner.json';

export interface RootOwnerOptions {
  root: string;
  fileSystem?: FileSystem;
}

/** The claim of this process to be the only one that writes under a root. */
export interface RootOwner {
  /**
   * Takes the root if it exists.
   *
   * @returns Whether this process owns it now; false when there is no root, which is not made.
   * @throws Failure `in-use`, naming the process that owns it.
   */
  acquire(): Promise<boolean>;
  /** Makes sure, before a write, that this process owns the root; makes the root if it does not exist. */
  ensure(): Promise<void>;
  /**
   * What a write can be made on without {@link ensure}: the root is ours as long as the owner file is in this state. Null
   * while it is not ours.
   */
  proof(): Unchanged | null;
  /** Gives the root back. */
  dispose(): Promise<void>;
}

/** What the owner file, or a claim, says of a process. */
interface OwnerRecord {
  version: 1;
  pid: number;
  /** What tells this process from a later one with the same number; null where the system does not say. */
  start: string | null;
  host: string;
  socket: string;
  /** Names this one ownership. */
  token: string;
}

interface Held {
  server: Server;
  identity: FileIdentity | null;
  token: string;
  folder: string;
}

const ONLY = 'owner';
/** The generation before the first owner, or after one that left in order. */
const NO_OWNER = 'none';
/** How long the claim of another process that is just taking over is waited for. */
const CLAIM_WAIT_MS = 10_000;

/** Prepares the ownership of a root; takes nothing yet. */
export function createRootOwner({ root, fileSystem = nodeFileSystem }: RootOwnerOptions): RootOwner {
  return new Owner(fileSystem, new Root(fileSystem, root));
}

class Owner implements RootOwner {
  readonly #fileSystem: FileSystem;
  readonly #root: Root;
  readonly #queue = new KeyedQueue();
  #held: Held | null = null;
  /** The look that waits to begin. */
  #next: Promise<void> | null = null;

  constructor(fileSystem: FileSystem, root: Root) {
    this.#fileSystem = fileSystem;
    this.#root = root;
  }

  acquire(): Promise<boolean> {
    return this.#queue.run(ONLY, async () => {
      if (!(await this.#root.has())) return false;
      await this.#take();
      return true;
    });
  }

  ensure(): Promise<void> {
    // Whoever comes while a look waits for its turn shares it.
    this.#next ??= this.#queue.run(ONLY, async () => {
      this.#next = null;
      if (this.#held === null) await makeFolderDurably(this.#fileSystem, await this.#root.path());
      await this.#take();
    });
    return this.#next;
  }

  proof(): Unchanged | null {
    if (this.#held === null || this.#held.identity === null) return null;
    return { path: childPath(this.#held.folder, OWNER_FILE), identity: this.#held.identity };
  }

  dispose(): Promise<void> {
    return this.#queue.run(ONLY, () => this.#release());
  }

  async #take(): Promise<void> {
    if (this.#held !== null) {
      const found = await identify(this.#fileSystem, childPath(this.#held.folder, OWNER_FILE));
      if (found.state === 'present' && sameIdentity(found.identity, this.#held.identity)) return;
      // The owner file is not the one that we wrote: the root was replaced, or someone else took it.
      await this.#release();
    }
    const folder = await this.#root.path();
    this.#held = await takeOver(this.#fileSystem, folder);
  }

  async #release(): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    try {
      const path = childPath(held.folder, OWNER_FILE);
      const owner = await readRecord(this.#fileSystem, path);
      // The file goes while the socket still answers: nobody may take us for dead and have his own file removed by us.
      if (owner?.token === held.token) await removeDurably(this.#fileSystem, path);
    } finally {
      held.server.close();
      await once(held.server, 'close');
    }
  }
}

/**
 * Takes a root that nobody alive owns. Each ownership has a token, and the one that ended may be followed by exactly one
 * process: the one that makes the claim file named by its token, which cannot be made twice. A claimant that died is itself
 * followed by a claim named by its own token, so there is never a claim to be removed by others.
 */
async function takeOver(fileSystem: FileSystem, folder: string): Promise<Held> {
  const end = Date.now() + CLAIM_WAIT_MS;
  const socket = await socketPath(fileSystem, folder);
  let waitedFor: number | null = null;
  for (;;) {
    const owner = await readRecord(fileSystem, childPath(folder, OWNER_FILE));
    const living = owner === null ? null : await livingOwner(owner, folder);
    if (living !== null) throw inUse(living);
    const { chain, claimant } = await deadClaims(fileSystem, folder, owner?.token ?? NO_OWNER);
    if (claimant !== null) {
      // Seen once, it may be one that came too late and is leaving: the owner is looked at again before it is named.
      if (Date.now() > end && claimant === waitedFor) throw inUse(claimant);
      waitedFor = claimant;
      await delay(50);
      continue;
    }
    const record = await recordOfThisProcess(socket);
    const held = await claim(fileSystem, folder, chain, record);
    if (held !== null) return held;
  }
}

/** Makes the claim and follows the owner that ended; null when another process did that first. */
async function claim(
  fileSystem: FileSystem,
  folder: string,
  chain: readonly string[],
  record: OwnerRecord,
): Promise<Held | null> {
  const claims = chain.map((token) => claimPath(folder, token));
  const mine = claims.at(-1) ?? '';
  if ((await createDurably(fileSystem, mine, bytesOf(record))) === 'taken') return null;
  try {
    const owner = await readRecord(fileSystem, childPath(folder, OWNER_FILE));
    if ((owner?.token ?? NO_OWNER) !== chain[0]) return null;
    const server = await listen(fileSystem, record.socket, folder);
    try {
      const identity = await writeDurably(fileSystem, childPath(folder, OWNER_FILE), bytesOf(record));
      for (const path of claims.slice(0, -1)) await removeDurably(fileSystem, path);
      return { server, identity, token: record.token, folder };
    } catch (error) {
      server.close();
      throw error;
    }
  } finally {
    await removeDurably(fileSystem, mine);
  }
}

/** The claims that follow a token, each by a process that died; and the process that is claiming right now, if one is. */
async function deadClaims(
  fileSystem: FileSystem,
  folder: string,
  first: string,
): Promise<{ chain: string[]; claimant: number | null }> {
  const chain = [first];
  for (;;) {
    const found = await readRecord(fileSystem, claimPath(folder, chain.at(-1) ?? first));
    if (found === null || chain.includes(found.token)) return { chain, claimant: null };
    if (found.record !== null && (await processLives(found.record))) return { chain, claimant: found.record.pid };
    chain.push(found.token);
  }
}

/** The process that owns a root according to its owner file, or that is just following the one named there. */
async function livingOwner({ record }: Found, folder: string): Promise<number | null> {
  if (record === null) return null;
  const answer = await probe(record.socket, folder);
  // All owners of a root use one socket: who answers there may be the next one, before the file names it.
  if (answer.alive) return answer.pid ?? record.pid;
  // Its socket may have been cleared away with old temp files while it runs on.
  return record.start !== null && (await processStart(record.pid)) === record.start ? record.pid : null;
}

async function processLives({ pid, start, host }: OwnerRecord): Promise<boolean> {
  if (start !== null) return (await processStart(pid)) === start;
  return host === hostname() && isAlive(pid);
}

interface Found {
  token: string;
  /** Null when the file says nothing that can be understood: then nobody can be alive behind it. */
  record: OwnerRecord | null;
}

async function readRecord(fileSystem: FileSystem, path: string): Promise<Found | null> {
  const read = await readWhole(fileSystem, path);
  if (read.state === 'missing') return null;
  if (read.state === 'unknown') throw read.failure;
  const record = parseRecord(read.bytes.toString());
  return { token: record?.token ?? createHash('sha256').update(read.bytes).digest('hex').slice(0, 16), record };
}

function parseRecord(text: string): OwnerRecord | null {
  try {
    const value = JSON.parse(text) as Partial<OwnerRecord> | null;
    const known = typeof value?.pid === 'number' && typeof value.socket === 'string' && typeof value.host === 'string';
    const named = typeof value?.token === 'string' && /^[0-9a-f-]{16,36}$/.test(value.token);
    return known && named && value.pid !== undefined && value.pid > 0 ? (value as OwnerRecord) : null;
  } catch {
    // The file is written whole or not at all, so this is not ours.
    return null;
  }
}

async function recordOfThisProcess(socket: string): Promise<OwnerRecord> {
  const start = await processStart(process.pid);
  return { version: 1, pid: process.pid, start, host: hostname(), socket, token: randomUUID() };
}

const claimPath = (folder: string, token: string): string => childPath(folder, `.sidekeep-owner.${token}.claim`);

const bytesOf = (record: OwnerRecord): Buffer => Buffer.from(JSON.stringify(record, null, 2));
