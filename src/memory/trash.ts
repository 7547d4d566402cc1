import { Failure } from '../contract/errors.ts';
import {
  type DeletedFiles,
  goneForGood,
  isRecord,
  type JsonObject,
  LARGEST_TRASH_BYTES,
  newerTrash,
  type OwnerFolder,
  own,
  parseStored,
  readWhole,
  serialiseStored,
  TRASH_VERSION,
} from '../files/index.ts';
import { readMemory } from './entry.ts';
import { readVersion, type Version } from './kept.ts';

/** An entry that was taken out of a memory. */
export interface RemovedMemory {
  /** As it was stored, whole. */
  readonly raw: JsonObject;
  /** Its place in the stored list. */
  readonly index: number;
  /** What it said before, newest first. */
  readonly versions: readonly Version[];
}

/** The file of the trash shares its folder with those of notes, todos and plans, of which this is another kind. */
const KIND = 'memory';

/** Something that was forgotten and can come back. */
export interface DeletedMemory {
  readonly trashId: string;
  readonly title: string;
  readonly deletedAt: number;
}

/** Keeps what is about to be taken out; answers for each the id by which it comes back. */
export function keepRemoved(deleted: DeletedFiles, items: readonly RemovedMemory[]): Promise<string[]> {
  return deleted.keep(items.length, (deletedAt) =>
    serialiseStored({
      version: TRASH_VERSION,
      deletedAt,
      items: items.map(({ raw, index, versions }) => ({ kind: KIND, entries: [{ raw, index }], versions })),
    }),
  );
}

/**
 * One forgotten entry, to be brought back.
 *
 * @throws Failure `not-found` when it is gone for good, `malformed`, `newer-version`.
 */
export async function readRemoved(deleted: DeletedFiles, trashId: string): Promise<RemovedMemory> {
  const { bytes, index } = await deleted.read(trashId);
  const item = itemsIn(bytes)[index];
  if (!item) throw goneForGood();
  return item;
}

/**
 * What can come back, newest first: of one entry only what was forgotten last.
 *
 * @param isThere Whether an entry of this id is in the memory.
 * @param report Told of a file that cannot be read; it hides no other.
 */
export async function listRemoved(
  deleted: DeletedFiles,
  folder: OwnerFolder,
  isThere: (id: string) => boolean,
  report: (where: string, error: unknown) => void,
): Promise<DeletedMemory[]> {
  const shown: DeletedMemory[] = [];
  const taken = new Set<string>();
  const { files } = await deleted.list();
  for (const { name, deletedAt } of files) {
    const read = await readWhole(folder.fileSystem, await deleted.path(name), { limit: LARGEST_TRASH_BYTES });
    if (read.state === 'missing') continue;
    let items: (RemovedMemory | null)[] = [];
    try {
      if (read.state === 'unknown') throw read.failure;
      items = itemsIn(read.bytes);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      report('reading what was forgotten', error);
    }
    for (const [index, item] of items.entries()) {
      const view = item && readMemory(item.raw).view;
      if (!view || taken.has(view.id) || isThere(view.id)) continue;
      taken.add(view.id);
      shown.push({ trashId: `${name.slice(0, -5)}.${index}`, title: view.title, deletedAt });
    }
  }
  return shown;
}

/** The items of a file of the trash; null for those of another kind, so that each keeps its place. */
function itemsIn(bytes: Buffer): (RemovedMemory | null)[] {
  const stored = parseStored(bytes, 'What was forgotten');
  if (own(stored, 'version') !== TRASH_VERSION) throw newerTrash();
  const items = own(stored, 'items');
  return Array.isArray(items) ? items.map(readItem) : [];
}

function readItem(stored: unknown): RemovedMemory | null {
  if (!isRecord(stored) || own(stored, 'kind') !== KIND) return null;
  const entries = own(stored, 'entries');
  const entry: unknown = Array.isArray(entries) ? entries[0] : null;
  if (!isRecord(entry)) return null;
  const [raw, index, versions] = [own(entry, 'raw'), own(entry, 'index'), own(stored, 'versions')];
  if (!isRecord(raw) || !readMemory(raw).view?.id) return null;
  return {
    raw,
    index: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : 0,
    versions: Array.isArray(versions) ? versions.map(readVersion).filter((one) => one !== null) : [],
  };
}
