import {
  Failure,
  type Implementation,
  type Project,
  type ProjectList,
  type Publish,
  type Settings,
  type WatcherStatus,
  type WindowsState,
} from '../../../src/contract/index.ts';
import { CHATS } from './context.ts';

type ApplicationCalls = Pick<Implementation, 'projects' | 'settings' | 'windows' | 'watcher'>;

/** Projects, settings and window state in memory. */
export interface Application {
  readonly calls: ApplicationCalls;
  settings(): Settings;
  /** Pushes a list of projects with these. */
  setProjects(projects: Project[]): void;
  setWindows(change: Partial<Omit<WindowsState, 'sequence'>>): WindowsState;
  setWatcher(change: Omit<WatcherStatus, 'sequence'>): void;
}

export const project = (id: string, label: string, path: string | null = `/home/dev/${label}`): Project => ({
  id,
  label,
  path,
  hidden: false,
  added: true,
});

type Merged = { notes: number; todos: number; plans: number } | null;

const idOfFolder = (path: string): string => `path_${Buffer.from(path).toString('base64url')}`;

/** @param merge brings the context of one owner to another */
export function createApplication(publish: Publish, merge: (from: string, to: string) => Merged): Application {
  let list: ProjectList = { sequence: 1, chatsId: CHATS, projects: [], moved: [] };
  let settings: Settings = {
    sequence: 1,
    theme: 'system',
    lastTarget: null,
    chatsVisible: true,
    memoryEnabled: false,
    miniChat: { alwaysOnTop: true, shortcut: 'CommandOrControl+Shift+Space', mode: 'note' },
    sidebar: { width: 240 },
  };
  let windows: WindowsState = {
    sequence: 1,
    miniChat: { visible: false, alwaysOnTop: true, shortcutProblem: null, opening: null },
    handover: null,
  };
  let watcher: WatcherStatus = { sequence: 1, state: 'watching', reason: null };

  const setProjects = (projects: Project[], moved = list.moved): ProjectList => {
    list = { ...list, sequence: list.sequence + 1, projects, moved };
    publish('projects.changed', list);
    return list;
  };
  const setWindows = (change: Partial<Omit<WindowsState, 'sequence'>>): WindowsState => {
    windows = { ...windows, ...change, sequence: windows.sequence + 1 };
    publish('windows.changed', windows);
    return windows;
  };
  const changeProject = (projectId: string, change: Partial<Project>) => {
    const found = list.projects.find((candidate) => candidate.id === projectId);
    if (!found) throw new Failure('not-found', 'That project is not known. Nothing was changed.');
    const changed = { ...found, ...change };
    const all = list.projects.map((candidate) => (candidate.id === projectId ? changed : candidate));
    return { project: changed, list: setProjects(all) };
  };
  const showMiniChat = (visible: boolean) => setWindows({ miniChat: { ...windows.miniChat, visible } });

  return {
    settings: () => settings,
    setProjects,
    setWindows,
    setWatcher: (change) => {
      watcher = { ...change, sequence: watcher.sequence + 1 };
      publish('watcher.changed', watcher);
    },
    calls: {
      projects: {
        list: async () => list,
        add: async ({ path }) => {
          if (!path.startsWith('/home/')) throw new Failure('not-found', 'There is no such folder. Nothing was added.');
          const added = project(idOfFolder(path), path.split('/').at(-1) ?? path, path);
          return { project: added, list: setProjects([...list.projects, added]) };
        },
        rename: async ({ projectId, label }) => changeProject(projectId, { label }),
        hide: async ({ projectId, hidden }) => changeProject(projectId, { hidden }),
        relocate: async ({ projectId, path }) => {
          if (!path.startsWith('/home/')) throw new Failure('not-found', 'There is no such folder. Nothing was moved.');
          const id = idOfFolder(path);
          if (id === projectId) return { ...changeProject(projectId, { path }), merged: null };
          const { project: moved } = changeProject(projectId, {});
          const merged = merge(projectId, id);
          const changed = { ...moved, id, path };
          const others = list.projects.filter((other) => other.id !== projectId && other.id !== id);
          const moves = [...list.moved, { from: projectId, to: id }];
          return { project: changed, list: setProjects([...others, changed], moves), merged };
        },
        chooseFolder: async () => ({ path: '/home/dev/chosen' }),
      },
      settings: {
        get: async () => settings,
        update: async ({ theme, lastTarget, chatsVisible, memoryEnabled, miniChat, sidebar }) => {
          settings = {
            sequence: settings.sequence + 1,
            theme: theme ?? settings.theme,
            lastTarget: lastTarget === undefined ? settings.lastTarget : lastTarget,
            chatsVisible: chatsVisible ?? settings.chatsVisible,
            memoryEnabled: memoryEnabled ?? settings.memoryEnabled,
            miniChat: {
              ...settings.miniChat,
              mode: miniChat?.mode ?? settings.miniChat.mode,
              shortcut: miniChat?.shortcut ?? settings.miniChat.shortcut,
            },
            sidebar: { width: sidebar?.width ?? settings.sidebar.width },
          };
          publish('settings.changed', settings);
          return settings;
        },
      },
      windows: {
        state: async () => windows,
        showMiniChat: async () => showMiniChat(true),
        hideMiniChat: async () => showMiniChat(false),
        setAlwaysOnTop: async ({ alwaysOnTop }) => setWindows({ miniChat: { ...windows.miniChat, alwaysOnTop } }),
        openInSidebar: async (place) => setWindows({ handover: { id: windows.sequence, ...place } }),
        openInMiniChat: async ({ session }) =>
          setWindows({ miniChat: { ...windows.miniChat, visible: true, opening: { id: windows.sequence, session } } }),
        takeOpening: async ({ id }) =>
          windows.miniChat.opening?.id === id
            ? setWindows({ miniChat: { ...windows.miniChat, opening: null } })
            : windows,
        takeHandover: async ({ id }) => (windows.handover?.id === id ? setWindows({ handover: null }) : windows),
      },
      watcher: { status: async () => watcher },
    },
  };
}
