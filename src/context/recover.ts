import { contextChange } from '../contract/context-change.ts';
import type { ContextChange } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  createDurably,
  type FileIdentity,
  identify,
  linkDurably,
  modifiedAt,
  moveDurably,
  putBack,
  readParsed,
  readWhole,
  removeDurably,
  removeTemporary,
  replaceDurably,
  sameIdentity,
} from '../files/index.ts';
import { parseStored } from '../files/json.ts';
import { mutate } from './commit.ts';
import { type ContextDocument, readDocument } from './document.ts';
import { mergeDocuments } from './merge-lists.ts';
import { linkedFiles } from './plan-links.ts';
import { never, type ProjectContext, refuseNewer } from './project-context.ts';
import { removeUnlinked, restoreDocuments } from './restore-plan.ts';

export interface RecoverInput {
  /** Null: only puts a damaged file aside. */
  backupId: string | null;
  mode: 'replace' | 'merge';
}

export interface Recovered {
  /** Name under which the damaged file stands now, beside the context file; null when that was not damaged. */
  damaged: string | null;
  context: ContextChange;
}

/** What stands where the context file should be. */
type Current =
  | { state: 'missing' }
  | { state: 'good'; identity: FileIdentity; bytes: Buffer; document: ContextDocument }
  | { state: 'damaged'; identity: FileIdentity };

interface Earlier {
  bytes: Buffer;
  document: ContextDocument;
}

/** How often it is tried again because another program changed the file meanwhile. */
const MAXIMUM_TRIES = 20;

/**
 * Goes back to an earlier version, or adds what it holds to the current one. The earlier version is read and checked before
 * anything is changed. What it replaces is kept first: a damaged file under a name beside it, a good one as an earlier
 * version. With a damaged file there is nothing to add to, so the earlier version takes its place in both modes.
 *
 * @throws Failure `not-found`, `malformed` or `newer-version` of the earlier version, `newer-version` of the current one,
 *   `invalid` when there is nothing damaged to put aside.
 */
export async function recover(context: ProjectContext, { backupId, mode }: RecoverInput): Promise<Recovered> {
  const earlier = backupId === null ? null : await readEarlier(context, backupId);
  if (earlier === null) return change(context, () => putAside(context));
  const current = await look(context);
  if (mode === 'merge' && current.state === 'good') return merge(context, current.document, earlier);
  const made = await restoreDocuments(context, linkedFiles(earlier.document));
  try {
    return await change(context, () => replace(context, earlier));
  } catch (error) {
    for (const file of made) await removeUnlinked(context, file);
    throw error;
  }
}

/** @param make Changes what the file is; answers the name of a damaged one. */
async function change(context: ProjectContext, make: () => Promise<string | null>): Promise<Recovered> {
  let damaged: string | null;
  try {
    damaged = await make();
  } catch (error) {
    // It may have been done before it failed: the windows must show what is there. Should reading fail as well, why it was
    // not done is what the caller has to know.
    context.forget();
    await context.load({ migrate: never, plans: true }).catch(() => undefined);
    throw error;
  }
  return answer(context, damaged);
}

async function readEarlier(context: ProjectContext, backupId: string): Promise<Earlier> {
  const version = await context.backups.read(backupId);
  const document = readDocument(parseStored(version.bytes, 'This earlier version'), version.modifiedAt);
  if (document.readOnly) {
    throw new Failure(
      'newer-version',
      'This earlier version was saved by a newer program, so it cannot be used here. Nothing was changed. Update Sidekeep.',
      { detail: { version: document.version } },
    );
  }
  return { bytes: version.bytes, document };
}

async function look({ files }: ProjectContext): Promise<Current> {
  const path = await files.contextPath();
  const parse = (bytes: Buffer, identity: FileIdentity): ContextDocument =>
    readDocument(parseStored(bytes, 'The stored context'), modifiedAt(identity));
  const read = await readParsed(files.fileSystem, path, parse);
  if (read.state === 'missing') {
    await files.checkSeen();
    return { state: 'missing' };
  }
  if (read.state === 'unknown') {
    if (read.failure.code !== 'malformed' || read.identity === null) throw read.failure;
    return { state: 'damaged', identity: read.identity };
  }
  refuseNewer(read.value);
  return { state: 'good', identity: read.identity, bytes: read.bytes, document: read.value };
}

/** Adds what the earlier version has and the current one lacks, documents of plans first. */
async function merge(context: ProjectContext, current: ContextDocument, earlier: Earlier): Promise<Recovered> {
  const present = new Set(linkedFiles(current));
  const made = await restoreDocuments(
    context,
    linkedFiles(earlier.document).filter((file) => !present.has(file)),
  );
  try {
    // So that the windows hear of the links and of their documents in one change.
    await context.plans.look(linkedFiles(earlier.document));
    const { context: change } = await mutate(context, (newest) => {
      const { raw } = mergeDocuments(newest, earlier.document);
      const isSame = JSON.stringify(raw) === JSON.stringify(newest.raw);
      return { raw: isSame ? null : raw, result: null };
    });
    return { damaged: null, context: change };
  } catch (error) {
    for (const file of made) await removeUnlinked(context, file);
    throw error;
  }
}

