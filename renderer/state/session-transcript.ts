import type {
  CallError,
  CallInput,
  CallOutput,
  Client,
  EventPayload,
  SessionMessage,
  SessionRef,
} from '../../src/contract/index.ts';
import { Store } from './store.ts';

/** Messages of one page, and how many are kept at most: those far from where the person reads are let go. */
export const PAGE = 40;
export const MOST_KEPT = 160;

type Page = CallOutput<'sessions.page'>;
type Push = EventPayload<'sessions.appended'>;

/** What is known of a transcript: consecutive messages around where the person reads. */
export interface TranscriptState {
  /** The head that is shown; null until the first page named it. */
  readonly head: string | null;
  /** Consecutive, in order. */
  readonly messages: readonly SessionMessage[];
  readonly total: number;
  /** False while a long transcript is being gone through: `total` grows until then. */
  readonly complete: boolean;
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Null until something was read. */
  readonly generation: string | null;
  readonly holes: number;
  readonly torn: boolean;
  /** What is being read; `place`: somewhere else, or everything anew. */
  readonly loading: 'place' | 'earlier' | 'later' | null;
  readonly problem: CallError | null;
  /** Whether the end is being read, so that what comes is shown at once. */
  readonly isFollowing: boolean;
  /** How many messages there were when the end was last read. */
  readonly seen: number;
  /** A message to be scrolled to, once for each turn. */
  readonly target: { readonly index: number; readonly turn: number } | null;
}

const nothing: TranscriptState = {
  head: null,
  messages: [],
  total: 0,
  complete: true,
  progress: null,
  generation: null,
  holes: 0,
  torn: false,
  loading: null,
  problem: null,
  isFollowing: true,
  seen: 0,
  target: null,
};

/** Index of the first message that is loaded; `total` when there is none. */
export const firstOf = ({ messages, total }: TranscriptState): number => messages[0]?.index ?? total;
/** Index behind the last message that is loaded. */
export const endOf = (state: TranscriptState): number =>
  state.messages.length === 0 ? state.total : (state.messages.at(-1)?.index ?? 0) + 1;
/** Messages that came while the person was reading elsewhere. */
export const unseen = ({ isFollowing, total, seen }: TranscriptState): number =>
  isFollowing ? 0 : Math.max(0, total - seen);

/** Where to read: the end, or around a message. */
type Aim = 'end' | number;

/**
 * A transcript as it is read in one window, page by page. One call at a time; an answer to what nobody wants any more is
 * dropped. When messages that were there before are other ones (another generation), everything is read anew, in place.
 */
export class SessionTranscript extends Store<TranscriptState> {
  readonly session: SessionRef;
  readonly #client: Client;
  readonly #head: string | null;
  /** The newest call; answers of older ones are dropped. */
  #turn = 0;
  /** The message that the person reads. */
  #reading: number | null = null;

  /** @param head the head to show; null for the session's own choice */
  constructor(client: Client, session: SessionRef, head: string | null = null) {
    super(nothing);
    this.#client = client;
    this.session = session;
    this.#head = head;
  }

  /** Reads the end, or around a message, unless something was read already. */
  open(at: Aim = 'end'): void {
    if (this.get().generation === null && this.get().loading === null) void this.goTo(at);
  }

  /** Scrolls to a message, and reads around it first where that is not loaded. */
  async show(index: number): Promise<void> {
    const state = this.get();
    const target = { index, turn: (state.target?.turn ?? 0) + 1 };
    this.set({ ...state, target, isFollowing: false });
    if (index < firstOf(state) || index >= endOf(state)) await this.goTo(index);
  }

  /** Goes to the end and follows it. */
  async showEnd(): Promise<void> {
    const state = this.get();
    if (endOf(state) < state.total || state.messages.length === 0) return this.goTo('end');
    this.set({ ...state, isFollowing: true, seen: state.total, target: null });
  }

  /** Reads around a message, or the end. What is loaded stays until the answer is there. */
  async goTo(aim: Aim): Promise<void> {
    this.#reading = aim === 'end' ? null : aim;
    this.update((state) => ({
      ...state,
      loading: 'place',
      problem: null,
      isFollowing: aim === 'end',
      target: aim === 'end' ? null : state.target,
    }));
    const page = await this.#ask(aim === 'end' ? {} : { from: Math.max(0, aim - PAGE / 4) });
    if (page === null) return;
    this.#replace(page);
    // What came while the page was on its way.
    if (aim === 'end') await this.later();
  }

