import {
  childPath,
  closeQuietly,
  FILE_MODE,
  type FileHandle,
  type FileSystem,
  FOLDER_MODE,
  isMissing,
  syncFolder,
  systemCode,
} from '../../files/index.ts';
import type { SessionFiles } from '../session-files.ts';
import { piecesOf, writeAll } from './log-handle.ts';

/** The snapshots of a turn, by its number (docs/formats/session-format.md, section 3). */
const turnFile = /^turn-(0|[1-9]\d{0,8})\.json$/;

/**
 * Takes along the snapshots of files of the turns that a copy has (docs/formats/session-format.md, section 11), streamed.
 * Links, and whatever is not a snapshot of one turn in one file, stay behind: their parts may belong to later turns.
 *
 * @param turns Number of turns of the copy: of as many from the first one on the snapshots are taken, whether the program
 *   that made them counts from 0 or from 1. Null takes all.
 * @param onMade Told of the folder before it is made.
 */
export async function copyCheckpoints(
  source: SessionFiles,
  target: SessionFiles,
  turns: number | null,
  onMade: (folder: string) => void,
): Promise<void> {
  const { fileSystem } = source;
  const from = await source.path('checkpoints');
  const names = (await namesIn(fileSystem, from)).filter((name) => {
    const [, turn] = turnFile.exec(name) ?? [];
    return turn !== undefined && (turns === null || Number(turn) < turns);
  });
  if (names.length === 0) return;
  const to = await target.path('checkpoints');
  onMade(to);
  await fileSystem.mkdir(to, FOLDER_MODE);
  for (const name of names) await copySnapshot(fileSystem, childPath(from, name), childPath(to, name));
  await syncFolder(fileSystem, to);
}

/** Names in the folder of the snapshots; none where there is no folder of that name, or a link in its place. */
async function namesIn(fileSystem: FileSystem, folder: string): Promise<string[]> {
  try {
    return (await fileSystem.lstat(folder)).isDirectory() ? await fileSystem.readdir(folder) : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function copySnapshot(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  const source = await openSnapshot(fileSystem, from);
  if (source === null) return;
  try {
    const target = await fileSystem.open(to, 'wx', FILE_MODE);
    try {
      let position = 0;
      for await (const piece of piecesOf(source, 0, Number((await source.stat()).size))) {
        await writeAll(target, piece, position);
        position += piece.length;
      }
      await target.sync();
    } finally {
      await closeQuietly(target);
    }
  } finally {
    await closeQuietly(source);
  }
}

/** Null for what is no file, or cannot be opened: one bad snapshot is lost alone, and the conversation is what counts. */
async function openSnapshot(fileSystem: FileSystem, path: string): Promise<FileHandle | null> {
  let handle: FileHandle | null = null;
  try {
    const status = await fileSystem.lstat(path);
    if (!status.isFile()) return null;
    handle = await fileSystem.open(path, 'r');
    // Something else may have come into its place.
    if ((await handle.stat()).ino === status.ino) return handle;
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
  if (handle !== null) await closeQuietly(handle);
  return null;
}