/** Renames a damaged file, so that nothing has its name. */
async function putAside(context: ProjectContext): Promise<string> {
  const { fileSystem } = context.files;
  const path = await context.files.contextPath();
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const current = await look(context);
    if (current.state !== 'damaged') {
      throw new Failure('invalid', 'The stored context is not damaged, so it was not put aside. Nothing was changed.', {
        detail: { field: 'backupId' },
      });
    }
    await context.files.prepareFolder();
    const now = await identify(fileSystem, path);
    if (now.state !== 'present' || !sameIdentity(now.identity, current.identity)) continue;
    const name = await underFreeName(context, async (aside) => {
      const moved = await moveDurably(fileSystem, path, aside);
      return moved === 'taken' ? 'taken' : moved === 'moved';
    });
    if (name !== null) return name;
  }
  throw busy();
}

/**
 * Puts an earlier version in the place of the current one, byte for byte.
 *
 * @returns The name of the damaged file that was there; null when it was not damaged.
 */
async function replace(context: ProjectContext, { bytes }: Earlier): Promise<string | null> {
  const { fileSystem } = context.files;
  const path = await context.files.contextPath();
  let damaged: string | null = null;
  let saved: Buffer | null = null;
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const current = await look(context);
    await context.files.prepareFolder();
    if (current.state === 'missing') {
      if ((await createDurably(fileSystem, path, bytes)) === 'taken') continue;
      return damaged;
    }
    if (current.state === 'good') {
      if (current.bytes.equals(bytes)) return damaged;
      if (saved === null || !saved.equals(current.bytes)) await context.backups.save(current.bytes, 'recovered');
      saved = current.bytes;
      if (await replaceKnown(context, path, bytes, current.identity)) return damaged;
      continue;
    }
    const name = await keepDamaged(context, path);
    if (name === null) continue;
    damaged = name;
    // A second name is a change of the file's status.
    const now = await identify(fileSystem, path);
    if (now.state !== 'present' || !sameBytes(now.identity, current.identity)) continue;
    try {
      if (await replaceKnown(context, path, bytes, now.identity)) return damaged;
    } catch (error) {
      await removeNeedless(context, path, now.identity, damaged);
      throw error;
    }
  }
  throw busy();
}

/** Replaces the file that was looked at; answers false when it is another one by now. */
async function replaceKnown(
  context: ProjectContext,
  path: string,
  bytes: Buffer,
  expected: FileIdentity,
): Promise<boolean> {
  const { fileSystem } = context.files;
  const replaced = await replaceDurably(fileSystem, path, bytes, expected);
  if (replaced === 'changed') return false;
  const { identity, kept, displaced } = replaced;
  if (kept === null) return true;
  if (!displaced) {
    await removeTemporary(fileSystem, kept);
    return true;
  }
  // Another program saved in the moment of the rename: its version is the one to be kept first.
  if (identity !== null && (await putBack(fileSystem, kept, path, identity))) return false;
  await context.keepDisplaced(kept);
  return true;
}

/** Gives the damaged file a second name, or copies it where the disk knows none; null when it is gone. */
async function keepDamaged(context: ProjectContext, path: string): Promise<string | null> {
  const { fileSystem } = context.files;
  return underFreeName(context, async (aside) => {
    const linked = await linkDurably(fileSystem, path, aside);
    if (linked === 'taken') return 'taken';
    if (linked !== 'unsupported') return linked === 'linked';
    const read = await readWhole(fileSystem, path);
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'missing') return false;
    return (await createDurably(fileSystem, aside, read.bytes)) === 'taken' ? 'taken' : true;
  });
}

/** @param use Takes the path for something; answers `taken` when that is not free, false when there is nothing to put there. */
async function underFreeName(
  { files, now }: ProjectContext,
  use: (path: string) => Promise<boolean | 'taken'>,
): Promise<string | null> {
  for (let time = Math.max(0, Math.floor(now())); ; time++) {
    const name = `context.json.damaged-${time}`;
    const used = await use(await files.root.locate('projects', files.id, name));
    if (used !== 'taken') return used ? name : null;
  }
}

/** Takes the second name of a damaged file away when that still has its first one; else it is all that is left of it. */
async function removeNeedless(
  { files }: ProjectContext,
  path: string,
  expected: FileIdentity,
  name: string,
): Promise<void> {
  try {
    const now = await identify(files.fileSystem, path);
    if (now.state !== 'present' || !sameBytes(now.identity, expected)) return;
    await removeDurably(files.fileSystem, await files.root.locate('projects', files.id, name));
  } catch (error) {
    // The name stays; why nothing was put in the file's place is what the caller has to know.
    if (!(error instanceof Failure)) throw error;
  }
}

const sameBytes = (left: FileIdentity, right: FileIdentity): boolean =>
  left.ino === right.ino && left.size === right.size && left.mtimeNs === right.mtimeNs;

/** Tells the windows what is there now; the answer stands on nothing, as the window may have had nothing to show. */
async function answer(context: ProjectContext, damaged: string | null): Promise<Recovered> {
  context.forget();
  try {
    await context.load({ migrate: never, plans: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `This was done, but what is there now cannot be shown. ${error.message}`;
    throw new Failure(error.code, message, { detail: { ...error.detail, reason: 'not-confirmed' }, cause: error });
  }
  return { damaged, context: contextChange(null, context.snapshot) };
}

function busy(): Failure {
  return new Failure('io', 'Another program keeps changing the file. Nothing was put in its place; try again.', {
    detail: { reason: 'busy' },
  });
}
