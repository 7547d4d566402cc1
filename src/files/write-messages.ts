import { Failure } from '../contract/errors.ts';
import { systemCode } from './failures.ts';
import type { VerifiedReplaced } from './verified-replace.ts';

/** From a writing thread: what became of the replacement that it was given. */
export type WriteAnswer = { readonly value: VerifiedReplaced | 'changed' } | { readonly error: ErrorMessage };

/** An error on its way to another thread, with what this layer's callers look at. */
export type ErrorMessage =
  | { readonly kind: 'failure'; readonly failure: ReturnType<Failure['toCallError']>; readonly system: string | null }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };

/** An error as a message. */
export function messageOf(error: unknown): ErrorMessage {
  if (error instanceof Failure) {
    return { kind: 'failure', failure: error.toCallError(), system: systemCode(error.cause) };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', message, stack };
}

/** The error that a message tells of. */
export function errorOf(message: ErrorMessage): Error {
  if (message.kind === 'error') return Object.assign(new Error(message.message), { stack: message.stack });
  const { code, message: text, detail } = message.failure;
  const cause =
    message.system === null ? undefined : Object.assign(new Error(message.system), { code: message.system });
  return new Failure(code, text, { ...(detail ? { detail } : {}), cause });
}
