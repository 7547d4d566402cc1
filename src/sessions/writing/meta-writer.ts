import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../contract/errors.ts';
import {
  createDurably,
  type FileIdentity,
  type FileState,
  type FileSystem,
  KeyedQueue,
  putBack,
  readWhole,
  removeTemporary,
  replaceDurably,
} from '../../files/index.ts';
import { type JsonObject, parseStored, serialiseStored } from '../../files/json.ts';
import { MAXIMUM_META_BYTES, metaDelays } from '../catalog/meta.ts';

/** How often a change is made again because another program changed the file under it. */
const MAXIMUM_TRIES = 20;

/** A meta file as it is stored: every field, with numbers as they are written; null where there is none. */
export type StoredMeta = JsonObject | null;

/** Makes a change of the newest state; null when there is nothing to change. */
export type MetaChange = (meta: StoredMeta) => JsonObject | null;

export interface MetaOptions {
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** What the file is called in a message; the meta file when left out. */
  readonly what?: string;
}

/** Changes one meta file, or another small file of JSON beside a session, at a time for each path. */
export class MetaWriter {
  readonly #fileSystem: FileSystem;
  readonly #options: MetaOptions;
  readonly #queue = new KeyedQueue();

  constructor(fileSystem: FileSystem, options: MetaOptions = {}) {
    this.#fileSystem = fileSystem;
    this.#options = options;
  }

  /** As {@link updateMeta}, when earlier changes of the same file have ended. */
  update(path: string, change: MetaChange): Promise<StoredMeta> {
    return this.#queue.run(path, () => updateMeta(this.#fileSystem, path, change, this.#options));
  }
}

/**
 * Reads a meta file to change it (docs/formats/session-format.md, section 3): one that does not parse is read again after
 * 20, 50 and 100 ms; one of blanks or NUL bytes holds nothing.
 *
 * @throws Failure `malformed` or `io` where it cannot be told what it holds: then nothing may be written over it.
 */
export async function readStoredMeta(
  fileSystem: FileSystem,
  path: string,
  { sleep = delay, what = "The file with this session's details" }: MetaOptions = {},
): Promise<{ meta: StoredMeta; identity: FileIdentity | null }> {
  for (const wait of [...metaDelays, null]) {
    const read: FileState<{ bytes: Buffer }> = await readWhole(fileSystem, path, { limit: MAXIMUM_META_BYTES });
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'missing') return { meta: null, identity: null };
    try {
      return { meta: parseMeta(read.bytes, what), identity: read.identity };
    } catch (error) {
      if (!(error instanceof Failure) || wait === null) throw error;
      await sleep(wait);
    }
  }
  throw new Error('the last turn of the loop returns or throws');
}

const parseMeta = (bytes: Buffer, what: string): StoredMeta =>
  /^[\s\0\ufeff]*$/.test(bytes.toString('latin1').replace('\u00ef\u00bb\u00bf', '')) ? null : parseStored(bytes, what);

/**
 * Changes a meta file: read, change, replace, and all again where another program was faster. Fields that the change does
 * not name stay as they are, whoever put them there.
 *
 * @returns What the file holds now; null when there is none and there was nothing to write.
 * @throws Failure as {@link readStoredMeta}, and those of a write; the file is then as it was.
 */
async function updateMeta(
  fileSystem: FileSystem,
  path: string,
  change: MetaChange,
  options: MetaOptions = {},
): Promise<StoredMeta> {
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const { meta, identity } = await readStoredMeta(fileSystem, path, options);
    const changed = change(meta);
    if (changed === null) return meta;
    if (await write(fileSystem, path, encodeMeta(changed), identity)) return changed;
  }
  throw new Failure('io', 'Another program keeps changing this session. The change was not saved; try again.', {
    detail: { reason: 'busy' },
  });
}

/** A meta file's bytes: JSON with indents and a final LF. */
export const encodeMeta = (meta: JsonObject): Buffer => Buffer.concat([serialiseStored(meta), Buffer.from('\n')]);

/** @returns False, with nothing changed, when another program changed, made or removed the file since it was read. */
async function write(
  fileSystem: FileSystem,
  path: string,
  bytes: Buffer,
  identity: FileIdentity | null,
): Promise<boolean> {
  if (identity === null) return (await createDurably(fileSystem, path, bytes)) !== 'taken';
  const release = (kept: string): Promise<void> => removeTemporary(fileSystem, kept);
  const replaced = await replaceDurably(fileSystem, path, bytes, identity, { release });
  if (replaced === 'changed') return false;
  const { kept, displaced } = replaced;
  if (kept === null || !displaced) return true;
  // Another program saved in the moment of the rename: its version goes back, and the change is made on top of it.
  if (replaced.identity !== null && (await putBack(fileSystem, kept, path, replaced.identity))) return false;
  await removeTemporary(fileSystem, kept);
  return true;
}
