import './settings.css';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { closeDialog } from '../open-dialog.ts';
import { SettingSwitch } from './setting-switch.tsx';
import { settingsTexts as texts } from './strings.ts';

/** What can be switched on and off for both windows. */
export function SettingsDialog() {
  return (
    <Dialog title={texts.title} isOpen onClose={closeDialog}>
      <div className="settings">
        <SettingSwitch name="chatsVisible" {...texts.chats} />
        <SettingSwitch name="memoryEnabled" {...texts.memory} />
      </div>
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}
