import { CopyPlus, Lock, MessageCircleMore, MessageSquarePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSidekeep } from '../state/hooks.ts';
import { IconButton } from '../ui/button.tsx';
import { shortcutLabel } from '../ui/keys.ts';
import { knowledgeTexts } from '../ui/knowledge/strings.ts';
import { ToldDialog } from '../ui/knowledge/told-dialog.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { useDeleteSession } from './session-delete.tsx';
import { SessionPicker } from './session-picker.tsx';
import { texts } from './strings.ts';

const { bar } = texts.session;

/** Below the header in Message mode: which session is open, others of the target, a new one. */
export function SessionBar() {
  const { target, openSession } = useMiniChat();
  const { session, access } = openSession;
  const fresh = bar.fresh(target);
  const isReadOnly = access === 'copy' || access === 'blocked';
  return (
    <section className="session-bar" aria-label={bar.label}>
      <SessionPicker title={useSessionTitle()} />
      {isReadOnly ? (
        <span className="session-lock">
          <Lock size={12} aria-hidden="true" />
          <span className="session-lock-text">{bar.readOnly}</span>
        </span>
      ) : null}
      <IconButton
        label={fresh}
        hint={bar.freshHint(fresh)}
        shortcut={shortcutLabel('mod+shift+J')}
        onPress={openSession.begin}
      >
        <MessageSquarePlus size={16} aria-hidden="true" />
      </IconButton>
      {session === null || access === 'gone' ? null : <SessionMenu />}
    </section>
  );
}

/** What the open session is called. */
export function useSessionTitle(): string {
  const { sessions } = useSidekeep();
  const { target, openSession } = useMiniChat();
  const { session, detail } = openSession;
  if (session === null) return bar.fresh(target);
  return detail.detail?.row.title ?? sessions.row(session)?.title ?? bar.label;
}

function SessionMenu() {
  const { access, copy, isCopying, detail } = useMiniChat().openSession;
  const { remove } = useDeleteSession();
  const [isTold, setTold] = useState(false);
  const known = access === 'open' || access === 'copy' ? detail.detail : null;
  const entries: MenuEntry[] = [
    {
      id: 'copy',
      label: bar.copy,
      icon: CopyPlus,
      disabled: isCopying || access === 'blocked' || access === 'loading',
      run: () => void copy(),
    },
    {
      id: 'told',
      label: knowledgeTexts.openShort,
      icon: MessageCircleMore,
      disabled: known === null,
      run: () => setTold(true),
    },
    { id: 'delete', label: bar.delete, icon: Trash2, danger: true, run: () => void remove() },
  ];
  return (
    <>
      <MenuButton label={bar.menu} entries={entries} />
      {isTold && known !== null ? (
        <ToldDialog row={known.row} readOnly={known.readOnly} onClose={() => setTold(false)} />
      ) : null}
    </>
  );
}
