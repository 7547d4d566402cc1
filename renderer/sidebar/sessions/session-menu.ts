import { FolderPlus, FolderSearch, GitFork, MessageSquarePlus, PencilLine, Pin, PinOff, Trash2 } from 'lucide-react';
import type { SessionRow } from '../../../src/contract/index.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { openDialog } from '../open-dialog.ts';
import { sessionActions } from './session-actions.ts';
import { sessionTexts as texts } from './strings.ts';

/**
 * Entries of the menu of a session.
 * @param remove moves it to the trash, and the keyboard on
 */
export function sessionMenu(sidekeep: Sidekeep, row: SessionRow, remove: () => void): MenuEntry[] {
  const act = sessionActions(sidekeep);
  const isBroken = row.health === 'too-new' || row.health === 'unreadable';
  return [
    {
      id: 'rename',
      label: texts.menu.rename,
      icon: PencilLine,
      shortcut: 'F2',
      disabled: isBroken,
      run: () => openDialog.set({ kind: 'rename-session', row }),
    },
    row.pinned
      ? { id: 'unpin', label: texts.menu.unpin, icon: PinOff, run: () => void act.pin(row, false) }
      : { id: 'pin', label: texts.menu.pin, icon: Pin, run: () => void act.pin(row, true) },
    { id: 'fork', label: texts.menu.fork, icon: GitFork, disabled: isBroken, run: () => void act.fork(row) },
    ...(row.ownerId !== null && row.ownerId === sidekeep.shared.value('projects')?.chatsId
      ? [
          {
            id: 'in-project',
            label: texts.menu.inProject,
            icon: FolderPlus,
            disabled: isBroken,
            run: () => openDialog.set({ kind: 'chat-project', row }),
          },
        ]
      : []),
    {
      id: 'mini-chat',
      label: texts.menu.miniChat,
      icon: MessageSquarePlus,
      run: () => void act.openInMiniChat(row),
    },
    { id: 'reveal', label: texts.menu.reveal, icon: FolderSearch, run: () => void act.reveal(row) },
    { id: 'delete', label: texts.menu.delete, icon: Trash2, shortcut: 'Del', danger: true, run: remove },
  ];
}
