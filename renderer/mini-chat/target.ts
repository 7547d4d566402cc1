import { useEffect, useRef, useState } from 'react';
import type { ProjectList } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { draftKey, findKey } from './draft-keys.ts';
import { useWantedTarget } from './remembered.ts';
import { texts } from './strings.ts';
import { followed, movesOfDrafts, resolveTarget, strandedDrafts, type Target } from './targets.ts';

/**
 * The target in use. One whose folder moved is followed to its new id, with what was typed for it. One that vanishes gives
 * way to Chats, with a notice, and takes what was typed along, as does any other that is gone for good; but never while an
 * input method is composing, whose word would be broken.
 */
export function useTarget(list: ProjectList, isComposing: boolean) {
  const { drafts } = useSidekeep();
  const [chosen, chooseWanted] = useWantedTarget();
  const wanted = chosen === null ? null : followed(list, chosen);
  const [notice, setNotice] = useState<string | null>(null);
  const last = useRef<Target | null>(null);
  const resolved = resolveTarget(list, wanted);
  const hasMoved = wanted !== chosen;
  const mustMove = resolved.vanished && !isComposing;
  const target = (resolved.vanished || hasMoved) && isComposing && last.current ? last.current : resolved.target;

  const typed = useStore(drafts);
  useEffect(() => {
    if (isComposing) return;
    for (const { from, to } of movesOfDrafts(typed, list)) {
      // Of two searches the one of the place itself stays.
      if (drafts.read(findKey(to)).text !== '') drafts.write(findKey(from), '');
      drafts.follow(from, to);
    }
    if (!hasMoved || resolved.vanished) return;
    const [before, now] = [last.current?.label ?? null, resolved.target.label];
    if (before !== null && now !== null && before !== now) setNotice(texts.notices.moved(before, now));
    chooseWanted(wanted);
  });
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
    choose: (target: Target) => {
      setNotice(null);
      chooseWanted(target.label === null ? null : target.id);
    },
  };
}
