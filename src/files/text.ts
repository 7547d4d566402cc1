import { hash } from 'node:crypto';

/** First 16 hex digits of the SHA-256: what names a state of an entry, a plan or a file. */
export function revisionOf(content: string | Uint8Array): string {
  return revisionOfDigest(digestOf(content));
}

/** SHA-256 in hex. */
export const digestOf = (content: string | Uint8Array): string => hash('sha256', content);

/** The revision of a content with this digest. */
export const revisionOfDigest = (digest: string): string => digest.slice(0, 16);

/** The longest beginning of `text` of at most `limit` UTF-16 code units that splits no character. */
export function clampText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const splits = isHighSurrogate(text.charCodeAt(limit - 1)) && isLowSurrogate(text.charCodeAt(limit));
  return text.slice(0, splits ? limit - 1 : limit);
}

/** A text on one line: line breaks and control characters become a single space each run; trimmed. */
export function onOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
