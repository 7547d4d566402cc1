import { RunningDigest } from '../../src/sessions/writing/digest.ts';
import { encodeRecord } from '../../src/sessions/writing/log-record.ts';
import { encodeMessage, type NewMessage } from '../../src/sessions/writing/message-text.ts';
import { said, type WriteScenario } from './session-write-recording.ts';

export const existing = '20250101-000000.000000000-sidekeep';

/** A session as it is on the disk some time after its last message. */
function session(
  messages: readonly NewMessage[],
  tail: string | Buffer = '',
  records = 1,
): Record<string, string | Buffer> {
  const stored = messages.map((message) => encodeMessage(message).bytes);
  const digest = new RunningDigest();
  const lines = stored.slice(0, records).map((message, index) => {
    digest.add(message);
    const head = {
      type: index === 0 ? ('replace' as const) : ('append' as const),
      revision: index + 1,
      baseRevision: index,
      messageIndex: index,
      contentDigest: digest.text(),
      writerId: 'sidekeep.host-1-0123456789abcdef',
      createdAt: 1_740_000_000_000,
    };
    return encodeRecord(head, [message]).line;
  });
  return {
    [`${existing}.events.jsonl`]: Buffer.concat([...lines, Buffer.from(tail)]),
    [`${existing}.jsonl`]: stored.map((message) => `${message}\n`).join(''),
    [`${existing}.jsonl.meta`]: JSON.stringify({ id: existing, revision: records, turns: records, unknown: [1] }),
  };
}

const first = [said('one'), said('two')];
export const there = { files: session(first, '', 2), sessions: { [existing]: first } };
/** What a crash left of a record, and what had been set aside before. */
export const fragment = '{"schema_version":1,"type":"append","revision":3,"base_revi';
export const torn = { files: session(first, fragment, 2), sessions: { [existing]: first }, keeps: [fragment] };
const earlier = '{"damaged_tail":true,"bytes":5}\nOLDER\n';

export const writeScenarios: readonly WriteScenario[] = [
  { name: 'a session is made', run: async (recorder) => void (await recorder.create(said('a'), said('b'))) },
  {
    name: 'two sessions are made and written to',
    run: async (recorder) => {
      const one = await recorder.create();
      const two = await recorder.create(said('a'));
      await recorder.append(one.id, 'b');
      await recorder.append(two.id, 'c');
      await recorder.flush();
    },
  },
  { ...there, name: 'a message', run: (recorder) => recorder.append(existing, 'three') },
  {
    ...there,
    name: 'messages one by one, with the files beside the log',
    run: async (recorder) => {
      await recorder.append(existing, 'three');
      recorder.rest();
      await recorder.append(existing, 'four');
      await recorder.flush();
      recorder.rest();
      await recorder.append(existing, 'five');
      await recorder.restart();
      await recorder.append(existing, 'six');
    },
  },
  {
    ...there,
    name: 'messages at once',
    run: async (recorder) => {
      await recorder.append(existing, 'three', 'four', 'five', 'six');
      await recorder.flush();
      await recorder.append(existing, 'seven', 'eight');
    },
  },
  {
    name: 'a copy is made and gone on with',
    run: async (recorder) => {
      const { id } = await recorder.fork();
      await recorder.append(id, 'a');
      await recorder.flush();
    },
  },
  {
    ...there,
    name: 'titles',
    run: async (recorder) => {
      await recorder.rename(existing, 'One');
      await recorder.append(existing, 'three');
      await recorder.flush();
      await recorder.rename(existing, 'Two');
      await recorder.rename(existing, null);
    },
  },
  { ...torn, name: 'a torn end', run: (recorder) => recorder.append(existing, 'three') },
  {
    ...torn,
    files: { ...torn.files, [`${existing}.events.jsonl.damaged`]: earlier },
    keeps: [fragment, earlier],
    name: 'a torn end where another was before',
    run: async (recorder) => {
      await recorder.append(existing, 'three', 'four');
      await recorder.flush();
    },
  },
  {
    ...there,
    files: session(first, Buffer.alloc(700), 2),
    name: 'an end of NUL bytes',
    run: (recorder) => recorder.append(existing, 'three'),
  },
  {
    name: 'a last record without its line end',
    files: cutLast(session(first, '', 2)),
    sessions: { [existing]: first },
    run: (recorder) => recorder.append(existing, 'three'),
  },
];

function cutLast(files: Record<string, string | Buffer>): Record<string, string | Buffer> {
  const name = `${existing}.events.jsonl`;
  const log = Buffer.from(files[name] ?? '');
  return { ...files, [name]: log.subarray(0, log.length - 1) };
}
