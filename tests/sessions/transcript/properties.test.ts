import { appendFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { buildIndex } from '../../../src/sessions/transcript/index-builder.ts';
import type { TranscriptFormat } from '../../../src/sessions/transcript/index-head.ts';
import { GiantRecord, splitLine } from '../../../src/sessions/transcript/json-values.ts';
import { LogTwoIndexer } from '../../../src/sessions/transcript/log-two.ts';
import { messageShape } from '../../../src/sessions/transcript/records.ts';
import { allRows, logOne, logTwo, message, node, TestSession } from './support.ts';

const word = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.constantFrom('{"role":', '"}\\', '\u2028', '😀', '\ud83d'),
);

/** Lines of a transcript: whole messages, odd records, damage, blanks. */
const plainLine = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.uuid(), word).map(([id, text]) => message(id, text)) },
  { weight: 1, arbitrary: fc.constantFrom('m1', 'm2').map((id) => message(id, 'again')) },
  { weight: 1, arbitrary: fc.json().map((json) => json.replaceAll('\n', ' ')) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\r', '\0\0\0', '{"role":"user","cont', '[', '\ufeff') },
  { weight: 1, arbitrary: fc.tuple(word, word).map(([a, b]) => `{"role":"us${message('x', a)}${message('y', b)}`) },
);

const logOneLine = fc.oneof(
  { weight: 5, arbitrary: fc.array(plainMessage(), { maxLength: 3 }).map((list) => logOne('append', 1, ...list)) },
  { weight: 1, arbitrary: fc.array(plainMessage(), { maxLength: 3 }).map((list) => logOne('replace', 0, ...list)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\0\0',
      '{"schema_version":1,"ty',
      '{"other":1}',
      `{"sch${logOne('append', 2, message('g', 'glued'))}`,
    ),
  },
);

function plainMessage(): fc.Arbitrary<string> {
  return fc.tuple(fc.uuid(), word).map(([id, text]) => message(id, text));
}

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const logTwoLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(names, fc.option(names), word, fc.constantFrom('main', 'side'))
      .map(([id, parent, text, head]) => node(id, parent, text, { head })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(names, word)
      .map(([target, content]) => logTwo('patch', { target, msgs: [{ role: 'user', content }] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(names, word)
      .map(([id, content]) => logTwo('redact', { targets: { [id]: [{ role: 'user', content }] } })),
  },
  { weight: 1, arbitrary: names.map((from) => logTwo('fork', { new_head: 'side', from, kind: 'fork' })) },
  { weight: 1, arbitrary: names.map((to) => logTwo('rewind', { to })) },
  { weight: 1, arbitrary: word.map((content) => logTwo('system', { msgs: [{ role: 'system', content }] })) },
  { weight: 1, arbitrary: fc.constantFrom('', '\0\0', '{"schema_version":2,"ty', '{"other":1}') },
);

const file = (line: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.array(line, { maxLength: 14 }), fc.boolean(), fc.boolean())
    .map(([list, ended, mark]) => Buffer.from(`${mark ? '\ufeff' : ''}${list.join('\n')}${ended ? '\n' : ''}`));

/** The whole of what an index says, without what names the file. */
async function toldBy(path: string, format: TranscriptFormat, steps: readonly Buffer[]): Promise<unknown> {
  let index = null;
  await writeFile(path, '');
  for (const step of steps) {
    await appendFile(path, step);
    index = await buildIndex(nodeFileSystem, path, format, index, null);
  }
  if (index === null) return null;
  const { list, resume, sum, edges, count } = index.head;
  const log = index.live instanceof LogTwoIndexer ? index.live.state() : null;
  return { list, resume, sum, edges, count, entries: await index.entries.slice(0, index.entries.count), log };
}

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...new Set([0, ...places.map((place) => Math.floor(place * bytes.length)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return ends.length < 2 ? [bytes] : ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
};

for (const [format, line] of [
  ['transcript', plainLine],
  ['log-1', logOneLine],
  ['log-2', logTwoLine],
] as const) {
  test(`an index that was gone on with step by step is the one that is made at once (${format})`, async () => {
    const session = await TestSession.with({});
    const path = session.path('transcript');
    await fc.assert(
      fc.asyncProperty(
        file(line),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        async (bytes, places) => {
          expect(await toldBy(path, format, cut(bytes, places))).toEqual(await toldBy(path, format, [bytes]));
        },
      ),
      { numRuns: 150 },
    );
  });
}

test('every whole record is shown, in order, and nothing else, whatever stands between them', async () => {
  const session = await TestSession.with({ transcript: '' });
  const garbage = fc.constantFrom(
    '',
    '\n',
    '\n\n',
    '\r\n',
    '\0\0\0\n',
    '\nnonsense\n',
    '\n{"role":"user","con\n',
    '{"role":"us',
    ' ',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(garbage, plainMessage()), { maxLength: 12 }), garbage, async (parts, end) => {
      // A record behind a fragment is told from what belongs to the fragment once its line has ended.
      const bytes = `${parts.map(([before, record]) => before + record).join('\n')}\n${end}`;
      await writeFile(session.path('transcript'), bytes);
      const rows = await allRows(session.reader());
      const shown = rows.filter(({ kind }) => kind !== 'hole');
      expect(shown.map(({ id }) => id)).toEqual(parts.map(([, record]) => JSON.parse(record).id));
      expect(shown.every(({ kind }) => kind === 'message')).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('what is said of the beginning of a line stays true of the whole line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(plainMessage(), fc.constantFrom('\0', ' ', '{"role":"us', 'x', '}', '"', '{}')), {
        maxLength: 6,
      }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (parts, place) => {
        const whole = Buffer.from(parts.join(''));
        const part = whole.subarray(0, Math.floor(place * whole.length));
        const early = splitLine(part, false, messageShape);
        const late = splitLine(whole.subarray(early.rest), true, messageShape);
        const shifted = late.pieces.map((piece) => ({
          ...piece,
          start: piece.start + early.rest,
          end: piece.end + early.rest,
        }));
        expect([...early.pieces, ...shifted]).toEqual(splitLine(whole, true, messageShape).pieces);
      },
    ),
    { numRuns: 500 },
  );
});

test('the elements of a record that is too long to be held are found, whatever the chunks', () => {
  fc.assert(
    fc.property(
      fc.array(plainMessage(), { maxLength: 5 }),
      fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 }),
      fc.integer({ min: 1, max: 50 }),
      (messages, others, chunk) => {
        const record = {
          schema_version: 1,
          type: 'replace',
          ...others,
          messages: messages.map((json) => JSON.parse(json)),
        };
        const bytes = Buffer.from(`${JSON.stringify(record)}  `);
        const giant = new GiantRecord('messages');
        for (let at = 0; at < bytes.length; at += chunk) giant.push(bytes.subarray(at, at + chunk), 1000 + at);
        expect(giant.end).toBe(1000 + bytes.length - 2);
        const found = giant.elements.map(({ start, end }) =>
          JSON.parse(bytes.toString('utf8', start - 1000, end - 1000)),
        );
        expect(found).toEqual(record.messages);
        expect(JSON.parse(giant.scalars.get('schema_version') ?? 'null')).toBe(record.schema_version);
      },
    ),
    { numRuns: 300 },
  );
});
