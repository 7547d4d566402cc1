import { Check, Ellipsis, type LucideIcon } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { IconButton } from './button.tsx';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: LucideIcon;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

/** The entries of a menu. */
export function MenuList({
  label,
  entries,
  selected,
  onClose,
}: {
  label: string;
  entries: MenuEntry[];
  /** Id of the entry that is in force, where the menu is a choice. */
  selected?: string;
  onClose?: () => void;
}) {
  return (
    <AriaMenu
      className="menu"
      aria-label={label}
      items={entries}
      disabledKeys={entries.filter((entry) => entry.disabled).map((entry) => entry.id)}
      onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
      {...(onClose ? { onClose } : {})}
      {...(selected === undefined ? {} : { selectionMode: 'single' as const, selectedKeys: [selected] })}
    >
      {(entry) => (
        <MenuItem
          id={entry.id}
          textValue={entry.label}
          className={entry.danger ? 'menu-item menu-item-danger' : 'menu-item'}
        >
          {entry.icon ? <entry.icon size={16} aria-hidden="true" /> : null}
          {entry.label}
          {entry.id === selected ? <Check className="menu-item-check" size={15} aria-hidden="true" /> : null}
          {entry.shortcut ? <kbd>{entry.shortcut}</kbd> : null}
        </MenuItem>
      )}
    </AriaMenu>
  );
}

/** A button with three dots that opens a menu. */
export function MenuButton({
  label,
  entries,
  inTabOrder = true,
}: {
  label: string;
  entries: MenuEntry[];
  inTabOrder?: boolean;
}) {
  return (
    <MenuTrigger>
      <IconButton label={label} excludeFromTabOrder={!inTabOrder}>
        <Ellipsis size={16} aria-hidden="true" />
      </IconButton>
      <Popover className="popover" placement="bottom end">
        <MenuList label={label} entries={entries} />
      </Popover>
    </MenuTrigger>
  );
}

/** A menu that opens at an element on a right click or the context-menu key. Spread `props` on the element. */
export function useContextMenu(label: string, entries: MenuEntry[], anchor: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  return {
    props: {
      onContextMenu: (event: { preventDefault(): void }) => {
        event.preventDefault();
        setOpen(true);
      },
    },
    menu: (
      <Popover className="popover" triggerRef={anchor} isOpen={isOpen} onOpenChange={setOpen} placement="bottom start">
        <MenuList label={label} entries={entries} onClose={() => setOpen(false)} />
      </Popover>
    ),
  };
}
