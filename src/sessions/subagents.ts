import { childPath, linkFailure, mapBounded, readWhole } from '../files/index.ts';
import { isRecord, own } from '../files/json.ts';
import type { SessionFiles } from './session-files.ts';
import { namesOrNone, statusOrNull } from './trash-files.ts';
import { SUBAGENTS } from './trash-names.ts';

const META = '.jsonl.meta';
const META_BYTES = 1024 * 1024;
const CONCURRENCY = 16;

/**
 * Names in `subagents/` that belong to a session: those of children whose meta names it as their parent, and those that
 * carry its id. The folder is shared by all sessions of the store; where there is none this costs one question.
 *
 * @throws Failure `io` with `detail.reason` `link` when the folder is a link.
 */
export async function subagentNames(files: SessionFiles): Promise<string[]> {
  const { fileSystem, id, store } = files;
  const folder = childPath(await store.root.path(), SUBAGENTS);
  const status = await statusOrNull(fileSystem, folder);
  if (status?.isSymbolicLink()) throw linkFailure();
  if (!status?.isDirectory()) return [];
  const names = await namesOrNone(fileSystem, folder);
  const metas = names.filter((name) => name.endsWith(META));
  const parents = await mapBounded(metas, CONCURRENCY, async (name) => {
    const read = await readWhole(fileSystem, childPath(folder, name), { limit: META_BYTES });
    return read.state === 'present' && parentOf(read.bytes) === id ? name.slice(0, -META.length) : null;
  });
  const stems = new Set([id, ...parents.filter((stem) => stem !== null)]);
  return names.filter((name) => stems.has(name) || prefixes(name).some((stem) => stems.has(stem)));
}

/** Every beginning of a name that ends before a dot. */
function prefixes(name: string): string[] {
  const found: string[] = [];
  for (let dot = name.indexOf('.', 1); dot !== -1; dot = name.indexOf('.', dot + 1)) found.push(name.slice(0, dot));
  return found;
}

function parentOf(bytes: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const parent = isRecord(value) ? own(value, 'parent_id') : null;
    return typeof parent === 'string' ? parent : null;
  } catch {
    // A meta that cannot be read names no parent.
    return null;
  }
}
