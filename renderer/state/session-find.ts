import type { CallError, CallOutput, Client, SessionRef } from '../../src/contract/index.ts';
import { Store } from './store.ts';

type Match = CallOutput<'sessions.find'>['matches'][number];

export interface SessionFindState {
  /** What is searched for; empty for nothing. */
  readonly query: string;
  /** Messages that hold it, in order, as far as it was searched. */
  readonly matches: readonly Match[];
  /** Index into the matches; null when there is none yet. */
  readonly at: number | null;
  readonly isRunning: boolean;
  readonly problem: CallError | null;
}

const nothing: SessionFindState = { query: '', matches: [], at: null, isRunning: false, problem: null };

/** Messages of one answer. */
const LIMIT = 200;
/** Most messages that are gone through one by one. */
const MOST = 5000;

/** Finds a text in one session. A newer search ends an older one; an old answer is never shown. */
export class SessionFind extends Store<SessionFindState> {
  readonly #client: Client;
  readonly #session: SessionRef;
  readonly #head: string | null;
  #turn = 0;
  /** Index of the first message that was not searched yet; null while a search runs, or when it ended early. */
  #searchedTo: number | null = null;

  constructor(client: Client, session: SessionRef, head: string | null) {
    super(nothing);
    this.#client = client;
    this.#session = session;
    this.#head = head;
  }

  /**
   * Searches from the beginning; blank text ends the search.
   * @param near index of the message that is read: the first match from there on becomes the current one
   * @param total number of messages there are, to go on from when more come
   */
  async search(typed: string, near: number, total: number): Promise<void> {
    const query = typed.slice(0, 200);
    const turn = ++this.#turn;
    this.#searchedTo = null;
    if (query.trim() === '') return this.set(nothing);
    this.set({ ...nothing, query, isRunning: true });
    await this.#run(turn, 0, near, total);
  }

  /** Searches what came since the last search ended. */
  async grown(total: number): Promise<void> {
    const from = this.#searchedTo;
    if (from === null || total <= from || this.get().query === '') return;
    const turn = ++this.#turn;
    this.#searchedTo = null;
    this.update((state) => ({ ...state, isRunning: true }));
    await this.#run(turn, from, from, total);
  }

  /** Goes to the next or previous message that holds the text, from the last to the first as well. */
  step(by: 1 | -1): void {
    const { matches, at } = this.get();
    if (matches.length === 0) return;
    const next = ((at ?? (by === 1 ? -1 : 0)) + by + matches.length) % matches.length;
    this.update((state) => ({ ...state, at: next }));
  }

  async #run(turn: number, from: number, near: number, total: number): Promise<void> {
    const head = this.#head === null ? {} : { head: this.#head };
    const { query } = this.get();
    for (let next: number | null = from; next !== null; ) {
      const answer: Awaited<ReturnType<Client['sessions']['find']>> = await this.#client.sessions.find({
        session: this.#session,
        ...head,
        query,
        from: next,
        limit: LIMIT,
      });
      if (turn !== this.#turn) return;
      if (!answer.ok) return this.update((state) => ({ ...state, isRunning: false, problem: answer.error }));
      next = this.get().matches.length + answer.value.matches.length >= MOST ? null : answer.value.next;
      const known = this.get().matches;
      const fresh = answer.value.matches.filter(({ index }) => index > (known.at(-1)?.index ?? -1));
      this.#show([...known, ...fresh], near, next !== null);
    }
    this.#searchedTo = total;
  }

  #show(matches: readonly Match[], near: number, isRunning: boolean): void {
    const { at } = this.get();
    const first = matches.findIndex(({ index }) => index >= near);
    // While the search goes on, a match nearer to where the person reads may still come.
    const current = at ?? (first >= 0 ? first : isRunning || matches.length === 0 ? null : 0);
    this.update((state) => ({ ...state, matches, at: current, isRunning }));
  }
}
