import { Failure } from '../../src/contract/errors.ts';
import type { FileSystem } from '../../src/files/index.ts';
import type { KnowledgeSources } from '../../src/knowledge/collect.ts';
import { KnowledgeService } from '../../src/knowledge/service.ts';
import { readKnowledge, type StoredKnowledge } from '../../src/knowledge/stored.ts';
import { SessionFiles } from '../../src/sessions/session-files.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { Telling } from '../../src/sessions/telling.ts';
import { refuseUnwritable } from '../../src/sessions/writing/title.ts';
import { toldWith } from '../../src/sessions/writing/told-message.ts';
import type { SessionWriters } from '../../src/sessions/writing/writers.ts';
import { type CrashState, crashStates } from './crash-states.ts';
import { imageOf } from './disk-image.ts';
import { Violation } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';
import { seeSession } from './session-write-inspection.ts';
import { openWriters, ROOT_FOLDER, STORE_FOLDER, said, type WriteLayer } from './session-write-recording.ts';
import { existing, there } from './session-write-scenarios.ts';

export const session = { store: 'global', id: existing } as const;
const OWNER = 'p1';
const START = 1_750_000_000_000;
const RESTART_MS = 60_000;
const LIMIT = 120;
const ENOUGH = 5;

/** How a message is recorded with what its session is owed; other ways are wrong on purpose. */
export type RecordMessage = (program: Parts, messageId: string) => Promise<unknown>;

export interface Parts {
  readonly writers: SessionWriters;
  readonly knowledge: KnowledgeService;
  readonly telling: Telling;
}

export interface ToldScenario {
  readonly name: string;
  readonly layer?: WriteLayer;
  readonly record?: RecordMessage;
  run(recorder: ToldRecorder): Promise<void>;
}

interface Asked {
  readonly id: string;
  readonly begunAt: number;
  acknowledgedAt: number;
}

const together: RecordMessage = ({ writers, telling }, messageId) =>
  telling.record(session, said(messageId), (messages) => writers.append(session, messages));

/** The parts that tell a session something, over a disk in memory. Its owner's notes are what `notes` says. */
class Program implements Parts {
  readonly writers: SessionWriters;
  readonly knowledge: KnowledgeService;
  readonly telling: Telling;

  constructor(disk: MemoryDisk, fileSystem: FileSystem, notes: ReadonlyMap<string, string>) {
    const stores = new SessionStores(fileSystem, ROOT_FOLDER);
    this.writers = openWriters(disk, fileSystem, () => 'unused');
    this.knowledge = new KnowledgeService({
      fileSystem,
      sessions: {
        ownerOf: async () => OWNER,
        knownOwnerOf: async () => OWNER,
        filesOf: ({ store, id }) => new SessionFiles(fileSystem, stores.get(store), id),
        beside: (ref, job) =>
          this.writers.beside(ref, async (files) => {
            await refuseUnwritable(files, async () => null);
            return job(files);
          }),
      },
      sources: sourcesOf(notes),
      publish: () => undefined,
      report: (where, error) => {
        throw new Error(`reported: ${where}`, { cause: error });
      },
    });
    this.telling = new Telling(this.knowledge);
  }

  pin(id: string, pinned = true): Promise<unknown> {
    const caller = { role: 'mini-chat', signal: new AbortController().signal } as const;
    return this.knowledge.calls.pin({ session, kind: 'note', id, pinned }, caller);
  }
}

function sourcesOf(notes: ReadonlyMap<string, string>): KnowledgeSources {
  const note = { createdAt: 1, updatedAt: 1, source: 'manual', revision: '0123456789abcdef' } as const;
  return {
    context: async () => ({
      projectId: OWNER,
      sequence: 1,
      revision: null,
      state: 'present',
      version: 2,
      readOnly: false,
      todosRevision: '0123456789abcdef',
      health: [],
      notices: [],
      notes: [...notes].map(([id, body]) => ({ ...note, id, body })),
      todos: [],
      plans: [],
    }),
    plan: async () => {
      throw new Failure('not-found', 'There are no plans here.');
    },
    memory: async () => ({ global: [], owner: [], failed: [] }),
  };
}

/** Runs calls and notes what was asked for and what was acknowledged when. */
export class ToldRecorder {
  readonly disk: MemoryDisk;
  readonly messages: Asked[] = [];
  /** Each change of pins, by the pins that are there then. */
  readonly pins: Asked[] = [];
  /** Notes of the owner at the end: a person's disk of its own, which does not crash here. */
  readonly notes = new Map([
    ['a', 'first text of a'],
    ['b', 'first text of b'],
  ]);
  readonly #fileSystem: FileSystem;
  readonly #record: RecordMessage;
  #pinned: string[] = [];
  #program: Program;

  constructor(disk: MemoryDisk, { layer, record = together }: ToldScenario) {
    this.disk = disk;
    this.#fileSystem = layer?.(disk) ?? disk;
    this.#record = record;
    this.#program = this.#open();
  }

  async pin(id: string, pinned = true): Promise<void> {
    this.#pinned = [...this.#pinned.filter((one) => one !== id), ...(pinned ? [id] : [])];
    await this.#noted(this.pins, this.#pinned.join(), () => this.#program.pin(id, pinned));
  }

  async say(...ids: string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#noted(this.messages, id, () => this.#record(this.#program, id))));
  }

  async restart(): Promise<void> {
    await this.#program.writers.dispose();
    this.#program = this.#open();
  }

  async end(): Promise<void> {
    await this.#program.writers.dispose();
  }

