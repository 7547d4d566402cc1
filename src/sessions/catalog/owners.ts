import type { ProjectId } from '../../contract/entities.ts';

export interface OwnersOptions {
  /** Owner of a session's folder; null when nobody is. */
  ownerOf: (directory: string) => Promise<ProjectId | null>;
  /** Told when the owners of folders became known that took too long before. */
  onLate: () => void;
  report: (where: string, error: unknown) => void;
}

/** How long the list waits for the owners of folders, in ms; those that take longer are told later. */
const PATIENCE = 1000;

/** Owners by folder: each folder is asked for once, until projects change. */
export class Owners {
  readonly #options: OwnersOptions;
  #known = new Map<string, ProjectId | null>();
  #asked = new Map<string, Promise<void>>();

  constructor(options: OwnersOptions) {
    this.#options = options;
  }

  /** The owner as far as it is known. */
  ownerOf(directory: string | null): ProjectId | null {
    return directory === null ? null : (this.#known.get(directory) ?? null);
  }

  /** Asks for the owners of folders that are not known yet. Waits for them, but not for long. */
  async resolve(directories: Iterable<string | null>): Promise<void> {
    const asked = [...new Set(directories)].filter((one) => one !== null && !this.#known.has(one));
    if (asked.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), PATIENCE);
    });
    const all = Promise.all(asked.map((directory) => this.#ask(directory ?? ''))).then(() => 'known' as const);
    const outcome = await Promise.race([all, limit]);
    clearTimeout(timer);
    if (outcome === 'late') void all.then(() => this.#options.onLate());
  }

  /** Projects changed: every folder that is known is asked for again; until then the old owners stand. */
  async refresh(): Promise<void> {
    const directories = [...this.#known.keys()];
    const before = this.#known;
    this.#known = new Map();
    this.#asked = new Map();
    for (const [directory, owner] of before) this.#known.set(directory, owner);
    await Promise.all(directories.map((directory) => this.#ask(directory)));
  }

  #ask(directory: string): Promise<void> {
    const running = this.#asked.get(directory);
    if (running !== undefined) return running;
    const asked = this.#asked;
    const asking = this.#options.ownerOf(directory).then(
      (owner) => {
        // An answer to a question from before the projects changed may be an old one.
        if (asked === this.#asked) this.#known.set(directory, owner);
      },
      (error: unknown) => {
        asked.delete(directory);
        this.#options.report('finding whose session this is', error);
      },
    );
    asked.set(directory, asking);
    return asking;
  }
}
