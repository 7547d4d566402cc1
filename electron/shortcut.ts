import type { GlobalShortcut } from 'electron';

/** The one global shortcut of the program. */
export class Shortcut {
  readonly #globalShortcut: Pick<GlobalShortcut, 'register' | 'unregister'>;
  readonly #action: () => void;
  #registered: string | null = null;
  #problem: string | null = null;

  constructor(globalShortcut: Pick<GlobalShortcut, 'register' | 'unregister'>, action: () => void) {
    this.#globalShortcut = globalShortcut;
    this.#action = action;
  }

  /** Why the shortcut does not work; null when it does or none is wanted. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Takes this accelerator in place of the one before; an empty one means none. */
  set(accelerator: string): void {
    this.release();
    this.#problem = null;
    if (accelerator === '') return;
    if (this.#register(accelerator)) this.#registered = accelerator;
  }

  release(): void {
    if (this.#registered !== null) this.#globalShortcut.unregister(this.#registered);
    this.#registered = null;
  }

  #register(accelerator: string): boolean {
    try {
      if (this.#globalShortcut.register(accelerator, this.#action)) return true;
      this.#problem = `${accelerator} is taken by another program. Choose another shortcut.`;
    } catch {
      // Electron throws a TypeError for a text that is no accelerator: that is the person's input, and said to them.
      this.#problem = `${accelerator} is not a shortcut. Write it like CommandOrControl+Shift+Space.`;
    }
    return false;
  }
}
