import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextDocument, emptyDocument, readDocument } from '../../src/context/document.ts';
import { type MergeOptions, mergeDocuments } from '../../src/context/merge-lists.ts';
import { isRecord, type JsonObject, parseStored, serialiseStored } from '../../src/files/json.ts';

const read = (raw: JsonObject, modifiedAt = 5): ContextDocument =>
  readDocument(parseStored(serialiseStored(raw), 'x'), modifiedAt);

/** The merged top level as it would be read again, and the counts. */
function merge(destination: JsonObject, source: JsonObject, options: MergeOptions = {}) {
  const { raw, counts } = mergeDocuments(read(destination), read(source), options);
  return { raw, counts, document: read(raw) };
}

const notes = (...list: unknown[]): JsonObject => ({ version: 2, notes: list, todos: [], plans: [] });
const todos = (...list: unknown[]): JsonObject => ({ version: 2, notes: [], todos: list, plans: [] });
const plans = (...list: unknown[]): JsonObject => ({ version: 2, notes: [], todos: [], plans: list });

const bodies = (document: ContextDocument) => document.notes.entries.map(({ view }) => [view.id, view.body]);

describe('a note with the same id on both sides', () => {
  const older = { id: 'n', body: 'older', createdAt: 1, updatedAt: 10 };
  const newer = { id: 'n', body: 'newer', createdAt: 1, updatedAt: 20 };

  test.each([
    ['destination', newer, older],
    ['source', older, newer],
  ])('keeps the later body under the id, and the other as a note behind it (later in the %s)', (_side, here, there) => {
    const { raw, document, counts } = merge(notes(here, { id: 'z', body: 'last' }), notes(there));
    expect(bodies(document)).toEqual([
      ['n', 'newer'],
      [expect.stringMatching(/^note_[0-9a-f]{16}$/), 'older'],
      ['z', 'last'],
    ]);
    expect(counts).toEqual({ notes: 1, todos: 0, plans: 0 });
    expect(merge(raw, notes(there))).toMatchObject({ raw, counts: { notes: 0 } });
  });

  test('keeps the body of the destination where both are of one time', () => {
    const { document } = merge(notes({ ...newer, body: 'here' }), notes({ ...newer, body: 'there' }));
    expect(bodies(document).map(([, body]) => body)).toEqual(['here', 'there']);
  });

  test('is one note where the bodies are equal, with the later date and the keys of both', () => {
    const { raw } = merge(
      notes({ id: 'n', body: 'b', createdAt: 3, updatedAt: 4, mine: 1 }),
      notes({ id: 'n', body: 'b', createdAt: 1, updatedAt: 9, theirs: [2] }),
    );
    expect(raw.notes).toEqual([{ id: 'n', body: 'b', createdAt: 1, updatedAt: 9, theirs: [2], mine: 1 }]);
  });

  test('is two where an unknown key has two values', () => {
    const { raw } = merge(notes({ id: 'n', body: 'b', x: 1 }), notes({ id: 'n', body: 'b', x: 2 }));
    expect(raw.notes).toEqual([
      { id: 'n', body: 'b', x: 1 },
      { id: expect.stringMatching(/^note_/), body: 'b', x: 2 },
    ]);
  });
});

describe('a todo with the same id on both sides', () => {
  test.each([
    [true, false],
    [false, true],
    [true, true],
    [false, false],
  ])('is one todo where the text is equal, completed if either is (%s, %s)', (here, there) => {
    const { raw } = merge(
      todos({ id: 't', text: 'x', completed: here, createdAt: 1 }),
      todos({ id: 't', text: 'x', completed: there, createdAt: 2 }),
    );
    expect(raw.todos).toEqual([{ id: 't', text: 'x', completed: here || there, createdAt: 1 }]);
  });

  test('is two where the texts differ, the second under an id of its own behind the first', () => {
    const { raw, counts } = merge(
      todos({ id: 't', text: 'x' }, { id: 'u', text: 'u' }),
      todos({ id: 't', text: 'y', completed: true }, { id: 'v', text: 'v' }),
    );
    expect(raw.todos).toEqual([
      { id: 't', text: 'x' },
      { id: expect.stringMatching(/^todo_[0-9a-f]{16}$/), text: 'y', completed: true },
      { id: 'u', text: 'u' },
      { id: 'v', text: 'v' },
    ]);
    expect(counts.todos).toBe(2);
  });
});

