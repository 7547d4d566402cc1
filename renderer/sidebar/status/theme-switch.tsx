import { Monitor, Moon, Sun } from 'lucide-react';
import { MenuTrigger, Popover } from 'react-aria-components';
import { type Settings, Theme } from '../../../src/contract/index.ts';
import { useSettings, useSidekeep } from '../../state/hooks.ts';
import { IconButton } from '../../ui/button.tsx';
import { MenuList } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** System, light or dark; for both windows. */
export function ThemeSwitch() {
  const { client, shared, toasts } = useSidekeep();
  const theme = useSettings().value?.theme ?? 'system';
  const Icon = icons[theme];
  const choose = async (chosen: Settings['theme']) => {
    const result = await client.settings.update({ theme: chosen });
    if (result.ok) shared.accept('settings', result.value);
    else toasts.show(result.error.message);
  };
  return (
    <MenuTrigger>
      <IconButton label={strings.status.theme} hint={`${strings.status.theme}: ${strings.common.theme[theme]}`}>
        <Icon size={16} aria-hidden="true" />
      </IconButton>
      <Popover className="popover" placement="top end">
        <MenuList
          label={strings.status.theme}
          selected={theme}
          entries={Theme.options.map((option) => ({
            id: option,
            label: strings.common.theme[option],
            icon: icons[option],
            run: () => void choose(option),
          }))}
        />
      </Popover>
    </MenuTrigger>
  );
}
