import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf, placesIn } from '../../src/context/find-excerpt.ts';
import { matchOf } from '../../src/context/find-match.ts';
import { narrows, parseQuery } from '../../src/context/find-query.ts';
import { characterStart, fold, foldPatiently } from '../../src/context/find-text.ts';

/** What is highlighted of a text, as text. */
const marked = (query: string, text: string): string[] =>
  placesIn(parseQuery(query), text).map(([start, end]) => text.slice(start, end));

describe('what is the same for a search', () => {
  test.each([
    ['strasse', 'Die STRASSE, die Straße, die STRAẞE', ['STRASSE', 'Straße', 'STRAẞE']],
    ['straße', 'strasse', ['strasse']],
    ['s', 'ß', ['ß']],
    ['istanbul', 'İstanbul ISTANBUL ıstanbul', ['İstanbul', 'ISTANBUL', 'ıstanbul']],
    ['creme brulee', 'a Crème brûlée.', ['Crème', 'brûlée']],
    ['crème', 'creme cre\u0300me', ['creme', 'cre\u0300me']],
    ['e', 'e\u0301\u0323x', ['e\u0301\u0323']],
    ['οδος', 'ΟΔΌΣ οδός', ['ΟΔΌΣ', 'οδός']],
    ['los', 'łoś', ['łoś']],
    ['fi', 'eﬃcient', ['ﬃ']],
    ['ae', 'Æsop', ['Æ']],
    ['coop', 'co\u00adop', ['co\u00adop']],
    ['ｆｕｌｌ', 'full', ['full']],
    ['ガ', 'カ ガ ｶﾞ カ\u3099', ['ガ', 'ｶﾞ', 'カ\u3099']],
    ['会議', '明日の会議は', ['会議']],
    ['하', '한글', ['한']],
    ['שלום', 'שָׁלוֹם עולם', ['שָׁלוֹם']],
    ['محمد', 'مُحَمَّد', ['مُحَمَّد']],
    ['कि', 'क कि', ['कि']],
    ['👍', 'a 👍🏽 b 👎', ['👍🏽']],
    ['👩', 'x👩‍👩‍👧y', ['👩‍👩‍👧']],
    ['🇫🇷', '🇩🇪🇫🇷', ['🇫🇷']],
    ['й', 'И', ['И']],
  ])('%j is found in %j', (query, text, expected) => {
    expect(marked(query, text)).toEqual(expected);
  });

  test.each([
    ['ガ', 'カ'],
    ['कि', 'क'],
    ['a b', 'b'],
    ['"a b"', 'b a ab'],
    ['.', 'a'],
    ['a|b', 'a b'],
  ])('%j is not found in %j', (query, text) => {
    expect(matchOf(parseQuery(query), fold(''), fold(text))).toBeNull();
  });

  test('characters of regular expressions are plain text, also in a phrase', () => {
    const text = 'f(x) = a.*b [c] \\d+ ^$ {2} |';
    for (const query of text.split(' ')) expect(marked(query, text)).toContain(query);
    expect(marked('"a.*b [c] \\d+ ^$ {2}"', text)).toEqual(['a.*b [c] \\d+ ^$ {2}']);
    expect(matchOf(parseQuery('"a.*d"'), fold(''), fold(text))).toBeNull();
  });
});

describe('a query', () => {
  const keys = (query: string): string[] => parseQuery(query).needles.map((needle) => needle.key);

  test.each([
    ['', []],
    [' \t\n', []],
    ['"', []],
    ['""  " "', []],
    ['\u0301', []],
    ['One two', ['one', 'two']],
    ['"Exact  Phrase" x', ['exact phrase', 'x']],
    ['“Exact phrase” x', ['exact phrase', 'x']],
    ['x "still typing', ['still typing', 'x']],
    ['5" o"clock', ['o"clock', '5"']],
    ['same Same', ['same']],
  ])('%j', (query, expected) => {
    expect(keys(query)).toEqual(expected);
  });

  test('a phrase may go on behind a line break', () => {
    expect(marked('"exact phrase"', 'an exact\r\n  phrase, not exactphrase')).toEqual(['exact\r\n  phrase']);
  });

  test('narrows an earlier one when each word of that is in a word of it', () => {
    const check = (query: string, earlier: string): boolean => narrows(parseQuery(query), parseQuery(earlier));
    expect(check('plan b', 'pla')).toBe(true);
    expect(check('"the plan', 'the')).toBe(true);
    expect(check('pla', 'plan')).toBe(false);
    expect(check('plan', 'plan b')).toBe(false);
    expect(check('"the plan', '"a plan')).toBe(false);
  });
});

