import { ChevronDown, FileText, type LucideIcon, SquareCheck, StickyNote } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { ComposerMode } from '../../src/contract/index.ts';
import { shortcutLabel } from '../ui/keys.ts';
import { strings } from '../ui/strings.ts';
import { composerModes, type Entry } from './commands.ts';
import { texts } from './strings.ts';

export const modeIcons: Readonly<Record<ComposerMode, LucideIcon>> = {
  note: StickyNote,
  todo: SquareCheck,
  plan: FileText,
};

/** What the text becomes, and the menu to change it. */
export function ModeMenu({ entry, onChoose }: { entry: Entry; onChoose: (mode: ComposerMode) => void }) {
  const Icon = modeIcons[entry.mode];
  const name = strings.common.mode[entry.mode];
  return (
    <MenuTrigger>
      <Button className="chip">
        <Icon size={14} aria-hidden="true" />
        <span className="visually-hidden">{texts.composer.mode}</span>
        {name}
        {entry.commanded ? <span className="chip-once">{texts.composer.commanded}</span> : null}
        <ChevronDown size={12} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu
          className="menu"
          aria-label={texts.composer.mode}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[entry.mode]}
          onAction={(id) => {
            const mode = composerModes.find((known) => known === id);
            if (mode) onChoose(mode);
          }}
        >
          {composerModes.map((mode, index) => (
            <ModeItem key={mode} mode={mode} shortcut={shortcutLabel(`mod+${index + 1}`)} />
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ModeItem({ mode, shortcut }: { mode: ComposerMode; shortcut: string }) {
  const Icon = modeIcons[mode];
  return (
    <MenuItem id={mode} textValue={strings.common.mode[mode]} className="menu-item mode-item">
      <Icon size={16} aria-hidden="true" />
      {strings.common.mode[mode]}
      <kbd>{shortcut}</kbd>
    </MenuItem>
  );
}
