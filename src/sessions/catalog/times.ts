/** A recorded time further ahead of the clock than this is not believed, in ms. */
const AHEAD = 24 * 3600 * 1000;
/** The latest time that a date can hold, in ms since 1970. */
const LATEST = 8.64e15;

const written = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/i;
const inId = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(?:\.|$)/;

/**
 * A stored time in whole ms since 1970: RFC 3339 text with any number of digits behind the seconds, or ms. Null for
 * anything else, for "never" (year 1) and for a time that the clock has not reached: it would stay on top for ever.
 *
 * @param now ms since 1970.
 */
export function recordedTime(value: unknown, now: number): number | null {
  const time = typeof value === 'number' ? Math.trunc(value) : typeof value === 'string' ? parse(value) : Number.NaN;
  return time > 0 && time <= Math.min(LATEST, now + AHEAD) ? time : null;
}

/** The time that an id begins with (`YYYYMMDD-HHMMSS`, UTC); null for other ids. */
export function timeInId(id: string): number | null {
  const parts = inId.exec(id);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return recordedTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, LATEST);
}

/** The later of two times, either of which may be unknown. */
export const later = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.max(left, right);

const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

function parse(text: string): number {
  if (usual.test(text)) return Date.parse(text);
  const [, seconds, fraction = '', zone = ''] = written.exec(text.trim()) ?? [];
  if (seconds === undefined) return Number.NaN;
  return Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.toUpperCase()}`);
}
