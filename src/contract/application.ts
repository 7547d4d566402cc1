import { z } from 'zod';
import { call, event } from './call.ts';
import {
  ComposerMode,
  EntryId,
  limits,
  Project,
  ProjectId,
  ProjectList,
  Section,
  SessionRef,
  Settings,
  Theme,
  WatcherStatus,
  WindowsState,
} from './entities.ts';

const both = ['sidebar', 'mini-chat'] as const;
const sidebar = ['sidebar'] as const;
const miniChat = ['mini-chat'] as const;
const nothing = z.strictObject({});

export const projects = {
  list: call({
    summary: 'Chats and the projects: those that were added and those found in the data folder.',
    roles: both,
    input: nothing,
    output: ProjectList,
    errors: [],
  }),
  add: call({
    summary: 'Adds the project of an absolute folder, or shows a hidden one again.',
    roles: sidebar,
    input: z.strictObject({ path: z.string().min(1).max(4096) }),
    output: z.strictObject({ project: Project, list: ProjectList }),
    errors: ['not-found'],
  }),
  rename: call({
    summary: 'Gives a project another label. Nothing on disk is renamed.',
    roles: sidebar,
    input: z.strictObject({
      projectId: ProjectId,
      label: z
        .string()
        .max(limits.projectLabel)
        .refine((label) => label.trim() !== '', 'a label needs text'),
    }),
    output: z.strictObject({ project: Project, list: ProjectList }),
    errors: ['not-found'],
  }),
  hide: call({
    summary: 'Keeps a project out of the list, or brings it back. Its data stays.',
    roles: sidebar,
    input: z.strictObject({ projectId: ProjectId, hidden: z.boolean() }),
    output: z.strictObject({ project: Project, list: ProjectList }),
    errors: ['not-found'],
  }),
  relocate: call({
    summary:
      'Says that the folder of a project has moved or has another name: its data follows to the id of the new folder, and is merged with what is there.',
    roles: sidebar,
    input: z.strictObject({ projectId: ProjectId, path: z.string().min(1).max(4096) }),
    output: z.strictObject({
      project: Project,
      list: ProjectList,
      /** How many entries came along; null when the id stayed the same or there was nothing to bring. */
      merged: z.strictObject({ notes: z.int().min(0), todos: z.int().min(0), plans: z.int().min(0) }).nullable(),
    }),
    errors: ['not-found', 'malformed', 'newer-version', 'in-use', 'conflict'],
  }),
  chooseFolder: call({
    summary: 'Asks the person for a folder in a dialog of the desktop; null when they chose none.',
    roles: sidebar,
    input: nothing,
    output: z.strictObject({ path: z.string().nullable() }),
    errors: [],
  }),
  changed: event({ summary: 'The list of projects changed.', roles: both, payload: ProjectList }),
};

export const settings = {
  get: call({ summary: 'The settings.', roles: both, input: nothing, output: Settings, errors: [] }),
  update: call({
    summary: 'Changes the settings it names.',
    roles: both,
    input: z.strictObject({
      theme: Theme.optional(),
      lastTarget: ProjectId.nullable().optional(),
      chatsVisible: z.boolean().optional(),
      memoryEnabled: z.boolean().optional(),
      miniChat: z.strictObject({ mode: ComposerMode.optional(), shortcut: z.string().max(100).optional() }).optional(),
      sidebar: z.strictObject({ width: z.int().min(160).max(600) }).optional(),
    }),
    output: Settings,
    errors: [],
  }),
  changed: event({ summary: 'The settings changed.', roles: both, payload: Settings }),
};

export const windows = {
  state: call({ summary: 'The state of both windows.', roles: both, input: nothing, output: WindowsState, errors: [] }),
  showMiniChat: call({
    summary: 'Shows the Mini Chat and gives it the keyboard.',
    roles: sidebar,
    input: nothing,
    output: WindowsState,
    errors: [],
  }),
  hideMiniChat: call({
    summary: 'Hides the Mini Chat; what was typed in it stays.',
    roles: both,
    input: nothing,
    output: WindowsState,
    errors: [],
  }),
  setAlwaysOnTop: call({
    summary: 'Keeps the Mini Chat above other programs, or stops doing so; remembered.',
    roles: both,
    input: z.strictObject({ alwaysOnTop: z.boolean() }),
    output: WindowsState,
    errors: [],
  }),
  openInSidebar: call({
    summary: 'Shows the sidebar at a place and hands over a draft; kept until the sidebar has taken it.',
    roles: miniChat,
    input: z.strictObject({
      projectId: ProjectId,
      section: Section.optional(),
      entryId: EntryId.optional(),
      session: SessionRef.optional(),
      draft: z.strictObject({ mode: ComposerMode, text: z.string() }).optional(),
    }),
    output: WindowsState,
    errors: [],
  }),
  takeHandover: call({
    summary: 'Says that the sidebar has taken the handover with this id.',
    roles: sidebar,
    input: z.strictObject({ id: z.int() }),
    output: WindowsState,
    errors: [],
  }),
  openInMiniChat: call({
    summary: 'Shows a session in the Mini Chat; kept until that has taken it.',
    roles: sidebar,
    input: z.strictObject({ session: SessionRef }),
    output: WindowsState,
    errors: [],
  }),
  takeOpening: call({
    summary: 'Says that the Mini Chat has taken the opening with this id.',
    roles: miniChat,
    input: z.strictObject({ id: z.int() }),
    output: WindowsState,
    errors: [],
  }),
  changed: event({ summary: 'The state of a window changed.', roles: both, payload: WindowsState }),
};

export const watcher = {
  status: call({
    summary: 'Whether changes on disk are seen as they happen.',
    roles: both,
    input: nothing,
    output: WatcherStatus,
    errors: [],
  }),
  changed: event({ summary: 'The health of the watcher changed.', roles: both, payload: WatcherStatus }),
};
