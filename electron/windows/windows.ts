import type { BrowserWindow } from 'electron';
import type { Handover, Publish, SessionRef, WindowsState } from '../../src/contract/index.ts';
import { openApplicationWindow, type WindowDependencies } from './application-window.ts';
import { Offer } from './offer.ts';

/** What the windows' own calls and the shortcut ask for. */
export interface WindowsOptions extends WindowDependencies {
  publish: Publish;
  /** Why the global shortcut does not work, or null. */
  shortcutProblem(): string | null;
  /** Called when the person closed the sidebar. */
  sidebarClosed(): void;
}

/** Both windows: opened, shown, hidden, and the state of them that is pushed. */
export class Windows {
  readonly #options: WindowsOptions;
  #sequence = 0;
  readonly #handover = new Offer<Omit<Handover, 'id'>>();
  readonly #opening = new Offer<{ session: SessionRef }>();
  #quitting = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** From now on closing the Mini Chat closes it. */
  prepareToQuit(): void {
    this.#quitting = true;
  }

  /** Shows the sidebar, opening it if need be. */
  showSidebar(): BrowserWindow {
    const existing = this.#options.windows.window('sidebar');
    if (existing) {
      if (existing.isMinimized()) existing.restore();
      existing.show();
      existing.focus();
      return existing;
    }
    const window = openApplicationWindow('sidebar', this.#options);
    window.once('ready-to-show', () => window.show());
    window.once('closed', () => this.#options.sidebarClosed());
    return window;
  }

  /** Opens the Mini Chat without showing it, so that the shortcut answers at once. */
  prepareMiniChat(): BrowserWindow {
    const existing = this.#options.windows.window('mini-chat');
    if (existing) return existing;
    const window = openApplicationWindow('mini-chat', this.#options, {
      alwaysOnTop: this.#options.settings.stored.miniChat.alwaysOnTop,
      fullscreenable: false,
      maximizable: false,
      skipTaskbar: true,
    });
    window.on('close', (event) => {
      if (this.#quitting) return;
      event.preventDefault();
      this.hideMiniChat();
    });
    window.on('show', () => {
      this.#applyAlwaysOnTop(window);
      this.#visibilityChanged(true);
    });
    window.on('hide', () => this.#visibilityChanged(false));
    window.on('restore', () => this.#applyAlwaysOnTop(window));
    return window;
  }

  /** Shows the Mini Chat and gives it the keyboard. */
  showMiniChat(): void {
    const window = this.prepareMiniChat();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Opens the Mini Chat as it was when the program ended: shown, without taking the keyboard, or hidden. */
  openMiniChat(): void {
    const window = this.prepareMiniChat();
    if (!this.#options.settings.stored.miniChat.visible) return;
    window.once('ready-to-show', () => window.showInactive());
  }

  /** Hides the Mini Chat; the system gives the keyboard back to the window before. */
  hideMiniChat(): void {
    const window = this.#options.windows.window('mini-chat');
    if (window?.isVisible()) window.hide();
  }

  /** What the global shortcut does. */
  toggleMiniChat(): void {
    const window = this.#options.windows.window('mini-chat');
    if (window?.isVisible() && window.isFocused()) this.hideMiniChat();
    else this.showMiniChat();
  }

  setAlwaysOnTop(alwaysOnTop: boolean): void {
    this.#options.settings.setAlwaysOnTop(alwaysOnTop);
    const window = this.#options.windows.window('mini-chat');
    if (window) this.#applyAlwaysOnTop(window);
    this.changed();
  }

  /** Keeps something for the sidebar until it has taken it, and shows the sidebar. */
  handOver(handover: Omit<Handover, 'id'>): void {
    this.#handover.make(handover);
    this.showSidebar();
    this.changed();
  }

  takeHandover(id: number): void {
    if (this.#handover.take(id)) this.changed();
  }

  /** Keeps a session for the Mini Chat until it has taken it, and shows the Mini Chat. */
  openInMiniChat(session: SessionRef): void {
    this.#opening.make({ session });
    this.showMiniChat();
    this.changed();
  }

  takeOpening(id: number): void {
    if (this.#opening.take(id)) this.changed();
  }

  get state(): WindowsState {
    const window = this.#options.windows.window('mini-chat');
    return {
      sequence: this.#sequence,
      miniChat: {
        visible: window?.isVisible() ?? false,
        alwaysOnTop: this.#options.settings.stored.miniChat.alwaysOnTop,
        shortcutProblem: this.#options.shortcutProblem(),
        opening: this.#opening.current,
      },
      handover: this.#handover.current,
    };
  }

  /** Pushes the state to both windows. */
  changed(): void {
    this.#sequence += 1;
    this.#options.publish('windows.changed', this.state);
  }

  #visibilityChanged(visible: boolean): void {
    if (!this.#quitting) this.#options.settings.setVisible(visible);
    this.changed();
  }

  /** Set again whenever the window is shown: on Linux the flag is lost over hide and show (electron/electron#44078). */
  #applyAlwaysOnTop(window: BrowserWindow): void {
    const wanted = this.#options.settings.stored.miniChat.alwaysOnTop;
    window.setAlwaysOnTop(wanted, wanted ? 'floating' : 'normal');
  }
}
