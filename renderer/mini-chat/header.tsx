import { CircleQuestionMark, History, PanelLeftOpen, Pin, PinOff, Search } from 'lucide-react';
import type { ProjectList } from '../../src/contract/index.ts';
import { useSidekeep, useWindows } from '../state/hooks.ts';
import { IconButton, IconToggle } from '../ui/button.tsx';
import { shortcutLabel } from '../ui/keys.ts';
import { MenuButton } from '../ui/menu.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';
import { TargetPicker } from './target-picker.tsx';
import type { Target } from './targets.ts';

/** Top of the window: where entries go, the pin, the way to the sidebar. */
export function Header({
  list,
  isPicking,
  onPickingChange,
  onChoose,
}: {
  list: ProjectList;
  isPicking: boolean;
  onPickingChange: (picking: boolean) => void;
  onChoose: (target: Target) => void;
}) {
  const { target, handOver } = useMiniChat();
  return (
    <header className="mini-header">
      <h1 className="visually-hidden">{texts.header.title}</h1>
      <TargetPicker list={list} target={target} isOpen={isPicking} onOpenChange={onPickingChange} onChoose={onChoose} />
      <PinButton />
      <IconButton
        label={texts.header.open}
        hint={texts.header.openHint}
        shortcut={shortcutLabel('mod+O')}
        onPress={handOver}
      >
        <PanelLeftOpen size={16} aria-hidden="true" />
      </IconButton>
      <WindowMenu />
    </header>
  );
}

function WindowMenu() {
  const { search, setOpen } = useMiniChat();
  return (
    <MenuButton
      label={texts.header.menu}
      entries={[
        {
          id: 'find',
          label: texts.actions.find,
          icon: Search,
          shortcut: shortcutLabel('mod+F'),
          run: () => search.begin(false),
        },
        { id: 'deleted', label: texts.deleted.title, icon: History, run: () => setOpen('deleted') },
        { id: 'help', label: texts.help.title, icon: CircleQuestionMark, shortcut: '?', run: () => setOpen('help') },
      ]}
    />
  );
}

function PinButton() {
  const { client, shared, toasts } = useSidekeep();
  const pinned = useWindows().value?.miniChat.alwaysOnTop ?? false;
  const pin = async (alwaysOnTop: boolean) => {
    const result = await client.windows.setAlwaysOnTop({ alwaysOnTop });
    if (result.ok) shared.accept('windows', result.value);
    else toasts.show(texts.notices.notPinned(result.error.message));
  };
  const Icon = pinned ? Pin : PinOff;
  return (
    <IconToggle
      label={texts.header.pin}
      hint={texts.header.pinHint(pinned)}
      isSelected={pinned}
      onChange={(selected) => void pin(selected)}
    >
      <Icon size={16} aria-hidden="true" />
    </IconToggle>
  );
}
