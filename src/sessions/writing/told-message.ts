import type { NewMessage } from './message-text.ts';

/** A message's id that says what was told with which message: `told-`, the digest of what was told, the message's id. */
const toldId = /^told-([0-9a-f]{64})-(.+)$/s;
const signatureForm = /^v2:([0-9a-f]{64})$/;

/** What a session is told by the program with a message of the person. */
export interface ToldText {
  readonly text: string;
  /** `v2:` and the SHA-256 of what it tells. */
  readonly signature: string;
}

/**
 * What a session is told, as a message to be recorded before the person's in the same record
 * (docs/formats/context-format.md, section 13). Its id says what it tells and with which message, so that another try of
 * that message knows it again.
 */
export function toldMessage({ text, signature }: ToldText, message: NewMessage): NewMessage {
  const [, digest] = signatureForm.exec(signature) ?? [];
  if (digest === undefined) throw new Error('what is told has a signature');
  const { createdAt } = message;
  return { role: 'user', id: `told-${digest}-${message.id}`, content: text, origin: 'host', createdAt };
}

/** What a message with this id told, and with which message; null for any other message. */
export function toldWith(id: string): { readonly signature: string; readonly messageId: string } | null {
  const [, digest, messageId] = toldId.exec(id) ?? [];
  return digest === undefined || messageId === undefined ? null : { signature: `v2:${digest}`, messageId };
}
