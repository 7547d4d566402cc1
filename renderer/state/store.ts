import { useSyncExternalStore } from 'react';

/** A value that can be watched. Values are replaced, never mutated. */
export interface ReadableStore<Value> {
  get(): Value;
  /** Calls `listener` after each change; the result stops it. */
  subscribe(listener: () => void): () => void;
}

/** A small observable value for what belongs to one window only: drafts, save state, where the person is. */
export class Store<Value> implements ReadableStore<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  update(change: (value: Value) => Value): void {
    this.set(change(this.#value));
  }
}

/** The store's value; the component renders again when it changes. */
export function useStore<Value>(store: ReadableStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A part of the store's value; `select` must answer the same object for the same value. */
export function useStorePart<Value, Part>(store: ReadableStore<Value>, select: (value: Value) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
