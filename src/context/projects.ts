import { posix, win32 } from 'node:path';
import type { Caller, Implementation } from '../contract/contract.ts';
import { limits, type Project, type ProjectList } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  type FileSystem,
  ioFailure,
  isInside,
  isMissing,
  KeyedQueue,
  nodeFileSystem,
  resolveExisting,
  systemCode,
} from '../files/index.ts';
import { projectIdOf, projectPathOf } from './project-id.ts';
import { clampText, onOneLine } from './text.ts';

/** What is kept of a project in the settings. */
export interface ProjectEntry {
  id: string;
  /** Its folder; null for one that was only found and whose id does not tell it. */
  path: string | null;
  /** The label that its person gave it; null for the name of its folder. */
  label: string | null;
  hidden: boolean;
}

/** Where the entries are kept. */
export interface ProjectEntries {
  load(): readonly ProjectEntry[];
  save(entries: readonly ProjectEntry[]): void | Promise<void>;
}

export interface ProjectsOptions {
  /** Folder of the chats without a project; need not exist. */
  chatsRoot: string;
  entries: ProjectEntries;
  /** Ids of the owners that have data on disk. */
  foundIds: () => Promise<string[]>;
  fileSystem?: FileSystem;
  /** Told of each new list. */
  onChange: (list: ProjectList) => void;
  platform?: NodeJS.Platform;
}

type Calls = Omit<Implementation['projects'], 'chooseFolder'>;
type WithoutCaller<Group> = {
  [Call in keyof Group]: Group[Call] extends (input: infer Input, caller: Caller) => Promise<infer Output>
    ? (input: Input) => Promise<Output>
    : never;
};

/** Chats and the projects: those in the settings and those found on disk. */
export interface Projects extends WithoutCaller<Calls> {
  /** Id of the chats root: the owner of all chats without a project. */
  chatsId(): Promise<string>;
  /** Chats, then the projects that are not hidden. */
  shownIds(): Promise<string[]>;
  /** Whether an id may be written to: Chats, an entry, or one found on disk. */
  isKnown(id: string): Promise<boolean>;
  /** Looks at what is on disk again; tells of a list that differs. */
  refresh(): Promise<void>;
}

/** The project list over its settings and the data folder. It keeps nothing but the list that it last told of. */
export function createProjects(options: ProjectsOptions): Projects {
  return new ProjectRegistry(options);
}

const ANY = 'projects';

