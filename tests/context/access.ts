import type { WriteAccess } from '../../src/context/project-files.ts';
import { type FileSystem, replacerOf } from '../../src/files/index.ts';

/** Access to a root that nobody else can own. */
export const freeAccess = (fileSystem: FileSystem): WriteAccess => ({
  claim: () => Promise.resolve(),
  proofs: () => [],
  replacer: replacerOf(fileSystem),
});