  /** Reads the page before what is loaded. */
  async earlier(): Promise<void> {
    const first = firstOf(this.get());
    const { loading, isFollowing, messages: kept } = this.get();
    if (loading !== null || first === 0) return;
    // Whoever follows the end keeps it: there is room for no more above.
    if (isFollowing && kept.length >= MOST_KEPT) return;
    this.update((state) => ({ ...state, loading: 'earlier', problem: null }));
    const page = await this.#ask({ before: first });
    if (page === null || this.#isOther(page)) return;
    const { messages } = this.get();
    const fitting = page.messages.filter(({ index }) => index < first);
    this.#take(page, [...fitting, ...messages].slice(0, MOST_KEPT));
    if (this.get().isFollowing) await this.later();
  }

  /** Reads the page after what is loaded, if there is one. */
  async later(): Promise<void> {
    const end = endOf(this.get());
    const { loading, total, messages } = this.get();
    if (loading !== null || (messages.length > 0 && end >= total)) return;
    if (messages.length === 0) return total > 0 ? this.goTo('end') : undefined;
    this.update((state) => ({ ...state, loading: 'later', problem: null }));
    const page = await this.#ask({ from: end });
    if (page === null || this.#isOther(page)) return;
    const fitting = page.messages.filter(({ index }) => index >= end);
    this.#take(page, [...this.get().messages, ...fitting].slice(-MOST_KEPT));
    if (this.get().isFollowing && fitting.length > 0) await this.later();
  }

  /** Says what the person reads, and whether the end of the transcript is in sight. */
  read(index: number | null, isAtEnd: boolean): void {
    this.#reading = index;
    const { isFollowing, total, seen } = this.get();
    const next = isAtEnd ? total : seen;
    if (isFollowing !== isAtEnd || next !== seen)
      this.update((state) => ({ ...state, isFollowing: isAtEnd, seen: next }));
  }

  /** Takes a push about this session. */
  receive(push: Push): void {
    const state = this.get();
    if (state.generation === null || push.head !== state.head) return;
    if (push.generation !== state.generation) return void this.again();
    const total = Math.max(push.total, state.total);
    const complete = push.complete || (state.complete && push.total < state.total);
    const seen = state.isFollowing ? total : state.seen;
    this.set({ ...state, total, complete, progress: push.complete ? null : push.progress, seen });
    if (state.isFollowing) void this.later();
  }

  /** Takes a message that this window has recorded at the end. */
  recorded({ message, total, generation }: CallOutput<'sessions.append'>): void {
    const state = this.get();
    if (state.generation === null) return;
    if (generation !== state.generation) return void this.again();
    const isNext = state.loading === null && message.index === endOf(state);
    const messages = isNext ? [...state.messages, message].slice(-MOST_KEPT) : state.messages;
    const known = Math.max(total, state.total);
    this.set({ ...state, messages, total: known, seen: state.isFollowing ? known : state.seen });
    if (!isNext && state.isFollowing) void this.later();
  }

  /** Reads everything anew, in the same place. */
  again(): Promise<void> {
    return this.goTo(this.get().isFollowing || this.#reading === null ? 'end' : this.#reading);
  }

  /** Answers null when nobody waits for it any more, or after a failure, which is shown then. */
  async #ask(place: Pick<CallInput<'sessions.page'>, 'before' | 'from'>): Promise<Page | null> {
    const turn = ++this.#turn;
    const head = this.#head === null ? {} : { head: this.#head };
    const answer = await this.#client.sessions.page({ session: this.session, ...head, ...place, limit: PAGE });
    if (turn !== this.#turn) return null;
    if (answer.ok) return answer.value;
    this.update((state) => ({ ...state, loading: null, problem: answer.error }));
    return null;
  }

  /** Whether a page is of other messages than those that are loaded; then it is all that is known. */
  #isOther(page: Page): boolean {
    if (page.generation === this.get().generation) return false;
    this.update((state) => ({ ...state, loading: null }));
    void this.again();
    return true;
  }

  #replace(page: Page): void {
    const state = this.get();
    const isSame = page.generation === state.generation;
    const total = isSame ? Math.max(page.total, state.total) : page.total;
    this.set({
      ...state,
      head: page.head,
      messages: page.messages,
      total,
      complete: page.complete,
      progress: page.complete ? null : state.progress,
      generation: page.generation,
      holes: page.holes,
      torn: page.torn,
      loading: null,
      problem: null,
      seen: state.isFollowing || !isSame ? total : state.seen,
    });
  }

  #take(page: Page, messages: readonly SessionMessage[]): void {
    const state = this.get();
    const total = Math.max(page.total, state.total);
    const { complete, holes, torn } = page;
    const seen = state.isFollowing ? total : state.seen;
    this.set({ ...state, messages, total, complete, holes, torn, loading: null, problem: null, seen });
  }
}
