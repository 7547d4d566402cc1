import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import Store from 'electron-store';
import { z } from 'zod';
import type { ProjectEntry } from '../src/context/projects.ts';
import {
  ComposerMode,
  Failure,
  ProjectId,
  type Publish,
  type Report,
  SessionRef,
  type Settings,
  sessionKey,
  sessionLimits,
  Theme,
} from '../src/contract/index.ts';
import { ioFailure } from '../src/files/index.ts';

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
/** Place and size of a window, in screen pixels. */
export type Bounds = z.infer<typeof Bounds>;

const ProjectEntrySchema = z.object({
  id: ProjectId,
  path: z.string().nullable(),
  label: z.string().nullable(),
  hidden: z.boolean(),
});

const MiniChat = z.object({
  alwaysOnTop: z.boolean().catch(true).default(true),
  visible: z.boolean().catch(true).default(true),
  bounds: Bounds.nullable().catch(null).default(null),
  shortcut: z.string().catch('').default('CommandOrControl+Shift+Space'),
  mode: ComposerMode.catch('note').default('note'),
});

const Sidebar = z.object({
  bounds: Bounds.nullable().catch(null).default(null),
  width: z.int().min(160).max(600).catch(260).default(260),
});

/** What the settings file holds. A field that does not fit falls back alone; the others stay. */
const StoredSettings = z.object({
  contextRoot: z.string().nullable().catch(null).default(null),
  sessionsRoot: z.string().nullable().catch(null).default(null),
  theme: Theme.catch('system').default('system'),
  lastTarget: ProjectId.nullable().catch(null).default(null),
  chatsVisible: z.boolean().catch(true).default(true),
  memoryEnabled: z.boolean().catch(false).default(false),
  projects: z.array(z.unknown()).catch([]).default([]),
  pinnedSessions: z.array(z.unknown()).catch([]).default([]),
  miniChat: MiniChat.prefault({}).catch(() => MiniChat.parse({})),
  sidebar: Sidebar.prefault({}).catch(() => Sidebar.parse({})),
});
type StoredSettings = z.infer<typeof StoredSettings>;

/** The settings that a window may change. */
export type SettingsPatch = {
  theme?: Settings['theme'] | undefined;
  lastTarget?: string | null | undefined;
  chatsVisible?: boolean | undefined;
  memoryEnabled?: boolean | undefined;
  miniChat?: { mode?: ComposerMode | undefined; shortcut?: string | undefined } | undefined;
  sidebar?: { width: number } | undefined;
};

/**
 * Settings and window places, kept by electron-store; never context or sessions. A file that other hands damage while the
 * program runs takes nothing from it: what was read last counts, and the next change puts the damaged file aside.
 */
export class SettingsStore {
  readonly #store: Store<Record<string, unknown>>;
  readonly #report: Report;
  #sequence = 0;
  #publish: Publish = () => {};
  /** The file's content as it was last read. */
  #last: Record<string, unknown>;
  #damaged = false;

  constructor(folder: string, report: Report) {
    this.#report = report;
    this.#store = openStore(folder, report);
    this.#last = this.#store.store;
  }

  /** Where changes are pushed; set once the windows can receive. */
  publishTo(publish: Publish): void {
    this.#publish = publish;
  }

