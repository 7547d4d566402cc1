import type { MemoryView } from './entry.ts';

/** Part of the words of each of two memories that has to be in the other for them to be similar. */
const SHARED = 0.75;
/** Fewer words say too little to tell what is similar. */
const FEWEST_WORDS = 4;

/** Words of the languages that are met most, which turn a sentence into its opposite. */
const negations: ReadonlySet<string> = new Set([
  ...['not', 'no', 'never', 'none', 'nothing', 'without', 'neither', 'nor', 'cannot', 'stop', 'avoid'],
  ...['nicht', 'kein', 'keine', 'keinen', 'keinem', 'keiner', 'nie', 'niemals', 'ohne'],
  ...['ne', 'pas', 'jamais', 'sans', 'aucun', 'aucune', 'nunca', 'sin', 'jamás', 'não', 'sem', 'non', 'mai', 'senza'],
  ...['niet', 'geen', 'nooit', 'zonder', 'nie', 'nigdy', 'bez', 'не', 'нет', 'никогда', 'без', 'ні', 'ніколи'],
  ...['değil', 'asla', 'olmadan', '不', '没', '没有', '沒有', '别', '別', '勿', '不要', '从不', '從不', '無', '无'],
  ...['ない', 'なし', 'ません', '않', '안', '못', 'لا', 'ليس', 'لم', 'لن', 'بدون', 'नहीं', 'मत', 'बिना'],
]);
/** Contractions, and endings of languages that put the negation into the verb. */
const negatedForm = /n['’]t$|ない$|ません$|なかった$|않는다$|않다$|^nikdy$/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

interface Words {
  /** Each word once, folded; negations left out. */
  words: ReadonlySet<string>;
  /** How often the sentence is turned into its opposite. */
  negations: number;
}

const known = new WeakMap<object, Words>();

/** The text of a title as titles are compared: upper and lower case, forms of letters and blanks make no difference. */
export const titleKey = (title: string): string => title.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * Whether two memories are about the same, in any language: three quarters of the words of each are in the other, and both
 * say it, or both deny it.
 */
export function areSimilar(
  left: Pick<MemoryView, 'title' | 'body'>,
  right: Pick<MemoryView, 'title' | 'body'>,
): boolean {
  const [mine, theirs] = [wordsOf(left), wordsOf(right)];
  if (mine.words.size < FEWEST_WORDS || theirs.words.size < FEWEST_WORDS) return false;
  if (mine.negations % 2 !== theirs.negations % 2 || mine.negations > 0 !== theirs.negations > 0) return false;
  let shared = 0;
  for (const word of mine.words) if (theirs.words.has(word)) shared++;
  return shared >= SHARED * mine.words.size && shared >= SHARED * theirs.words.size;
}

function wordsOf(memory: Pick<MemoryView, 'title' | 'body'>): Words {
  const earlier = known.get(memory);
  if (earlier !== undefined) return earlier;
  const words = new Set<string>();
  let count = 0;
  const text = `${memory.title}\n${memory.body}`.normalize('NFKC').toLowerCase();
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    if (negations.has(segment) || negatedForm.test(segment)) count++;
    else words.add(segment);
  }
  const found = { words, negations: count };
  known.set(memory, found);
  return found;
}
