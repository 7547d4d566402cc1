import { CircleQuestionMark, type LucideIcon, Search, Undo2 } from 'lucide-react';
import { strings } from '../ui/strings.ts';
import type { Command } from './commands.ts';
import { modeIcons } from './mode-menu.tsx';
import { texts } from './strings.ts';

export const COMMAND_LIST_ID = 'composer-commands';
export const commandOptionId = (command: Command): string => `composer-command-${command}`;

const icons: Readonly<Record<Command, LucideIcon>> = {
  ...modeIcons,
  find: Search,
  undo: Undo2,
  help: CircleQuestionMark,
};

const names: Readonly<Record<Command, string>> = { ...strings.common.mode, ...texts.actions };

/** The commands that may be meant; the composer keeps the keyboard and names the active one. */
export function CommandList({
  commands,
  active,
  onChoose,
}: {
  commands: readonly Command[];
  active: Command;
  onChoose: (command: Command) => void;
}) {
  return (
    <div id={COMMAND_LIST_ID} className="commands" role="listbox" aria-label={texts.composer.commands}>
      {commands.map((command) => {
        const Icon = icons[command];
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the composer, see aria-activedescendant there
          // biome-ignore lint/a11y/useKeyWithClickEvents: so do the keys
          <div
            key={command}
            id={commandOptionId(command)}
            role="option"
            aria-selected={command === active}
            className="menu-item command"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(command)}
          >
            <Icon size={16} aria-hidden="true" />
            <span className="command-name">/{command}</span>
            <span className="command-hint">{texts.composer.commandHint[command]}</span>
            <span className="visually-hidden">{names[command]}</span>
          </div>
        );
      })}
    </div>
  );
}
