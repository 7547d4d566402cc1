import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import { type Replaced, replaceDurably } from './durable-write.ts';
import type { FileSystem } from './file-system.ts';
import { type FileIdentity, sameIdentity } from './identity.ts';
import { identify, readWhole } from './read-whole.ts';
import { removeTemporary } from './temporary-file.ts';

/** A file that has to be as it was when it was last looked at; null: there was none. */
export interface Unchanged {
  readonly path: string;
  readonly identity: FileIdentity | null;
}

/** A replacement with all that it stands on, as plain data: another thread can make it. */
export interface ReplaceRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** State of the file that the bytes were made of. */
  readonly expected: FileIdentity;
  /** SHA-256 in hex of the bytes that the file has to hold; null where its state alone proves them. */
  readonly digest: string | null;
  readonly unchanged: readonly Unchanged[];
}

/** What {@link replaceVerified} did. */
export interface VerifiedReplaced extends Replaced {
  /** SHA-256 of the new bytes in hex. */
  digest: string;
}

/** Makes replacements, here or in another thread. */
export interface Replacer {
  /** As {@link replaceVerified}. */
  replace(request: ReplaceRequest): Promise<VerifiedReplaced | 'changed'>;
}

/**
 * Replaces a file that was not looked at before: all that the new bytes stand on is verified when they are on the disk,
 * right before they take the name. What is replaced is removed; what another program put there in that moment stays at
 * `kept`.
 *
 * @returns `changed`, with nothing replaced, when something is not as it was, or cannot be looked at.
 * @throws Failure as `writeDurably`.
 */
export async function replaceVerified(
  fileSystem: FileSystem,
  request: ReplaceRequest,
): Promise<VerifiedReplaced | 'changed'> {
  const { path, bytes, expected } = request;
  const replaced = await replaceDurably(fileSystem, path, bytes, expected, {
    verify: () => isAsItWas(fileSystem, request),
    release: (kept) => removeTemporary(fileSystem, kept),
  });
  return replaced === 'changed' ? replaced : { ...replaced, digest: hash('sha256', bytes) };
}

/** A replacer that works in this thread. */
export const replacerOf = (fileSystem: FileSystem): Replacer => ({
  replace: (request) => replaceVerified(fileSystem, request),
});

async function isAsItWas(
  fileSystem: FileSystem,
  { path, digest, expected, unchanged }: ReplaceRequest,
): Promise<boolean> {
  const folder = dirname(path);
  if ((await fileSystem.realpath(folder)) !== folder) return false;
  for (const { path, identity } of unchanged) {
    const found = await identify(fileSystem, path);
    if (found.state === 'unknown') return false;
    if (!sameIdentity(found.state === 'missing' ? null : found.identity, identity)) return false;
  }
  if (digest === null) return true;
  const read = await readWhole(fileSystem, path);
  return read.state === 'present' && sameIdentity(read.identity, expected) && hash('sha256', read.bytes) === digest;
}
