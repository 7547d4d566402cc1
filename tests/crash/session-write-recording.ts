import type { SessionRef } from '../../src/contract/entities.ts';
import type { FileSystem } from '../../src/files/index.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import type { NewMessage } from '../../src/sessions/writing/message-text.ts';
import { SessionWriters } from '../../src/sessions/writing/writers.ts';
import { type DiskImage, imageOf } from './disk-image.ts';
import { MemoryDisk } from './memory-disk.ts';

/** Where the stores are on every disk of these tests, and the one that is used. */
export const ROOT_FOLDER = '/data';
export const STORE_FOLDER = '/data/sessions';
const START = 1_750_000_000_000;

/** Something that was asked for, with the positions of the log at which it began and was acknowledged. */
interface Asked {
  readonly begunAt: number;
  acknowledgedAt: number;
}
export interface AskedMessage extends Asked {
  readonly session: string;
  readonly message: NewMessage;
}
export interface AskedSession extends Asked {
  /** Null until it is known. */
  readonly id: string;
  readonly how: 'create' | 'fork';
  readonly messages: readonly NewMessage[];
}
export interface AskedTitle extends Asked {
  readonly session: string;
  readonly title: string | null;
}

/** Something over the disk, such as a layer that is broken on purpose. */
export type WriteLayer = (disk: MemoryDisk) => FileSystem;

export interface WriteScenario {
  readonly name: string;
  /** Files of the store at the start; null for none. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Sessions that are there at the start, with their messages. */
  readonly sessions?: Readonly<Record<string, readonly NewMessage[]>>;
  /** Bytes that must be somewhere on the disk whatever happens. */
  readonly keeps?: readonly string[];
  readonly layer?: WriteLayer;
  run(recorder: WriteRecorder): Promise<void>;
}

/** Writers over a disk in memory, with its time. Nothing is written by a timer. */
export function openWriters(disk: MemoryDisk, fileSystem: FileSystem, newId: () => string): SessionWriters {
  return new SessionWriters({
    fileSystem,
    stores: new SessionStores(fileSystem, ROOT_FOLDER),
    findHolder: async () => null,
    storedMessages: async function* () {
      for (const message of forked) yield Buffer.from(JSON.stringify(message));
    },
    now: () => disk.now,
    sleep: async (ms) => disk.advance(ms),
    checkpointDelay: 600_000,
    newId,
    report: (where, error) => {
      throw new Error(`reported: ${where}`, { cause: error });
    },
  });
}

export const said = (id: string, content = `text of ${id}`): NewMessage => ({
  role: 'user',
  id,
  content,
  origin: 'user',
  createdAt: START,
});

/** What every fork of these tests takes along. */
export const forked: readonly NewMessage[] = ['f1', 'f2', 'f3'].map((id) => said(id, `${id} ${'long '.repeat(400)}`));

const place = { store: 'global', workspaceRoot: '/demo', scope: 'project' } as const;

/** Runs calls and notes what was asked for and what was acknowledged when. */
export class WriteRecorder {
  readonly disk: MemoryDisk;
  readonly messages: AskedMessage[] = [];
  readonly sessions: AskedSession[] = [];
  readonly titles: AskedTitle[] = [];
  readonly #fileSystem: FileSystem;
  #writers: SessionWriters;
  #lastId = 0;

  constructor(start: DiskImage, layer?: WriteLayer) {
    this.disk = new MemoryDisk(start, START);
    this.#fileSystem = layer?.(this.disk) ?? this.disk;
    this.#writers = this.#open();
  }

  async create(...messages: NewMessage[]): Promise<SessionRef> {
    const asked = this.#session('create', messages);
    const { session } = await this.#writers.create({ ...place, messages });
    asked.acknowledgedAt = this.disk.log.length;
    return session;
  }

  async fork(): Promise<SessionRef> {
    const asked = this.#session('fork', forked);
    const { session } = await this.#writers.fork({ ...place, source: { store: 'global', id: 'source' } });
    asked.acknowledgedAt = this.disk.log.length;
    return session;
  }

  /** Messages that wait together, each for its own answer. */
  async append(id: string, ...ids: string[]): Promise<void> {
    await Promise.all(
      ids.map(async (messageId) => {
        const message = said(messageId);
        const asked = { session: id, message, begunAt: this.disk.log.length, acknowledgedAt: Number.POSITIVE_INFINITY };
        this.messages.push(asked);
        await this.#writers.append({ store: 'global', id }, [message]);
        asked.acknowledgedAt = this.disk.log.length;
      }),
    );
  }

  async rename(id: string, title: string | null): Promise<void> {
    const asked = { session: id, title, begunAt: this.disk.log.length, acknowledgedAt: Number.POSITIVE_INFINITY };
    this.titles.push(asked);
    await this.#writers.rename({ store: 'global', id }, { title });
    asked.acknowledgedAt = this.disk.log.length;
  }

  /** Brings the files beside the logs up to them. */
  flush(): Promise<void> {
    return this.#writers.flush();
  }

  /** Lets so much time pass that a look at the folder is enough again. */
  rest(): void {
    this.disk.advance(200);
  }

  async restart(): Promise<void> {
    await this.#writers.dispose();
    this.#writers = this.#open();
  }

  async end(): Promise<void> {
    await this.#writers.dispose();
  }

  #session(how: AskedSession['how'], messages: readonly NewMessage[]): AskedSession {
    const id = idOf(this.#lastId + 1);
    const asked = { id, how, messages, begunAt: this.disk.log.length, acknowledgedAt: Number.POSITIVE_INFINITY };
    this.sessions.push(asked);
    return asked;
  }

  #open(): SessionWriters {
    return openWriters(this.disk, this.#fileSystem, () => idOf(++this.#lastId));
  }
}

const idOf = (number: number): string => `20260101-000000.${String(number).padStart(9, '0')}-sidekeep`;

export interface WriteRecording {
  readonly start: DiskImage;
  readonly recorder: WriteRecorder;
}

/** Runs a scenario to its end. */
export async function recordWrites(scenario: WriteScenario): Promise<WriteRecording> {
  const files = Object.entries(scenario.files ?? {}).map(([name, content]) => [`${STORE_FOLDER}/${name}`, content]);
  const start = imageOf({ [ROOT_FOLDER]: null, ...Object.fromEntries(files) });
  const recorder = new WriteRecorder(start, scenario.layer);
  await scenario.run(recorder);
  await recorder.end();
  return { start, recorder };
}
