import { ArchiveRestore, FolderInput, History } from 'lucide-react';
import type { Project } from '../../src/contract/index.ts';
import { shortcutLabel } from '../ui/keys.ts';
import type { MenuEntry } from '../ui/menu.tsx';
import { plainTitle } from '../ui/user-text.tsx';
import { type Owner, openDialog } from './open-dialog.ts';
import { texts } from './strings.ts';

/** Entries of a menu about an owner's context. */
export const ownerMenu = (owner: Owner): MenuEntry[] => [
  {
    id: 'deleted',
    label: texts.more.deleted,
    icon: ArchiveRestore,
    shortcut: shortcutLabel('mod+shift+D'),
    run: () => openDialog.set({ kind: 'deleted', owner }),
  },
  {
    id: 'versions',
    label: texts.more.versions,
    icon: History,
    run: () => openDialog.set({ kind: 'versions', owner, backupId: null }),
  },
];

/** Entries of the menu of a project: those about its context, and that its folder has moved. */
export const projectMenu = (project: Project): MenuEntry[] => [
  ...ownerMenu({ id: project.id, title: plainTitle(project.label) }).map(({ shortcut: _shortcut, ...entry }) => entry),
  {
    id: 'relocate',
    label: texts.more.relocate,
    icon: FolderInput,
    run: () => openDialog.set({ kind: 'relocate', project }),
  },
];