  get stored(): StoredSettings {
    return StoredSettings.parse(this.#read());
  }

  /** The settings as windows see them. */
  get settings(): Settings {
    const { theme, lastTarget, chatsVisible, memoryEnabled, miniChat, sidebar } = this.stored;
    return {
      sequence: this.#sequence,
      theme,
      lastTarget,
      chatsVisible,
      memoryEnabled,
      miniChat: { alwaysOnTop: miniChat.alwaysOnTop, shortcut: miniChat.shortcut, mode: miniChat.mode },
      sidebar: { width: sidebar.width },
    };
  }

  /** @throws Failure `io` when the settings cannot be saved. */
  update(patch: SettingsPatch): Settings {
    this.#write({
      ...(patch.theme !== undefined && { theme: patch.theme }),
      ...(patch.lastTarget !== undefined && { lastTarget: patch.lastTarget }),
      ...(patch.chatsVisible !== undefined && { chatsVisible: patch.chatsVisible }),
      ...(patch.memoryEnabled !== undefined && { memoryEnabled: patch.memoryEnabled }),
      ...(patch.miniChat?.mode !== undefined && { 'miniChat.mode': patch.miniChat.mode }),
      ...(patch.miniChat?.shortcut !== undefined && { 'miniChat.shortcut': patch.miniChat.shortcut }),
      ...(patch.sidebar !== undefined && { 'sidebar.width': patch.sidebar.width }),
    });
    return this.#changed();
  }

  /** @throws Failure `io` when the settings cannot be saved. */
  setAlwaysOnTop(alwaysOnTop: boolean): void {
    this.#write({ 'miniChat.alwaysOnTop': alwaysOnTop });
    this.#changed();
  }

  /** Remembers the place of a window; nothing is pushed, no window shows it. */
  setBounds(window: 'miniChat' | 'sidebar', bounds: Bounds): void {
    this.#remember({ [`${window}.bounds`]: bounds });
  }

  /** Remembers whether the Mini Chat is shown at the next start. */
  setVisible(visible: boolean): void {
    if (this.stored.miniChat.visible !== visible) this.#remember({ 'miniChat.visible': visible });
  }

  /** The projects that were added, renamed or hidden, in the shape that `src/context/projects.ts` asks for. */
  readonly projectEntries = {
    load: (): ProjectEntry[] => {
      const entries = new Map<string, ProjectEntry>();
      for (const stored of this.stored.projects) {
        const entry = ProjectEntrySchema.safeParse(stored).data;
        if (entry && !entries.has(entry.id)) entries.set(entry.id, entry);
      }
      return [...entries.values()];
    },
    /** Entries that cannot be read, and keys of a newer version, stay in the file. */
    save: (entries: readonly ProjectEntry[]): void => {
      const rest = new Map(entries.map((entry) => [entry.id, entry]));
      const kept = this.stored.projects.flatMap((stored) => {
        const known = ProjectEntrySchema.safeParse(stored).data;
        if (!known) return [stored];
        const entry = rest.get(known.id);
        rest.delete(known.id);
        return entry ? [{ ...(stored as object), ...entry }] : [];
      });
      this.#write({ projects: [...kept, ...rest.values()] });
    },
  };

  /** The sessions that are kept at the top of the list, in the shape that the store of sessions asks for. */
  readonly pinnedSessions = {
    /** In the order in which they were pinned. */
    list: (): SessionRef[] => {
      const pins = this.stored.pinnedSessions.flatMap((stored) => SessionRef.safeParse(stored).data ?? []);
      return [...new Map(pins.map((pin) => [sessionKey(pin), pin])).values()];
    },
    /**
     * Pins a session or takes its pin away; whether it exists is not asked. Entries that cannot be read stay in the file.
     *
     * @throws Failure `limit` when {@link sessionLimits.pinned} are pinned, `io` when the settings cannot be saved.
     */
    set: (session: SessionRef, pinned: boolean): void => {
      const pins = this.pinnedSessions.list();
      const isPinned = pins.some((pin) => sessionKey(pin) === sessionKey(session));
      if (isPinned === pinned) return;
      if (pinned && pins.length >= sessionLimits.pinned) {
        throw new Failure(
          'limit',
          `${sessionLimits.pinned} sessions are pinned already. Unpin one to pin another; nothing was changed.`,
        );
      }
      const others = this.stored.pinnedSessions.filter((stored) => {
        const pin = SessionRef.safeParse(stored).data;
        return pin === undefined || sessionKey(pin) !== sessionKey(session);
      });
      this.#write({ pinnedSessions: pinned ? [...others, session] : others });
    },
  };

  #read(): Record<string, unknown> {
    try {
      this.#last = this.#store.store;
      this.#damaged = false;
    } catch (error) {
      if (!this.#damaged) this.#report('the settings file cannot be read any more; what it said before counts', error);
      this.#damaged = true;
    }
    return this.#last;
  }

  #write(changes: Record<string, unknown>): void {
    // A key can only be set within an object: what stands there instead makes room.
    const groups = new Set(Object.keys(changes).flatMap((key) => key.split('.').slice(0, -1)));
    const unfit = [...groups].filter(
      (group) => !z.record(z.string(), z.unknown()).safeParse(this.#read()[group]).success,
    );
    const all = { ...Object.fromEntries(unfit.map((group) => [group, {}])), ...changes };
    try {
      this.#set(all);
    } catch (error) {
      throw ioFailure(error, 'The settings could not be saved', 'What was saved before is unchanged.');
    }
    this.#read();
  }

  #set(changes: Record<string, unknown>): void {
    try {
      this.#store.set(changes);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      putAside(this.#store.path, error, this.#report);
      this.#store.store = this.#last;
      this.#store.set(changes);
    }
  }

  #remember(values: Record<string, unknown>): void {
    try {
      this.#write(values);
    } catch (error) {
      // A window that was moved waits for no answer, and opens where the system likes it next time.
      this.#report('remembering how a window was', error);
    }
  }

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
    putAside(file, error, report);
    return new Store<Record<string, unknown>>(options);
  }
}

function putAside(file: string, error: SyntaxError, report: Report): void {
  renameSync(file, `${file}.damaged-${Date.now()}`);
  report('the settings file was damaged; it was put aside, and what is known of the settings is used', error);
}
