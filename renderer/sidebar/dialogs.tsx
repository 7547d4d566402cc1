import { useEffect, useRef } from 'react';
import { useStore } from '../state/store.ts';
import { ChatFolderQuestion } from '../ui/chat-folder-question.tsx';
import { plainTitle } from '../ui/user-text.tsx';
import { DeletedDialog } from './deleted/deleted-dialog.tsx';
import { focusAfter, sectionTab } from './focus-after.ts';
import { ForgottenDialog } from './memory/forgotten-dialog.tsx';
import { closeDialog, openDialog } from './open-dialog.ts';
import { RelocateDialog } from './rail/relocate-dialog.tsx';
import { PlanVersionsDialog } from './recovery/plan-versions-dialog.tsx';
import { VersionsDialog } from './recovery/versions-dialog.tsx';
import { ProjectOfChatDialog } from './sessions/chat-project-dialog.tsx';
import { HeldDialog } from './sessions/held-dialog.tsx';
import { RenameSessionDialog } from './sessions/rename-dialog.tsx';
import { SessionReportDialog } from './sessions/report-dialog.tsx';
import { SessionListDialog } from './sessions/session-list-dialog.tsx';
import { SessionTrashDialog } from './sessions/trash-dialog.tsx';
import { SettingsDialog } from './settings/settings-dialog.tsx';

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
    void focusAfter(Promise.resolve(), row, sectionTab, sessionPlace);
  }, [open]);
  if (open?.kind === 'deleted') return <DeletedDialog owner={open.owner} />;
  if (open?.kind === 'versions') return <VersionsDialog owner={open.owner} backupId={open.backupId} />;
  if (open?.kind === 'plan-versions') {
    const { ownerId, planId, title, versionId } = open;
    return <PlanVersionsDialog ownerId={ownerId} planId={planId} title={title} versionId={versionId} />;
  }
  if (open?.kind === 'rename-session') return <RenameSessionDialog row={open.row} />;
  if (open?.kind === 'session-held') return <HeldDialog row={open.row} deletion={open.deletion} />;
  if (open?.kind === 'chat-folder') {
    const { row, facts, onAnswer } = open;
    const title = plainTitle(row.title);
    return <ChatFolderQuestion title={title} facts={facts} onAnswer={onAnswer} onClose={closeDialog} />;
  }
  if (open?.kind === 'chat-project') return <ProjectOfChatDialog row={open.row} />;
  if (open?.kind === 'session-trash') return <SessionTrashDialog />;
  if (open?.kind === 'session-report') return <SessionReportDialog />;
  if (open?.kind === 'session-list') return <SessionListDialog owner={open.owner} />;
  if (open?.kind === 'settings') return <SettingsDialog />;
  if (open?.kind === 'forgotten') return <ForgottenDialog owner={open.owner} />;
  if (open?.kind === 'relocate') return <RelocateDialog project={open.project} />;
  return null;
}

const sessionPlace = (): Element | null =>
  document.querySelector('.session-pane button, .rail-row-holds .rail-row-button');
const currentRow = (): Element | null => document.querySelector('.rail-row-current .rail-row-button');
