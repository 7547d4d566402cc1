import { useEffect, useRef } from 'react';
import { useStore } from '../state/store.ts';
import { DeletedDialog } from './deleted/deleted-dialog.tsx';
import { focusAfter, sectionTab } from './focus-after.ts';
import { openDialog } from './open-dialog.ts';
import { RelocateDialog } from './rail/relocate-dialog.tsx';
import { PlanVersionsDialog } from './recovery/plan-versions-dialog.tsx';
import { VersionsDialog } from './recovery/versions-dialog.tsx';

/** The dialog that was opened from somewhere in the sidebar. */
export function Dialogs() {
  const open = useStore(openDialog);
  const was = useRef(open);
  useEffect(() => {
    const closed = was.current;
    was.current = open;
    if (open !== null || closed === null) return;
    // What it was opened from may be gone, such as the row of a project that has another id now.
    const row = closed.kind === 'relocate' ? currentRow : sectionTab;
    void focusAfter(Promise.resolve(), row, sectionTab);
  }, [open]);
  if (open?.kind === 'deleted') return <DeletedDialog owner={open.owner} />;
  if (open?.kind === 'versions') return <VersionsDialog owner={open.owner} backupId={open.backupId} />;
  if (open?.kind === 'plan-versions') {
    const { ownerId, planId, title, versionId } = open;
    return <PlanVersionsDialog ownerId={ownerId} planId={planId} title={title} versionId={versionId} />;
  }
  if (open?.kind === 'relocate') return <RelocateDialog project={open.project} />;
  return null;
}

const currentRow = (): Element | null => document.querySelector('.rail-row-current .rail-row-button');
