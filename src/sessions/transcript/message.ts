import { Buffer } from 'node:buffer';
import { sessionLimits } from '../../contract/identifiers.ts';
import type { SessionMessage } from '../../contract/session-entities.ts';

/** What a stored message says (docs/formats/session-format.md, section 2), texts as they are stored. */
export interface StoredMessage {
  readonly role: SessionMessage['role'];
  readonly id: string | null;
  readonly origin: 'user' | 'host' | null;
  readonly content: string;
  readonly reasoning: string | null;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly toolCallId: string | null;
  readonly toolName: string | null;
  readonly toolState: string | null;
  /** Ms since 1970. */
  readonly createdAt: number | null;
  readonly images: number;
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);
const LATEST = 8.64e15;
/** Longest id or name that is shown, in UTF-16 code units. */
const NAME_LENGTH = 1000;
/** Most tool calls of one message that are shown. */
const MAXIMUM_CALLS = 200;
/** What reasoning and arguments are left at least, in bytes, when a long content would take all. */
const RESERVE = 8192;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const isAbsentOr = (value: unknown, check: (value: unknown) => boolean): boolean =>
  value === undefined || value === null || check(value);

/**
 * Takes a parsed message apart. Fields of a wrong type that only describe it are left out; where the role, the content or
 * the calls are not what they must be it cannot be shown as a message.
 *
 * @returns Null for what is shown in raw form.
 */
export function readStored(value: unknown): StoredMessage | null {
  if (!isObject(value) || typeof value.role !== 'string') return null;
  const { role, content, tool_calls: calls, reasoning_content: reasoning, images } = value;
  const isText = (part: unknown): boolean => typeof part === 'string';
  if (!isAbsentOr(content, isText) || !isAbsentOr(reasoning, isText) || !isAbsentOr(calls, Array.isArray)) return null;
  const toolCalls = (Array.isArray(calls) ? calls : []).map(readCall);
  if (!toolCalls.every((call) => call !== null)) return null;
  return {
    role: roles.has(role) ? (role as StoredMessage['role']) : 'unknown',
    id: textOrNull(value.id),
    origin: value.origin === 'user' || value.origin === 'host' ? value.origin : null,
    content: typeof content === 'string' ? content : '',
    reasoning: textOrNull(reasoning),
    toolCalls,
    toolCallId: textOrNull(value.tool_call_id),
    toolName: textOrNull(value.name),
    toolState: textOrNull(value.tool_run_state),
    createdAt: readTime(value.createdAt),
    images: Array.isArray(images) ? images.length : 0,
  };
}

function readCall(value: unknown): StoredMessage['toolCalls'][number] | null {
  if (!isObject(value)) return null;
  const { id, name, arguments: parameters } = value;
  if (!isAbsentOr(id, (part) => typeof part === 'string') || !isAbsentOr(name, (part) => typeof part === 'string')) {
    return null;
  }
  const text = typeof parameters === 'string' ? parameters : parameters == null ? '' : JSON.stringify(parameters);
  return { id: String(id ?? ''), name: String(name ?? ''), arguments: text };
}

function readTime(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value <= LATEST ? value : null;
}

// Sequences that colour a terminal, and titles that one sets; then every control character but tab, LF and NEL.
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,1000}(?:\u0007|\u001b\\))/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
const needsCare = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f]/;

/**
 * A text as a screen may show it: no control characters but tab and line breaks (CR LF and CR become LF), no colour codes of
 * terminals, U+FFFD for half a surrogate pair. What is stored stays as it is.
 */
export function sanitise(text: string): string {
  const plain = needsCare.test(text)
    ? text.replace(terminalSequences, '').replace(/\r\n?/g, '\n').replace(controls, '')
    : text;
  return plain.toWellFormed();
}

/** An id, a name or a state, sanitised and cut to a bounded length. */
function nameOf(text: string): string;
function nameOf(text: string | null): string | null;
function nameOf(text: string | null): string | null {
  return text === null ? null : sanitise(text.slice(0, NAME_LENGTH));
}

/** What a row of a transcript has besides what its record says. */
export interface RowFacts {
  readonly index: number;
  /** Bytes of the record in its file. */
  readonly bytes: number;
  readonly oddity: SessionMessage['oddity'];
}