class ProjectRegistry implements Projects {
  readonly #options: ProjectsOptions;
  readonly #fileSystem: FileSystem;
  readonly #queue = new KeyedQueue();
  #sequence = 0;
  #told: string | null = null;
  #chatsId: string | null = null;
  /** What was last found on disk, so that a write need not list everything. */
  #found: ReadonlySet<string> = new Set();

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
  }

  async chatsId(): Promise<string> {
    this.#chatsId ??= await this.#knownIdOf(this.#options.chatsRoot, new Set(await this.#findIds()), 'text');
    return this.#chatsId;
  }

  async isKnown(id: string): Promise<boolean> {
    if (this.#options.entries.load().some((entry) => entry.id === id)) return true;
    if (id === (await this.chatsId()) || this.#found.has(id)) return true;
    return (await this.#findIds()).includes(id);
  }

  async shownIds(): Promise<string[]> {
    const { chatsId, projects } = await this.list();
    return [chatsId, ...projects.filter((project) => !project.hidden).map((project) => project.id)];
  }

  list(): Promise<ProjectList> {
    return this.#queue.run(ANY, () => this.#tellIfChanged());
  }

  refresh(): Promise<void> {
    return this.#queue.run(ANY, async () => {
      await this.#tellIfChanged();
    });
  }

  add({ path }: { path: string }): Promise<{ project: Project; list: ProjectList }> {
    return this.#queue.run(ANY, async () => {
      const folder = await this.#folder(path);
      await this.#refuseChats(folder);
      const entries = this.#options.entries.load();
      const alias = await this.#entryOfFolder(entries, folder);
      const known = new Set([...entries.map((entry) => entry.id), ...(await this.#findIds())]);
      const id = alias?.id ?? (await this.#knownIdOf(path, known, 'canonical'));
      const stored = entries.find((entry) => entry.id === id);
      if (alias === null) await this.#refuseSharedId(stored?.path ?? projectPathOf(id), folder);
      const entry: ProjectEntry = {
        id,
        path: stored?.path ?? (projectIdOf(folder) === id ? folder : path),
        label: stored?.label ?? null,
        hidden: false,
      };
      return this.#save(entry);
    });
  }

  rename({ projectId, label }: { projectId: string; label: string }): Promise<{ project: Project; list: ProjectList }> {
    // A label of nothing that can be seen is none.
    return this.#change(projectId, { label: onOneLine(label) || null });
  }

  hide({
    projectId,
    hidden,
  }: {
    projectId: string;
    hidden: boolean;
  }): Promise<{ project: Project; list: ProjectList }> {
    return this.#change(projectId, { hidden });
  }

  relocate(): Promise<never> {
    return Promise.reject(new Failure('io', 'This is not there yet.'));
  }

  #change(
    id: string,
    change: Partial<Pick<ProjectEntry, 'label' | 'hidden'>>,
  ): Promise<{ project: Project; list: ProjectList }> {
    return this.#queue.run(ANY, async () => {
      const stored = this.#options.entries.load().find((entry) => entry.id === id);
      const found = stored !== undefined || (await this.#findIds()).includes(id);
      if (!found || id === (await this.chatsId())) {
        throw new Failure('not-found', 'This project is not in the list any more. Nothing was changed.');
      }
      const entry = stored ?? { id, path: projectPathOf(id), label: null, hidden: false };
      return this.#save({ ...entry, ...change });
    });
  }

  async #findIds(): Promise<string[]> {
    const ids = await this.#options.foundIds();
    this.#found = new Set(ids);
    return ids;
  }

  async #save(entry: ProjectEntry): Promise<{ project: Project; list: ProjectList }> {
    const entries = this.#options.entries.load();
    const index = entries.findIndex((other) => other.id === entry.id);
    const same = index >= 0 && JSON.stringify(entries[index]) === JSON.stringify(entry);
    if (!same) await this.#options.entries.save(index < 0 ? [...entries, entry] : entries.with(index, entry));
    const list = await this.#tellIfChanged();
    const project = list.projects.find((other) => other.id === entry.id);
    if (!project) throw new Error('a saved project is in the list');
    return { project, list };
  }

  async #tellIfChanged(): Promise<ProjectList> {
    const before = this.#told;
    const list = await this.#list();
    if (before !== null && before !== this.#told) this.#options.onChange(list);
    return list;
  }

  /** The list as it is now; its sequence grows whenever it differs from the last one. */
  async #list(): Promise<ProjectList> {
    const chatsId = await this.chatsId();
    const entries = this.#options.entries.load().filter((entry) => entry.id !== chatsId);
    const stored = new Set(entries.map((entry) => entry.id));
    const found = (await this.#findIds())
      .filter((id) => id !== chatsId && !stored.has(id))
      .map((id) => this.#project({ id, path: null, label: null, hidden: false }, false))
      .sort((left, right) => (left.label < right.label ? -1 : left.label > right.label ? 1 : 0));
    const projects = [...entries.map((entry) => this.#project(entry, true)), ...found];
    const content = JSON.stringify([chatsId, projects]);
    if (this.#told !== null && this.#told !== content) this.#sequence++;
    this.#told = content;
    return { sequence: this.#sequence, chatsId, projects };
  }

  #project({ id, path, label, hidden }: ProjectEntry, added: boolean): Project {
    const folder = path ?? projectPathOf(id);
    return { id, label: label ?? defaultLabel(id, folder), path: folder, hidden, added };
  }

  /** The real path of a folder that a person named. */
  async #folder(path: string): Promise<string> {
    const { isAbsolute } = (this.#options.platform ?? process.platform) === 'win32' ? win32 : posix;
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new Failure('invalid', 'A project needs the whole path of its folder. Nothing was added.', {
        detail: { field: 'path' },
      });
    }
    try {
      const folder = await this.#fileSystem.realpath(path);
      if ((await this.#fileSystem.stat(folder)).isDirectory()) return folder;
    } catch (error) {
      if (isMissing(error)) throw new Failure('not-found', 'There is no such folder. Nothing was added.');
      throw ioFailure(error, 'The folder could not be read', 'Nothing was added.');
    }
    throw new Failure('invalid', 'This is not a folder. Nothing was added.', { detail: { field: 'path' } });
  }

  async #refuseChats(folder: string): Promise<void> {
    const chats = await resolveExisting(this.#fileSystem, this.#options.chatsRoot);
    if (!isInside(chats, folder)) return;
    throw new Failure(
      'invalid',
      'This folder belongs to the chats, which are in the list already. Nothing was added.',
      {
        detail: { field: 'path', reason: 'chats' },
      },
    );
  }

  /**
   * Ids come from a path without the blanks around it and with every `\` as `/`, so two folders can have the same one. The
   * second is refused: it would show and change the notes of the first.
   *
   * @param owner The folder that the id stands for; null when it does not tell.
   */
  async #refuseSharedId(owner: string | null, folder: string): Promise<void> {
    if (owner === null || owner === folder) return;
    let real: string;
    try {
      real = await this.#fileSystem.realpath(owner);
    } catch (error) {
      // The other folder is gone, and its notes with it to whoever has its id now.
      if (isMissing(error) || systemCode(error) === 'ENOTDIR') return;
      throw ioFailure(error, 'Another folder with the same id could not be looked at', 'Nothing was added.');
    }
    if (real === folder) return;
    throw new Failure(
      'invalid',
      'This folder gets the same id as another one, because their paths differ only in blanks or backslashes. Nothing was added. Rename one of them.',
      { detail: { field: 'path', reason: 'same-id' } },
    );
  }

  /** The entry that is this folder under another text: through a link, or with another spelling. */
  async #entryOfFolder(entries: readonly ProjectEntry[], folder: string): Promise<ProjectEntry | null> {
    for (const entry of entries) {
      const path = entry.path ?? projectPathOf(entry.id);
      if (path === null) continue;
      if (path === folder) return entry;
      const real = await this.#fileSystem.realpath(path).catch(() => null);
      // A folder that cannot be resolved (moved, on a disk that is away) is at least not this one.
      if (real === folder) return entry;
    }
    return null;
  }

  /** The id under which a folder has data: that of its text, then that of its real path; else the preferred one of them. */
  async #knownIdOf(path: string, known: ReadonlySet<string>, otherwise: 'text' | 'canonical'): Promise<string> {
    const text = projectIdOf(path);
    if (known.has(text)) return text;
    const canonical = projectIdOf(await resolveExisting(this.#fileSystem, path));
    return known.has(canonical) || otherwise === 'canonical' ? canonical : text;
  }
}

/** What a project is called until its person gives it another name. */
function defaultLabel(id: string, path: string | null): string {
  if (path === null) return id.length > 24 ? `${id.slice(0, 20)}…` : id;
  const name = path.split(/[/\\]/).findLast((segment) => segment !== '') ?? path;
  return clampText(onOneLine(name), limits.projectLabel) || path.slice(0, limits.projectLabel);
}
