import { childPath, readWhole, removeTemporary, replaceDurably } from '../files/index.ts';
import { isRecord, type JsonObject, parseStored, serialiseStored, withoutKeys } from '../files/json.ts';
import type { SessionFiles } from './session-files.ts';

/** Files of the reference that hold something of every session, by the names of their transcripts. */
const maps = ['.titles.json', '.display.json', '.planner-display.json'];
/** How often a map is taken up again that another program changes meanwhile. */
const TRIES = 5;

/**
 * Takes a session out of the maps of its store, durably; everything else in them stays. A map that cannot be understood
 * is left as it is.
 *
 * @returns The names of those that could not be changed.
 */
export async function forgetInMaps(files: SessionFiles): Promise<string[]> {
  const folder = await files.store.root.path();
  const left: string[] = [];
  for (const name of maps) {
    if (!(await forgetIn(files, childPath(folder, name)))) left.push(name);
  }
  return left;
}

async function forgetIn({ fileSystem, id }: SessionFiles, path: string): Promise<boolean> {
  const key = `${id}.jsonl`;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const read = await readWhole(fileSystem, path);
    if (read.state !== 'present') return read.state === 'missing';
    // Most maps do not name it; those that do are read whole.
    if (!read.bytes.includes(JSON.stringify(key))) return true;
    let map: JsonObject;
    try {
      map = parseStored(read.bytes, 'The list of titles');
    } catch {
      // Malformed: what another program wrote is not ours to repair.
      return false;
    }
    const done = await replaceDurably(fileSystem, path, serialiseStored(withoutKey(map, key)), read.identity, {
      release: (kept) => removeTemporary(fileSystem, kept),
    });
    if (done !== 'changed' && !done.displaced) return true;
    if (done !== 'changed' && done.kept !== null) await fileSystem.rename(done.kept, path);
  }
  return false;
}

/** Without the key, at the top or in one of the maps that the file may be made of. */
function withoutKey(map: JsonObject, key: string): JsonObject {
  const inner = Object.entries(map).map(([name, value]) => [name, isRecord(value) ? withoutKeys(value, [key]) : value]);
  return withoutKeys(Object.fromEntries(inner), [key]);
}