/** A stored message as a row: sanitised, texts cut to {@link sessionLimits.messageBytes} together. */
export function shownMessage(stored: StoredMessage, facts: RowFacts): SessionMessage {
  const calls = stored.toolCalls.slice(0, MAXIMUM_CALLS);
  const parameters = calls.map((call) => utf8Length(call.arguments)).reduce((sum, length) => sum + length, 0);
  const budget = new TextBudget(sessionLimits.messageBytes);
  const later =
    Math.min(RESERVE, parameters) + Math.min(RESERVE, stored.reasoning === null ? 0 : utf8Length(stored.reasoning));
  const content = budget.take(stored.content, later);
  const reasoning = stored.reasoning === null ? null : budget.take(stored.reasoning, Math.min(RESERVE, parameters));
  const toolCalls = calls.map((call) => ({
    id: nameOf(call.id),
    name: nameOf(call.name),
    arguments: budget.take(call.arguments, 0),
  }));
  return {
    ...facts,
    kind: 'message',
    role: stored.role,
    id: nameOf(stored.id),
    origin: stored.origin,
    content,
    reasoning,
    toolCalls,
    toolCallId: nameOf(stored.toolCallId),
    toolName: nameOf(stored.toolName),
    toolState: nameOf(stored.toolState),
    createdAt: stored.createdAt,
    images: stored.images,
    cut: budget.cut || calls.length < stored.toolCalls.length,
  };
}

/** Bytes that are no message as a row that shows them: a `hole`, or a record in `raw` form. */
export function shownBytes(kind: 'hole' | 'raw', text: string, facts: RowFacts, more = false): SessionMessage {
  const budget = new TextBudget(kind === 'hole' ? RESERVE : sessionLimits.messageBytes);
  const content = budget.take(text, 0);
  return {
    ...facts,
    kind,
    role: 'unknown',
    id: null,
    origin: null,
    content,
    reasoning: null,
    toolCalls: [],
    toolCallId: null,
    toolName: null,
    toolState: null,
    createdAt: null,
    images: 0,
    cut: budget.cut || more,
  };
}

/** The part of a message that `sessions.text` names, whole and sanitised; null when there is none. */
export function partOf(stored: StoredMessage, part: 'content' | 'reasoning' | number): string | null {
  if (part === 'content') return sanitise(stored.content);
  const text = part === 'reasoning' ? stored.reasoning : stored.toolCalls[part]?.arguments;
  return text == null ? null : sanitise(text);
}

/** About how many bytes a row takes on its way to a window. */
export function shownSize(message: SessionMessage): number {
  const calls = message.toolCalls.reduce((sum, call) => sum + utf8Length(call.arguments) + call.name.length + 80, 0);
  return utf8Length(message.content) + utf8Length(message.reasoning ?? '') + calls + 300;
}

/** Hands out what may be shown of some texts. */
class TextBudget {
  #left: number;
  cut = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The longest beginning of a text that leaves `reserve` bytes; whole characters only. */
  take(text: string, reserve: number): string {
    const room = Math.max(0, this.#left - reserve);
    // No text of more code units fits, so a giant need not be sanitised to its end.
    const end = safeEnd(text, 2 * room + 64);
    const near = sanitise(text.slice(0, end));
    const shown = clipBytes(near, room);
    this.cut ||= shown.length < near.length || end < text.length;
    this.#left -= utf8Length(shown);
    return shown;
  }
}

/** The last place at or before `most` where a text can be cut so that both parts sanitise as the whole does. */
function safeEnd(text: string, most: number): number {
  if (text.length <= most) return text.length;
  let end = most;
  const sequence = text.indexOf('\u001b', Math.max(0, most - LONGEST_SEQUENCE));
  if (sequence >= 0 && sequence < end) {
    end = text[sequence + 1] === '\\' ? text.lastIndexOf('\u001b', sequence - 1) : sequence;
  }
  if (end < 0) return most;
  while (end > 0 && (text[end - 1] === '\r' || isHighSurrogate(text.charCodeAt(end - 1)))) end--;
  return end;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
/** Longest terminal sequence that is taken out, in UTF-16 code units. */
const LONGEST_SEQUENCE = 1100;

const utf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

/** The longest beginning of a well-formed text that takes at most `bytes` in UTF-8 and splits no character. */
export function clipBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || utf8Length(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
