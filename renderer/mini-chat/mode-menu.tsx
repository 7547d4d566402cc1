import { ChevronDown, FileText, type LucideIcon, MessageSquare, Search, SquareCheck, StickyNote } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { ComposerMode } from '../../src/contract/index.ts';
import { shortcutLabel } from '../ui/keys.ts';
import { strings } from '../ui/strings.ts';
import { composerModes } from './commands.ts';
import { texts } from './strings.ts';

export const modeIcons: Readonly<Record<ComposerMode, LucideIcon>> = {
  note: StickyNote,
  todo: SquareCheck,
  plan: FileText,
  message: MessageSquare,
};

/** What Enter makes of the text, and the menu to change it. */
export function ModeMenu({
  mode,
  commanded,
  onChoose,
  onFind,
}: {
  mode: ComposerMode | 'find';
  /** Whether a command chose the mode for this entry only. */
  commanded: boolean;
  onChoose: (mode: ComposerMode) => void;
  onFind: () => void;
}) {
  const finds = mode === 'find';
  const Icon = finds ? Search : modeIcons[mode];
  return (
    <MenuTrigger>
      <Button className="chip">
        <Icon size={14} aria-hidden="true" />
        <span className="visually-hidden">{texts.composer.mode}</span>
        {finds ? texts.actions.find : strings.common.mode[mode]}
        {commanded ? <span className="chip-once">{texts.composer.commanded}</span> : null}
        <ChevronDown size={12} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu
          className="menu"
          aria-label={texts.composer.mode}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[mode]}
          onAction={(id) => {
            const chosen = composerModes.find((known) => known === id);
            if (chosen) onChoose(chosen);
            else onFind();
          }}
        >
          {composerModes.map((each, index) => (
            <ModeItem
              key={each}
              id={each}
              name={strings.common.mode[each]}
              icon={modeIcons[each]}
              shortcut={`mod+${index + 1}`}
            />
          ))}
          <Separator className="menu-line" />
          <ModeItem id="find" name={texts.actions.find} icon={Search} shortcut="mod+F" />
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ModeItem({
  id,
  name,
  icon: Icon,
  shortcut,
}: {
  id: string;
  name: string;
  icon: LucideIcon;
  shortcut: string;
}) {
  return (
    <MenuItem id={id} textValue={name} className="menu-item mode-item">
      <Icon size={16} aria-hidden="true" />
      {name}
      <kbd>{shortcutLabel(shortcut)}</kbd>
    </MenuItem>
  );
}
