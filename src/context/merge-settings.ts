import { basename, dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../contract/errors.ts';
import {
  createDurably,
  type FileIdentity,
  guard,
  putBack,
  readParsed,
  removeTemporary,
  replaceDurably,
  resolveExisting,
} from '../files/index.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored, withKeys } from '../files/json.ts';
import type { Left } from './merge-folders.ts';
import type { ProjectFiles } from './project-files.ts';

/** The client's settings of a project as they were read; null when there are none. */
export type ClientSettings = { settings: JsonObject; identity: FileIdentity } | null;

const LINKS = 'projectPlanFiles';

/** Reads the client's settings. @throws Failure when they cannot be read; nothing may be merged then. */
export async function readSettings(files: ProjectFiles): Promise<ClientSettings> {
  const read = await readParsed(files.fileSystem, await files.legacyPath(), (bytes) =>
    parseStored(bytes, 'The file of project settings'),
  );
  if (read.state === 'unknown') throw read.failure;
  return read.state === 'missing' ? null : { settings: read.value, identity: read.identity };
}

/**
 * Adds to the destination's settings what only the source's have. Links of plans that could not be moved in yet come
 * behind those of the destination; one to a file of the source then names its copy.
 *
 * @param planNames Names of the source's plan files in the destination.
 * @returns The keys of which the destination has another value; `changed`, with nothing written, when the client saved in
 *   between.
 */
export async function mergeSettings(
  source: ProjectFiles,
  destination: ProjectFiles,
  planNames: ReadonlyMap<string, string>,
): Promise<Left[] | 'changed'> {
  const coming = await readSettings(source);
  if (coming === null) return [];
  const here = await readSettings(destination);
  const keys = new Map(Object.entries(here?.settings ?? {}));
  const left: Left[] = [];
  for (const [key, stored] of Object.entries(coming.settings)) {
    const value = key === LINKS ? await movedLinks(source, destination, stored, planNames) : stored;
    const known = keys.get(key);
    if (!keys.has(key)) keys.set(key, value);
    else if (key === LINKS && Array.isArray(known) && Array.isArray(value)) keys.set(key, unionOf(known, value));
    else if (key !== 'version' && JSON.stringify(known) !== JSON.stringify(value)) {
      left.push({ what: key, reason: 'setting' });
    }
  }
  const merged = Object.fromEntries(keys);
  if (here !== null && JSON.stringify(merged) === JSON.stringify(here.settings)) return left;
  return (await write(destination, merged, here?.identity ?? null)) ? left : 'changed';
}

function unionOf(here: readonly unknown[], coming: readonly unknown[]): unknown[] {
  const known = new Set(here.map((one) => JSON.stringify(one)));
  return [...here, ...coming.filter((one) => !known.has(JSON.stringify(one)))];
}

async function movedLinks(
  source: ProjectFiles,
  destination: ProjectFiles,
  stored: unknown,
  planNames: ReadonlyMap<string, string>,
): Promise<unknown> {
  if (!Array.isArray(stored)) return stored;
  const links: unknown[] = stored;
  const from = dirname(await source.planPath('x'));
  const to = dirname(await destination.planPath('x'));
  return Promise.all(
    links.map(async (link) => {
      const path = isRecord(link) ? own(link, 'path') : undefined;
      if (!isRecord(link) || typeof path !== 'string' || !isAbsolute(path)) return link;
      const name = basename(path);
      if ((await folderOf(source, path)) !== from) return link;
      return withKeys(link, { path: join(to, planNames.get(name) ?? name) });
    }),
  );
}

/** The real path of the folder that a path is in: neighbours whose names begin alike are other folders. */
async function folderOf(files: ProjectFiles, path: string): Promise<string | null> {
  try {
    return await resolveExisting(files.fileSystem, dirname(path));
  } catch (error) {
    // A folder that cannot be looked at is at least not that of the source, which was.
    if (error instanceof Failure) return null;
    throw error;
  }
}

async function write(files: ProjectFiles, settings: JsonObject, expected: FileIdentity | null): Promise<boolean> {
  const { fileSystem } = files;
  await files.prepareFolder();
  const path = await files.legacyPath();
  const bytes = serialiseStored(settings);
  if (expected === null) return (await createDurably(fileSystem, path, bytes)) !== 'taken';
  const replaced = await replaceDurably(fileSystem, path, bytes, expected);
  if (replaced === 'changed') return false;
  const { identity, kept, displaced } = replaced;
  if (kept === null) return true;
  if (!displaced) {
    await removeTemporary(fileSystem, kept);
    return true;
  }
  // The client saved in the moment of the rename: its file goes back, and the union is made anew on top of it.
  const back = identity !== null && (await putBack(fileSystem, kept, path, identity));
  if (!back) await guard(() => fileSystem.rename(kept, `${path}.displaced-${Date.now()}`));
  return false;
}
