import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useWatcher } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { strings } from '../../ui/strings.ts';

/** Whether changes of other programs are seen; explains itself when pressed. */
export function WatcherChip() {
  const status = useWatcher().value;
  if (status === null) return null;
  const { state, reason } = status;
  return (
    <DialogTrigger>
      <Button small kind="quiet">
        <span className={`watcher-dot watcher-${state}`} aria-hidden="true" />
        <span className={state === 'watching' ? 'status-label' : undefined}>{strings.status.watcher[state]}</span>
      </Button>
      <Popover className="popover" placement="top start">
        <Dialog className="watcher-text" aria-label={strings.status.watcherTitle}>
          <p className="watcher-title">{strings.status.watcher[state]}</p>
          <p>{strings.status.watcherText[state]}</p>
          {reason === null ? null : <p>{reason}</p>}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
