import { Failure, type Implementation } from '../src/contract/index.ts';
import type { SettingsStore } from './settings.ts';
import type { Shortcut } from './shortcut.ts';
import type { Windows } from './windows/windows.ts';

type ApplicationCalls = Pick<Implementation, 'settings' | 'windows'> & {
  chooseFolder: Implementation['projects']['chooseFolder'];
};

/** What the calls of windows and settings need. */
export interface ApplicationOptions {
  settings: SettingsStore;
  windows: Windows;
  shortcut: Shortcut;
  chooseFolder(): Promise<string | null>;
  /** Called when memory was switched on or off. */
  memorySwitched(): void;
  applyTheme(theme: 'system' | 'light' | 'dark'): void;
}

/** The calls that Electron answers, not the core: settings, windows and the folder dialog. */
export function applicationCalls(options: ApplicationOptions): ApplicationCalls {
  const { settings, windows, shortcut } = options;
  return {
    settings: {
      get: async () => settings.settings,
      update: async (patch) => {
        const before = settings.settings;
        const after = settings.update(patch);
        if (after.theme !== before.theme) options.applyTheme(after.theme);
        if (after.memoryEnabled !== before.memoryEnabled) options.memorySwitched();
        if (after.miniChat.shortcut !== before.miniChat.shortcut) {
          shortcut.set(after.miniChat.shortcut);
          windows.changed();
        }
        return after;
      },
    },
    windows: {
      state: async () => windows.state,
      showMiniChat: async () => {
        windows.showMiniChat();
        return windows.state;
      },
      hideMiniChat: async () => {
        windows.hideMiniChat();
        return windows.state;
      },
      setAlwaysOnTop: async ({ alwaysOnTop }) => {
        windows.setAlwaysOnTop(alwaysOnTop);
        return windows.state;
      },
      openInSidebar: async (handover) => {
        windows.handOver(handover);
        return windows.state;
      },
      takeHandover: async ({ id }) => {
        windows.takeHandover(id);
        return windows.state;
      },
      openInMiniChat: async ({ session }) => {
        windows.openInMiniChat(session);
        return windows.state;
      },
      takeOpening: async ({ id }) => {
        windows.takeOpening(id);
        return windows.state;
      },
    },
    chooseFolder: async () => {
      try {
        return { path: await options.chooseFolder() };
      } catch (error) {
        throw new Failure('io', 'This desktop shows no dialog for folders. Type the path of the folder instead.', {
          cause: error,
        });
      }
    },
  };
}
