import type { MemoryThreat } from '../contract/entities.ts';

export type Level = MemoryThreat['level'];
export type Category = MemoryThreat['category'];

/**
 * A phrase that is looked for. In its text `_` is a gap between two words, or none where letters were spelled out; `~8~`
 * stands for up to eight words.
 */
export interface Phrase {
  readonly category: Category;
  readonly level: Level;
  readonly text: string;
}

const any = (...words: readonly string[]): string => `(?:${words.join('|')})`;

const filler = any(
  ...[
    'all',
    'any',
    'every',
    'of',
    'the',
    'these',
    'those',
    'this',
    'that',
    'my',
    'your',
    'our',
    'its',
    'other',
    'such',
  ],
  ...[
    'everything',
    'anything',
    'whatever',
    'what',
    'it',
    'you',
    'were',
    'was',
    'been',
    'have',
    'had',
    'in',
    'from',
    'to',
  ],
  ...['and', 'or', 'please', 'just', 'simply', 'completely', 'entirely', 'told', 'said', 'given', 'about', 'for'],
);
const fill = (most: number): string => `(?:${filler}_){0,${most}}`;
/** At most so many words, whatever they are. */
const words = (most: number): string => `~${most}~`;

const ignoring = any(
  ...['ignor(?:e|es|ing)', 'disregard(?:ing)?', 'forget(?:ting)?', 'overrule', 'neglect', 'pay_no_attention_to'],
  ...['pay_no_heed_to', 'set_aside', 'cast_aside', 'throw_(?:away|out)', 'do_away_with', 'erase', 'discard', 'dismiss'],
  ...[
    '(?:do_not|don_?t|never|stop|no_longer|cease)_(?:follow|obey|heed|respect|adhere_to|comply_with|listen_to)(?:ing)?',
  ],
  ...['(?:stop|quit|cease)_(?:follow|obey|heed|adher|comply|listen)ing(?:_to|_with)?'],
);
const overriding = any(
  'overrid(?:e|es|ing)',
  'overwrite',
  'replace',
  'supersede',
  'cancel',
  'void',
  'reset',
  'drop',
  'skip',
);
const earlier = any(
  ...['previous', 'previously', 'prior', 'earlier', 'above', 'preceding', 'former', 'foregoing', 'aforementioned'],
  ...['past', 'existing', 'current', 'original', 'initial', 'old', 'before', 'system', 'developer', 'hidden', 'safety'],
);
const orders = any(
  ...['instructions?', 'rules?', 'prompts?', 'guidelines?', 'directions?', 'directives?', 'commands?', 'orders?'],
  ...['constraints?', 'restrictions?', 'polic(?:y|ies)', 'training', 'programming'],
);
const told = any(
  'above',
  'before(?:_this)?',
  'earlier',
  'so_far',
  'previously',
  'up_to_now',
  'until_now',
  'you_were_given',
);

const instructions: Phrase[] = [
  ['hold-back', `${ignoring}_${fill(6)}${earlier}_${fill(2)}(?:${earlier}_)?${orders}`],
  ['hold-back', `${ignoring}_${fill(6)}${earlier}_${any('messages?', 'context', 'conversation', 'text', 'content')}`],
  ['hold-back', `${ignoring}_${fill(4)}${any('your', 'its', 'their')}_(?:own_)?${orders}`],
  ['hold-back', `${ignoring}_${fill(4)}${orders}_${fill(4)}${told}`],
  [
    'hold-back',
    `${ignoring}_${any('everything', 'all', 'anything', 'whatever', 'what')}_${fill(4)}${any('above', 'told', 'said', 'instructed', 'taught', 'before_this', 'you_know', 'you_learned')}`,
  ],
  [
    'hold-back',
    `${overriding}_${fill(4)}${any('previous', 'prior', 'earlier', 'preceding', 'system', 'developer')}_${any('instructions?', 'prompts?', 'guidelines?', 'directives?')}`,
  ],
  [
    'hold-back',
    `${overriding}_${fill(2)}your_${any('instructions?', 'prompts?', 'guidelines?', 'directives?', 'programming')}`,
  ],
  [
    'hold-back',
    `${any('these', 'the_following', 'my', 'new')}_${orders}_${any('override', 'replace', 'supersede', 'take_precedence_over', 'outrank')}_${fill(4)}${words(3)}${orders}`,
  ],
  ['hint', `${ignoring}_${fill(3)}${orders}`],
].map(([level, text]) => phrase('instructions', level, text));