describe('a plan link', () => {
  test('with the same id and file is one', () => {
    const { raw } = merge(
      plans({ id: 'p', file: 'x.md', title: 'Here' }),
      plans({ id: 'p', file: ' x.md ', title: 'There', pinned: true }),
    );
    expect(raw.plans).toEqual([{ id: 'p', file: 'x.md', title: 'Here', pinned: true }]);
  });

  test('whose file got another name names that, and is a second one where its id is taken', () => {
    const { document } = merge(
      plans({ id: 'p', file: 'x.md' }),
      plans({ id: 'p', file: 'x.md' }, { id: 'q', file: 'y.md' }),
      {
        planFiles: new Map([['x.md', 'x-1.md']]),
      },
    );
    expect(document.plans.entries.map(({ view }) => [view.id, view.file])).toEqual([
      ['p', 'x.md'],
      [expect.stringMatching(/^plan_/), 'x-1.md'],
      ['q', 'y.md'],
    ]);
  });
});

test('equal content under different ids stays twice; an exact copy is there once', () => {
  const { raw } = merge(notes({ id: 'a', body: 'x' }), notes({ id: 'b', body: 'x' }, { id: 'a', body: 'x' }));
  expect(raw.notes).toEqual([
    { id: 'a', body: 'x' },
    { id: 'b', body: 'x' },
  ]);
});

test('a version-1 text becomes a note on its own side; a blank one adds nothing', () => {
  const text = { version: 1, notes: 'line1\nline2', todos: [], plans: [] };
  const list = notes({ id: 'n1', body: 'one' });
  const both = [
    [list, text],
    [text, list],
  ] as const;
  for (const [here, there] of both) {
    const { document, raw } = merge(here, there);
    expect(raw.version).toBe(2);
    expect(
      bodies(document)
        .map(([, body]) => body)
        .sort(),
    ).toEqual(['line1\nline2', 'one']);
    expect(document.notes.entries.find(({ view }) => view.id !== 'n1')?.view.source).toBe('manual');
  }
  expect(merge(text, { ...text, notes: 'other' }).document.notes.entries).toHaveLength(2);
  expect(merge(text, text).document.notes.entries).toHaveLength(1);
  expect(merge(list, { ...text, notes: ' \n' }).raw).toEqual(list);
});

test('over a limit everything stays', () => {
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_value, index) => ({ id: `${prefix}${index}`, body: 'x', createdAt: index }));
  const { document, counts } = merge(notes(...many('new', 100)), notes(...many('old', 150)));
  expect(document.notes.entries).toHaveLength(250);
  expect(counts.notes).toBe(150);
  expect(document.health).toMatchObject([{ problem: 'over-limit' }]);
});

test('unknown keys of both sides stay, and what stands where a list should be', () => {
  const { raw } = merge(
    { version: 2, notes: [], todos: 7, plans: [], same: 1, x: 'here' },
    { same: 1, x: 'there', y: { z: null }, notes: { odd: true }, todos: 8, plans: 'text' },
  );
  expect(raw).toEqual({
    version: 2,
    notes: [],
    todos: [],
    plans: [],
    same: 1,
    x: 'here',
    todosKept: 7,
    xKept: 'there',
    y: { z: null },
    notesKept: { odd: true },
    todosKept2: 8,
    plansKept: 'text',
  });
});

test('a context that is not there adds nothing and takes everything', () => {
  const here = notes({ id: 'n', body: 'b' });
  expect(mergeDocuments(read(here), emptyDocument).raw).toEqual(here);
  expect(mergeDocuments(emptyDocument, read(here)).raw).toEqual(here);
});

