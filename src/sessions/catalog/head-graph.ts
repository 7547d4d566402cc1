import { type Head, Heads, MAIN_HEAD, recordTime } from '../transcript/heads.ts';
import { type Authored, authored } from './preview.ts';
import { isObject } from './shape.ts';

/** The parent of a message that follows none, or one that is not there. */
const NONE = -1;

/**
 * The messages of an event log of version 2 as far as the list needs them: which head is opened and what a person wrote in
 * it (docs/formats/session-format.md, section 6). It keeps no texts but previews.
 */
export class HeadGraph {
  readonly #numbers = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #texts: Authored[] = [];
  readonly #redacted = new Map<string, Authored>();
  readonly #heads = new Heads();
  #records = 0;

  /** Number of messages in all heads. */
  get size(): number {
    return this.#parents.length;
  }

  /** Takes the next record, of a type of version 2. @returns Whether it could be understood. */
  take(record: Readonly<Record<string, unknown>>): boolean {
    this.#records++;
    switch (record.type) {
      case 'message':
        return this.#addMessage(record);
      case 'patch':
        return this.#patch(record);
      case 'redact':
        return this.#redact(record);
      case 'fork':
        return this.#fork(record);
      case 'checkpoint':
        this.#heads.selected = text(record.selected_head) || this.#heads.selected;
        return true;
      case 'log':
      case 'writer':
        return true;
      default:
        this.#mark(record);
        return true;
    }
  }

  /** What a person wrote in the head that is shown, from its leaf to the root. */
  shown(): { turns: number; preview: string | null; messages: number } {
    const redacted = new Map([...this.#redacted].map(([id, found]) => [this.#numberOf(id), found]));
    let turns = 0;
    let preview: string | null = null;
    let messages = 0;
    // A message follows one that stands before it in the file, so this ends.
    for (let at = this.#heads.get(this.#heads.toOpen())?.leaf ?? NONE; at >= 0; at = this.#parents[at] ?? NONE) {
      const found = redacted.has(at) ? (redacted.get(at) ?? null) : (this.#texts[at] ?? null);
      messages++;
      if (found !== null) turns++;
      // Towards the root: the last one met is the first of the conversation.
      if (found) preview = found;
    }
    return { turns, preview, messages };
  }

  #addMessage(record: Readonly<Record<string, unknown>>): boolean {
    const id = text(record.id);
    const message = onlyMessage(record.msgs);
    if (id === '' || message === undefined) return false;
    if (this.#numbers.has(id)) return true;
    const parent = this.#numberOf(text(record.parent));
    const number = this.#parents.push(parent) - 1;
    this.#texts.push(authored(message));
    this.#numbers.set(id, number);
    this.#head(record).leaf = number;
    return true;
  }

  #patch(record: Readonly<Record<string, unknown>>): boolean {
    const message = onlyMessage(record.msgs);
    if (message === undefined) return false;
    const number = this.#numberOf(text(record.target));
    if (number >= 0) this.#texts[number] = authored(message);
    return true;
  }

  #redact({ targets }: Readonly<Record<string, unknown>>): boolean {
    if (!isObject(targets)) return false;
    for (const [id, messages] of Object.entries(targets)) {
      this.#redacted.set(id, authored(Array.isArray(messages) ? messages[0] : messages));
    }
    return true;
  }

  #fork(record: Readonly<Record<string, unknown>>): boolean {
    const name = text(record.new_head);
    if (name === '') return false;
    if (this.#heads.get(name) !== undefined) return true;
    const head = this.#heads.named(name);
    head.leaf = this.#numberOf(text(record.from));
    this.#touch(head, record);
    return true;
  }

  /** Records that say something of a head. */
  #mark(record: Readonly<Record<string, unknown>>): void {
    const head = this.#head(record);
    if (record.type === 'rewind') {
      const to = text(record.to);
      const leaf = this.#numberOf(to);
      // A message that was lost cannot be gone back to; all is shown rather than nothing.
      if (to === '' || leaf >= 0) head.leaf = leaf;
    } else if (record.type === 'select') this.#heads.selected = head.id;
    else if (record.type === 'retire') head.retired = true;
  }

  #head(record: Readonly<Record<string, unknown>>): Head {
    const head = this.#heads.named(text(record.head) || MAIN_HEAD);
    this.#touch(head, record);
    return head;
  }

  #touch(head: Head, record: Readonly<Record<string, unknown>>): void {
    const at = recordTime(record.at);
    if (at < head.activity) return;
    head.activity = at;
    head.order = this.#records;
  }

  #numberOf(id: string): number {
    return this.#numbers.get(id) ?? NONE;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The message of a record that must hold exactly one. */
const onlyMessage = (messages: unknown): unknown =>
  Array.isArray(messages) && messages.length === 1 ? messages[0] : undefined;
