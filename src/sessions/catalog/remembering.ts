import type { CacheFile, Memory } from './cache-file.ts';
import type { Entries, Entry } from './entries.ts';

export interface RememberingOptions {
  openFile: () => Promise<CacheFile>;
  entries: Entries;
  report: (where: string, error: unknown) => void;
}

/** Shortest time between two writes, in ms, and what each session adds to it. */
const REST = 5000;
const REST_EACH = 2;
/** After this many failures the file is given up until the next start: it is for speed only. */
const MOST_FAILURES = 3;

/** Writes the cache file some time after the list changed, and at the end. */
export class Remembering {
  readonly #options: RememberingOptions;
  #file: Promise<CacheFile> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isChanged = false;
  #isOver = false;
  #failures = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RememberingOptions) {
    this.#options = options;
  }

  /** What an earlier run remembered; null when that is nothing. */
  async read(): Promise<Memory | null> {
    try {
      return await (await this.#open()).read();
    } catch (error) {
      // The list is then made from the disk, as without a cache.
      this.#options.report('reading the remembered list of sessions', error);
      return null;
    }
  }

  /** The list changed. */
  changed(): void {
    this.#isChanged = true;
    if (this.#timer !== null || this.#isOver) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#writing = this.#write();
      },
      REST + REST_EACH * this.#options.entries.size,
    );
    this.#timer.unref();
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#writing;
    await this.#write();
  }

  async #write(): Promise<void> {
    if (!this.#isChanged || this.#failures >= MOST_FAILURES) return;
    this.#isChanged = false;
    try {
      const { entries } = this.#options;
      // What could not be read is looked at anew by the next start; what was deleted is not shown before the trash was asked.
      const isSure = ({ facts, isGlimpse, wasDeleted }: Entry): boolean =>
        facts.unreadable === null && !isGlimpse && !wasDeleted;
      const shown = entries.order().filter(isSure);
      const hidden = entries.hidden().filter(isSure);
      await (await this.#open()).write([...shown, ...hidden], shown.length);
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      this.#options.report('remembering the list of sessions', error);
    }
  }

  #open(): Promise<CacheFile> {
    this.#file ??= this.#options.openFile();
    return this.#file;
  }
}
