import { Eye, EyeOff, MessagesSquare } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { useShownSessions } from '../../state/session-hooks.ts';
import { MenuButton, type MenuEntry, useContextMenu } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';
import { drawn, focusAfter } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { ownerMenu } from '../owner-menu.ts';
import { sessionTexts } from '../sessions/strings.ts';
import { useChatsVisible, useSettingChatsVisible } from './chats-visible.ts';
import { RailRow, type RailRowProps } from './rail-row.tsx';

/** Entries of the menu of Chats: those about its context, and whether it is in the list of places. */
export function useChatsMenu(chatsId: string, focusAfterHiding: () => void = () => {}): MenuEntry[] {
  const isVisible = useChatsVisible();
  const setVisible = useSettingChatsVisible();
  const owner = { id: chatsId, title: strings.common.chats };
  return [
    isVisible
      ? {
          id: 'hide',
          label: strings.rail.hide,
          icon: EyeOff,
          run: () => void setVisible(false).then(focusAfterHiding),
        }
      : { id: 'show', label: strings.rail.unhide, icon: Eye, run: () => void setVisible(true) },
    ...ownerMenu(owner).map(({ shortcut: _shortcut, ...entry }) => entry),
  ];
}

/** Chats in the rail, above the projects, with its sessions. */
export function ChatsRow(props: {
  chatsId: string;
  isCurrent: boolean;
  holdsSession: boolean;
  expander: NonNullable<RailRowProps['expander']> | null;
}) {
  const { chatsId, isCurrent, holdsSession, expander } = props;
  const row = useRef<HTMLLIElement>(null);
  const { isOld } = useShownSessions(chatsId);
  const isVisible = useChatsVisible();
  const current = () => document.querySelector('.rail-row-current .rail-row-button');
  const entries = useChatsMenu(chatsId, () => void focusAfter(isGone(row), current));
  const label = strings.rail.actions(strings.common.chats);
  const context = useContextMenu(label, entries, row);
  return (
    <RailRow
      ref={row}
      {...(expander ? { expander } : {})}
      isCurrent={isCurrent && !holdsSession}
      holdsCurrent={isCurrent && holdsSession}
      icon={MessagesSquare}
      label={strings.common.chats}
      hint={strings.rail.chatsHint}
      badge={isVisible ? null : strings.rail.hidden}
      note={isOld ? sessionTexts.list.checking : null}
      onOpen={() => navigation.goToProject(null)}
      onContextMenu={context.props.onContextMenu}
      actions={
        <span className="rail-row-actions">
          <MenuButton label={label} entries={entries} inTabOrder={isCurrent} />
          {context.menu}
        </span>
      }
    />
  );
}

/** How long the row is waited for that has to go, in pairs of frames. */
const PATIENCE = 30;

/** Resolves once the row is gone; where it stays, since there is no other place, after a while. */
async function isGone(row: RefObject<HTMLElement | null>): Promise<void> {
  const element = row.current;
  for (let frame = 0; frame < PATIENCE && element?.isConnected; frame++) await drawn();
}
