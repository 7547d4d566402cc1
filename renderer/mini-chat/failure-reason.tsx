import type { CallError } from '../../src/contract/index.ts';
import { useContext } from '../state/hooks.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Why something was not saved; short where the window says already that the target cannot be read for this reason. */
export function FailureReason({ error }: { error: CallError }) {
  const { target } = useMiniChat();
  const { problem } = useContext(target.id);
  if (problem?.code === error.code) return <strong>{texts.unsaved.short}</strong>;
  return (
    <>
      <strong>{texts.unsaved.title[error.code]}</strong> {error.message}
    </>
  );
}