const unbound = any(
  ...[
    '(?:no|without|without_any|free_of|free_from|not_bound_by|unbound_by|beyond)_(?:any_|all_|your_|the_)?(?:ethical_|moral_|content_|safety_|usual_|legal_)?(?:limits?|limitations?|restrictions?|rules?|filters?|ethics|morals|boundaries|guidelines?|constraints?|censorship|guardrails?|safeguards?)',
  ],
  ...['unrestricted', 'unfiltered', 'uncensored', 'unconstrained', 'unlimited', 'jail_?broken', 'amoral', 'dan'],
  ...['do_anything_now', 'anything_goes'],
);
const being = any(
  ...['you_(?:are|re|will_be|must_be|shall_be|have_become|become)(?:_now|_henceforth)?', 'act(?:ing)?_(?:as|like)'],
  ...['behave_(?:as|like)', 'pretend_(?:to_be|you_are|you_re|that_you_are)', 'role_?play(?:ing)?_(?:as|like)?'],
  ...['imagine_(?:you_are|that_you_are|being)', 'simulate', 'impersonate', 'respond_(?:as|like)', 'answer_(?:as|like)'],
  ...[
    'take_on_the_(?:role|persona|identity)_of',
    'assume_the_(?:role|persona|identity)_of',
    'speak_(?:as|like)',
    'become',
  ],
);
const fromNow = any(
  'from_now_on',
  'from_this_point_(?:on|forward|onwards?)',
  'henceforth',
  'from_here_on(?:_out)?',
  'starting_now',
);

const identity: Phrase[] = [
  ['hold-back', `${being}_${words(8)}${unbound}`],
  ['hold-back', `${fromNow}_${words(8)}${unbound}`],
  [
    'hold-back',
    `you_are_no_longer_${words(2)}${any('an_ai', 'a_helpful', 'an_assistant', 'the_assistant', 'assistant', 'claude', 'chatgpt', 'gpt', 'bound', 'restricted', 'limited', 'constrained', 'subject_to', 'required_to')}`,
  ],
  [
    'hold-back',
    `${any('forget', 'abandon', 'give_up', 'discard')}_${any('who_you_are', 'that_you_are_an?_(?:ai|assistant|language_model)', 'your_(?:identity|persona|role)')}`,
  ],
  [
    'hold-back',
    `${any('your_(?:new|true|real|secret)_(?:identity|persona|self|master|owner|creator)')}_(?:is|will_be)`,
  ],
  [
    'hold-back',
    `(?:you_)?${any('must', 'will', 'shall', 'now')}_${any('obey', 'serve')}_${any('only_me', 'me_only', 'me_without', 'every_command', 'without_question', 'unconditionally')}`,
  ],
  [
    'hint',
    `${fromNow}_you_(?:${any('are', 'must', 'will', 'shall', 'have_to', 'should')}_)?${any('act', 'behave', 'respond', 'obey', 'pretend', 'are', 'be', 'answer')}`,
  ],
  ['hint', `your_new_(?:role|name|task|job|purpose)_is`],
  ['hint', `pretend_(?:to_be|you_are|that_you_are)`],
].map(([level, text]) => phrase('identity', level, text));

