import { Failure } from '../contract/errors.ts';
import { childPath, ioFailure, isMissing, syncFolder } from '../files/index.ts';
import { SessionFiles } from './session-files.ts';
import { forgetInMaps } from './title-maps.ts';
import type { Tombstones } from './tombstones.ts';
import { TrashEntry, trashFolder } from './trash-entry.ts';
import { removeTree } from './trash-files.ts';
import { isPurgeName, purgeName } from './trash-names.ts';

/** Told of what went wrong without harming an answer. */
export type Report = (where: string, error: unknown) => void;

/**
 * Removes an entry of the trash for good (docs/formats/session-format.md, section 12). Once it has another name it cannot
 * come back, and what is left of it is removed at the next start. Links are removed, never what they point to.
 *
 * @throws Failure `io`.
 */
export async function removeEntry(entry: TrashEntry, tombstones: Tombstones, report: Report): Promise<void> {
  const { fileSystem, store, name } = entry;
  try {
    const told = await entry.identity();
    if (told !== null && told.journal?.phase === 'open') throw busy();
    if (told !== null && !told.journal?.revived) await tombstones.add(store, told.id);
    const trash = await trashFolder(store);
    const aside = purgeName(name);
    await removeTree(fileSystem, childPath(trash, aside));
    await fileSystem.rename(await entry.path(), childPath(trash, aside));
    await syncFolder(fileSystem, trash);
    await finishRemoval(new TrashEntry(fileSystem, store, aside), report);
  } catch (error) {
    if (isMissing(error)) throw new Failure('not-found', 'This is not in the trash any more.', { cause: error });
    throw ioFailure(error, 'The session could not be removed for good', 'What is left of it is in the trash.');
  }
}

/**
 * Removes what has the name of something that is being removed already. The journal tells whether the session is gone: of
 * one that came back, and of a deletion that was taken back, nothing else is forgotten.
 */
export async function finishRemoval(entry: TrashEntry, report: Report): Promise<void> {
  const { fileSystem, store, name } = entry;
  if (!isPurgeName(name)) throw new Error('only what has been put aside is removed');
  const told = await entry.identity();
  const isGone =
    told !== null && (told.journal === null || (told.journal.op === 'delete' && told.journal.phase === 'done'));
  if (isGone && !told.journal?.revived) {
    const left = await forgetInMaps(new SessionFiles(fileSystem, store, told.id));
    if (left.length > 0)
      report('taking a removed session out of the lists of another program', new Error(left.join(', ')));
  }
  await removeTree(fileSystem, await entry.path());
  await syncFolder(fileSystem, await trashFolder(store));
}

function busy(): Failure {
  return new Failure(
    'in-use',
    'Sidekeep is not done with this session yet. Nothing was removed. Try again in a moment.',
  );
}
