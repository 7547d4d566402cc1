import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import {
  DeletedFiles,
  moveDurably,
  type OwnerFolder,
  removeTemporary,
  StoredDocument,
  type StoredDocumentEvents,
} from '../files/index.ts';
import { type MemoryDocument, memoryFile } from './document.ts';
import { type KeptDocument, keptFile } from './kept.ts';
import type { MemoryState } from './views.ts';

export interface OwnerMemoryOptions {
  folder: OwnerFolder;
  /** Called when what was read last is not what is there any more. */
  onChange: () => void;
  now: () => number;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * The memory of one owner, or of all: the newest state of its file and of what is kept beside it. Its methods must not run
 * side by side; the store's queue sees to that.
 */
export class OwnerMemory {
  readonly now: () => number;
  readonly deleted: DeletedFiles;
  readonly #folder: OwnerFolder;
  readonly #options: OwnerMemoryOptions;
  readonly #memory: StoredDocument<MemoryDocument>;
  readonly #kept: StoredDocument<KeptDocument>;
  /** Why what is kept cannot be read; null when it can. */
  #keptProblem: Failure | null = null;
  /** What was last told of; null before the first read. */
  #told: string | null = null;

  constructor(options: OwnerMemoryOptions) {
    const { folder, now, report, sleep = delay } = options;
    this.now = now;
    this.#folder = folder;
    this.#options = options;
    this.deleted = new DeletedFiles(folder, now, report);
    this.#memory = new StoredDocument(memoryFile, folder, this.#events(), sleep);
    this.#kept = new StoredDocument(keptFile, folder, this.#events(), sleep);
  }

  /** Whether anybody ever asked for this memory: only then is there anybody to tell. */
  get isInUse(): boolean {
    return this.#told !== null;
  }

  /**
   * The newest state; tells when it is not the last that was read. What is kept beside it hides nothing: where that cannot
   * be read nothing is allowed and there are no earlier versions.
   *
   * @throws Failure when the memory cannot be read.
   */
  async load(): Promise<MemoryState> {
    try {
      const { document: memory } = await this.#memory.read();
      const kept = await this.#loadKept();
      this.#tellState();
      return { memory, kept };
    } catch (error) {
      if (error instanceof Failure) this.#tell(`${error.code} ${error.message}`);
      throw error;
    }
  }

  /**
   * Writes what differs from the state that was last loaded: what is kept first, so that a crash in between leaves too much
   * and never too little.
   *
   * @returns False when another program changed a file since; what is kept may then hold too much already.
   */
  async write(before: MemoryState, next: MemoryState): Promise<boolean> {
    try {
      if (next.kept !== before.kept && !(await this.#writeKept(next.kept))) return false;
      if (next.memory !== before.memory && !(await this.#memory.write(next.memory))) {
        this.#memory.distrust();
        return false;
      }
    } catch (error) {
      this.#memory.distrust();
      this.#kept.distrust();
      // The write may have reached a file before it failed: what is there is told. Should reading fail as well, the failure
      // to write is what the caller has to know.
      await this.load().catch(() => undefined);
      throw error;
    }
    this.#tellState();
    return true;
  }

  async #loadKept(): Promise<KeptDocument> {
    try {
      const { document } = await this.#kept.read();
      this.#keptProblem = null;
      return document;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.#keptProblem?.message !== error.message) {
        this.#options.report('reading what is kept of earlier memories', error);
      }
      this.#keptProblem = error;
      return keptFile.empty;
    }
  }

  async #writeKept(kept: KeptDocument): Promise<boolean> {
    const problem = this.#keptProblem;
    if (problem?.code === 'malformed') {
      // A damaged file of ours must not stand between a person and the memory; it is put aside, and read anew as missing.
      const path = await this.#folder.locate(...keptFile.names);
      await this.#folder.claim();
      await moveDurably(this.#folder.fileSystem, path, `${path}.damaged-${this.now()}`);
      this.#kept.forget();
      return false;
    }
    if (problem !== null) throw problem;
    if (kept.readOnly) throw newerKept();
    const written = await this.#kept.write(kept);
    if (!written) this.#kept.distrust();
    return written;
  }

  #tellState(): void {
    const digests = [this.#memory.held?.digest, this.#kept.held?.digest];
    this.#tell(`${digests.join(' ')} ${this.#keptProblem?.code ?? ''}`);
  }

  #tell(state: string): void {
    const isNews = this.#told !== null && this.#told !== state;
    this.#told = state;
    if (isNews) this.#options.onChange();
  }

  #events<Document>(): StoredDocumentEvents<Document> {
    const { report } = this.#options;
    const { fileSystem } = this.#folder;
    return {
      changedElsewhere: async () => undefined,
      replaced: (kept) => removeTemporary(fileSystem, kept),
      displaced: async (kept) => {
        // Another program saved in the very moment of a save here, and its version could not be put back: it is kept.
        try {
          const place = await this.#folder.locate('.sidekeep', `memory.displaced-${this.now()}.json`);
          await this.#folder.prepareFolder('.sidekeep');
          await moveDurably(fileSystem, kept, place);
        } catch (error) {
          report('keeping what another program saved at the same moment', error);
        }
      },
    };
  }
}

function newerKept(): Failure {
  return new Failure(
    'newer-version',
    'What is kept of earlier memories was saved by a newer program. Nothing was changed. Update Sidekeep.',
  );
}
