import { Failure } from '../contract/errors.ts';
import { guard } from '../files/index.ts';
import { readMeta } from './catalog/meta.ts';
import type { NamedFolder, NamedFolders } from './own-folder.ts';
import { idOfMarker } from './pending-marker.ts';
import type { TrashContext } from './trash-context.ts';
import { namesOrNone } from './trash-files.ts';

/**
 * The folders that hidden sessions name, which no list has: whoever has such a session open may still work in its folder.
 */
export async function hiddenFolders(context: TrashContext): Promise<NamedFolders> {
  const { fileSystem } = context;
  const named: NamedFolder[] = [];
  try {
    const { stores } = await context.stores.list();
    for (const store of stores) {
      const folder = await store.root.path();
      const names = await guard(() => namesOrNone(fileSystem, folder), 'The sessions could not be read', '');
      for (const id of names.flatMap((name) => idOfMarker(name) ?? [])) {
        const session = { store: store.key, id };
        const read = await readMeta(fileSystem, await context.filesOf(session).path('meta'));
        if (read.state === 'unknown') throw read.failure;
        const directory = read.state === 'present' ? read.meta.workspaceRoot : null;
        if (directory !== null) named.push({ session, ownerId: null, directory });
      }
    }
    return { named, unsure: null };
  } catch (error) {
    // Whatever it is: then there may be more of them.
    if (!(error instanceof Failure)) throw error;
    return { named, unsure: error.message };
  }
}
