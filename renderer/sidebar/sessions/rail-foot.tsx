import { ChartPie, LoaderCircle, Trash2, TriangleAlert } from 'lucide-react';
import { useSessionList } from '../../state/session-hooks.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../open-dialog.ts';
import { sessionTexts as texts } from './strings.ts';

/** Below the places: how far the sessions are looked into, the trash and the storage. */
export function RailFoot({ chatsId }: { chatsId: string }) {
  return (
    <div className="rail-foot">
      <CatalogStatus chatsId={chatsId} />
      <div className="rail-foot-buttons">
        <Button small kind="quiet" onPress={() => openDialog.set({ kind: 'session-trash' })}>
          <Trash2 size={14} aria-hidden="true" />
          {texts.list.trash}
        </Button>
        <Button small kind="quiet" onPress={() => openDialog.set({ kind: 'session-report' })}>
          <ChartPie size={14} aria-hidden="true" />
          {texts.list.report}
        </Button>
      </div>
    </div>
  );
}

/** What is known of the sessions as a whole: being looked into, or what could not be. */
export function CatalogStatus({ chatsId }: { chatsId: string }) {
  const { catalog, isRead } = useSessionList(chatsId);
  const { state, reason, progress } = catalog;
  if (!isRead) return null;
  if (state === 'failed' || (reason !== null && progress === null)) {
    return (
      <p className="rail-foot-status rail-foot-problem" role="status">
        <TriangleAlert size={14} aria-hidden="true" />
        <span>{state === 'failed' ? texts.list.catalogFailed(reason) : reason}</span>
      </p>
    );
  }
  if (state !== 'loading' && progress === null) return null;
  return (
    <div className="rail-foot-status">
      <LoaderCircle className="spinning" size={14} aria-hidden="true" />
      {progress === null ? (
        <span>{texts.list.catalogLoading}</span>
      ) : (
        <>
          <span>{texts.list.counting(progress.done, progress.total)}</span>
          <progress value={progress.done} max={Math.max(1, progress.total)} aria-label={texts.list.catalogLoading} />
        </>
      )}
    </div>
  );
}
