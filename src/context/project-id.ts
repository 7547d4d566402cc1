import { createHash } from 'node:crypto';
import { Failure } from '../contract/errors.ts';

/** Longest path in bytes whose id, with `.json` behind it, is still a file name. */
const MAXIMUM_PATH_BYTES = 183;
const hashedId = /^path_h_[0-9a-f]{64}$/;

/**
 * Id of the project at a path (docs/formats/context-format.md, section 6). Only the text counts: nothing is resolved,
 * folded or normalised here. Long paths get a hashed id, from which the path cannot be told.
 *
 * @throws Failure `invalid` for a blank path.
 */
export function projectIdOf(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  let end = slashes.length;
  while (end > 0 && slashes[end - 1] === '/') end--;
  const trimmed = slashes.slice(0, end).trim();
  // The root folder is all slash.
  const text = trimmed === '' && slashes.trim() !== '' ? '/' : trimmed;
  if (text === '') throw new Failure('invalid', 'A project needs a folder. Nothing was changed.');
  const bytes = Buffer.from(text);
  if (bytes.length > MAXIMUM_PATH_BYTES) return `path_h_${createHash('sha256').update(bytes).digest('hex')}`;
  return `path_${bytes.toString('base64url')}`;
}

/** The path that an id was made from; null for a hashed id and for any text that no path gives. */
export function projectPathOf(id: string): string | null {
  if (!id.startsWith('path_') || hashedId.test(id)) return null;
  try {
    const path = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(id.slice('path_'.length), 'base64url'));
    // An id that decodes to a path but is not that path's id was made by other rules.
    const plausible = path !== '' && !path.includes('\0');
    return plausible && projectIdOf(path) === id ? path : null;
  } catch {
    // The decoder throws for bytes that are no text, `projectIdOf` for a blank path: neither names a folder.
    return null;
  }
}