  async #noted(list: Asked[], id: string, job: () => Promise<unknown>): Promise<void> {
    const asked = { id, begunAt: this.disk.log.length, acknowledgedAt: Number.POSITIVE_INFINITY };
    list.push(asked);
    await job();
    asked.acknowledgedAt = this.disk.log.length;
  }

  #open(): Program {
    return new Program(this.disk, this.#fileSystem, this.notes);
  }
}

/** Runs a scenario, then opens and goes on with every disk that a crash at any point of it may leave. */
export async function exploreTold(
  scenario: ToldScenario,
  { first = false } = {},
): Promise<{ distinct: number; violations: string[] }> {
  const files = Object.entries(there.files).map(([name, content]) => [`${STORE_FOLDER}/${name}`, content]);
  const start = imageOf({ [ROOT_FOLDER]: null, ...Object.fromEntries(files) });
  const recorder = new ToldRecorder(new MemoryDisk(start, START), scenario);
  await scenario.run(recorder);
  await recorder.end();
  const { disk } = recorder;
  const seen = new Set<string>();
  const distinct = new Set<string>();
  const violations: string[] = [];
  for (const state of crashStates(start, disk.born, disk.log, { limit: LIMIT, random: new Random(4) })) {
    if (violations.length >= (first ? 1 : ENOUGH)) break;
    const asked = [...recorder.messages, ...recorder.pins];
    const key = `${state.hash} ${asked.map(({ begunAt, acknowledgedAt }) => (acknowledgedAt <= state.position ? 2 : begunAt <= state.position ? 1 : 0))}`;
    if (seen.has(key)) continue;
    seen.add(key);
    distinct.add(state.hash);
    try {
      await check(recorder, state, disk.now + RESTART_MS);
    } catch (error) {
      const what = error instanceof Violation ? error.message : error instanceof Error ? error.stack : String(error);
      violations.push(`${scenario.name}: crash at ${state.position}; lost: ${state.lost || 'nothing'}\n  ${what}`);
    }
  }
  return { distinct: distinct.size, violations };
}

async function check(recorder: ToldRecorder, state: CrashState, startMs: number): Promise<void> {
  const { position } = state;
  const disk = new MemoryDisk(state.image, startMs);
  const before = await messagesOf(disk);
  const told = demandPairs(before);
  for (const { id, acknowledgedAt } of recorder.messages) {
    if (acknowledgedAt <= position && !before.includes(id)) throw new Violation(`${id} was acknowledged, and is gone`);
  }
  const { pins, delivered } = knowledgeOn(disk);
  const last = recorder.pins.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= position);
  const allowed = recorder.pins.slice(Math.max(0, last)).filter(({ begunAt }) => begunAt <= position);
  const ids = pins.map(({ id }) => id).join();
  if (!allowed.some(({ id }) => id === ids) && !(last < 0 && ids === '')) throw new Violation(`the pins are ${ids}`);
  if (delivered !== null && !told.some(({ signature }) => signature === delivered.signature)) {
    throw new Violation('it is remembered as told, and was not told');
  }
  await goOn(recorder, disk, position);
}

/** The person sends again what was not acknowledged, and goes on: then all that is pinned was told. */
async function goOn(recorder: ToldRecorder, disk: MemoryDisk, position: number): Promise<void> {
  const program = new Program(disk, disk, recorder.notes);
  const open = recorder.messages.filter(
    ({ begunAt, acknowledgedAt }) => begunAt <= position && acknowledgedAt > position,
  );
  try {
    for (const { id } of open) await together(program, id);
    const { told: owed } = await program.knowledge.owed(session);
    await together(program, 'further');
    const messages = await messagesOf(disk);
    const told = demandPairs(messages);
    const wanted = recorder.messages.filter(({ begunAt }) => begunAt <= position).map(({ id }) => id);
    const own = messages.filter((id) => toldWith(id) === null).slice(there.sessions[existing]?.length ?? 0);
    if (own.toSorted().join() !== [...wanted, 'further'].toSorted().join()) throw new Violation(`there are ${own}`);
    const { pins, delivered } = knowledgeOn(disk);
    if (owed !== null && told.at(-1)?.messageId !== 'further') throw new Violation('what was owed was not told');
    if (pins.length > 0 && delivered?.signature !== told.at(-1)?.signature)
      throw new Violation('the newest is not told');
    await together(program, 'last');
    if (demandPairs(await messagesOf(disk)).length !== told.length) throw new Violation('it is told again');
  } finally {
    await program.writers.dispose();
  }
}

async function messagesOf(disk: MemoryDisk): Promise<string[]> {
  return (await seeSession(disk, existing)).messages.map(({ id }) => id);
}

/** What was told stands right before its message, and each message is there once. */
function demandPairs(ids: readonly string[]): { signature: string; messageId: string }[] {
  if (new Set(ids).size !== ids.length) throw new Violation(`something is there twice: ${ids}`);
  return ids.flatMap((id, index) => {
    const told = toldWith(id);
    if (told !== null && ids[index + 1] !== told.messageId) throw new Violation(`what was told stands alone: ${ids}`);
    return told ?? [];
  });
}

function knowledgeOn(disk: MemoryDisk): StoredKnowledge {
  let text: string;
  try {
    text = disk.content(`${STORE_FOLDER}/${existing}.knowledge.json`).toString();
  } catch {
    // It is not there yet.
    return readKnowledge({});
  }
  try {
    return readKnowledge(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    throw new Violation(`what the session is told of is torn: ${error}`);
  }
}
