import type { CallError, CallOutput, Client, FoundEntry, Section } from '../../src/contract/index.ts';
import { Store } from '../state/store.ts';

/** Most entries that are shown; the counts are of all. */
export const MOST_FOUND = 100;
/** Longest search that the contract takes, in UTF-16 code units. */
const LONGEST_QUERY = 200;

/** What is searched for. */
export interface Search {
  /** Null: everywhere. */
  readonly projectId: string | null;
  readonly query: string;
}

/** What a search found, in the order in which it is shown. */
export interface Answer extends CallOutput<'context.find'> {
  readonly search: Search;
}

export interface FindingState {
  /** What the person wants to find now; null while no word is typed. */
  readonly search: Search | null;
  /** The newest answer, of this search or, until its own is there, of the one before. */
  readonly answer: Answer | null;
  /** Why the newest search could not be made. */
  readonly problem: CallError | null;
  /** Key of the entry that Enter acts on; null when there is none. */
  readonly active: string | null;
}

const sections: readonly Section[] = ['notes', 'todos', 'plans'];
const nothing: FindingState = { search: null, answer: null, problem: null, active: null };

export const keyOfFound = ({ projectId, section, id }: FoundEntry): string => `${projectId} ${section} ${id}`;

/** Whether the answer, or the failure, is that of the search as it is typed now. */
export const isSettled = ({ search, answer, problem }: FindingState): boolean =>
  search === null || problem !== null || answer?.search === search;

/**
 * Searches while the person types: one call at a time, the next one for what is typed by then. So calls do not pile up,
 * and an answer never replaces that of a later search.
 */
export class Finding extends Store<FindingState> {
  readonly #client: Client;
  #isAsking = false;
  /** Whether something changed since the running call was made. */
  #isOld = false;
  /** What Enter asked for before the answer was there. */
  #waiting: { search: Search; act: (found: FoundEntry) => void } | null = null;

  constructor(client: Client) {
    super(nothing);
    this.#client = client;
  }

  /** Searches for these words; blank ones end the search. */
  search(projectId: string | null, typed: string): void {
    const query = typed.trim().replace(/\s+/g, ' ').slice(0, LONGEST_QUERY);
    const { search, answer } = this.get();
    if (query === '') {
      this.#waiting = null;
      this.set(nothing);
      return;
    }
    if (search?.query === query && search.projectId === projectId) return;
    this.#waiting = null;
    const wanted = { projectId, query };
    // What another owner has says nothing about this one.
    const kept = answer?.search.projectId === projectId ? answer : null;
    this.set({ search: wanted, answer: kept, problem: null, active: kept ? this.get().active : null });
    void this.#ask();
  }

  /** Searches once more for the same words, as after a failure. */
  again(): void {
    void this.#ask();
  }

  /** Follows the changes of what is searched, until the result is called. */
  watch(): () => void {
    return this.#client.on('context.changed', (push) => {
      const changed = push.kind === 'change' ? push.change.projectId : push.projectId;
      const { search } = this.get();
      if (search && (search.projectId === null || search.projectId === changed)) void this.#ask();
    });
  }

  activate(key: string): void {
    this.update((state) => ({ ...state, active: key }));
  }

  /** Goes to another entry, from the last to the first as well. */
  step(by: 1 | -1): void {
    const { answer, active } = this.get();
    const keys = answer?.found.map(keyOfFound) ?? [];
    const next = keys.at((keys.indexOf(active ?? '') + by) % keys.length);
    if (next !== undefined) this.activate(next);
  }

  /** Acts on the active entry; on the one of the words as they are typed, so that it may wait for their answer. */
  act(act: (found: FoundEntry) => void): void {
    const state = this.get();
    if (state.search && !isSettled(state)) this.#waiting = { search: state.search, act };
    else {
      const found = state.answer?.found.find((entry) => keyOfFound(entry) === state.active);
      if (found) act(found);
    }
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) {
      this.#isOld = true;
      return;
    }
    this.#isAsking = true;
    do {
      this.#isOld = false;
      const { search } = this.get();
      if (search === null) break;
      const result = await this.#client.context.find({ ...search, limit: MOST_FOUND });
      const now = this.get();
      // Of an earlier text of the same search it is shown until the next is there; of another owner it is not.
      if (now.search === null || now.search.projectId !== search.projectId) continue;
      if (result.ok) this.#show({ ...result.value, search });
      else if (now.search === search) {
        this.#waiting = null;
        this.set({ ...now, problem: result.error });
      }
    } while (this.#isOld);
    this.#isAsking = false;
  }

  #show(answer: Answer): void {
    const { search, answer: before, active } = this.get();
    const found = sections.flatMap((section) => answer.found.filter((entry) => entry.section === section));
    const keys = found.map(keyOfFound);
    // The person's choice stays as long as it is about the same words.
    const keeps = active !== null && keys.includes(active) && before?.search.query === answer.search.query;
    this.set({ search, answer: { ...answer, found }, problem: null, active: keeps ? active : (keys[0] ?? null) });
    const waiting = this.#waiting;
    if (!waiting || !isSettled(this.get())) return;
    this.#waiting = null;
    if (waiting.search === search) this.act(waiting.act);
  }
}
