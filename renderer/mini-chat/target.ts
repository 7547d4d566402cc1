import { useEffect, useRef, useState } from 'react';
import type { ProjectList } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { draftKey } from './outbox.ts';
import { useWantedTarget } from './remembered.ts';
import { findKey } from './search.ts';
import { texts } from './strings.ts';
import { resolveTarget, strandedDrafts, type Target } from './targets.ts';

/**
 * The target in use. One that vanishes gives way to Chats, with a notice, and takes what was typed along, as does any other
 * that is gone for good; but never while an input method is composing, whose word would be broken.
 */
export function useTarget(list: ProjectList, isComposing: boolean) {
  const { drafts } = useSidekeep();
  const [wanted, chooseWanted] = useWantedTarget();
  const [notice, setNotice] = useState<string | null>(null);
  const last = useRef<Target | null>(null);
  const resolved = resolveTarget(list, wanted);
  const mustMove = resolved.vanished && !isComposing;
  const target = resolved.vanished && isComposing && last.current ? last.current : resolved.target;

  useEffect(() => {
    if (!mustMove || wanted === null) return;
    const label = list.projects.find(({ id }) => id === wanted)?.label ?? last.current?.label ?? null;
    const { text } = drafts.read(draftKey(wanted));
    if (text.trim() !== '') {
      drafts.append(draftKey(list.chatsId), text);
      drafts.write(draftKey(wanted), '');
    }
    drafts.write(findKey(wanted), '');
    drafts.flush();
    const said = label === null ? texts.notices.vanishedUnnamed : texts.notices.vanished(label);
    setNotice(text.trim() === '' ? said : `${said} ${texts.notices.textCameAlong}`);
    chooseWanted(null);
  });
  const typed = useStore(drafts);
  useEffect(() => {
    if (isComposing || mustMove) return;
    const stranded = strandedDrafts(typed, list);
    if (stranded.length === 0) return;
    for (const { key, text } of stranded) {
      drafts.append(draftKey(list.chatsId), text);
      drafts.write(key, '');
    }
    drafts.flush();
    setNotice((said) => said ?? texts.notices.stranded);
  });
  useEffect(() => {
    if (!resolved.vanished) last.current = target;
  });
  return {
    target,
    notice,
    dismissNotice: () => setNotice(null),
    choose: (chosen: Target) => {
      setNotice(null);
      chooseWanted(chosen.label === null ? null : chosen.id);
    },
  };
}
