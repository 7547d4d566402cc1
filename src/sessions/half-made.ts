import { sessionKey } from '../contract/entities.ts';
import { guard, identityOf, isAlive, modifiedAt, syncFolder, temporaryOwner } from '../files/index.ts';
import { deletedAmong } from './deleted-ids.ts';
import { SessionFiles } from './session-files.ts';
import { hasOurForm } from './session-id.ts';
import type { SessionStore } from './session-stores.ts';
import type { TrashContext } from './trash-context.ts';
import { partPath } from './trash-entry.ts';
import { removeTree, statusOrNull } from './trash-files.ts';

/** A transcript gets its name last; until then it has this one. */
const unnamed = /^\.(.+)\.jsonl\.\d+-[0-9a-f]{12}\.tmp$/s;
/** What is there of a session before its transcript has its name. */
const firstKinds: ReadonlySet<string> = new Set(['events', 'meta', 'event-index']);

/** The session of ours that was being made when a file got this name; null for any other name. */
export function idOfUnnamed(name: string): string | null {
  const [, id] = unnamed.exec(name) ?? [];
  return id !== undefined && hasOurForm(id) ? id : null;
}

/**
 * Removes what an earlier run left of a session that it was making. That it never was one is known by its transcript, which
 * does not have its name yet: nobody was told that the session was made. What has anything else beside it is left alone.
 *
 * @param name Of the transcript that has no name yet, see {@link idOfUnnamed}.
 * @param startedAt What is younger is of this run, in ms since 1970.
 * @throws Failure `io`; it is tried again at the next start.
 */
export async function removeUnmade(
  context: TrashContext,
  store: SessionStore,
  id: string,
  name: string,
  startedAt: number,
): Promise<void> {
  const { fileSystem } = context;
  const files = new SessionFiles(fileSystem, store, id);
  const folder = await store.root.path();
  const path = partPath(folder, name);
  await context.queue.run(sessionKey(files.ref), () =>
    guard(
      async () => {
        const status = await statusOrNull(fileSystem, path);
        const pid = temporaryOwner(name) ?? process.pid;
        const isOld = status?.isFile() === true && modifiedAt(identityOf(status)) < startedAt;
        if (!isOld || (pid !== process.pid && isAlive(pid))) return;
        const found = await files.existing();
        const isUnmade = found.length > 0 && found.every(({ kind }) => firstKinds.has(kind));
        if (isUnmade && (await deletedAmong(context, store, new Set([id]))).size === 0) {
          for (const one of found) await removeTree(fileSystem, one.path);
          await syncFolder(fileSystem, folder);
        }
        // Last: it is what tells the rest apart.
        await removeTree(fileSystem, path);
        await syncFolder(fileSystem, folder);
      },
      'What was left of a session that was never made could not be removed',
      'It is not listed.',
    ),
  );
}
