import { useEffect, useState } from 'react';
import { useProjects, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { announce } from '../ui/announcer.tsx';
import { strings } from '../ui/strings.ts';
import { DeletedItems } from './deleted-items.ts';
import { draftKey } from './draft-keys.ts';
import { handoverOf } from './handover.ts';
import type { MiniChatState, Open } from './mini-chat-state.ts';
import { Outbox } from './outbox.ts';
import { useMode } from './remembered.ts';
import { useTargetSearch } from './search.ts';
import { texts } from './strings.ts';
import type { Target } from './targets.ts';

/** What the parts of the Mini Chat share, for this target. */
export function useMiniChatState(target: Target): MiniChatState {
  const sidekeep = useSidekeep();
  const { client, shared, drafts, toasts } = sidekeep;
  const [mode, setMode] = useMode();
  const [open, setOpen] = useState<Open>(null);
  const [outbox] = useState(
    () => new Outbox(sidekeep, (saved, count) => announce(texts.composer.recorded[saved](count))),
  );
  const moved = useProjects().value?.moved;
  const waiting = useStore(outbox);
  useEffect(() => {
    if (moved && waiting) outbox.follow(moved);
  }, [outbox, moved, waiting]);
  useEffect(() => outbox.watch(), [outbox]);
  const [deleted] = useState(() => new DeletedItems(sidekeep));
  const openSidebar = async (handover: Parameters<typeof client.windows.openInSidebar>[0]): Promise<boolean> => {
    const result = await client.windows.openInSidebar(handover);
    if (result.ok) shared.accept('windows', result.value);
    else toasts.show(texts.notices.notOpened(result.error.message));
    return result.ok;
  };
  const search = useTargetSearch(
    target,
    ({ projectId, section, id }) => void openSidebar({ projectId, section, entryId: id }),
  );
  const handOver = () => {
    const key = draftKey(target.id);
    const typed = drafts.read(key).text;
    void openSidebar(handoverOf(target.id, typed, mode)).then((opened) => {
      // What was typed since is not what the sidebar has: it stays.
      if (!opened || typed.trim() === '' || drafts.read(key).text !== typed) return;
      drafts.write(key, '');
      drafts.flush();
      announce(texts.notices.handedOver);
    });
  };
  return {
    target,
    outbox,
    deleted,
    mode,
    search,
    open,
    setOpen,
    chooseMode: (chosen) => {
      setMode(chosen);
      announce(texts.composer.modeChosen(strings.common.mode[chosen]));
    },
    run: (action) => {
      if (action === 'find') search.begin(false);
      else if (action === 'help') setOpen('help');
      else void deleted.bringBackNewest(target.id).then((said) => toasts.show(said));
    },
    showInSidebar: (place) => void openSidebar({ projectId: target.id, ...place }),
    // A search stands in front of the text: what it found is what is opened, and the text stays.
    handOver: () => (search.isOn ? search.finding.act((found) => search.show(found, true)) : handOver()),
  };
}
