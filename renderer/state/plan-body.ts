/**
 * Where the body of a plan begins, as a place in its text: on the line after the heading, or after the blank line that
 * parts the two. Without a heading it is the beginning; a heading with no line below it has its body at its own end.
 * @param text with LF as its line break
 */
export function bodyStart(text: string): number {
  const heading = /^#{1,6}(?:[ \t][^\n]*)?(?:\n(?:[ \t]*\n)?|$)/.exec(text);
  return heading?.[0].length ?? 0;
}
