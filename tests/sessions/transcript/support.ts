import { spawn } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { SessionMessage, SessionPage } from '../../../src/contract/entities.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/files/index.ts';
import { IndexBuilds } from '../../../src/sessions/transcript/index-builds.ts';
import {
  type ReaderOptions,
  type TranscriptChange,
  TranscriptReader,
} from '../../../src/sessions/transcript/reader.ts';
import type { TranscriptFiles } from '../../../src/sessions/transcript/source.ts';
import { temporaryFolder } from '../../files/support.ts';

const suffixes = {
  transcript: '.jsonl',
  events: '.events.jsonl',
  'events-rotating': '.events.jsonl.rotating',
  'cleanup-pending': '.cleanup-pending.json',
};

export type FileKind = keyof typeof suffixes;

/** A session in a folder of its own, and readers of it. */
export class TestSession {
  readonly folder: string;
  readonly cache: string;
  readonly id: string;
  readonly changes: TranscriptChange[] = [];

  constructor(folder: string, id = 's1') {
    this.folder = join(folder, 'sessions');
    this.cache = join(folder, 'cache');
    this.id = id;
  }

  static async with(files: Partial<Record<FileKind, string | Uint8Array>>): Promise<TestSession> {
    const session = new TestSession(await temporaryFolder());
    await mkdir(session.folder);
    await mkdir(session.cache);
    for (const [kind, bytes] of Object.entries(files)) await writeFile(session.path(kind as FileKind), bytes);
    return session;
  }

  path(kind: FileKind): string {
    return join(this.folder, `${this.id}${suffixes[kind]}`);
  }

  get files(): TranscriptFiles {
    return { ref: { store: 'global', id: this.id }, path: (kind) => Promise.resolve(this.path(kind)) };
  }

  append(kind: FileKind, bytes: string | Uint8Array): Promise<void> {
    return appendFile(this.path(kind), bytes);
  }

  /** A reader that lives as long as the test. Without other options it works here, without worker and cache. */
  reader(options: Partial<ReaderOptions> & { worker?: boolean; fileSystem?: FileSystem } = {}): TranscriptReader {
    const { worker = false, fileSystem = nodeFileSystem, ...rest } = options;
    const reader = new TranscriptReader({
      fileSystem,
      files: this.files,
      cacheFolder: null,
      builds: new IndexBuilds({ fileSystem, ...(worker ? {} : { workerUrl: null }) }),
      onChange: (change) => this.changes.push(change),
      ...rest,
    });
    onTestFinished(() => reader.dispose());
    return reader;
  }

  /** Inode, times and bytes of every file beside the session. */
  async state(): Promise<unknown> {
    const names = (await readdir(this.folder)).sort();
    return Promise.all(
      names.map(async (name) => {
        const { ino, mtimeMs, ctimeMs, size, mode } = await stat(join(this.folder, name));
        return { name, ino, mtimeMs, ctimeMs, size, mode, bytes: await readFile(join(this.folder, name), 'latin1') };
      }),
    );
  }
}

/** All rows of a head, page by page from the end, checked against the contract. */
export async function allRows(reader: TranscriptReader, head?: string, limit = 50): Promise<SessionMessage[]> {
  const rows: SessionMessage[] = [];
  let before: number | undefined;
  for (;;) {
    const page = SessionPage.parse(await reader.page({ head, before, limit }));
    rows.unshift(...page.messages);
    before = page.messages[0]?.index ?? 0;
    if (before === 0) break;
  }
  rows.forEach((row, index) => {
    SessionMessage.parse(row);
    if (row.index !== index) throw new Error(`row ${index} says that it is ${row.index}`);
  });
  return rows;
}

export const contents = async (reader: TranscriptReader, head?: string): Promise<string[]> =>
  (await allRows(reader, head)).map(({ content }) => content);

/** Waits until all of a transcript is known. */
export async function untilComplete(reader: TranscriptReader): Promise<void> {
  while (!(await reader.page({ limit: 1 })).complete) await delay(5);
}

export const message = (id: string, content: string, more: object = {}): string =>
  JSON.stringify({ role: 'user', id, content, ...more });

export const lines = (...records: string[]): string => records.map((record) => `${record}\n`).join('');

/** A record of a log of schema 1. */
export function logOne(type: 'replace' | 'append', index: number, ...messages: string[]): string {
  const list = messages.length > 0 ? `,"messages":[${messages.join(',')}]` : '';
  const place = index > 0 ? `,"message_index":${index}` : '';
  return `{"schema_version":1,"type":"${type}","revision":${index + 1}${place}${list},"created_at":"2026-01-05T10:00:00Z"}`;
}

/** A record of a log of schema 2. */
export const logTwo = (type: string, fields: object): string =>
  JSON.stringify({ schema_version: 2, type, head: 'main', writer: 'w', at: '2026-01-05T10:00:00.000001Z', ...fields });

export const node = (id: string, parent: string | null, content: string, more: object = {}): string =>
  logTwo('message', {
    id,
    ...(parent === null ? {} : { parent }),
    msgs: [{ role: 'user', id, content }],
    ...more,
  });

/** A program of its own that appends pieces to a file, with a pause after each. Resolves when it is done. */
export function appendElsewhere(file: string, pieces: readonly string[], pause: number): Promise<void> {
  const script = `
    const fs = require('node:fs');
    const pieces = JSON.parse(fs.readFileSync(0, 'utf8'));
    (async () => {
      for (const piece of pieces) {
        fs.appendFileSync(${JSON.stringify(file)}, piece);
        await new Promise((resolve) => setTimeout(resolve, ${pause}));
      }
    })();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(JSON.stringify(pieces));
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the other program ended with ${code}`))));
  });
}

export const fixtures = path.resolve(import.meta.dirname, '../../fixtures');
