import { Banner } from '../ui/states.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Above the composer: why a message is not simply added to the open session, and what becomes of it. */
export function ReadOnlyNote() {
  const { detail, access } = useMiniChat().openSession;
  const readOnly = detail.detail?.readOnly ?? null;
  if (readOnly === null || (access !== 'copy' && access !== 'blocked')) return null;
  return (
    <div className="read-only-note">
      <Banner kind="info">{texts.session.readOnly.text[readOnly]}</Banner>
    </div>
  );
}
