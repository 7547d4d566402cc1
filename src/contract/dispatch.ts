import type { z } from 'zod';
import type { Caller, CallName, EventName, Implementation } from './contract.ts';
import { calls, events } from './derive.ts';
import { type CallError, commonErrorCodes, type ErrorCode, errorStatus, Failure, type Result } from './errors.ts';
import { checkPayload } from './payload.ts';

/** Where failures that are bugs of ours are written; never a part of what crosses the bridge. */
export type Report = (where: string, error: unknown) => void;

/**
 * The one way into an implementation: role, size, input, handler, output. Resolves always; a bug in a handler becomes
 * `io` and is reported. The sender of a call must have been checked before (electron/ipc).
 */
export async function dispatch(
  implementation: Implementation,
  name: CallName,
  input: unknown,
  caller: Caller,
  report: Report,
): Promise<Result<unknown>> {
  const call = calls.get(name);
  if (!call?.roles.includes(caller.role)) {
    return failed('forbidden', 'This window may not do that. Nothing was changed.');
  }
  const problem = checkPayload(input);
  if (problem) return failed(problem.code, problem.message, { field: problem.path });
  const parsed = call.input.safeParse(input);
  if (!parsed.success) return invalidInput(parsed.error);
  try {
    const value = await handlerOf(implementation, name)(parsed.data, caller);
    const output = call.output.safeParse(value);
    if (output.success) return { ok: true, value: output.data };
    report(`the answer of ${name} breaks the contract`, output.error);
    return failed('io', 'The change may have been made, but its answer could not be read. Reload the window.');
  } catch (error) {
    return failureOf(name, call.errors, error, report);
  }
}

/** Checks what is about to be pushed; null, and a report, when it breaks the contract. */
export function checkEvent(name: EventName, payload: unknown, report: Report): unknown {
  const parsed = events.get(name)?.payload.safeParse(payload);
  if (parsed?.success) return parsed.data;
  report(`the event ${name} breaks the contract`, parsed?.error);
  return null;
}

function handlerOf(implementation: Implementation, name: CallName) {
  const [group, method] = name.split('.') as [keyof Implementation, string];
  const methods = implementation[group] as Record<string, (input: unknown, caller: Caller) => Promise<unknown>>;
  const handler = methods[method];
  if (!handler) throw new Error(`no handler for ${name}`);
  return handler.bind(methods);
}

function failureOf(name: CallName, declared: readonly ErrorCode[], error: unknown, report: Report): Result<never> {
  if (error instanceof Failure) {
    if (declared.includes(error.code) || (commonErrorCodes as readonly ErrorCode[]).includes(error.code)) {
      if (error.code === 'io') report(name, error);
      return { ok: false, error: error.toCallError() };
    }
    report(`${name} failed with a code that it does not declare`, error);
    return failed('io', error.message);
  }
  report(name, error);
  return failed(
    'io',
    'Something went wrong inside Sidekeep. Your data on disk is as it was before or whole; try again.',
  );
}

function invalidInput(error: z.ZodError): Result<never> {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join('.') || 'the request';
  return failed('invalid', `${field}: ${issue?.message ?? 'not valid'}. Nothing was changed.`, { field });
}

function failed(code: ErrorCode, message: string, detail?: CallError['detail']): Result<never> {
  return {
    ok: false,
    error: { code, status: errorStatus[code], message, ...(detail === undefined ? {} : { detail }) },
  };
}
