import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import { SessionFiles } from '../../src/sessions/session-files.ts';
import { SessionStores } from '../../src/sessions/session-stores.ts';
import { temporaryFolder } from '../files/support.ts';

/** Files by their path below the store; null makes an empty folder. */
export type Files = Readonly<Record<string, string | null>>;

export interface TestStore {
  /** Folder of the store for all. */
  readonly folder: string;
  readonly root: string;
  readonly stores: SessionStores;
  files(id: string): SessionFiles;
  write(files: Files): Promise<void>;
  /** Every file and folder below the store with its content, folders with a `/` behind. */
  read(): Promise<Record<string, string>>;
}

/** A store in a temporary folder. */
export async function testStore(files: Files = {}, fileSystem: FileSystem = nodeFileSystem): Promise<TestStore> {
  const root = await temporaryFolder();
  const folder = join(root, 'sessions');
  await mkdir(folder);
  const stores = new SessionStores(fileSystem, root);
  const store: TestStore = {
    folder,
    root,
    stores,
    files: (id) => new SessionFiles(fileSystem, stores.get('global'), id),
    write: async (added) => {
      for (const [name, content] of Object.entries(added)) {
        await mkdir(content === null ? join(folder, name) : dirname(join(folder, name)), { recursive: true });
        if (content !== null) await writeFile(join(folder, name), content);
      }
    },
    read: async () => {
      const found: Record<string, string> = {};
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const name = path.slice(folder.length + 1);
        if (entry.isDirectory()) found[`${name}/`] = '';
        else found[name] = entry.isFile() ? await readFile(path, 'utf8') : 'link';
      }
      return found;
    },
  };
  await store.write(files);
  return store;
}

/** A whole session with every artifact of the format, each of which holds `mark`. */
export function wholeSession(id: string, mark = `MARK-${id}`): Record<string, string> {
  const message = `{"role":"user","content":"${mark}"}\n`;
  return {
    [`${id}.jsonl`]: message,
    [`${id}.jsonl.meta`]: `{\n  "id": "${id}",\n  "custom_title": "Title ${mark}"\n}\n`,
    [`${id}.goal-state.json`]: `{"goal":"${mark}"}`,
    [`${id}.events.jsonl`]: `{"schema_version":1,"type":"replace","messages":[{"content":"${mark}"}]}\n`,
    [`${id}.events.jsonl.damaged`]: mark,
    [`${id}.events.jsonl.rotating`]: '',
    [`${id}.turns.jsonl`]: `{"event":"${mark}"}\n`,
    [`${id}.turns.jsonl.damaged`]: mark,
    [`${id}.event-index.json`]: `{"mark":"${mark}"}`,
    [`${id}.display-index.json`]: `{"listing_preview":"${mark}"}`,
    [`${id}.transcript-projection.json`]: mark,
    [`${id}.conflicts.jsonl`]: mark,
    [`${id}.recovery.json`]: mark,
    [`${id}.context.json`]: mark,
    [`${id}.pinned-context.json`]: mark,
    [`${id}.ckpt/turn-1.json`]: mark,
    [`${id}.ckpt/turns/2/a/b.json`]: mark,
    [`${id}.jobs/shell-1.log`]: mark,
    [`${id}.jobs/deep/er/x.log`]: mark,
    [`${id}.inbox/manifest.json`]: mark,
    [`${id}.inbox/blobs/1.json`]: mark,
    [`${id}.outputs/1/out.txt`]: mark,
    [`${id}.guardian.jsonl`]: message,
    [`${id}.guardian.jsonl.meta`]: mark,
    [`${id}.guardian.events.jsonl`]: mark,
    [`${id}.guardian.turns.jsonl`]: mark,
    [`${id}.guardian.ckpt/turn-1.json`]: mark,
    [`${id}.guardian.cursor.json`]: mark,
    [`${id}.wire.jsonl`]: mark,
    [`${id}.adjudication.jsonl`]: mark,
    [`${id}.execution.jsonl`]: mark,
    [`${id}.superseded.jsonl.bak`]: mark,
    [`${id}.jsonl.telemetry.json`]: mark,
    [`${id}.acp.json`]: mark,
    [`${id}.run-journal.ndjson`]: mark,
    [`${id}.jsonl.lock`]: '',
    [`${id}.jsonl.lease.lock`]: '',
  };
}

/** A session with what every one has. */
export const smallSession = (id: string, mark = `MARK-${id}`): Record<string, string> => ({
  [`${id}.jsonl`]: `{"role":"user","content":"${mark}"}\n`,
  [`${id}.jsonl.meta`]: `{"id":"${id}","custom_title":"Title ${mark}"}\n`,
  [`${id}.events.jsonl`]: `{"schema_version":1,"type":"replace","messages":[{"content":"${mark}"}]}\n`,
});
