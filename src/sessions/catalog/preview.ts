import { isObject } from './shape.ts';

/** Longest preview in code points, and what is kept of a longer one before `…` (docs/formats/session-format.md, section 11). */
const PREVIEW = 80;
const KEPT = 77;
/** As much of a text as is looked at for one line of it, in UTF-16 code units. */
const LOOKED_AT = 16_384;

// Line breaks, control characters and blanks of all kinds: one space each run.
const blanks = /[\s\u0000-\u001f\u007f-\u009f\u0085\u2028\u2029]+/g;
// What turns the direction of text, hides in it, or carries hidden text. Joiners stay: letters and emoji need them.
const unseen =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
const fileReferences = /^(?:@(?:"[^"]*"|'[^']*'|\S+)(?:\s+|$))+/;

/** A stored text on one line, as a screen may get it: no control characters, no marks of direction, no half characters. */
export function plainLine(text: string): string {
  return text.slice(0, LOOKED_AT).toWellFormed().replace(unseen, '').replace(blanks, ' ').trim();
}

/**
 * Beginning of a message that a person wrote: on one line, at most 80 code points, without the files that it names first
 * unless it is nothing else. Null when nothing of it can be seen.
 */
export function previewOf(text: string): string | null {
  const line = plainLine(text);
  const rest = line.replace(fileReferences, '');
  const shown = [...(rest === '' ? line : rest)];
  if (shown.length === 0) return null;
  return shown.length <= PREVIEW ? shown.join('') : `${shown.slice(0, KEPT).join('')}…`;
}

/** Blocks that programs put around or before what a person typed, in the person's name. */
const wrappers =
  /<(system-reminder|environment_context|environment-details|user_instructions|session-knowledge|local-command-stdout|command-name|command-message)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;

/**
 * What a person wrote, of a stored message: role `user`, not from the host, not put into a running turn, not blank after
 * the wrappers of programs (docs/formats/session-format.md, section 11). Null for every other message.
 */
export function authoredText(message: unknown): string | null {
  if (!isObject(message) || message.role !== 'user') return null;
  if (message.origin === 'host' || message.steer === true) return null;
  const text = contentOf(message.content);
  const plain = text.includes('<') ? text.replace(wrappers, ' ') : text;
  if (plain.trim() !== '') return plain;
  // A picture alone is a message, too.
  return Array.isArray(message.images) && message.images.length > 0 ? '' : null;
}

/** The text of a content: a text, or parts of which some are texts. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

/** A message as far as the list needs it: the preview of a person's text, `''` for one without text; null for any other. */
export type Authored = string | null;

/** Reads a message for the list. */
export const authored = (message: unknown): Authored => {
  const text = authoredText(message);
  return text === null ? null : (previewOf(text) ?? '');
};
