import { setTimeout as delay } from 'node:timers/promises';
import type { Failure } from '../contract/errors.ts';
import { createDurably } from './durable-create.ts';
import { putBack, type Replaced, replaceDurably } from './durable-write.ts';
import { type FileIdentity, isFresh, modifiedAt, sameIdentity } from './identity.ts';
import { type JsonObject, parseStored, serialiseStored } from './json.ts';
import type { OwnerFolder } from './owner-folder.ts';
import { type FileState, identify, readParsed } from './read-whole.ts';
import { digestOf, revisionOfDigest } from './text.ts';
import type { Unchanged } from './verified-replace.ts';

/** What a stored file of an owner is, and how it is understood. */
export interface DocumentKind<Document extends { readonly raw: JsonObject }> {
  /** Where it is below the owner's folder. */
  readonly names: readonly string[];
  /** What it is called in a message, such as `The stored context`. */
  readonly what: string;
  /** What a file that does not exist holds. */
  readonly empty: Document;
  /** @param modifiedAt Time of the last change of the bytes in ms. */
  read(raw: JsonObject, modifiedAt: number): Document;
}

/** The state of a file as it was last read or written. */
export interface Held<Document> {
  readonly document: Document;
  readonly bytes: Buffer | null;
  /** SHA-256 of the bytes in hex; null while there is no file. */
  readonly digest: string | null;
  /** Revision of the bytes, the beginning of their digest; null while there is no file. */
  readonly revision: string | null;
  readonly identity: FileIdentity | null;
  /** Whether an equal identity proves equal bytes. */
  readonly trusted: boolean;
}

/** Told of what this file went through; none of it may fail. */
export interface StoredDocumentEvents<Document> {
  /**
   * Another program changed the file.
   *
   * @param now What it holds; null when that cannot be read.
   */
  changedElsewhere(before: Held<Document>, now: Document | null): Promise<void>;
  /** A write replaced the file that was read before; it now is at `kept`, for the receiver to move away or to remove. */
  replaced(kept: string): Promise<void>;
  /** What a write replaced was not what had been read, and could not be put back; the same goes for `kept`. */
  displaced(kept: string): Promise<void>;
}

/** How long after a change by another program the file is read before each write, in ms. */
const QUIET_MS = 10_000;

/** Waits in ms before a file that was there counts as gone: some editors delete a file and make it again. */
export const vanishDelays = [50, 100, 200];

/** One file of an owner that is one JSON object: its newest state, and the one way to replace it. */
export class StoredDocument<Document extends { readonly raw: JsonObject }> {
  readonly #kind: DocumentKind<Document>;
  readonly #files: OwnerFolder;
  readonly #events: StoredDocumentEvents<Document>;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #held: Held<Document> | null = null;
  /** Where it was last read. */
  #path: string | null = null;
  /** When another program was last seen to have changed the file, by the clock of `performance`. */
  #changedElsewhereAt = Number.NEGATIVE_INFINITY;
  #failed: { identity: FileIdentity; failure: Failure; trusted: boolean } | null = null;

  constructor(
    kind: DocumentKind<Document>,
    files: OwnerFolder,
    events: StoredDocumentEvents<Document>,
    sleep: (ms: number) => Promise<unknown> = delay,
  ) {
    this.#kind = kind;
    this.#files = files;
    this.#events = events;
    this.#sleep = sleep;
  }

  /** The state as it was last read or written; null before that. */
  get held(): Held<Document> | null {
    return this.#held;
  }

