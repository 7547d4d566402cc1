import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import Store from 'electron-store';
import { z } from 'zod';
import type { ProjectEntry } from '../src/context/projects.ts';
import { ComposerMode, ProjectId, type Publish, type Report, type Settings, Theme } from '../src/contract/index.ts';

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
/** Place and size of a window, in screen pixels. */
export type Bounds = z.infer<typeof Bounds>;

const ProjectEntrySchema = z.object({
  id: ProjectId,
  path: z.string().nullable(),
  label: z.string().nullable(),
  hidden: z.boolean(),
});

/** What the settings file holds. A field that does not fit falls back alone; the others stay. */
const StoredSettings = z.object({
  contextRoot: z.string().nullable().catch(null).default(null),
  theme: Theme.catch('system').default('system'),
  lastTarget: ProjectId.nullable().catch(null).default(null),
  projects: z.array(z.unknown()).catch([]).default([]),
  miniChat: z
    .object({
      alwaysOnTop: z.boolean().catch(true).default(true),
      bounds: Bounds.nullable().catch(null).default(null),
      shortcut: z.string().catch('').default('CommandOrControl+Shift+Space'),
      mode: ComposerMode.catch('note').default('note'),
    })
    .prefault({}),
  sidebar: z
    .object({
      bounds: Bounds.nullable().catch(null).default(null),
      width: z.int().min(160).max(600).catch(260).default(260),
    })
    .prefault({}),
});
type StoredSettings = z.infer<typeof StoredSettings>;

/** The settings that a window may change. */
export type SettingsPatch = {
  theme?: Settings['theme'] | undefined;
  lastTarget?: string | null | undefined;
  miniChat?: { mode?: ComposerMode | undefined; shortcut?: string | undefined } | undefined;
  sidebar?: { width: number } | undefined;
};

/** Settings and window places, kept by electron-store; never context or sessions. */
export class SettingsStore {
  readonly #store: Store<Record<string, unknown>>;
  #sequence = 0;
  #publish: Publish = () => {};

  constructor(folder: string, report: Report) {
    this.#store = openStore(folder, report);
  }

  /** Where changes are pushed; set once the windows can receive. */
  publishTo(publish: Publish): void {
    this.#publish = publish;
  }

  get stored(): StoredSettings {
    return StoredSettings.parse(this.#store.store);
  }

  /** The settings as windows see them. */
  get settings(): Settings {
    const { theme, lastTarget, miniChat, sidebar } = this.stored;
    return {
      sequence: this.#sequence,
      theme,
      lastTarget,
      miniChat: { alwaysOnTop: miniChat.alwaysOnTop, shortcut: miniChat.shortcut, mode: miniChat.mode },
      sidebar: { width: sidebar.width },
    };
  }

  update(patch: SettingsPatch): Settings {
    if (patch.theme !== undefined) this.#store.set('theme', patch.theme);
    if (patch.lastTarget !== undefined) this.#store.set('lastTarget', patch.lastTarget);
    if (patch.miniChat?.mode !== undefined) this.#store.set('miniChat.mode', patch.miniChat.mode);
    if (patch.miniChat?.shortcut !== undefined) this.#store.set('miniChat.shortcut', patch.miniChat.shortcut);
    if (patch.sidebar !== undefined) this.#store.set('sidebar.width', patch.sidebar.width);
    return this.#changed();
  }

  setAlwaysOnTop(alwaysOnTop: boolean): void {
    this.#store.set('miniChat.alwaysOnTop', alwaysOnTop);
    this.#changed();
  }

  /** Remembers the place of a window; nothing is pushed, no window shows it. */
  setBounds(window: 'miniChat' | 'sidebar', bounds: Bounds): void {
    this.#store.set(`${window}.bounds`, bounds);
  }

  /** The projects that were added, renamed or hidden, in the shape that `src/context/projects.ts` asks for. */
  readonly projectEntries = {
    load: (): ProjectEntry[] =>
      this.stored.projects.flatMap((entry) => {
        const parsed = ProjectEntrySchema.safeParse(entry);
        return parsed.success ? [parsed.data] : [];
      }),
    save: (entries: readonly ProjectEntry[]): void => {
      this.#store.set('projects', entries);
    },
  };

  #changed(): Settings {
    this.#sequence += 1;
    const settings = this.settings;
    this.#publish('settings.changed', settings);
    return settings;
  }
}

/** A settings file that does not parse is put aside under a dated name, never overwritten in place. */
function openStore(folder: string, report: Report): Store<Record<string, unknown>> {
  const options = { name: 'settings', cwd: folder, clearInvalidConfig: false, accessPropertiesByDotNotation: true };
  try {
    return new Store<Record<string, unknown>>(options);
  } catch (error) {
    const file = path.join(folder, 'settings.json');
    if (!(error instanceof SyntaxError) || !existsSync(file)) throw error;
    renameSync(file, path.join(folder, `settings.json.damaged-${Date.now()}`));
    report('the settings file was damaged; it was put aside and the defaults are used', error);
    return new Store<Record<string, unknown>>(options);
  }
}
