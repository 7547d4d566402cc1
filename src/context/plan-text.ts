import { shownTitle } from './entries.ts';

/** How much of a plan is looked at for its title, in bytes. */
export const TITLE_BYTES = 64 * 1024;

/** Where a title came from: the line it stands on, and whether that is a heading of the first level. */
interface TitleLine {
  title: string;
  line: number;
  topHeading: boolean;
}

/**
 * The title of a plan: the first line of the first {@link TITLE_BYTES} that is not front matter, blank, a rule, an HTML
 * comment or code – a heading of any level, or plain text; `Plan` when there is none.
 */
export function planTitle(bytes: Uint8Array): string {
  return shownTitle(findTitle(linesOf(headText(bytes))).title);
}

/**
 * Title and body of a plan. The body is what follows a first-level heading that opens the text, else the whole text.
 */
export function parsePlan(bytes: Uint8Array): { title: string; body: string } {
  const head = linesOf(headText(bytes));
  const found = findTitle(head);
  const text = withPlainLineEnds(decodePlan(bytes).text);
  const opens = found.topHeading && head.slice(0, found.line).every(isBlank);
  const body = opens ? withoutLines(text, found.line + 1).replace(/^\n+/, '') : text.trim();
  return { title: shownTitle(found.title), body };
}

/** The text of a plan byte for byte, a BOM included; `exact` is false when the bytes are not UTF-8. */
export function decodePlan(bytes: Uint8Array): { text: string; exact: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), exact: true };
  } catch {
    // Not UTF-8: shown as well as can be, and never written back.
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), exact: false };
  }
}

const headText = (bytes: Uint8Array): string => decodePlan(bytes.subarray(0, TITLE_BYTES)).text;

const withPlainLineEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

const linesOf = (text: string): string[] => withPlainLineEnds(text).split('\n');

/** A text without its first `count` lines. Only those are looked at: a text may have millions of them. */
function withoutLines(text: string, count: number): string {
  let start = 0;
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return '';
    start = end + 1;
  }
  return text.slice(start);
}

const isBlank = (line: string): boolean => line.trim() === '';

function findTitle(lines: readonly string[]): TitleLine {
  let index = 0;
  const first = (lines[0] ?? '').replace(/^\uFEFF/, '');
  if (/^---[ \t]*$/.test(first)) index = endOfFrontMatter(lines);
  while (index < lines.length) {
    // A BOM can also stand in front of the first real line, when texts were joined.
    const line = (lines[index] ?? '').replace(/^\uFEFF/, '');
    const comment = /^ {0,3}<!--/.test(line);
    if (comment) {
      const end = endOfComments(lines, index);
      if (end === null) break;
      if (isBlank(end.rest)) {
        index = end.line + 1;
        continue;
      }
      return { title: titleOfLine(end.rest) ?? end.rest, line: end.line, topHeading: false };
    }
    const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      index = endOfFence(lines, index, fence);
      continue;
    }
    if (isBlank(line) || isRule(line) || /^(?: {4}| {0,3}\t)/.test(line)) {
      index += 1;
      continue;
    }
    return { title: titleOfLine(line) ?? line, line: index, topHeading: /^ {0,3}#(?:[ \t]|$)/.test(line) };
  }
  return { title: '', line: 0, topHeading: false };
}

/** The text of a heading line without its marks; null when the line is none. */
function titleOfLine(line: string): string | null {
  const heading = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (!heading) return null;
  const text = line.slice(heading[0].length).trim();
  const closing = text.length - trailing(text, '#');
  const before = text.charAt(closing - 1);
  return closing === 0 || before === ' ' || before === '\t' ? text.slice(0, closing).trim() : text;
}

function trailing(text: string, character: string): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === character) count++;
  return count;
}

/** A thematic break: three or more of the same mark and nothing else but blanks. */
function isRule(line: string): boolean {
  if (/^ {4}/.test(line)) return false;
  const marks = line.replace(/[ \t]/g, '');
  return marks.length >= 3 && '-*_'.includes(marks.charAt(0)) && trailing(marks, marks.charAt(0)) === marks.length;
}

const yamlKey = /^(?:"[^"]*"|'[^']*'|[\w.-]+)[ \t]*:(?:\s|$)/;
const yamlOther = /^(?:\s|#|- |-$|[\]}])/;

/**
 * Line after the front matter that starts on line 0. Between its fences only lines of YAML may stand, one key at least;
 * without a second fence it ends with the last such line. Else the first line is a thematic break.
 */
function endOfFrontMatter(lines: readonly string[]): number {
  let keys = 0;
  let open = 1;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^(?:---|\.\.\.)[ \t]*$/.test(line)) return keys > 0 ? index + 1 : 1;
    if (yamlKey.test(line)) keys++;
    else if (!isBlank(line) && !yamlOther.test(line)) break;
  }
  if (!yamlKey.test(lines[1] ?? '')) return 1;
  while (open < lines.length && isYamlContent(lines[open] ?? '')) open++;
  return open;
}

const isYamlContent = (line: string): boolean => yamlKey.test(line) || /^(?:\s+\S|- )/.test(line);

/** Where the comments that begin on a line end, one behind the other; null when the last of them is not closed. */
function endOfComments(lines: readonly string[], start: number): { line: number; rest: string } | null {
  const opening = /\s*<!--/y;
  let line = start;
  let column = 0;
  for (;;) {
    const text = lines[line] ?? '';
    opening.lastIndex = column;
    if (!opening.test(text)) return { line, rest: text.slice(column) };
    column = opening.lastIndex;
    while (lines[line]?.includes('-->', column) === false) {
      line++;
      column = 0;
    }
    if (line >= lines.length) return null;
    column = (lines[line] ?? '').indexOf('-->', column) + 3;
  }
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  for (let index = start + 1; index < lines.length; index++) {
    const line = (lines[index] ?? '').trimEnd();
    const mark = line.trimStart();
    const closes = mark.length >= fence.length && trailing(mark, fence.charAt(0)) === mark.length;
    if (closes && line.length - mark.length <= 3) return index + 1;
  }
  return lines.length;
}