  /**
   * The newest state of the file; read only if its status says that it may have changed.
   *
   * @throws Failure when it cannot be read.
   */
  async read(): Promise<Held<Document>> {
    const path = await this.#files.locateOwn(...this.#kind.names);
    this.#path = path;
    const before = this.#held;
    const failed = this.#failed;
    let read: FileState<{ bytes: Buffer; value: Document }> | null = null;
    // What has to be read in any case need not be looked at first.
    if (before?.trusted || failed?.trusted) {
      const found = await this.#identifyPatiently(path);
      if (found.state !== 'present') read = found;
      else if (before?.trusted && sameIdentity(before.identity, found.identity)) return this.#seen(before);
      else if (failed?.trusted && sameIdentity(failed.identity, found.identity)) throw failed.failure;
    }
    read ??= await this.#readPatiently(path, before);
    if (read.state === 'unknown') {
      const { identity, failure } = read;
      const isNew = this.#failed === null && failure.code === 'malformed';
      this.#failed = identity && { identity, failure, trusted: !isFresh(identity, Date.now()) };
      if (isNew && before !== null) await this.#events.changedElsewhere(before, null);
      throw failure;
    }
    this.#failed = null;
    if (read.state === 'present') this.#files.markSeen();
    if (read.state === 'missing') {
      await this.#files.checkSeen();
      this.#held = {
        document: this.#kind.empty,
        bytes: null,
        digest: null,
        revision: null,
        identity: null,
        trusted: true,
      };
    } else {
      const { value: document, bytes, identity } = read;
      const digest = before?.bytes?.equals(bytes) ? before.digest : digestOf(bytes);
      const revision = digest && revisionOfDigest(digest);
      this.#held = { document, bytes, digest, revision, identity, trusted: !isFresh(identity, Date.now()) };
    }
    if (before !== null && before.document !== this.#held.document) {
      this.#changedElsewhereAt = performance.now();
      await this.#events.changedElsewhere(before, this.#held.document);
    }
    return this.#held;
  }

  /**
   * Writes a document over the state that was last read, see `replaceDurably`.
   *
   * @returns False when another program changed the file since, and its version is in place.
   */
  async write(document: Document): Promise<boolean> {
    const bytes = serialiseStored(document.raw);
    const expected = this.#held?.identity ?? null;
    // Where the file was just read its folder is.
    await (expected === null ? this.#files.prepareFolder(...this.#kind.names.slice(0, -1)) : this.#files.claim());
    const path =
      expected !== null && this.#path !== null ? this.#path : await this.#files.locateOwn(...this.#kind.names);
    const written = expected === null ? await this.#create(path, bytes) : await this.#replace(path, bytes, expected);
    return this.#take(document, bytes, written, digestOf(bytes));
  }

  /**
   * The held state, where {@link writeProven} can write over it; null when it has to be read first. While another program is
   * at the file that is always so: what is read late leaves the shortest time for both to save at once.
   */
  get provable(): Held<Document> | null {
    if (performance.now() - this.#changedElsewhereAt < QUIET_MS) return null;
    const held = this.#failed === null && this.#path !== null ? this.#held : null;
    return held !== null && held.identity !== null && held.digest !== null ? held : null;
  }

  /**
   * The same over {@link provable}, which was not read again: the write itself makes sure that the file still is in that
   * state. What it replaces is removed.
   *
   * @param unchanged What else the document stands on.
   * @returns False when something changed since, or cannot be looked at.
   */
  async writeProven(document: Document, unchanged: readonly Unchanged[]): Promise<boolean> {
    const held = this.provable;
    const path = this.#path;
    if (held === null || held.identity === null || path === null) return false;
    const bytes = serialiseStored(document.raw);
    const digest = held.trusted ? null : held.digest;
    const request = { path, bytes, expected: held.identity, digest, unchanged };
    const replaced = await this.#files.replacer.replace(request);
    const identity = await this.#settle(path, replaced);
    return this.#take(document, bytes, identity, replaced === 'changed' ? '' : replaced.digest);
  }

  #take(document: Document, bytes: Buffer, identity: FileIdentity | 'changed' | null, digest: string): boolean {
    if (identity === 'changed') {
      this.#changedElsewhereAt = performance.now();
      return false;
    }
    const trusted = identity !== null && !isFresh(identity, Date.now());
    this.#held = { document, bytes, digest, revision: revisionOfDigest(digest), identity, trusted };
    return true;
  }

  /** Forgets that the held state is that of the file, so that it is read again. */
  distrust(): void {
    if (this.#held !== null) this.#held = { ...this.#held, trusted: false };
  }

  /** Forgets what was read: what is in the file now does not come from another program. */
  forget(): void {
    this.#held = null;
    this.#failed = null;
  }

  async #create(path: string, bytes: Buffer): Promise<FileIdentity | 'changed'> {
    const made = await createDurably(this.#files.fileSystem, path, bytes);
    return made === 'taken' ? 'changed' : made;
  }

  async #replace(path: string, bytes: Buffer, expected: FileIdentity): Promise<FileIdentity | 'changed' | null> {
    const { fileSystem } = this.#files;
    const release = (kept: string): Promise<void> => this.#events.replaced(kept);
    return this.#settle(path, await replaceDurably(fileSystem, path, bytes, expected, { release }));
  }

  async #settle(path: string, replaced: Replaced | 'changed'): Promise<FileIdentity | 'changed' | null> {
    if (replaced === 'changed') return 'changed';
    const { fileSystem } = this.#files;
    const { identity, kept } = replaced;
    if (kept === null) return identity;
    // Another program saved in the moment of the rename. Its version goes back, and the change is made on top of it.
    if (identity !== null && (await putBack(fileSystem, kept, path, identity))) return 'changed';
    await this.#events.displaced(kept);
    return identity;
  }

  #readParsed(path: string, held: Held<Document> | null): Promise<FileState<{ bytes: Buffer; value: Document }>> {
    const parse = (bytes: Buffer, identity: FileIdentity): Document =>
      held?.bytes?.equals(bytes)
        ? held.document
        : this.#kind.read(parseStored(bytes, this.#kind.what), modifiedAt(identity));
    return readParsed(this.#files.fileSystem, path, parse, { sleep: this.#sleep });
  }

  #seen(held: Held<Document>): Held<Document> {
    this.#files.markSeen();
    return held;
  }

  async #readPatiently(
    path: string,
    held: Held<Document> | null,
  ): Promise<FileState<{ bytes: Buffer; value: Document }>> {
    const read = await this.#readParsed(path, held);
    if (read.state !== 'missing') return read;
    const found = await this.#identifyPatiently(path);
    return found.state === 'present' ? this.#readParsed(path, held) : found;
  }

  /** A file that was there and whose folder still is may be in the middle of being replaced: it is looked for again. */
  async #identifyPatiently(path: string): Promise<FileState<object>> {
    let found = await identify(this.#files.fileSystem, path);
    if ((this.#held?.identity ?? null) === null) return found;
    for (const wait of vanishDelays) {
      if (found.state !== 'missing' || !(await this.#files.isThere())) break;
      await this.#sleep(wait);
      found = await identify(this.#files.fileSystem, path);
    }
    return found;
  }
}
