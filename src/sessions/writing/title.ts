import { Failure } from '../../contract/errors.ts';
import { ioFailure, isMissing } from '../../files/index.ts';
import { type JsonObject, own, withKeys, withoutKeys } from '../../files/json.ts';
import { titleOf } from '../catalog/title.ts';
import type { SessionFiles } from '../session-files.ts';
import type { FindHolder } from './access.ts';
import { deletedSession, heldSession, SESSION_KEPT } from './failures.ts';
import type { MetaWriter, StoredMeta } from './meta-writer.ts';

export interface RenameInput {
  /** Null takes the session's own title away. */
  readonly title: string | null;
  /** The title that the person saw: another own title that was given meanwhile is not overwritten. */
  readonly seen?: string | undefined;
}

/**
 * Gives a session, also one of another program, a title of its own. Nothing but that one field is written, and only while
 * nobody has the session open.
 *
 * @returns What the meta file holds now; null where there is none.
 * @throws Failure `not-found`, `in-use`, `conflict` (with the title in `detail.title`), `malformed` for a damaged meta file.
 */
export async function renameSession(
  files: SessionFiles,
  findHolder: FindHolder,
  metas: MetaWriter,
  input: RenameInput,
): Promise<StoredMeta> {
  await refuseUnwritable(files, findHolder);
  return metas.update(await files.path('meta'), (meta) => withTitle(meta, input));
}

/**
 * Makes sure that a session is there and nobody else has it open, before something beside its log is written.
 *
 * @throws Failure `not-found`, `in-use`.
 */
export async function refuseUnwritable(files: SessionFiles, findHolder: FindHolder): Promise<void> {
  if (!(await isFile(files, 'transcript')) || (await isFile(files, 'cleanup-pending'))) throw deletedSession();
  const holder = await findHolder(files);
  if (holder !== null) throw heldSession(holder);
}

function withTitle(meta: StoredMeta, { title, seen }: RenameInput): JsonObject | null {
  const stored = meta ?? {};
  const custom = own(stored, 'custom_title');
  const current = typeof custom === 'string' && custom.trim() !== '' ? custom : null;
  if (current === title) return null;
  if (seen !== undefined && current !== null && seen !== current) {
    const shown = titleOf({ custom: current, topic: null, map: null, preview: null }).title;
    if (seen !== shown) throw renamedMeanwhile(shown);
  }
  return title === null ? withoutKeys(stored, ['custom_title']) : withKeys(stored, { custom_title: title });
}

function renamedMeanwhile(title: string): Failure {
  return new Failure(
    'conflict',
    'The session was given another title meanwhile. That one was kept. Look at it, then rename the session again.',
    { detail: { title } },
  );
}

async function isFile(files: SessionFiles, kind: 'transcript' | 'cleanup-pending'): Promise<boolean> {
  try {
    await files.fileSystem.lstat(await files.path(kind));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw ioFailure(error, 'The session could not be looked at', SESSION_KEPT);
  }
}
