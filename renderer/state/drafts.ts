import { Store } from './store.ts';

/** What was typed and is not known to be on disk. */
export interface Draft {
  readonly text: string;
  /** For the text of an existing entry: what it was based on. */
  readonly base: { readonly text: string; readonly revision: string } | null;
  /** Texts that were handed to the main process and are not acknowledged yet. */
  readonly sending: readonly string[];
}

/** Where drafts outlive the window: `localStorage`, or a map in tests. */
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** A text on its way to the disk. */
export interface Sending {
  readonly text: string;
  /** The text is durable: the draft forgets it. */
  acknowledge(): void;
  /** It was not saved: the text, or the rest of it, comes back in front of whatever was typed meanwhile. */
  restore(rest?: string): void;
  /** A part of it is durable: only this text is still on its way. */
  keepOnly(text: string): void;
}

export const emptyDraft: Draft = { text: '', base: null, sending: [] };

const PREFIX = 'sidekeep.draft/';
const WRITE_DELAY_MS = 250;

/**
 * The drafts of one window, by key (`<projectId>/note`, `<projectId>/note:<id>`, …). Written to storage shortly after each
 * change and at once by {@link flush}; cleared only when what was typed is acknowledged or thrown away by the person.
 */
export class DraftStore extends Store<ReadonlyMap<string, Draft>> {
  readonly #storage: DraftStorage;
  readonly #prefix: string;
  readonly #unwritten = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Called once storage refuses to keep a draft; the drafts of this window still live in memory. */
  onStorageFailure: (error: unknown) => void = () => {};

  constructor(storage: DraftStorage, window: string) {
    const prefix = `${PREFIX}${window}/`;
    super(readAll(storage, prefix));
    this.#storage = storage;
    this.#prefix = prefix;
  }

  read(key: string): Draft {
    return this.get().get(key) ?? emptyDraft;
  }

  /** Replaces the text; with `base`, also what it is based on. */
  write(key: string, text: string, base?: Draft['base']): void {
    const before = this.read(key);
    this.#put(key, { ...before, text, base: base === undefined ? before.base : base });
  }

  /** Puts text below what is there already. */
  append(key: string, text: string): void {
    const before = this.read(key).text;
    this.write(key, before.trim() === '' ? text : `${before.replace(/\n+$/, '')}\n\n${text}`);
  }

  /** Empties the field for the next text and keeps this one until it is acknowledged. */
  send(key: string): Sending {
    const { text, sending } = this.read(key);
    let kept = text;
    this.#put(key, { text: '', base: null, sending: [...sending, text] });
    return {
      text,
      acknowledge: () => this.#settle(key, kept, (draft) => draft),
      restore: () =>
        this.#settle(key, kept, (draft) => ({ ...draft, text: draft.text === '' ? kept : `${kept}\n${draft.text}` })),
      keepOnly: (part) => {
        this.#settle(key, kept, (draft) => ({ ...draft, sending: [...draft.sending, part] }));
        kept = part;
      },
    };
  }

  /** Forgets a draft: it was acknowledged, or the person threw it away. */
  clear(key: string): void {
    this.#put(key, emptyDraft);
  }

  /** The drafts of one owner go to another id; what is on its way stays until it has arrived. */
  follow(from: string, to: string): void {
    for (const [key, { text, base, sending }] of [...this.get()]) {
      if (!key.startsWith(`${from}/`) || (text === '' && base === null)) continue;
      const target = to + key.slice(from.length);
      if (this.read(target).text === '') this.write(target, text, base);
      else this.append(target, text);
      this.#put(key, { text: '', base: null, sending });
    }
    this.flush();
  }

  /** Writes what is not written yet; call it when the page is about to be hidden. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const key of this.#unwritten) this.#persist(key);
    this.#unwritten.clear();
  }

  [Symbol.dispose](): void {
    this.flush();
  }

  #settle(key: string, text: string, change: (draft: Draft) => Draft): void {
    const draft = this.read(key);
    const index = draft.sending.indexOf(text);
    if (index < 0) return;
    this.#put(key, change({ ...draft, sending: draft.sending.toSpliced(index, 1) }));
  }

  #put(key: string, draft: Draft): void {
    const drafts = new Map(this.get());
    if (isEmpty(draft)) drafts.delete(key);
    else drafts.set(key, draft);
    this.set(drafts);
    this.#unwritten.add(key);
    this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
  }

  #persist(key: string): void {
    const draft = this.read(key);
    try {
      if (isEmpty(draft)) this.#storage.removeItem(this.#prefix + key);
      else this.#storage.setItem(this.#prefix + key, JSON.stringify(draft));
    } catch (error) {
      this.onStorageFailure(error);
    }
  }
}

const isEmpty = (draft: Draft): boolean => draft.text === '' && draft.base === null && draft.sending.length === 0;

function readAll(storage: DraftStorage, prefix: string): ReadonlyMap<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (let index = 0; index < storage.length; index++) {
    const name = storage.key(index);
    if (name === null || !name.startsWith(prefix)) continue;
    const draft = parse(storage.getItem(name));
    if (draft && !isEmpty(draft)) drafts.set(name.slice(prefix.length), draft);
  }
  return drafts;
}

/** A stored draft; what was being sent when the window ended comes back as text, since nobody knows whether it arrived. */
function parse(stored: string | null): Draft | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (value === null || typeof value !== 'object') return null;
    const { text, base, sending } = value as Partial<Record<keyof Draft, unknown>>;
    const sent = Array.isArray(sending) ? sending.filter((entry) => typeof entry === 'string') : [];
    const texts = [...sent, ...(typeof text === 'string' && text !== '' ? [text] : [])];
    return { text: texts.join('\n'), base: isBase(base) ? base : null, sending: [] };
  } catch {
    // Not our JSON: another program wrote under our name. It is left where it is and not shown.
    return null;
  }
}

function isBase(value: unknown): value is NonNullable<Draft['base']> {
  const base = value as Partial<Record<'text' | 'revision', unknown>> | null | undefined;
  return typeof base?.text === 'string' && typeof base.revision === 'string';
}