test('an id made from content that something else has is passed over, also the next time', () => {
  const here = notes({ id: 'n', body: 'here', updatedAt: 2 });
  const lost = { id: 'n', body: 'there', updatedAt: 1 };
  const derived = bodies(merge(here, notes(lost)).document)[1]?.[0];
  for (const updatedAt of [0, 9]) {
    const taken = { id: derived, body: 'taken', updatedAt };
    for (const [left, right] of [
      [notes(...(here.notes as unknown[]), taken), notes(lost)],
      [here, notes(lost, taken)],
      [here, notes(taken, lost)],
    ] as const) {
      const once = merge(left, right);
      expect(
        bodies(once.document)
          .map(([, body]) => body)
          .sort(),
      ).toEqual(['here', 'taken', 'there']);
      expect(merge(once.raw, right).raw).toEqual(once.raw);
    }
  }
});

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>;
const id = fc.constantFrom('a', 'b', 'c', 'd', ' a ', '', '__proto__', 'constructor', 'note_1');
const text = fc.constantFrom('x', 'y', 'z', '  ', ' x');
const date = fc.oneof({ weight: 5, arbitrary: fc.nat(9) as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: json });
const entry = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        id,
        body: text,
        text,
        file: fc.constantFrom('a.md', 'b.md', ' a.md', '../x'),
        title: fc.constantFrom<unknown>('T', 'U', 7),
        createdAt: date,
        updatedAt: date,
        completed: fc.constantFrom<unknown>(true, false, 'yes'),
        pinned: fc.constantFrom<unknown>(true, false, 1),
        extra: fc.constantFrom<unknown>(1, 2, null),
        other: json,
      },
      { requiredKeys: ['body', 'text', 'file'] },
    ) as fc.Arbitrary<unknown>,
  },
  { weight: 1, arbitrary: json },
);
const list = fc.oneof(
  { weight: 8, arbitrary: fc.array(entry, { maxLength: 7 }) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('text', 'other text', ' ') },
  { weight: 1, arbitrary: json },
);
const topLevel = fc
  .record(
    {
      version: fc.constantFrom<unknown>(1, 2, undefined, 'x'),
      notes: list,
      todos: list,
      plans: list,
      notesKept: json,
      extra: json,
      ['__proto__']: json,
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const planFiles = fc.constantFrom(new Map<string, string>(), new Map([['a.md', 'a-1.md']]));

test('whatever two contexts hold: merging the same source again changes nothing', () => {
  fc.assert(
    fc.property(topLevel, topLevel, planFiles, (here, there, planFiles) => {
      const once = merge(here, there, { planFiles });
      const twice = merge(once.raw, there, { planFiles });
      expect(serialiseStored(twice.raw).toString()).toBe(serialiseStored(once.raw).toString());
      expect(twice.counts).toEqual({ notes: 0, todos: 0, plans: 0 });
      const third = merge(once.raw, here);
      expect(third.document.health.filter(({ problem }) => problem === 'duplicate-id')).toEqual([]);
    }),
    { numRuns: 250 },
  );
});

const settledKeys = ['id', 'createdAt', 'updatedAt', 'pinned', 'completed', 'title', 'file'];

test('whatever two contexts hold: every entry and key of both is in the union', () => {
  fc.assert(
    fc.property(topLevel, topLevel, (here, there) => {
      const { raw, document } = merge(here, there);
      const anywhere = JSON.stringify(raw);
      for (const side of [read(here), read(there)]) {
        for (const name of ['notes', 'todos', 'plans'] as const) {
          const kept = document[name].raw;
          const shown = new Set(side[name].entries.map(({ position }) => position));
          for (const [position, entry] of side[name].raw.entries()) {
            if (!shown.has(position)) {
              const copies = side[name].health.filter((item) => item.problem === 'duplicate-id');
              const isCopy = copies.some((item) => item.position === position);
              if (!isCopy) expect(kept.map((one) => JSON.stringify(one))).toContain(JSON.stringify(entry));
              continue;
            }
            if (!isRecord(entry)) continue;
            const found = kept.filter(isRecord).some((one) =>
              Object.entries(entry).every(([key, value]) => {
                if (!settledKeys.includes(key)) return JSON.stringify(one[key]) === JSON.stringify(value);
                if (key === 'completed' && value === true) return one[key] === true;
                if (key === 'file') return String(one[key]).trim() === String(value).trim();
                return key === 'id' || typeof one[key] === typeof value || key === 'updatedAt';
              }),
            );
            expect(found, `${name} ${JSON.stringify(entry)} in ${anywhere}`).toBe(true);
          }
        }
        for (const [key, value] of Object.entries(side.raw)) {
          if (key === 'version' || (key === 'notes' && typeof value === 'string') || Array.isArray(value)) continue;
          const values = Object.values(raw).map((one) => JSON.stringify(one));
          expect(values).toContain(JSON.stringify(value));
        }
      }
    }),
    { numRuns: 250 },
  );
});
