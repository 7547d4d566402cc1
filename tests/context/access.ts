import { type FileSystem, replacerOf } from '../../src/files/index.ts';
import type { WriteAccess } from '../../src/files/owner-folder.ts';

/** Access to a root that nobody else can own. */
export const freeAccess = (fileSystem: FileSystem): WriteAccess => ({
  claim: () => Promise.resolve(),
  proofs: () => [],
  replacer: replacerOf(fileSystem),
});