const weakening = any(
  ...[
    'by_?pass(?:es|ing)?',
    'circumvent(?:ing)?',
    'dis_?abl(?:e|es|ing)',
    '(?:turn|switch|shut)(?:ing)?_?off',
    'de_?activat(?:e|ing)',
  ],
  ...[
    'evad(?:e|ing)',
    'defeat(?:ing)?',
    '(?:get|work|go)_around',
    'ignor(?:e|ing)',
    'overrid(?:e|ing)',
    'jail_?break(?:ing)?',
  ],
  ...[
    'remov(?:e|ing)',
    'lift',
    'skip',
    'suspend',
    'break_(?:out_of|through)',
    'neutrali[sz]e',
    'turn_(?:all_|the_|your_){1,2}off',
  ],
);
const caring = any(
  'safety',
  'content',
  'moderation',
  'ethical',
  'ethics',
  'moral',
  'alignment',
  'refusal',
  'guard_?rail',
  'censorship',
  'harm',
);
const guards = any(
  ...[
    'filters?',
    'filtering',
    'checks?',
    'measures?',
    'rules?',
    'polic(?:y|ies)',
    'protocols?',
    'restrictions?',
    'systems?',
  ],
  ...[
    'guidelines?',
    'mechanisms?',
    'features?',
    'settings?',
    'limits?',
    'limitations?',
    'controls?',
    'training',
    'guards?',
    'layers?',
    'protections?',
    'constraints?',
  ],
);
const own = any('your', 'all_your', 'all_of_your', 'its', 'the_model_?s?', 'the_assistant_?s?', 'the_ai_?s?');

const guardrails: Phrase[] = [
  ['hold-back', `${weakening}_${fill(4)}(?:${own}_)?${caring}_(?:and_[a-z]+_)?${guards}`],
  [
    'hold-back',
    `${weakening}_${fill(4)}${any('guard_?rails?', 'safe_?guards?', 'safety_?checks?', 'content_?filters?')}`,
  ],
  ['hold-back', `${weakening}_(?:all_)?${own}_(?:[a-z]+_)?${any(guards, 'safety', 'security', 'ethics', 'morals')}`],
  [
    'hold-back',
    `${weakening}_${any('all', 'any', 'every')}_(?:the_|of_the_|your_)?(?:safety|security)_(?:and_[a-z]+_)?(?:${guards}|features?)?`,
  ],
  [
    'hold-back',
    `${any('by_?pass', 'circumvent', 'dis_?able', 'turn_off', 'switch_off', 'evade')}_(?:the_)?safety(?!_(?:net|belt|pin|stop|switch|car|catch|data))`,
  ],
  [
    'hold-back',
    `${any('developer', 'dev', 'dan', 'god', 'jail_?break', 'unrestricted', 'unfiltered', 'sudo', 'admin')}_mode_(?:is_)?(?:now_)?${any('on(?! \\p{L})', 'enabled', 'activated?', 'engaged', 'unlocked', 'active')}`,
  ],
  [
    'hold-back',
    `${any('enable', 'enter', 'activate', 'switch_to', 'turn_on', 'engage', 'unlock')}_(?:the_|your_)?${any('dan', 'jail_?break', 'unrestricted', 'unfiltered', 'uncensored', 'no_filter')}_mode`,
  ],
  [
    'hint',
    `${any('enable', 'enter', 'activate', 'switch_to', 'turn_on', 'unlock')}_(?:the_|your_)?${any('developer', 'god', 'sudo')}_mode`,
  ],
  [
    'hint',
    `${weakening}_${fill(3)}security_${any('filters?', 'checks?', 'measures?', 'polic(?:y|ies)', 'controls?', 'protections?', 'restrictions?', 'mechanisms?')}`,
  ],
].map(([level, text]) => phrase('guardrails', level, text));

