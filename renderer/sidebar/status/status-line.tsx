import { CircleHelp, Keyboard, MessageSquarePlus, Settings2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSettings, useSidekeep, useWindows } from '../../state/hooks.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { acceleratorLabel } from '../../ui/keys.ts';
import { SaveStatus } from '../../ui/save-status.tsx';
import { strings } from '../../ui/strings.ts';
import { openDialog } from '../open-dialog.ts';
import { saveOpenPlans } from '../plans/open-plans.ts';
import { settingsTexts } from '../settings/strings.ts';
import { helpOpen } from '../shortcuts.ts';
import { ShortcutDialog } from './shortcut-dialog.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { WatcherChip } from './watcher-chip.tsx';

/** The line below everything: whether all is saved, whether changes are seen, and what belongs to the whole window. */
export function StatusLine() {
  const { client, shared, toasts } = useSidekeep();
  const shortcut = useSettings().value?.miniChat.shortcut ?? '';
  const shortcutProblem = useWindows().value?.miniChat.shortcutProblem ?? null;
  const [isSettingShortcut, setSettingShortcut] = useState(false);
  useSavingOnHide();
  const showMiniChat = async () => {
    const result = await client.windows.showMiniChat({});
    if (result.ok) shared.accept('windows', result.value);
    else toasts.show(result.error.message);
  };
  return (
    <footer className="status">
      <SaveStatus />
      <WatcherChip />
      <span className="spacer" />
      <ThemeSwitch />
      <IconButton
        label={strings.status.shortcutSetting}
        {...(shortcutProblem === null ? {} : { hint: strings.status.shortcutProblem(shortcutProblem) })}
        onPress={() => setSettingShortcut(true)}
      >
        <span className={shortcutProblem === null ? 'status-icon' : 'status-icon status-problem'}>
          <Keyboard size={16} aria-hidden="true" />
        </span>
      </IconButton>
      <IconButton label={settingsTexts.title} onPress={() => openDialog.set({ kind: 'settings' })}>
        <Settings2 size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={strings.status.help} shortcut="?" onPress={() => helpOpen.set(true)}>
        <CircleHelp size={16} aria-hidden="true" />
      </IconButton>
      <Button small onPress={() => void showMiniChat()}>
        <MessageSquarePlus size={15} aria-hidden="true" />
        <span className="status-label">{strings.status.miniChat}</span>
        {shortcut === '' || shortcutProblem !== null ? null : (
          <kbd className="status-wide">{acceleratorLabel(shortcut)}</kbd>
        )}
      </Button>
      <ShortcutDialog isOpen={isSettingShortcut} onClose={() => setSettingShortcut(false)} />
    </footer>
  );
}

/** What is not saved yet is kept, and saved, when the window is left. */
function useSavingOnHide(): void {
  const { drafts } = useSidekeep();
  useEffect(() => {
    const save = () => {
      void saveOpenPlans();
      drafts.flush();
    };
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') save();
    };
    addEventListener('pagehide', save);
    addEventListener('blur', save);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      removeEventListener('pagehide', save);
      removeEventListener('blur', save);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [drafts]);
}
