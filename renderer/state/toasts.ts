import { Store } from './store.ts';

/** A short message that goes away by itself. */
export interface Toast {
  readonly id: number;
  readonly message: string;
  /** What the person can do about it; the toast goes once it is done. */
  readonly action: {
    readonly label: string;
    readonly run: () => void;
    /** Pressed or clicked, and never what Ctrl+Z asks for: it leads somewhere and takes nothing back. */
    readonly isLink?: boolean;
  } | null;
  /** Of toasts of one kind only the newest is shown; null: of no kind. */
  readonly kind: string | null;
}

/** The toast whose action Ctrl+Z stands for. */
export const newestUndo = (toasts: readonly Toast[]): Toast | undefined =>
  toasts.findLast(({ action }) => action !== null && action.isLink !== true);

/** How long a toast stays, in ms, not counting the time in which it is held. */
export const TOAST_MS = 10_000;

const MOST = 4;

/** What holds the time of the toasts still. */
export type Hold = 'pointer' | 'keyboard';

/** The toasts of this window, oldest first. Time stands still while the pointer or the keyboard is on them. */
export class ToastStore extends Store<readonly Toast[]> {
  #next = 1;
  /** How many jobs under way will show an action, and how often undo was asked for meanwhile. */
  #coming = 0;
  #wanted = 0;
  /** The first toast that such jobs can have shown. */
  #comingFrom = 0;
  readonly #holds = new Set<Hold>();
  /** By toast: how much time it has left, and since when that runs. */
  readonly #left = new Map<number, { ms: number; since: number; timer: ReturnType<typeof setTimeout> | null }>();

  constructor() {
    super([]);
  }

  show(message: string, { action = null, kind = null }: Partial<Pick<Toast, 'action' | 'kind'>> = {}): number {
    const toast = { id: this.#next++, message, action, kind };
    const others = this.get().filter((other) => kind === null || other.kind !== kind);
    this.#replace([...others, toast]);
    this.#left.set(toast.id, { ms: TOAST_MS, since: Date.now(), timer: null });
    if (this.#holds.size === 0) this.#start(toast.id);
    return toast.id;
  }

  close(id: number): void {
    this.#replace(this.get().filter((toast) => toast.id !== id));
  }

  /** Closes what there is of a kind: it is settled. */
  closeKind(kind: string): void {
    this.#replace(this.get().filter((toast) => toast.kind !== kind));
  }

  /** Runs a toast's action once. */
  act(id: number): void {
    const toast = this.get().find((candidate) => candidate.id === id);
    this.close(id);
    toast?.action?.run();
  }

  /** Runs a job that shows an action at its end. An undo asked for meanwhile waits for it, and takes no older one. */
  async during<Value>(job: () => Promise<Value>): Promise<Value> {
    if (this.#coming === 0) this.#comingFrom = this.#next;
    this.#coming += 1;
    try {
      return await job();
    } finally {
      this.#coming -= 1;
      if (this.#coming === 0) for (; this.#wanted > 0; this.#wanted -= 1) this.#actOnNewestShown(this.#comingFrom);
    }
  }

  /** Runs the newest action there is, as Ctrl+Z outside a text field does; false when there is none. */
  actOnNewest(): boolean {
    if (this.#coming === 0) return this.#actOnNewestShown(0);
    this.#wanted += 1;
    return true;
  }

  pause(hold: Hold): void {
    this.#holds.add(hold);
    for (const id of this.#left.keys()) this.#stop(id);
  }

  resume(hold: Hold): void {
    this.#holds.delete(hold);
    if (this.#holds.size === 0) for (const id of this.#left.keys()) this.#start(id);
  }

  [Symbol.dispose](): void {
    for (const id of this.#left.keys()) this.#stop(id);
  }

  #actOnNewestShown(from: number): boolean {
    const newest = newestUndo(this.get().filter((toast) => toast.id >= from));
    if (newest) this.act(newest.id);
    return newest !== undefined;
  }

  /** Shows these toasts. When there are too many, one that asks for nothing goes first. */
  #replace(wanted: readonly Toast[]): void {
    let toasts = wanted;
    while (toasts.length > MOST) {
      const first = toasts.find((toast) => toast.action === null) ?? toasts[0];
      toasts = toasts.filter((toast) => toast !== first);
    }
    for (const id of this.#left.keys()) {
      if (toasts.some((toast) => toast.id === id)) continue;
      this.#stop(id);
      this.#left.delete(id);
    }
    // What held them still is gone with the last of them, without a word from the page.
    if (toasts.length === 0) this.#holds.clear();
    this.set(toasts);
  }

  #start(id: number): void {
    const left = this.#left.get(id);
    if (left === undefined || left.timer !== null) return;
    left.since = Date.now();
    left.timer = setTimeout(() => this.close(id), left.ms);
  }

  #stop(id: number): void {
    const left = this.#left.get(id);
    if (left === undefined || left.timer === null) return;
    clearTimeout(left.timer);
    left.timer = null;
    left.ms = Math.max(0, left.ms - (Date.now() - left.since));
  }
}
