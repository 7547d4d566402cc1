import { Store } from './store.ts';

/** A short message that goes away by itself. */
export interface Toast {
  readonly id: number;
  readonly message: string;
  /** What the person can do about it; the toast goes once it is done. */
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** How long a toast stays, in ms. */
export const TOAST_MS = 10_000;

/** The toasts of this window, oldest first. Time stands still while the pointer or the keyboard is on them. */
export class ToastStore extends Store<readonly Toast[]> {
  #next = 1;
  /** How many jobs under way will show an action, and how often undo was asked for meanwhile. */
  #coming = 0;
  #wanted = 0;
  /** The first toast that such jobs can have shown. */
  #comingFrom = 0;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor() {
    super([]);
  }

  show(message: string, action: Toast['action'] = null): number {
    const toast = { id: this.#next++, message, action };
    this.update((toasts) => [...toasts, toast].slice(-4));
    this.#start(toast.id);
    return toast.id;
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.update((toasts) => toasts.filter((toast) => toast.id !== id));
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

  pause(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  resume(): void {
    for (const toast of this.get()) this.#start(toast.id);
  }

  [Symbol.dispose](): void {
    this.pause();
  }

  #actOnNewestShown(from: number): boolean {
    const newest = this.get().findLast((toast) => toast.action !== null && toast.id >= from);
    if (newest) this.act(newest.id);
    return newest !== undefined;
  }

  #start(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), TOAST_MS),
    );
  }
}