describe('an excerpt', () => {
  const excerpt = (query: string, text: string) => {
    const parsed = parseQuery(query);
    const match = matchOf(parsed, fold(''), fold(text));
    if (match === null) return expect.unreachable(`${query} is not found`);
    return excerptOf(parsed, match);
  };

  test('of a short text is the text on one line', () => {
    expect(excerpt('two', 'one\r\n\ttwo\u2028three\n')).toEqual({ excerpt: 'one two three', highlights: [[4, 7]] });
  });

  test('of a long one surrounds the first place and says where something is left out', () => {
    const text = `${'before '.repeat(50)}the Wörd here ${'after '.repeat(100)}word`;
    const found = excerpt('word', text);
    expect(found.excerpt).toMatch(/^…before .*the Wörd here after .*aft…$/);
    expect(found.excerpt.length).toBeLessThanOrEqual(200);
    expect(found.highlights.map(([start, end]) => found.excerpt.slice(start, end))).toEqual(['Wörd']);
  });

  test('is around a place where a word begins, rather than one in a word', () => {
    const found = excerpt('art', `start ${'x '.repeat(300)}Art`);
    expect(found.excerpt).toMatch(/x Art$/);
  });

  test('a place that is longer than an excerpt is shown as far as it goes', () => {
    const word = 'a\u0301'.repeat(190);
    const found = excerpt('a'.repeat(190), `x ${word} y`);
    expect(found.excerpt.length).toBeLessThanOrEqual(200);
    expect(found.highlights).toEqual([[1, found.excerpt.length - 1]]);
  });

  test('splits no character', () => {
    for (let shift = 0; shift < 12; shift++) {
      const text = `${'👩‍👩‍👧e\u0301🇩🇪'.repeat(60)}${'x'.repeat(shift)} word ${'👍🏽'.repeat(100)}`;
      const { excerpt: shown } = excerpt('word', text);
      expect(shown).toContain(' word ');
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).toMatch(/^…(?:👩‍👩‍👧|e\u0301|🇩🇪)+x* word (?:👍🏽)+…$/u);
    }
  });

  test('hundreds of thousands of marks on one letter stand in no way', () => {
    expect(excerpt('word', `a${'\u0301'.repeat(300_000)} word`).highlights).toHaveLength(1);
  });
});

const odd = fc.constantFrom(
  'a',
  'B',
  'ß',
  'İ',
  'ﬃ',
  'e\u0301',
  '\u0301',
  '\u3099',
  '한',
  'ﾞ',
  '👍🏽',
  '\u200d',
  '👩',
  '🇩🇪',
  '\ud800',
  '\u00ad',
  'ς',
  ' ',
  '\n',
  'å',
  'ΐ',
  '\ufe0f',
  '㎏',
  '½',
  'x',
);
const text = fc.oneof(
  fc.array(odd, { maxLength: 300 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

test('the way back from a folded text leads to whole characters that fold to what was found', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (original, from, length) => {
      const folded = fold(original);
      if (folded.folded === '') return;
      const start = from % folded.folded.length;
      const end = start + 1 + (length % (folded.folded.length - start));
      const [left, right] = folded.locate(start, end);
      expect(fold(original.slice(left, right)).folded).toContain(folded.folded.slice(start, end));
      expect(characterStart(original, left)).toBe(left);
      expect(fold(original.slice(left, right)).folded.length).toBeGreaterThanOrEqual(end - start);
    }),
    { numRuns: 1000 },
  );
});

test('a text folds to the same whatever stands around it, with pauses or without', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (original) => {
      const folded = fold(original).folded;
      expect(fold(`- ${original}\n-`).folded).toBe(`- ${folded}\n-`);
      expect(fold(folded).folded).toBe(folded);
      expect((await foldPatiently(original, async () => undefined)).folded).toBe(folded);
      expect(fold(original.normalize('NFD')).folded).toBe(fold(original.normalize('NFC')).folded);
    }),
    { numRuns: 500 },
  );
});

test('every highlight folds to one of the words, and lies in the excerpt in order', () => {
  fc.assert(
    fc.property(text, text, fc.nat(), fc.integer({ min: 1, max: 8 }), (before, after, from, length) => {
      const original = `${before} ${after}`;
      const word = original.slice(from % original.length).slice(0, length);
      const query = parseQuery(word.replace(/["“”„]/g, ''));
      const match = query.needles.length > 0 ? matchOf(query, fold(''), fold(original)) : null;
      if (match === null) return;
      const { excerpt, highlights } = excerptOf(query, match);
      expect(excerpt.length).toBeLessThanOrEqual(200);
      expect(excerpt).not.toMatch(/[\n\r]/);
      expect(highlights.length).toBeGreaterThan(0);
      let last = 0;
      for (const [start, end] of highlights) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(excerpt.length);
        const shown = fold(excerpt.slice(start, end)).folded;
        expect(query.needles.some((needle) => needle.next(shown, 0) >= 0)).toBe(true);
        last = end;
      }
    }),
    { numRuns: 2000 },
  );
});
