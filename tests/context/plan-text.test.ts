import { describe, expect, test } from 'vitest';
import { decodePlan, parsePlan, planTitle, TITLE_BYTES } from '../../src/context/plan-text.ts';

const title = (raw: string): string => planTitle(Buffer.from(raw));

// The table in docs/formats/context-format.md, section 7.
test.each([
  ['', 'Plan', ''],
  [' \n\t\n', 'Plan', ''],
  ['# A\nB', 'A', 'B'],
  ['\n\n# A\nB', 'A', 'B'],
  ['   # A\nB', 'A', 'B'],
  ['\uFEFF# A\nB', 'A', 'B'],
  ['# A\n\n\n  B\n', 'A', '  B\n'],
  ['# A #\n\nb', 'A', 'b'],
  ['#\n\nfoo', 'Plan', 'foo'],
  ['# ', 'Plan', ''],
  ['## Two\n\nbody', 'Two', '## Two\n\nbody'],
  ['#NoSpace\nx', '#NoSpace', '#NoSpace\nx'],
  ['text\n# H', 'text', 'text\n# H'],
  ['Title\n=====\nbody', 'Title', 'Title\n=====\nbody'],
  ['---\ntitle: x\n---\n# H', 'H', '---\ntitle: x\n---\n# H'],
  ['    # code\n\n# Real\nb', 'Real', '# code\n\n# Real\nb'],
  ['<!-- c -->\n\n# T', 'T', '<!-- c -->\n\n# T'],
  ['# A\u2028B\nx', 'A B', 'x'],
])('%j has the title %j and the body %j', (raw, expected, body) => {
  expect(parsePlan(Buffer.from(raw))).toEqual({ title: expected, body });
  expect(title(raw)).toBe(expected);
  expect(title(raw.replaceAll('\n', '\r\n'))).toBe(expected);
});

// mkdocs/mkdocs#1826, benbalter/jekyll-titles-from-headings#14
test.each(['============', '-----'])('an underlined heading is the title, never its line %s', (line) => {
  expect(title(`Release plan\n${line}\n\nbody\n`)).toBe('Release plan');
  expect(title(`Release plan\r\n${line}\r\n\r\nbody\r\n`)).toBe('Release plan');
});

// sourcey/sourcey#259, engram-app/Engram#1616
describe('code is never the title', () => {
  test.each(['```sh\n# install deps\n```\n\n# Real title\n', '~~~\n# install deps\n~~~~\n# Real title\n'])(
    '%j',
    (raw) => {
      expect(title(raw)).toBe('Real title');
      expect(title(raw.replaceAll('\n', '\r\n'))).toBe('Real title');
    },
  );
  test('a fence that is never closed runs to the end', () => {
    expect(title('```sh\n# install deps\n\n# Real title\n')).toBe('Plan');
    expect(title('````\n```\n# no\n````\n# Real title')).toBe('Real title');
    expect(title('~~~\n```\n# no\n~~~\n# Real title')).toBe('Real title');
  });
  test('an indented line is code, a backtick in a line is not a fence', () => {
    expect(title('    # x\n\t# y\n# Real title')).toBe('Real title');
    expect(title('```one``` is inline')).toBe('```one``` is inline');
  });
});

// notable/notable#324, earendil-works/pi#8337: the heading decides, whatever the encoding and whether it was closed.
test.each([
  '---\ntitle: From meta\n---\n\n# Heading\n',
  '---\ntitle: From meta\ntags:\n  - a\n# comment\n"quoted key": 1\n...\n# Heading\n',
  '---\ntitle: From meta\n\n# Heading\n',
  '---\ntitle: From meta\n# Heading\n',
  '---\n\n# Heading\n',
  '---\n# Heading\ntext\n\n---\n',
  '***\n\n- - -\n# Heading',
])('front matter and rules are skipped: %j', (raw) => {
  expect(title(raw)).toBe('Heading');
  expect(title(`\uFEFF${raw}`)).toBe('Heading');
  expect(title(raw.replaceAll('\n', '\r\n'))).toBe('Heading');
});

// diplodoc-platform/diplodoc#104
test.each([
  ['<!-- draft -->\n\n# T\n', 'T'],
  ['<!-- one\n# no\n-->\n<!-- two --> \n# T\n', 'T'],
  ['<!-- draft --> # T\n', 'T'],
  ['<!-- a --><!-- b --> <!-- c\n--> <!-- d -->\n# T', 'T'],
  ['<!-- a --> <!-- b --> # T', 'T'],
  ['<!-- a --> <!-- never closed\n# no', 'Plan'],
  ['<!-- never closed\n# no', 'Plan'],
  ['\n\n\uFEFF# T', 'T'],
  ['# T #', 'T'],
  ['# T#', 'T#'],
  ['#T', '#T'],
  ['#\tT', 'T'],
  ['#', 'Plan'],
  ['# ##', 'Plan'],
  ['   # T', 'T'],
  ['###### T ##  ', 'T'],
  ['####### T', '####### T'],
])('%j has the title %j', (raw, expected) => {
  expect(title(raw)).toBe(expected);
});

test('a title is one line of at most 160, cut at a character', () => {
  expect(title(`# ${'a'.repeat(159)}😀`)).toBe('a'.repeat(159));
  expect(title('# a\u0000\u0007b\u0085c')).toBe('a b c');
});

test('only the first 64 KiB are looked at, and a long text takes no longer for its kind', () => {
  expect(title(`${'\n'.repeat(TITLE_BYTES)}# Late`)).toBe('Plan');
  const hostile = [
    '#'.repeat(200_000),
    '`'.repeat(200_000),
    '# '.repeat(100_000),
    '<!--'.repeat(50_000),
    '<!---->'.repeat(4000) + '\n'.repeat(100_000),
    '- '.repeat(100_000),
  ];
  const lines = ['---\n', '<!--\n', '```\n', '- -\n', 'a:\n', ' \n'].map((line) => line.repeat(60_000));
  for (const raw of [...hostile, ...lines, `---\n${'a: b\n'.repeat(50_000)}`, ' '.repeat(200_000)]) {
    const start = performance.now();
    parsePlan(Buffer.from(raw));
    expect(performance.now() - start, raw.slice(0, 8)).toBeLessThan(1000);
  }
});

test('the body has plain line ends, and begins behind the heading however the lines before it end', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const raw = ['', '# T', '', '', '  b', 'c '].join(end);
    expect(parsePlan(Buffer.from(raw))).toEqual({ title: 'T', body: '  b\nc ' });
    expect(parsePlan(Buffer.from(`${end}# T`))).toEqual({ title: 'T', body: '' });
  }
});

test('text is decoded byte for byte, and what is not UTF-8 is known', () => {
  expect(decodePlan(Buffer.from('\uFEFFa\r\n'))).toEqual({ text: '\uFEFFa\r\n', exact: true });
  expect(decodePlan(Buffer.from([0x61, 0xff]))).toEqual({ text: 'a\uFFFD', exact: false });
});
