import { useId } from 'react';
import { Switch } from 'react-aria-components';
import { useSettings, useSidekeep } from '../../state/hooks.ts';
import { settingsTexts as texts } from './strings.ts';

/** A setting that is on or off. It shows what the main process has, so a change that failed is not shown as made. */
export function SettingSwitch({
  name,
  label,
  hint,
}: {
  name: 'memoryEnabled' | 'chatsVisible';
  label: string;
  hint: string;
}) {
  const { client, shared, toasts } = useSidekeep();
  const settings = useSettings().value;
  const hintId = useId();
  const change = async (on: boolean) => {
    const result = await client.settings.update({ [name]: on });
    if (result.ok) shared.accept('settings', result.value);
    else toasts.show(texts.notChanged(result.error.message));
  };
  return (
    <div className="setting">
      <Switch
        className="switch"
        isSelected={settings?.[name] ?? false}
        isDisabled={settings === null}
        aria-describedby={hintId}
        onChange={(on) => void change(on)}
      >
        <span className="switch-track" aria-hidden="true" />
        {label}
      </Switch>
      <p id={hintId} className="setting-hint">
        {hint}
      </p>
    </div>
  );
}
