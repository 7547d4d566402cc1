import type { BrowserWindow, WebContents } from 'electron';
import type { Role } from '../../src/contract/index.ts';
import type { KnownWindow } from '../ipc/sender.ts';

interface Entry {
  readonly role: Role;
  readonly window: BrowserWindow;
  abort: AbortController;
}

/** The windows that we opened: who may call, and who receives pushes. */
export class WindowSet {
  readonly #entries = new Map<number, Entry>();

  /** Adds a window. Its calls are aborted when it closes, reloads or crashes. */
  add(role: Role, window: BrowserWindow): void {
    const contents = window.webContents;
    const id = contents.id;
    const entry: Entry = { role, window, abort: new AbortController() };
    this.#entries.set(id, entry);
    const renew = (): void => {
      entry.abort.abort();
      entry.abort = new AbortController();
    };
    contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) renew();
    });
    contents.on('render-process-gone', renew);
    window.on('closed', () => {
      entry.abort.abort();
      this.#entries.delete(id);
    });
  }

  find(contentsId: number): KnownWindow | undefined {
    const entry = this.#entries.get(contentsId);
    return entry && { role: entry.role, signal: entry.abort.signal };
  }

  /** The window of this role, or null when it is not open. */
  window(role: Role): BrowserWindow | null {
    for (const entry of this.#entries.values()) if (entry.role === role) return entry.window;
    return null;
  }

  *open(): Iterable<{ role: Role; contents: WebContents }> {
    for (const { role, window } of this.#entries.values()) {
      if (!window.isDestroyed()) yield { role, contents: window.webContents };
    }
  }
}
