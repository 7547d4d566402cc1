import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FolderUsers } from '../../src/chats/folder-users.ts';
import { ChatFolders, type ChatFoldersOptions } from '../../src/chats/folders.ts';
import { ChatOwnFolders } from '../../src/chats/own-folders.ts';
import type { SessionRef } from '../../src/contract/entities.ts';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import type { NamedFolder, NamedFolders } from '../../src/sessions/own-folder.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { SessionTrash } from '../../src/sessions/trash.ts';
import { temporaryFolder } from '../files/support.ts';

export const CHATS_ID = 'path_chats';

/** The folders of chats below a folder of their own, with the sessions that name some of them. */
export async function chatFolders(options: Partial<ChatFoldersOptions> = {}) {
  const base = await temporaryFolder();
  const root = join(base, 'chats');
  const folders = new ChatFolders({ root, ...options });
  const named: NamedFolder[] = [];
  const state: { unsure: string | null; asked: number } = { unsure: null, asked: 0 };
  const users = new FolderUsers({
    folders,
    named: async () => {
      state.asked++;
      return { named, unsure: state.unsure };
    },
    chatsId: async () => CHATS_ID,
  });
  const name = (id: string, directory: string, ownerId: string | null = CHATS_ID): void => {
    named.push({ session: { store: 'global', id }, ownerId, directory });
  };
  return { base, root, folders, users, named, name, state };
}

/** Makes files and folders; null makes a folder. */
export async function write(base: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(base, name);
    await mkdir(content === null ? path : dirname(path), { recursive: true });
    if (content !== null) await writeFile(path, content);
  }
}

/** Everything below a folder: files with their content, folders with a `/` behind, links with where they point. */
export async function read(base: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(base.length + 1);
    if (entry.isDirectory()) found[`${name}/`] = '';
    else found[name] = entry.isSymbolicLink() ? `-> ${await readlink(path)}` : await readFile(path, 'utf8');
  }
  return found;
}

/** The folders of chats with the sessions that are theirs, on real disks: two stores' roots beside each other. */
export async function chatsWithTrash(system: FileSystem = nodeFileSystem) {
  const { base, root, folders, state } = await chatFolders({ fileSystem: system });
  const store = join(base, 'sessions', 'sessions');
  await mkdir(store, { recursive: true });
  let now = 1_750_000_000_000;
  /** As the catalog would answer it. */
  const named = async (): Promise<NamedFolders> => {
    const found: NamedFolder[] = [];
    for (const file of await readdir(store)) {
      if (!file.endsWith('.jsonl.meta')) continue;
      const { workspace_root: directory } = JSON.parse(await readFile(join(store, file), 'utf8'));
      const session = { store: 'global', id: file.slice(0, -'.jsonl.meta'.length) };
      if (typeof directory === 'string') found.push({ session, ownerId: null, directory });
    }
    return { named: found, unsure: state.unsure };
  };
  const users = new FolderUsers({ folders, named, chatsId: async () => CHATS_ID });
  const own = new ChatOwnFolders(folders, users, async () => undefined);
  const reported: string[] = [];
  /** The trash, as after another start. */
  const open = (): SessionTrash => {
    const trash = new SessionTrash({
      stores: new SessionStores(system, join(base, 'sessions')),
      ownFolders: own,
      now: () => now,
      sleep: () => Promise.resolve(),
      report: (where, error) => void reported.push(`${where}: ${error}`),
    });
    onTestFinished(() => trash.dispose());
    return trash;
  };
  /** Makes a session that names this directory. */
  const session = async (id: string, directory: string | null): Promise<SessionRef> => {
    const meta = { id, ...(directory === null ? {} : { workspace_root: directory }) };
    await write(store, {
      [`${id}.jsonl`]: `{"role":"user","content":"MARK-${id}"}\n`,
      [`${id}.jsonl.meta`]: JSON.stringify(meta),
    });
    return { store: 'global', id };
  };
  const advance = (ms: number): void => {
    now += ms;
  };
  return { base, root, store, folders, named, own, open, session, state, reported, advance };
}
