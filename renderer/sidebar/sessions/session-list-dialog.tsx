import { ChartPie, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useProjects } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { closeDialog, type Owner, openDialog } from '../open-dialog.ts';
import { CatalogStatus } from './rail-foot.tsx';
import { SessionGroup } from './session-group.tsx';
import { sessionTexts as texts } from './strings.ts';

/** The sessions of an owner where the window is too narrow for the rail. */
export function SessionListDialog({ owner }: { owner: Owner }) {
  const { value: list } = useProjects();
  const [ownerId, setOwnerId] = useState<string | null>(owner.id);
  const scroller = useRef<HTMLDivElement>(null);
  if (list === null) return null;
  const isAll = ownerId === null;
  return (
    <Dialog title={isAll ? texts.list.all : texts.list.of(owner.title)} isOpen onClose={closeDialog}>
      <CatalogStatus chatsId={list.chatsId} />
      <div className="rail-rows session-dialog-list" ref={scroller}>
        <div className="rail-sessions">
          <SessionGroup
            key={ownerId}
            ownerId={ownerId}
            label={isAll ? texts.list.all : texts.list.of(owner.title)}
            list={list}
            showsAll
            onShowAll={null}
            scroller={scroller}
            onOpen={closeDialog}
          />
        </div>
      </div>
      <div className="dialog-actions">
        <Button small kind="quiet" onPress={() => setOwnerId(isAll ? owner.id : null)}>
          {isAll ? texts.list.of(owner.title) : texts.list.all}
        </Button>
        <Button small kind="quiet" onPress={() => openDialog.set({ kind: 'session-trash' })}>
          <Trash2 size={14} aria-hidden="true" />
          {texts.list.trash}
        </Button>
        <Button small kind="quiet" onPress={() => openDialog.set({ kind: 'session-report' })}>
          <ChartPie size={14} aria-hidden="true" />
          {texts.list.report}
        </Button>
        <span className="spacer" />
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </Dialog>
  );
}
