import type { Caller, Implementation } from '../contract/contract.ts';
import { limits, type Project, type ProjectList } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, KeyedQueue, nodeFileSystem } from '../files/index.ts';
import { clampText, onOneLine } from '../files/text.ts';
import type { Move } from './merge.ts';
import type { MergeCounts } from './merge-lists.ts';
import {
  type MovedId,
  movedEntries,
  type ProjectEntries,
  type ProjectEntry,
  withEntry,
  withMoved,
} from './project-entries.ts';
import { ProjectFolders } from './project-folders.ts';
import { projectPathOf } from './project-id.ts';

export type { ProjectEntries, ProjectEntry } from './project-entries.ts';

export interface ProjectsOptions {
  /** Folder of the chats without a project; need not exist. */
  chatsRoot: string;
  entries: ProjectEntries;
  /** Ids of the owners that have data on disk. */
  foundIds: () => Promise<string[]>;
  /**
   * Merges the data of one project into another, see `ProjectMerges.merge`.
   *
   * @param finish Moves the entry of the settings; called before the merge counts as done.
   */
  merge: (move: Move, finish: (move: Move) => Promise<void>) => Promise<MergeCounts | null>;
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
  /**
   * Says that a project became another one, for a merge that an earlier run or call left open. Waits for no other call, so
   * that a merge may wait for it; the list is told with the next refresh.
   */
  moved(move: Move): Promise<void>;
  /** Looks at what is on disk again; tells of a list that differs. */
  refresh(): Promise<void>;
}

/** The project list over its settings and the data folder. It keeps the list that it last told of, and which ids became others. */
export function createProjects(options: ProjectsOptions): Projects {
  return new ProjectRegistry(options);
}

const ANY = 'projects';

class ProjectRegistry implements Projects {
  readonly #options: ProjectsOptions;
  readonly #folders: ProjectFolders;
  readonly #queue = new KeyedQueue();
  #sequence = 0;
  #told: string | null = null;
  #chatsId: string | null = null;
  /** What was last found on disk, so that a write need not list everything. */
  #found: ReadonlySet<string> = new Set();
  #moved: readonly MovedId[] = [];

  constructor(options: ProjectsOptions) {
    this.#options = options;
    const { chatsRoot, fileSystem = nodeFileSystem, platform = process.platform } = options;
    this.#folders = new ProjectFolders({ chatsRoot, fileSystem, platform });
  }

  async chatsId(): Promise<string> {
    this.#chatsId ??= await this.#folders.knownIdOf(this.#options.chatsRoot, new Set(await this.#findIds()), 'text');
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
      const entries = this.#options.entries.load();
      const named = await this.#folders.identify(path, entries, await this.#findIds());
      const stored = entries.find((entry) => entry.id === named.id);
      return this.#save({
        id: named.id,
        path: stored?.path ?? named.path,
        label: stored?.label ?? null,
        hidden: false,
      });
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

  relocate({ projectId, path }: { projectId: string; path: string }): Promise<{
    project: Project;
    list: ProjectList;
    merged: MergeCounts | null;
  }> {
    return this.#queue.run(ANY, async () => {
      const entry = await this.#entry(projectId);
      const named = await this.#folders.identify(path, this.#options.entries.load(), await this.#findIds());
      if (named.id === projectId) return { ...(await this.#save({ ...entry, path: named.path })), merged: null };
      const move = { from: projectId, to: named.id, path: named.path };
      const merged = await this.#options.merge(move, (done) => this.moved(done));
      await this.moved(move);
      return { ...(await this.#tell(move.to)), merged };
    });
  }

  async moved(move: Move): Promise<void> {
    if (move.path !== null) {
      const entries = this.#options.entries.load();
      const moved = movedEntries(entries, move);
      if (JSON.stringify(moved) !== JSON.stringify(entries)) await this.#options.entries.save(moved);
    }
    this.#moved = withMoved(this.#moved, move);
    // What was found before the merge is not there any more.
    this.#found = new Set([...this.#found].filter((id) => id !== move.from));
  }

  #change(
    id: string,
    change: Partial<Pick<ProjectEntry, 'label' | 'hidden'>>,
  ): Promise<{ project: Project; list: ProjectList }> {
    return this.#queue.run(ANY, async () => this.#save({ ...(await this.#entry(id)), ...change }));
  }

  /** The entry of a project in the list; one that was only found gets its first. */
  async #entry(id: string): Promise<ProjectEntry> {
    const stored = this.#options.entries.load().find((entry) => entry.id === id);
    const found = stored !== undefined || (await this.#findIds()).includes(id);
    if (!found || id === (await this.chatsId())) {
      throw new Failure('not-found', 'This project is not in the list any more. Nothing was changed.');
    }
    return stored ?? { id, path: projectPathOf(id), label: null, hidden: false };
  }

  async #findIds(): Promise<string[]> {
    const ids = await this.#options.foundIds();
    this.#found = new Set(ids);
    return ids;
  }

  async #save(entry: ProjectEntry): Promise<{ project: Project; list: ProjectList }> {
    const entries = this.#options.entries.load();
    const saved = withEntry(entries, entry);
    if (JSON.stringify(saved) !== JSON.stringify(entries)) await this.#options.entries.save(saved);
    return this.#tell(entry.id);
  }

  /** Tells of the list as it is now; answers it with one of its projects. */
  async #tell(id: string): Promise<{ project: Project; list: ProjectList }> {
    const list = await this.#tellIfChanged();
    const project = list.projects.find((other) => other.id === id);
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
    const shown = new Set(projects.map(({ id }) => id));
    this.#moved = this.#moved.filter(({ from }) => !shown.has(from));
    const content = JSON.stringify([chatsId, projects, this.#moved]);
    if (this.#told !== null && this.#told !== content) this.#sequence++;
    this.#told = content;
    return { sequence: this.#sequence, chatsId, projects, moved: [...this.#moved] };
  }

  #project({ id, path, label, hidden }: ProjectEntry, added: boolean): Project {
    const folder = path ?? projectPathOf(id);
    return { id, label: label ?? defaultLabel(id, folder), path: folder, hidden, added };
  }
}

/** What a project is called until its person gives it another name. */
function defaultLabel(id: string, path: string | null): string {
  if (path === null) return id.length > 24 ? `${id.slice(0, 20)}…` : id;
  const name = path.split(/[/\\]/).findLast((segment) => segment !== '') ?? path;
  return clampText(onOneLine(name), limits.projectLabel) || path.slice(0, limits.projectLabel);
}
