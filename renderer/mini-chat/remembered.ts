import { useState } from 'react';
import type { CallInput, ComposerMode } from '../../src/contract/index.ts';
import { useSettings, useSidekeep } from '../state/hooks.ts';
import { texts } from './strings.ts';

/**
 * A choice that the settings remember: it holds from the moment it is made, and the settings follow.
 * @param stored what the settings say; undefined while they load
 * @param patch the change of the settings that stores a choice
 */
function useRemembered<Value>(
  stored: Value | undefined,
  fallback: Value,
  patch: (value: Value) => CallInput<'settings.update'>,
): [Value, (value: Value) => void] {
  const { client, shared, toasts } = useSidekeep();
  const [chosen, setChosen] = useState<{ value: Value } | null>(null);
  const choose = (value: Value) => {
    const choice = { value };
    setChosen(choice);
    void client.settings.update(patch(value)).then((result) => {
      if (!result.ok) {
        toasts.show(texts.notices.notRemembered);
        return;
      }
      shared.accept('settings', result.value);
      // A later choice is still on its way: it stays.
      setChosen((current) => (current === choice ? null : current));
    });
  };
  return [chosen ? chosen.value : (stored ?? fallback), choose];
}

/** What the composer makes of its text when no command says otherwise. */
export const useMode = () =>
  useRemembered<ComposerMode>(useSettings().value?.miniChat.mode, 'note', (mode) => ({ miniChat: { mode } }));

/** The wanted target; null means Chats. */
export const useWantedTarget = () =>
  useRemembered<string | null>(useSettings().value?.lastTarget, null, (lastTarget) => ({ lastTarget }));
