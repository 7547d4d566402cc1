/** The forms of a text in which suspicious phrases are looked for. */
export interface ThreatText {
  /** As it is meant to be read: no invisible characters, in lower case, in its own letters. */
  readonly plain: string;
  /** The same with look-alike letters, accents and digits in place of letters turned into Latin letters. */
  readonly latin: string;
  /** `latin` with spelled-out words put together; null where there are none. */
  readonly joined: string | null;
}

/** Letters of other scripts, and signs, that pass for Latin ones. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [
    'aαаɑ⍺ａ',
    'bЬьβв',
    'cсϲᴄ',
    'dԁɗ',
    'eеεєҽ℮',
    'fғƒ',
    'gɡցģ',
    'hһнհ',
    'iіιıɩӏ',
    'jјϳ',
    'kкκҡ',
    'lⅼǀ',
    'mмϻ',
    'nпηոɴ',
    'oоοσօ०',
    'pрρ',
    'qԛգ',
    'rгɾʀ',
    'sѕʂ',
    'tтτţ',
    'uυսʋц',
    'vνѵ',
    'wωԝшѡ',
    'xхχ',
    'yуγүу',
    'zʐᴢ',
  ].flatMap(([latin = '', ...others]) => others.map((other): [string, string] => [other, latin])),
);

/** Digits and signs that stand for letters inside a word. */
const substitutes: ReadonlyMap<string, string> = new Map(
  Object.entries({ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }),
);

/** Characters that show nothing: of no width, for the direction of writing, variants, tags. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** A word with digits or signs among its letters. */
const mixedWord = /[\p{L}\d@$!]*\p{L}[\p{L}\d@$!]*/gu;
/** Letters with one and the same kind of gap between each: `i g n o r e`, `b-y-p-a-s-s`. */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[ \t]{1,3}\p{L}|[.\-_*·•|/]\p{L}){3,}(?![\p{L}\p{N}])/gu;

/** Prepares a text: compatibility forms (NFKC), nothing invisible, and what passes for Latin letters. */
export function threatText(text: string): ThreatText {
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase();
  const latin = latinised(plain);
  const joined = latin.replace(spelled, (run) => run.replace(/[^\p{L}]/gu, ''));
  return { plain, latin, joined: joined === latin ? null : joined };
}

function latinised(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const letters = Array.from(bare, (letter) => lookAlikes.get(letter) ?? letter).join('');
  return letters.replace(mixedWord, (word) =>
    /\p{L}/u.test(word) && /[a-z]/.test(word) && word.length > 2
      ? Array.from(word, (sign) => substitutes.get(sign) ?? sign).join('')
      : word,
  );
}
