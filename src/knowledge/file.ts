import { Failure } from '../contract/errors.ts';
import { closeQuietly, FILE_MODE, type FileSystem } from '../files/index.ts';
import type { JsonObject } from '../files/json.ts';
import type { SessionFiles } from '../sessions/session-files.ts';
import { writeAll } from '../sessions/writing/log-handle.ts';
import { encodeMeta, MetaWriter, readStoredMeta } from '../sessions/writing/meta-writer.ts';
import { knowledgePath } from './artifact.ts';
import { noKnowledge, readKnowledge, type StoredKnowledge } from './stored.ts';

const WHAT = 'What this session is told of';

/** What is known of a session's file; `failure` says why it cannot be told what it holds. */
export interface KnowledgeState {
  readonly stored: StoredKnowledge;
  /** `malformed`, `io`, or `newer-version` where it can be read in part but not be written. */
  readonly failure: Failure | null;
}

/** Reads and changes the files in which sessions keep what they are told of. */
export class KnowledgeFile {
  readonly #writer: MetaWriter;

  constructor(fileSystem: FileSystem) {
    this.#writer = new MetaWriter(fileSystem, { what: WHAT });
  }

  /** What a session's file says. Never fails: what cannot be read is said so, and counts as nothing. */
  async read(files: SessionFiles): Promise<KnowledgeState> {
    try {
      const { meta } = await readStoredMeta(files.fileSystem, await knowledgePath(files), { what: WHAT });
      const stored = meta === null ? noKnowledge : readKnowledge(meta);
      return { stored, failure: stored.isNewer ? newer() : null };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { stored: noKnowledge, failure: error };
    }
  }

  /**
   * Changes a session's file: read, change, replace, and all again where another program was faster. What the change does
   * not name stays as it is.
   *
   * @param change Makes the new content of the newest; null when there is nothing to change.
   * @throws Failure `malformed`, `newer-version` or `io`, with the file as it was; what `change` throws.
   */
  async update(
    files: SessionFiles,
    change: (stored: JsonObject | null) => JsonObject | null,
  ): Promise<StoredKnowledge> {
    const written = await this.#writer.update(await knowledgePath(files), (stored) => {
      if (stored !== null && readKnowledge(stored).isNewer) throw newer();
      return change(stored);
    });
    return written === null ? noKnowledge : readKnowledge(written);
  }
}

/** Makes the file of a session that is not there for others yet, and had none. */
export async function makeKnowledgeFile(
  files: SessionFiles,
  content: JsonObject,
  onMade: (path: string) => void,
): Promise<void> {
  const path = await knowledgePath(files);
  onMade(path);
  const handle = await files.fileSystem.open(path, 'wx', FILE_MODE);
  try {
    await writeAll(handle, encodeMeta(content), 0);
    await handle.sync();
  } finally {
    await closeQuietly(handle);
  }
}

function newer(): Failure {
  return new Failure(
    'newer-version',
    'What this session is told of was saved by a newer version of the program. It was left as it is. Update this program to change it.',
  );
}
