import type { RecordShape } from './json-values.ts';

/** What an object on a line of an event log is (docs/formats/session-format.md, sections 5 to 7). */
export type RecordKind = 'log-1' | 'log-2' | 'too-new' | 'other';

const typesOfOne: ReadonlySet<unknown> = new Set(['replace', 'append']);
const typesOfTwo: ReadonlySet<unknown> = new Set([
  'log',
  'writer',
  'message',
  'patch',
  'system',
  'redact',
  'fork',
  'rewind',
  'select',
  'rename',
  'retire',
  'turn_begin',
  'turn_end',
  'compaction',
  'checkpoint',
]);

/** Tells what an object is; a version above ours or a type that is not known makes the log one that cannot be read here. */
export function recordKind(value: Readonly<Record<string, unknown>>): RecordKind {
  const { schema_version: version, type } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return 'other';
  if (version > 2) return 'too-new';
  if (typeof type !== 'string') return 'other';
  const known = version === 1 ? typesOfOne : typesOfTwo;
  return known.has(type) ? (version === 1 ? 'log-1' : 'log-2') : 'too-new';
}

/** Whole records of a log behind a fragment; its first two members stand first in each. */
export const logShape: RecordShape = {
  openings: ['{"schema_version"', '{"type"'],
  is: (value) => recordKind(value) !== 'other',
};

/** Whole messages of a transcript behind a fragment. */
export const messageShape: RecordShape = {
  openings: ['{"role"', '{"id"', '{"content"', '{"origin"', '{"name"'],
  is: (value) => typeof value.role === 'string',
};
