import { type KeyboardEvent, useState } from 'react';
import { useSettings, useSidekeep, useWindows } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { acceleratorOf } from './accelerator.ts';

/** Sets the global shortcut of the Mini Chat: pressed or typed. Says why when it does not work. */
export function ShortcutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={strings.status.shortcutSetting} isOpen={isOpen} onClose={onClose}>
      <ShortcutForm onClose={onClose} />
    </Dialog>
  );
}

function ShortcutForm({ onClose }: { onClose: () => void }) {
  const { client, shared } = useSidekeep();
  const stored = useSettings().value?.miniChat.shortcut ?? '';
  const problem = useWindows().value?.miniChat.shortcutProblem ?? null;
  const [text, setText] = useState(stored);
  const [error, setError] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  const change = (next: string) => {
    setText(next);
    setError(null);
    setSaved(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const accelerator = acceleratorOf(event);
    if (accelerator === null) return;
    event.preventDefault();
    change(accelerator);
  };
  const save = async () => {
    const result = await client.settings.update({ miniChat: { shortcut: text.trim() } });
    if (!result.ok) return setError(result.error.message);
    shared.accept('settings', result.value);
    const windows = await client.windows.state({});
    if (windows.ok) shared.accept('windows', windows.value);
    setSaved(true);
  };
  const shownProblem = error ?? (problem !== null && text === stored ? strings.status.shortcutProblem(problem) : null);
  return (
    <>
      <TextField
        label={strings.status.shortcutField}
        hint={strings.status.shortcutHint}
        value={text}
        onChange={change}
        onKeyDown={onKeyDown}
        onSubmit={() => void save()}
        error={shownProblem}
        limit={100}
        autoFocus
      />
      <p role="status" className="small soft">
        {saved && shownProblem === null
          ? text === ''
            ? strings.status.shortcutNone
            : strings.status.shortcutSaved
          : ''}
      </p>
      <div className="dialog-actions">
        <Button onPress={onClose}>{strings.common.close}</Button>
        <Button kind="primary" onPress={() => void save()}>
          {strings.common.save}
        </Button>
      </div>
    </>
  );
}
