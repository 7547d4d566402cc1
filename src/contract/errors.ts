import { z } from 'zod';

/**
 * Every way in which a call can fail, with the HTTP-like status that the project-context routes give it
 * (docs/formats/context-format.md, sections 4 and 9).
 */
export const errorStatus = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  limit: 409,
  'too-large': 413,
  'in-use': 423,
  cancelled: 499,
  malformed: 500,
  'newer-version': 500,
  io: 500,
} as const;

/** One of the closed set of failure codes. */
export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as readonly ErrorCode[];

/** Failures that any call can have, whatever it declares: they come from the bridge or from the disk. */
export const commonErrorCodes = ['invalid', 'forbidden', 'too-large', 'cancelled', 'io'] as const;

/** Failures of a call: its own codes and the common ones. */
export type CommonErrorCode = (typeof commonErrorCodes)[number];

/** Extra facts about a failure as plain JSON; never a path, a stack or a host name. */
export const ErrorDetail = z.record(z.string(), z.json());
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** A failure as it crosses the bridge. `message` says what happened to the data and what to do next. */
export const CallError = z.strictObject({
  code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]),
  status: z.int(),
  message: z.string(),
  detail: ErrorDetail.optional(),
});
export type CallError<Code extends ErrorCode = ErrorCode> = Omit<z.infer<typeof CallError>, 'code'> & { code: Code };

/** What every call resolves to; calls never reject. */
export type Result<Value, Code extends ErrorCode = ErrorCode> =
  | { ok: true; value: Value }
  | { ok: false; error: CallError<Code> };

/** The one error class of the core: thrown inside, turned into data at the bridge. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail | undefined;

  /** @param options `detail` crosses the bridge, `cause` stays in the main process. */
  constructor(code: ErrorCode, message: string, options: { detail?: ErrorDetail; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.detail = options.detail;
  }

  /** This failure as the data that crosses the bridge. */
  toCallError(): CallError {
    return {
      code: this.code,
      status: errorStatus[this.code],
      message: this.message,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    };
  }
}
