import {
  type CallError,
  type CallOutput,
  type Client,
  type FoundEntry,
  type Result,
  type Section,
  type SessionRow,
  sessionKey,
} from '../../src/contract/index.ts';
import { Store } from './store.ts';

/** Most entries that are shown; the counts are of all. */
export const MOST_FOUND = 100;
/** Most sessions that are shown. */
export const MOST_SESSIONS = 20;
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
  /** Sessions whose title or beginning holds the words; null where they are not searched, or could not be. */
  readonly sessions: { readonly rows: readonly SessionRow[]; readonly total: number } | null;
  /** Why the sessions could not be searched. */
  readonly sessionProblem: CallError | null;
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

export const keyOfFoundSession = ({ session }: SessionRow): string => `session ${sessionKey(session)}`;

/** Keys of everything that was found, in the order in which it is shown. */
const keysOf = (answer: Answer | null): string[] => [
  ...(answer?.found.map(keyOfFound) ?? []),
  ...(answer?.sessions?.rows.map(keyOfFoundSession) ?? []),
];

/** What is done with an entry, or with a session, that was found. */
export interface FoundAction {
  entry(found: FoundEntry): void;
  session?(row: SessionRow): void;
}

/** Whether the answer, or the failure, is that of the search as it is typed now. */
export const isSettled = ({ search, answer, problem }: FindingState): boolean =>
  search === null || problem !== null || answer?.search === search;

/**
 * Searches while the person types: one call at a time, the next one for what is typed by then. So calls do not pile up,
 * and an answer never replaces that of a later search.
 */
export class Finding extends Store<FindingState> {
  readonly #client: Client;
  readonly #withSessions: boolean;
  #isAsking = false;
  /** Whether something changed since the running call was made. */
  #isOld = false;
  /** What Enter asked for before the answer was there. */
  #waiting: { search: Search; action: FoundAction } | null = null;

  /** @param withSessions whether sessions are searched as well */
  constructor(client: Client, withSessions = false) {
    super(nothing);
    this.#client = client;
    this.#withSessions = withSessions;
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
    const keys = keysOf(answer);
    const next = keys.at((keys.indexOf(active ?? '') + by) % keys.length);
    if (next !== undefined) this.activate(next);
  }

  /** Acts on the active entry; on the one of the words as they are typed, so that it may wait for their answer. */
  act(act: FoundAction | FoundAction['entry']): void {
    const action = typeof act === 'function' ? { entry: act } : act;
    const state = this.get();
    if (state.search && !isSettled(state)) this.#waiting = { search: state.search, action };
    else {
      const found = state.answer?.found.find((entry) => keyOfFound(entry) === state.active);
      const row = state.answer?.sessions?.rows.find((session) => keyOfFoundSession(session) === state.active);
      if (found) action.entry(found);
      else if (row) action.session?.(row);
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
      const [result, sessions] = await Promise.all([
        this.#client.context.find({ ...search, limit: MOST_FOUND }),
        this.#findSessions(search),
      ]);
      const now = this.get();
      // Of an earlier text of the same search it is shown until the next is there; of another owner it is not.
      if (now.search === null || now.search.projectId !== search.projectId) continue;
      if (result.ok) {
        const found = sessions?.ok ? { rows: sessions.value.rows, total: sessions.value.total } : null;
        const sessionProblem = sessions && !sessions.ok ? sessions.error : null;
        this.#show({ ...result.value, search, sessions: found, sessionProblem });
      } else if (now.search === search) {
        this.#waiting = null;
        this.set({ ...now, problem: result.error });
      }
    } while (this.#isOld);
    this.#isAsking = false;
  }

  /** Null where sessions are not searched. */
  async #findSessions({ projectId, query }: Search): Promise<Result<CallOutput<'sessions.list'>> | null> {
    if (!this.#withSessions) return null;
    return this.#client.sessions.list({ ownerId: projectId, query, limit: MOST_SESSIONS });
  }

  #show(answer: Answer): void {
    const { search, answer: before, active } = this.get();
    const found = sections.flatMap((section) => answer.found.filter((entry) => entry.section === section));
    const keys = keysOf({ ...answer, found });
    // The person's choice stays as long as it is about the same words.
    const keeps = active !== null && keys.includes(active) && before?.search.query === answer.search.query;
    this.set({ search, answer: { ...answer, found }, problem: null, active: keeps ? active : (keys[0] ?? null) });
    const waiting = this.#waiting;
    if (!waiting || !isSettled(this.get())) return;
    this.#waiting = null;
    if (waiting.search === search) this.act(waiting.action);
  }
}
