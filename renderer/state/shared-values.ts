import type { QueryClient } from '@tanstack/react-query';
import type {
  CallError,
  ChatList,
  Client,
  ProjectList,
  Result,
  Settings,
  WatcherStatus,
  WindowsState,
} from '../../src/contract/index.ts';

/** The small values that the main process owns and pushes whole. */
export interface SharedValues {
  projects: ProjectList;
  settings: Settings;
  windows: WindowsState;
  watcher: WatcherStatus;
  /** The newest chats. */
  chats: ChatList;
}
export type SharedName = keyof SharedValues;

/** What the query cache holds for one of them, under the key `[name]`. */
export interface SharedEntry<Value> {
  readonly value: Value | null;
  readonly problem: CallError | null;
}

export const sharedKey = (name: SharedName) => [name] as const;

/** Keeps {@link SharedValues} in the query cache true: pushes and answers replace a value unless they are older. */
export class SharedValuesSync {
  readonly #client: Client;
  readonly #cache: QueryClient;
  readonly #stops: (() => void)[];
  readonly #loading = new Set<SharedName>();

  constructor(client: Client, cache: QueryClient) {
    this.#client = client;
    this.#cache = cache;
    this.#stops = [
      client.on('projects.changed', (value) => this.accept('projects', value)),
      client.on('settings.changed', (value) => this.accept('settings', value)),
      client.on('windows.changed', (value) => this.accept('windows', value)),
      client.on('watcher.changed', (value) => this.accept('watcher', value)),
      client.on('chats.changed', (value) => this.accept('chats', value)),
    ];
  }

  /** Takes a value from a push or from the answer of a call. */
  accept<Name extends SharedName>(name: Name, value: SharedValues[Name]): void {
    const known = this.#entry(name).value;
    if (known !== null && value.sequence < known.sequence) return;
    this.#cache.setQueryData<SharedEntry<SharedValues[Name]>>(sharedKey(name), { value, problem: null });
  }

  /** A value as it is known now; null while it is not. */
  value<Name extends SharedName>(name: Name): SharedValues[Name] | null {
    return this.#entry(name).value;
  }

  /** Loads a value unless it is known or on its way. */
  ensure(name: SharedName): void {
    if (this.#loading.has(name) || this.#entry(name).value !== null) return;
    this.#loading.add(name);
    void this.load(name).finally(() => this.#loading.delete(name));
  }

  /** Asks for a value. Never rejects. */
  async load<Name extends SharedName>(name: Name): Promise<SharedEntry<SharedValues[Name]>> {
    const answer = (await this.#ask(name)) as Result<SharedValues[Name]>;
    if (answer.ok) this.accept(name, answer.value);
    else this.#cache.setQueryData(sharedKey(name), { ...this.#entry(name), problem: answer.error });
    return this.#entry(name);
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  #ask(name: SharedName): Promise<Result<unknown>> {
    if (name === 'projects') return this.#client.projects.list({});
    if (name === 'settings') return this.#client.settings.get({});
    if (name === 'windows') return this.#client.windows.state({});
    if (name === 'chats') return this.#client.chats.list({});
    return this.#client.watcher.status({});
  }

  #entry<Name extends SharedName>(name: Name): SharedEntry<SharedValues[Name]> {
    return this.#cache.getQueryData<SharedEntry<SharedValues[Name]>>(sharedKey(name)) ?? { value: null, problem: null };
  }
}
