import { type ChatList, type SessionRef, type SessionRow, sessionKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { CatalogPage } from '../sessions/catalog/catalog.ts';
import type { NewestFile } from './newest-file.ts';

/** Most chats that are shown. */
const MOST = 50;
/** Shortest time between two writes of what is remembered, in ms. */
const REST = 5000;

export interface NewestChatsOptions {
  /** What is remembered between two runs; null for nothing. */
  file: NewestFile | null;
  /** The newest chats as the catalog knows them now; waits for nothing but for what is in memory. */
  list: (limit: number) => Promise<Pick<CatalogPage, 'rows' | 'total' | 'catalog'>>;
  publish: (list: ChatList) => void;
  report: (where: string, error: unknown) => void;
}

/**
 * The newest fifty chats: at once those that the run before had, until everything on the disk was looked at; then what is
 * there. In between the list is never empty when there was one. It begins with the first question.
 */
export class NewestChats {
  readonly #options: NewestChatsOptions;
  #told: ChatList | null = null;
  #starting: Promise<ChatList> | null = null;
  #refreshing: Promise<void> | null = null;
  #wantsRefresh = false;
  #unwritten: readonly SessionRow[] | null = null;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isDisposed = false;

  constructor(options: NewestChatsOptions) {
    this.#options = options;
  }

  async list(): Promise<ChatList> {
    if (this.#told !== null) return this.#told;
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** The catalog may know more or others now. */
  changed(): void {
    if (this.#starting === null || this.#isDisposed) return;
    this.#wantsRefresh = true;
    this.#refreshing ??= this.#refresh();
  }

  /** A chat was deleted: nothing of it may be remembered when that is answered. */
  async removed(session: SessionRef): Promise<void> {
    const key = sessionKey(session);
    const rows = this.#told?.rows ?? (await this.#remembered()) ?? [];
    const others = rows.filter((row) => sessionKey(row.session) !== key);
    if (others.length === rows.length) return;
    if (this.#told !== null) {
      const { total } = this.#told;
      this.#tell({ ...this.#told, rows: others, total: total === null ? null : total - 1 });
    }
    this.#unwritten = others;
    await this.#write();
  }

  /** Waits for what is being done, and remembers what is known for the next start. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#starting?.catch(() => undefined);
    await this.#refreshing;
    await this.#write();
  }

  async #start(): Promise<ChatList> {
    const remembered = await this.#remembered();
    if (remembered !== null && remembered.length > 0) {
      this.#told = { sequence: 0, rows: [...remembered], total: null, confirmed: false };
    } else {
      const { rows, total, catalog } = await this.#options.list(MOST);
      const confirmed = catalog.state === 'ready';
      this.#told = { sequence: 0, rows, total: confirmed ? total : null, confirmed };
      if (confirmed) this.#remember(rows);
    }
    this.changed();
    return this.#told;
  }

  async #remembered(): Promise<readonly SessionRow[] | null> {
    try {
      return (await this.#options.file?.read()) ?? null;
    } catch (error) {
      // The list is then made from the disk, as without it.
      if (!(error instanceof Failure)) throw error;
      this.#options.report('reading the remembered chats', error);
      return null;
    }
  }

  async #refresh(): Promise<void> {
    // A turn later, so that who asked first is answered first.
    await Promise.resolve();
    try {
      while (this.#wantsRefresh && !this.#isDisposed) {
        this.#wantsRefresh = false;
        await this.#lookAgain();
      }
    } catch (error) {
      this.#options.report('listing the newest chats', error);
    } finally {
      this.#refreshing = null;
    }
  }

  async #lookAgain(): Promise<void> {
    const { rows, total, catalog } = await this.#options.list(MOST);
    const told = this.#told;
    if (told === null) return;
    const confirmed = catalog.state === 'ready';
    // Until everything was looked at what was told is better than a part of the list; and what could be read once is not
    // gone because the disk does not answer now.
    if (!confirmed && told.rows.length > 0) {
      if (told.confirmed) this.#tell({ ...told, total: null, confirmed });
      return;
    }
    const next = { rows, total: confirmed ? total : null, confirmed };
    if (JSON.stringify(next) === JSON.stringify({ rows: told.rows, total: told.total, confirmed: told.confirmed }))
      return;
    this.#tell(next);
    if (confirmed) this.#remember(rows);
  }

  #tell(list: Omit<ChatList, 'sequence'>): void {
    this.#told = { ...list, sequence: (this.#told?.sequence ?? 0) + 1 };
    this.#options.publish(this.#told);
  }

  #remember(rows: readonly SessionRow[]): void {
    this.#unwritten = rows;
    if (this.#timer !== null || this.#isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#write();
    }, REST);
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    await this.#writing;
    const rows = this.#unwritten;
    this.#unwritten = null;
    if (rows === null) return;
    try {
      await this.#options.file?.write(rows);
    } catch (error) {
      // It is for speed only: the next start has the older list, which is compared with the disk as well.
      if (!(error instanceof Failure)) throw error;
      this.#options.report('remembering the newest chats', error);
    }
  }
}
