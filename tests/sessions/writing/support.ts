import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionRef } from '../../../src/contract/entities.ts';
import { findHolder } from '../../../src/sessions/holder.ts';
import { SessionStores } from '../../../src/sessions/session-stores.ts';
import type { TailNotice } from '../../../src/sessions/writing/held-log.ts';
import type { NewMessage } from '../../../src/sessions/writing/message-text.ts';
import { SessionWriters, type SessionWritersOptions } from '../../../src/sessions/writing/writers.ts';
import { type FaultyFileSystem, faultyFileSystem, temporaryFolder } from '../../files/support.ts';

/** Writers over a store of a test, with what there is to look at. */
export interface Rig {
  readonly root: string;
  /** Folder of the sessions. */
  readonly folder: string;
  readonly fileSystem: FaultyFileSystem;
  writers: SessionWriters;
  readonly reports: string[];
  readonly tails: TailNotice[];
  /** Writers as after a new start, with nothing known. */
  restart(options?: Partial<SessionWritersOptions>): Promise<void>;
  /** Path of a file of a session, such as `.events.jsonl`. */
  path(session: SessionRef, suffix: string): string;
}

export const place = { store: 'global', workspaceRoot: '/home/dev/demo', scope: 'project' } as const;

export async function setUp(options: Partial<SessionWritersOptions> = {}): Promise<Rig> {
  const root = await temporaryFolder();
  const fileSystem = faultyFileSystem();
  const reports: string[] = [];
  const tails: TailNotice[] = [];
  const open = (more: Partial<SessionWritersOptions> = {}): SessionWriters =>
    new SessionWriters({
      fileSystem,
      stores: new SessionStores(fileSystem, root),
      findHolder,
      storedMessages: () => linesOf(Buffer.alloc(0)),
      report: (where) => reports.push(where),
      onTail: (_session, notice) => tails.push(notice),
      // Nothing of the tests waits for two seconds of quiet.
      sleep: () => Promise.resolve(),
      checkpointDelay: 5,
      ...options,
      ...more,
    });
  const rig: Rig = {
    root,
    folder: join(root, 'sessions'),
    fileSystem,
    writers: open(),
    reports,
    tails,
    restart: async (more) => {
      await rig.writers.dispose();
      rig.writers = open(more);
    },
    path: ({ id }, suffix) => join(root, 'sessions', `${id}${suffix}`),
  };
  onTestFinished(async () => {
    fileSystem.fault = null;
    await rig.writers.dispose();
  });
  return rig;
}

let lastId = 0;

/** A message of the person. */
export const said = (content: string, id = `m${++lastId}`): NewMessage => ({
  role: 'user',
  id,
  content,
  origin: 'user',
  createdAt: 1_767_225_600_000,
});

/** A session with some messages. */
export async function made(rig: Rig, ...texts: string[]): Promise<SessionRef> {
  const { session } = await rig.writers.create({ ...place, messages: texts.map((text) => said(text)) });
  return session;
}

export interface StoredRecord {
  schema_version: number;
  type: string;
  revision: number;
  base_revision?: number;
  message_index?: number;
  messages?: { role: string; id: string; content: string; createdAt: number }[];
  content_digest: string;
  writer_id: string;
  reason?: string;
  created_at: string;
}

/** The lines of a file that are JSON, parsed; others as their text. */
export async function recordsIn(path: string): Promise<StoredRecord[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StoredRecord);
}

/** Texts of all messages of a log. */
export async function textsIn(path: string): Promise<string[]> {
  return (await recordsIn(path)).flatMap(({ messages = [] }) => messages.map(({ content }) => content));
}

export async function* linesOf(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (const line of bytes.toString('utf8').split('\n')) if (line !== '') yield Buffer.from(line);
}

/** Everything in a folder by name, with its bytes. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map(async ({ name }) => [name, await readFile(join(folder, name), 'latin1')] as const);
  return Object.fromEntries((await Promise.all(files)).sort());
}

/** Puts a session of another program, or a damaged one, there. */
export async function put(rig: Rig, id: string, files: Readonly<Record<string, string | Buffer>>): Promise<SessionRef> {
  await mkdir(rig.folder, { recursive: true, mode: 0o700 });
  for (const [suffix, content] of Object.entries(files)) await writeFile(join(rig.folder, `${id}${suffix}`), content);
  return { store: 'global', id };
}

/** The digest of messages, the slow way: each parsed, its `createdAt` deleted, written again and escaped. */
export function slowDigest(messages: readonly string[]): string {
  const hash = createHash('sha256');
  for (const message of messages) {
    const value = JSON.parse(message) as Record<string, unknown>;
    delete value.createdAt;
    const text = [...JSON.stringify(value)].map((character) =>
      ['<', '>', '&', '\u2028', '\u2029'].includes(character)
        ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
        : character,
    );
    hash.update(`${text.join('')}\n`);
  }
  return hash.digest('hex');
}
