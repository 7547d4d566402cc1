import type { MemoryThreat } from '../contract/entities.ts';
import { foreignNegations, foreignPhrases } from './threat-languages.ts';
import { type Category, englishPhrases, type Level } from './threat-phrases.ts';
import { type ThreatText, threatText } from './threat-text.ts';
import { turnMarker } from './turn-markers.ts';

/** What is suspicious about a text. */
export type Found = Omit<MemoryThreat, 'allowed'>;

const GAP = '(?:[\\s,;:"\'“”‘’«»*_`~()\\[\\]{}<>|\\\\/+–—-]{1,6})';
const WORD = '[\\p{L}\\p{N}]+(?:\\.[\\p{L}\\p{N}]+)*';

interface Pattern {
  readonly category: Category;
  readonly level: Level;
  readonly expression: RegExp;
}

/** In words with gaps between them. */
const spaced = (text: string): string =>
  text.replace(/~(\d+)~/g, (_token, most: string) => `(?:${WORD}_){0,${most}}`).replaceAll('_', GAP);

/** In letters only. */
const squeezed = (text: string): string => text.replace(/~\d+~/g, '\\p{L}{0,30}?').replaceAll('_', '');

const ofEnglish = (write: (text: string) => string, around: (text: string) => string): Pattern[] =>
  englishPhrases.map(({ category, level, text }) => ({
    category,
    level,
    expression: new RegExp(around(write(text)), 'gu'),
  }));

const english = ofEnglish(spaced, (text) => `(?<![\\p{L}\\p{N}])(?:${text})(?![\\p{L}\\p{N}])`);
const withoutGaps = ofEnglish(squeezed, (text) => text).filter(({ level }) => level === 'hold-back');
const foreign = foreignPhrases.map(({ category, text }): Pattern => {
  const written = text.replaceAll('…', '[^.!?\\n]{0,40}?').replaceAll('_', '[\\s-]+');
  // Scripts that put no blanks between words have no boundary to look for.
  const starts = /^\(?\??:?\(?\??:?[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text) ? '(?<!\\p{L})' : '';
  return { category, level: 'hold-back', expression: new RegExp(starts + written, 'gu') };
});

const englishNegation =
  /(?:^|[^\p{L}])(?:do not|don['’]?t|does not|doesn['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|can not|can['’]?t|could not|couldn['’]?t|will not|won['’]?t|may not|not to|avoid|without|refuses? to|refuse|prevents?|nobody may|no one may)\s+(?:ever |simply |just |try to |attempt to |accidentally |even )?$/u;

const reasons: Record<Category, string> = {
  instructions: 'It tells an agent to put aside its earlier instructions.',
  identity: 'It gives an agent another identity.',
  'turn-marker': 'It holds what marks a turn of a conversation, so it could pass for words of somebody else.',
  guardrails: 'It tells an agent to get around its safety rules.',
  extraction: 'It asks for secrets or for the hidden instructions of an agent.',
};

/** A longer text, of another program, is not gone through: nobody waits for it. In UTF-16 code units. */
const LONGEST = 20_000;
const tooLong: Found = {
  level: 'hold-back',
  category: 'instructions',
  reason: 'It is too long to be looked through for orders to an agent.',
};

const judged = new Map<string, Found | null>();
/** How many judgements are remembered. */
const REMEMBERED = 1000;

/**
 * Judges a memory (docs/formats/context-format.md, section 14): `hold-back` for what is strong, `hint` for what is weak, null
 * for the rest. Says nothing of what is not in its tables.
 */
export function judge({ title, body }: { title: string; body: string }): Found | null {
  if (title.length + body.length > LONGEST) return tooLong;
  const text = `${title}\n${body}`;
  const known = judged.get(text);
  if (known !== undefined) return known;
  const found = look(text);
  if (judged.size >= REMEMBERED) judged.clear();
  judged.set(text, found);
  return found;
}

function look(text: string): Found | null {
  const forms = threatText(text);
  const found = [...phrasesIn(forms), ...turnMarker(forms)];
  const worst = found.find(({ level }) => level === 'hold-back') ?? found[0];
  return worst === undefined ? null : { ...worst, reason: reasons[worst.category] };
}

function* phrasesIn({ plain, latin, joined }: ThreatText): Generator<{ category: Category; level: Level }> {
  for (const text of joined === null ? [latin] : [latin, joined]) {
    yield* matching(english, text, (before) => englishNegation.test(before));
  }
  if (joined !== null) yield* matching(withoutGaps, joined.replace(/[^\p{L}]/gu, ''), () => false);
  yield* matching(foreign, plain, (before) => foreignNegations.test(before));
}

function* matching(
  patterns: readonly Pattern[],
  text: string,
  isNegated: (before: string) => boolean,
): Generator<{ category: Category; level: Level }> {
  for (const { category, level, expression } of patterns) {
    for (const { index } of text.matchAll(expression)) {
      if (isNegated(text.slice(Math.max(0, index - 40), index))) continue;
      yield { category, level };
      break;
    }
  }
}
