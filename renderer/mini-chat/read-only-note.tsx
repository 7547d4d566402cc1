import { Banner } from '../ui/states.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Above the composer: why a message goes into a copy of the open session. */
export function ReadOnlyNote() {
  const { detail, access } = useMiniChat().openSession;
  const readOnly = detail.detail?.readOnly;
  // What cannot be read at all says so in the place of its messages.
  if (access !== 'copy' || (readOnly !== 'foreign' && readOnly !== 'in-use')) return null;
  return (
    <div className="read-only-note">
      <Banner kind="info">{texts.session.readOnly.text[readOnly]}</Banner>
    </div>
  );
}
