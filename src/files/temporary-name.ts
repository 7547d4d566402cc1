import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Longest file name that common file systems take, in bytes. */
export const MAXIMUM_NAME_BYTES = 255;

const ours = /^\..*\.(\d+)-[0-9a-f]{12}\.tmp$/s;
const reference = /^.+\.tmp-(\d+)-\d+-[0-9a-z]+$/s;

/**
 * Path of a new temp file beside `path`: `.<name>.<pid>-<random>.tmp`, hidden and matched by no scan. `<name>` is cut at
 * a character where the whole would pass {@link MAXIMUM_NAME_BYTES}.
 */
export function temporaryPath(path: string): string {
  const ending = `.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const room = MAXIMUM_NAME_BYTES - Buffer.byteLength(ending) - 1;
  return join(dirname(path), `.${cutToBytes(basename(path), room)}${ending}`);
}

/** The process that made a temp file, ours or the reference's `<name>.tmp-<pid>-<ms>-<hex>`; null for any other name. */
export function temporaryOwner(name: string): number | null {
  const pid = Number((ours.exec(name) ?? reference.exec(name))?.[1]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}

/** The longest beginning of `text` that takes at most `limit` bytes in UTF-8. */
function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    cut += character;
  }
  return cut;
}
