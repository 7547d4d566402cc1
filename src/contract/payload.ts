/** Largest request in bytes, counted as the UTF-8 size of its strings and eight bytes for each other value. */
export const MAXIMUM_PAYLOAD_BYTES = 1024 * 1024;
/** Deepest nesting of objects and lists in a request. */
export const MAXIMUM_PAYLOAD_DEPTH = 16;

/** Why a request is refused before it is parsed; `path` names the offending field, such as `origin.messageId`. */
export interface PayloadProblem {
  code: 'invalid' | 'too-large';
  message: string;
  path: string;
}

const describePath = (path: readonly (string | number)[]): string => path.join('.') || 'the request';

/**
 * Checks a request before anything else looks at it: plain data only (what structured clone and JSON both keep), at most
 * {@link MAXIMUM_PAYLOAD_BYTES} and at most {@link MAXIMUM_PAYLOAD_DEPTH} deep. Stops at the first excess, so a hostile
 * request costs no more than the cap.
 */
export function checkPayload(payload: unknown): PayloadProblem | null {
  let bytes = 0;
  const walk = (value: unknown, path: readonly (string | number)[]): PayloadProblem | null => {
    bytes += typeof value === 'string' ? sizeOfString(value, MAXIMUM_PAYLOAD_BYTES - bytes) : 8;
    if (bytes > MAXIMUM_PAYLOAD_BYTES) {
      return {
        code: 'too-large',
        path: describePath(path),
        message: 'The request is over 1 MiB. Nothing was changed.',
      };
    }
    if (value === null || typeof value !== 'object') return checkScalar(value, path);
    if (path.length >= MAXIMUM_PAYLOAD_DEPTH) {
      return {
        code: 'too-large',
        path: describePath(path),
        message: `The request is nested deeper than ${MAXIMUM_PAYLOAD_DEPTH} levels. Nothing was changed.`,
      };
    }
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const problem = walk(value[index], [...path, index]);
        if (problem) return problem;
      }
      return null;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return notPlain(path);
    for (const key of Object.keys(value)) {
      bytes += key.length;
      const problem = walk((value as Record<string, unknown>)[key], [...path, key]);
      if (problem) return problem;
    }
    return null;
  };
  return walk(payload, []);
}

function checkScalar(value: unknown, path: readonly (string | number)[]): PayloadProblem | null {
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint' ? notPlain(path) : null;
}

function notPlain(path: readonly (string | number)[]): PayloadProblem {
  const field = describePath(path);
  return { code: 'invalid', path: field, message: `${field} is not plain data. Nothing was changed.` };
}

/** UTF-8 size of a string; looks no further than needed to know that it is over `limit`. */
function sizeOfString(text: string, limit: number): number {
  if (text.length > limit) return text.length;
  let size = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    size += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
    if (size > limit) return size;
  }
  return size;
}
