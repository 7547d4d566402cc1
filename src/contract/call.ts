import type { z } from 'zod';
import type { CommonErrorCode, ErrorCode } from './errors.ts';

/** The two kinds of window. */
export const roles = ['sidebar', 'mini-chat'] as const;
export type Role = (typeof roles)[number];

/** One call: a request from a window that the main process answers. */
export interface Call<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  readonly kind: 'call';
  /** One sentence for `docs/contract.md`. */
  readonly summary: string;
  /** The windows that may make it. */
  readonly roles: readonly Role[];
  readonly input: Input;
  readonly output: Output;
  /** Its own failures; {@link CommonErrorCode} come on top. */
  readonly errors: readonly Code[];
}

/** One event: what the main process pushes to windows. */
export interface PushEvent<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly summary: string;
  /** The windows that receive it. */
  readonly roles: readonly Role[];
  readonly payload: Payload;
}

/** Declares a call. */
export function call<Input extends z.ZodType, Output extends z.ZodType, const Code extends ErrorCode>(
  declaration: Omit<Call<Input, Output, Code>, 'kind'>,
): Call<Input, Output, Code> {
  return { kind: 'call', ...declaration };
}

/** Declares an event. */
export function event<Payload extends z.ZodType>(declaration: Omit<PushEvent<Payload>, 'kind'>): PushEvent<Payload> {
  return { kind: 'event', ...declaration };
}

/** What a caller passes to a call, before defaults are filled in. */
export type InputOf<C> = C extends Call<infer Input, z.ZodType, ErrorCode> ? z.input<Input> : never;
/** What a handler of a call receives. */
export type ParsedInputOf<C> = C extends Call<infer Input, z.ZodType, ErrorCode> ? z.output<Input> : never;
/** What a call answers. */
export type OutputOf<C> = C extends Call<z.ZodType, infer Output, ErrorCode> ? z.output<Output> : never;
/** Every code with which a call can fail. */
export type ErrorOf<C> = C extends Call<z.ZodType, z.ZodType, infer Code> ? Code | CommonErrorCode : never;
/** What an event carries. */
export type PayloadOf<E> = E extends PushEvent<infer Payload> ? z.output<Payload> : never;
