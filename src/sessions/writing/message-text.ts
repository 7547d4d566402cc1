import type { JsonObject } from '../../files/json.ts';

/** A message to be recorded. */
export interface NewMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Its own id: the same for every try of one message. */
  readonly id: string;
  readonly content: string;
  /** `host`: recorded for the person's program, not typed by them. */
  readonly origin?: 'user' | 'host';
  /** Ms since 1970. */
  readonly createdAt: number;
  /** Further fields of section 2, such as `tool_calls`. */
  readonly fields?: JsonObject;
}

/** A message as it is stored, with what its bytes say to a parser. */
export interface EncodedMessage {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/**
 * A message as it is stored (docs/formats/session-format.md, section 2): one line of JSON without its LF, the fields that
 * tell what it is first and `createdAt` last.
 */
export function encodeMessage({ role, id, content, origin, createdAt, fields = {} }: NewMessage): EncodedMessage {
  const stored = { role, id, content, ...(origin === undefined ? {} : { origin }), ...fields, createdAt };
  return { bytes: Buffer.from(escapeText(JSON.stringify(stored))), value: stored };
}

/** A text of JSON with the five characters escaped that the reference's encoder escapes; they stand in texts only. */
export function escapeText(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
