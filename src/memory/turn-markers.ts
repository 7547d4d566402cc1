import type { Category, Level } from './threat-phrases.ts';
import type { ThreatText } from './threat-text.ts';

/** Signs by which models tell the turns of a conversation apart. */
const tokens = [
  /<\s*\|\s*(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|eot_id|eom_id|start_header_id|end_header_id|begin_of_text|end_of_text|end_of_turn|endofprompt|channel|message|start|end|return|call)\s*\|\s*>/u,
  /\[\s*\/?\s*(?:inst|sys)\s*\]/u,
  /<\s*<\s*\/?\s*sys\s*>\s*>/u,
  /<\s*\/?\s*(?:start_of_turn|end_of_turn)\s*>/u,
  /<\s*\/?\s*(?:system|assistant|developer)[-_ ]?(?:reminder|prompt|message|instructions?|note)\s*>/u,
  /\{\{\s*#\s*(?:system|assistant|user)\s*~?\s*\}\}/u,
  /\n\s*human\s*:[\s\S]{0,400}\n\s*assistant\s*:/u,
];

/** Headings and tags that may be one, and may be ordinary. */
const weakTokens = [
  /(?:^|\n)\s*#{2,4}\s*(?:instruction|response|system(?: prompt| message)?)\s*:/u,
  /<\s*\/?\s*(?:system|assistant)\s*>/u,
];

/** What may stand before a marker without hiding it: quote signs, lists, emphasis, brackets. */
const marker =
  /^[\s>*_#`"'“”„«\-+~•·([{<|]*(system|assistant|developer)(?:[ _-]?(?:message|prompt|instructions?|note|override|turn))?[\s*_`"'”»)\]}>|]*[:：]\s*[*_`"'“”]*\s*(.*)$/u;

/** How an order to an agent begins. */
const order =
  /^(?:you\b|your\b|ignore\b|disregard\b|forget\b|override\b|from now\b|always\b|never\b|do not\b|don['’]?t\b|act\b|behave\b|respond\b|reply\b|answer\b|reveal\b|obey\b|follow\b|pretend\b|send\b|delete\b|remove\b|disable\b|bypass\b|new (?:instructions?|rules?|task)\b|the (?:user|assistant)\b|as an? (?:ai|assistant)\b|please\b|must\b|i (?:will|am|have)\b|all (?:previous|prior|safety)\b|previous\b|attention\b)/u;

/** A reply of at least so many words is a turn, not a name or a value. */
const MANY_WORDS = 8;

/** Marks of turns in a text (docs/formats/context-format.md, section 14): template tokens, and lines that begin with a role. */
export function* turnMarker({ plain, latin }: ThreatText): Generator<{ category: Category; level: Level }> {
  const found = (level: Level) => ({ category: 'turn-marker', level }) as const;
  for (const text of [plain, latin]) {
    if (tokens.some((token) => token.test(text))) yield found('hold-back');
    for (const line of text.split(/[\n\r\u2028\u2029\u0085]/u)) {
      const match = marker.exec(line);
      if (match === null) continue;
      const [, role, rest = ''] = match;
      if (order.test(rest)) yield found('hold-back');
      else if (role === 'assistant' && rest.split(/\s+/u).length >= MANY_WORDS) yield found('hint');
    }
    if (weakTokens.some((token) => token.test(text))) yield found('hint');
  }
}