const telling = any(
  'reveal',
  'disclose',
  'leak',
  'divulge',
  'recite',
  'expose',
  'dump',
  'spill',
  'repeat',
  'regurgitate',
  'give_away',
  'write_out',
  'spell_out',
  'quote',
);
const showing = any(
  'show',
  'print',
  'output',
  'display',
  'tell',
  'give',
  'share',
  'return',
  'echo',
  'read_out',
  'list',
  'paste',
  'summari[sz]e',
  'describe',
  'write_down',
  'translate',
);
const shown = `(?:${any('me', 'us', 'the', 'your', 'full', 'entire', 'whole', 'exact', 'complete', 'all', 'of', 'its', 'back', 'out', 'verbatim', 'to', 'user', 'them', 'own', 'any', 'raw')}_){0,6}`;
const hidden = any(
  '(?:system|initial|hidden|secret|original|developer|internal|confidential|base)_(?:prompts?|instructions?|messages?|rules|guidelines|directives|configuration)',
  'pre_?prompt',
);
const sending = any(
  ...[
    'send(?:ing)?',
    'post(?:ing)?',
    'upload(?:ing)?',
    'transmit',
    'forward',
    'e_?mail',
    'mail',
    'submit',
    'publish',
    'push',
    'copy',
  ],
  ...[
    'paste',
    'share',
    'give',
    'hand_over',
    'pipe',
    'report',
    'deliver',
    'ship',
    'transfer',
    'write',
    'relay',
    'tell',
    'message',
    'encode',
    'append',
    'include',
  ],
);
const stealing = any(
  'exfiltrat(?:e|ing)',
  'leak(?:ing)?',
  'steal(?:ing)?',
  'smuggl(?:e|ing)',
  'siphon',
  'harvest(?:ing)?',
  'sneak',
  'extract_and_(?:send|post|upload)',
);
const secrets = any(
  ...[
    '(?:api|access|secret|private|ssh|signing|encryption|aws|gpg|session|auth|master|deploy)_?keys?',
    'keys',
    '(?:[a-z]+_)?tokens?',
  ],
  ...[
    'secrets?',
    'passwords?',
    'passphrases?',
    'credentials?',
    '\\.?env(?:_file|_variables?)?',
    'environment(?:_variables?)?',
    'cookies?',
    'id_rsa',
    'key_?chain',
    'seed_phrase',
  ],
);
const away = any(
  ...[
    '(?:https?|ftp|wss?)[:/](?!/*(?:localhost|127\\.))',
    'www\\.[\\w.-]+',
    '[\\w.+-]+@[\\w-]+\\.[a-z]{2,}',
    '[\\w-]+\\.(?:com|net|io|org|dev|xyz|ru|cn|app|site|me|co|info)(?![\\w-])',
  ],
  ...[
    '(?:an?_|the_|my_|our_|this_)?(?:web_?hook|paste_?bin|attacker|external|remote|third_party|telegram|discord|burp|ngrok)',
  ],
  ...[
    '(?:me|us)(?![\\p{L}])',
    '(?:this|that|the_following|my|our|an?_unknown)_(?:url|address|site|server|end_?point|host|domain|link|page|channel|e_?mail)',
  ],
);

const extraction: Phrase[] = [
  ['hold-back', `${telling}_${shown}${hidden}`],
  [
    'hold-back',
    `${any(showing, 'what_(?:is|are|was|were|does)')}_${shown}${any('your', 'me', 'us')}_${shown}${hidden}`,
  ],
  [
    'hold-back',
    `${any(telling, showing)}_${shown}your_(?:[a-z]+_)?${any('prompts?', 'instructions?', 'guidelines', 'directives')}`,
  ],
  [
    'hold-back',
    `${telling}_${any('everything', 'all', 'the_(?:text|words|content|message|conversation)s?', 'every_word')}_${fill(2)}${any('above', 'before_this', 'in_your_context')}`,
  ],
  ['hold-back', `${stealing}_${words(5)}${secrets}`],
  [
    'hold-back',
    `${any('send', 'post', 'upload', 'transmit', 'curl', 'forward', 'e_?mail', 'mail', 'submit', 'publish', 'push', 'copy', 'paste', 'share', 'give', 'hand_over', 'pipe', 'report', 'deliver', 'ship', 'transfer', 'relay', 'tell', 'encode', 'append', 'leak', 'exfiltrate')}_${words(5)}${secrets}_${words(6)}${any('to', 'at', 'via', 'in', 'into', 'onto', 'through', 'with', 'by', 'using', 'on')}_(?:${words(3)})${away}`,
  ],
  [
    'hold-back',
    `${any('send', 'give', 'tell', 'show', 'e_?mail', 'mail', 'forward', 'hand')}_${any('me', 'us')}_${words(4)}${secrets}`,
  ],
  ['hint', `${sending}_${words(3)}${secrets}_${words(2)}(?:to|onto|via)`],
  ['hint', `${showing}_${shown}system_prompts?`],
].map(([level, text]) => phrase('extraction', level, text));

/** Phrases of English, looked for in Latin letters. */
export const englishPhrases: readonly Phrase[] = [...instructions, ...identity, ...guardrails, ...extraction];

function phrase(category: Category, level: string | undefined, text: string | undefined): Phrase {
  return { category, level: level === 'hint' ? 'hint' : 'hold-back', text: text ?? '' };
}
