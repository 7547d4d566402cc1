/** Names of the two highlights of the page, styled in transcript.css. */
const FOUND = 'session-found';
const CURRENT = 'session-current';

/** Most places that are marked at a time. */
const MOST = 5000;

/**
 * Marks a text wherever it stands in the messages that are shown, without touching them.
 * @returns the places within the current message, in order
 */
export function highlight(container: HTMLElement, query: string, current: number | null): Range[] {
  clearHighlights();
  if (query === '') return [];
  const all: Range[] = [];
  const here: Range[] = [];
  for (const element of container.querySelectorAll<HTMLElement>('article[data-index]')) {
    const ranges = placesIn(element, query);
    all.push(...ranges);
    const isCurrent =
      current !== null &&
      (element.dataset.index === String(current) || element.querySelector(`[data-index="${current}"]`) !== null);
    if (isCurrent) here.push(...ranges);
    if (all.length > MOST) break;
  }
  CSS.highlights.set(FOUND, new Highlight(...all));
  return here;
}

/** Marks one place as the one that the person is at. */
export function highlightCurrent(range: Range | undefined): void {
  if (range === undefined) return void CSS.highlights.delete(CURRENT);
  const mark = new Highlight(range);
  mark.priority = 1;
  CSS.highlights.set(CURRENT, mark);
}

export function clearHighlights(): void {
  CSS.highlights.delete(FOUND);
  CSS.highlights.delete(CURRENT);
}

/** Where a text stands in an element, in any case, also across the borders of its parts. */
function placesIn(element: HTMLElement, query: string): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('.message-head')) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  // Letter by letter, so that the places stay true where a capital has another length than its small letter.
  const folded = fold(text);
  const wanted = fold(query);
  const ranges: Range[] = [];
  let at = 0;
  for (let found = folded.indexOf(wanted); found >= 0 && ranges.length < MOST; ) {
    while ((nodes[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= found) at += 1;
    let last = at;
    while ((nodes[last + 1]?.start ?? Number.POSITIVE_INFINITY) < found + wanted.length) last += 1;
    const [from, to] = [nodes[at], nodes[last]];
    if (from && to) {
      const range = document.createRange();
      range.setStart(from.node, found - from.start);
      range.setEnd(to.node, found + wanted.length - to.start);
      ranges.push(range);
    }
    found = folded.indexOf(wanted, found + wanted.length);
  }
  return ranges;
}

function fold(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from(text, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('');
}
