import { type CrashState, crashStates } from './crash-states.ts';
import { pathsOf } from './disk-image.ts';
import { Violation } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';
import {
  demandNotAhead,
  demandUpToDate,
  namesOf,
  type SeenSession,
  seeSession,
  titleOnDisk,
} from './session-write-inspection.ts';
import {
  type AskedMessage,
  openWriters,
  recordWrites,
  said,
  type WriteRecorder,
  type WriteRecording,
  type WriteScenario,
} from './session-write-recording.ts';

export interface WriteExploration {
  distinct: number;
  violations: string[];
}

const RESTART_MS = 60_000;
const ENOUGH = 5;
const LIMIT = 120;

/** Runs a scenario, then opens and goes on with every disk that a crash at any point of it may leave. */
export async function exploreWrites(scenario: WriteScenario, { first = false } = {}): Promise<WriteExploration> {
  const recording = await recordWrites(scenario);
  const { disk } = recording.recorder;
  const startMs = disk.now + RESTART_MS;
  const seen = new Set<string>();
  const distinct = new Set<string>();
  const violations: string[] = [];
  const options = { limit: LIMIT, random: new Random(4) };
  for (const state of crashStates(recording.start, disk.born, disk.log, options)) {
    if (violations.length >= (first ? 1 : ENOUGH)) break;
    const key = `${state.hash} ${requiredAt(recording.recorder, state.position)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    distinct.add(state.hash);
    try {
      await check(scenario, recording, state, startMs);
    } catch (error) {
      const what =
        error instanceof Error ? (error instanceof Violation ? error.message : String(error.stack)) : String(error);
      violations.push(`${scenario.name}: crash at ${state.position}; lost: ${state.lost || 'nothing'}\n  ${what}`);
    }
  }
  return { distinct: distinct.size, violations };
}

/** What was acknowledged or under way by then, as one text. */
function requiredAt({ messages, sessions, titles }: WriteRecorder, position: number): string {
  return [...messages, ...sessions, ...titles]
    .map(({ begunAt, acknowledgedAt }) => (acknowledgedAt <= position ? 2 : begunAt <= position ? 1 : 0))
    .join('');
}

async function check(scenario: WriteScenario, { recorder }: WriteRecording, state: CrashState, startMs: number) {
  const { position } = state;
  const disk = new MemoryDisk(state.image, startMs);
  const expected = expectedAt(scenario, recorder, position);
  const { listed, hidden } = await namesOf(disk);
  for (const id of listed) if (!expected.has(id)) throw new Violation(`${id} is listed, and nobody asked for it`);
  for (const [id, { acknowledged }] of expected) {
    if (acknowledged && !listed.includes(id)) throw new Violation(`${id} was acknowledged, and is not listed`);
  }
  for (const { id, how } of recorder.sessions) {
    const names = hidden.get(id) ?? [];
    const isMarked = names.some((name) => name.endsWith('.cleanup-pending.json'));
    if (how === 'fork' && names.length > 0 && !isMarked) throw new Violation(`half a copy is left unmarked: ${names}`);
  }
  demandKept(scenario, disk);
  for (const id of listed) {
    const seen = await seeSession(disk, id);
    demandMessages(id, seen, expected.get(id), position);
    demandNotAhead(disk, id, seen);
    demandTitle(recorder, disk, id, position);
  }
  await goOn(disk, listed, expected, position);
  demandKept(scenario, disk);
  for (const id of listed) demandTitle(recorder, disk, id, position);
}

interface Expected {
  readonly acknowledged: boolean;
  /** Messages that it was made with. */
  readonly first: readonly ReturnType<typeof said>[];
  /** Those that were asked for by then, in order. */
  readonly asked: readonly AskedMessage[];
}

function expectedAt(
  { sessions = {} }: WriteScenario,
  recorder: WriteRecorder,
  position: number,
): Map<string, Expected> {
  const askedOf = (id: string): AskedMessage[] =>
    recorder.messages.filter(({ session, begunAt }) => session === id && begunAt <= position);
  const known = Object.entries(sessions).map(
    ([id, first]) => [id, { acknowledged: true, first, asked: askedOf(id) }] as const,
  );
  const made = recorder.sessions
    .filter(({ begunAt }) => begunAt <= position)
    .map(({ id, messages: first, acknowledgedAt }) => {
      return [id, { acknowledged: acknowledgedAt <= position, first, asked: askedOf(id) }] as const;
    });
  return new Map([...known, ...made]);
}

/** Every message once and as it was sent, in order; those that were acknowledged are there. */
function demandMessages(id: string, { messages }: SeenSession, expected: Expected | undefined, position: number): void {
  const { first = [], asked = [] } = expected ?? {};
  const all = [...first, ...asked.map(({ message }) => message)];
  const places = messages.map(({ id: messageId, content }) =>
    all.findIndex((message) => message.id === messageId && message.content === content),
  );
  if (places.includes(-1)) throw new Violation(`${id} has a message that nobody sent`);
  if (places.some((place, index) => index > 0 && place <= (places[index - 1] ?? 0))) {
    throw new Violation(`${id} has a message twice, or in another order`);
  }
  for (const [place, message] of all.entries()) {
    const isAcknowledged = place < first.length || (asked[place - first.length]?.acknowledgedAt ?? 0) <= position;
    if (isAcknowledged && !places.includes(place)) throw new Violation(`${message.id} was acknowledged, and is gone`);
  }
}

function demandTitle({ titles }: WriteRecorder, disk: MemoryDisk, id: string, position: number): void {
  const own = titles.filter(({ session, begunAt }) => session === id && begunAt <= position);
  const last = own.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= position);
  const allowed = new Set(own.slice(Math.max(0, last)).map(({ title }) => title));
  if (last < 0) allowed.add(null);
  if (!allowed.has(titleOnDisk(disk, id))) throw new Violation(`${id} has a title that it should not have`);
}

/** The person sends again what was not acknowledged, and goes on; everything is up to date then. */
async function goOn(
  disk: MemoryDisk,
  listed: readonly string[],
  expected: ReadonlyMap<string, Expected>,
  position: number,
): Promise<void> {
  const writers = openWriters(disk, disk, () => 'unused');
  try {
    for (const id of listed) {
      const open = (expected.get(id)?.asked ?? []).filter(({ acknowledgedAt }) => acknowledgedAt > position);
      for (const message of [...open.map((asked) => asked.message), said('further')]) {
        await writers.append({ store: 'global', id }, [message]);
      }
    }
  } finally {
    await writers.dispose();
  }
  for (const id of listed) {
    const seen = await seeSession(disk, id);
    demandUpToDate(disk, id, seen);
    const ids = seen.messages.map((message) => message.id);
    const { first = [], asked = [] } = expected.get(id) ?? {};
    const wanted = [...first.map((message) => message.id), ...asked.map(({ message }) => message.id), 'further'];
    if (ids.toSorted().join() !== wanted.toSorted().join()) throw new Violation(`${id} has ${ids}, not ${wanted}`);
  }
}

/** Bytes that were set aside, or are still where they were. */
function demandKept({ keeps = [] }: WriteScenario, disk: MemoryDisk): void {
  const texts = [...pathsOf(disk.image())].flatMap(([, node]) =>
    node.kind === 'file' ? [node.content.toString('latin1')] : [],
  );
  for (const kept of keeps) {
    if (!texts.some((text) => text.includes(kept))) throw new Violation(`lost: ${kept}`);
  }
}
