import { useState } from 'react';
import type { HealthItem } from '../../src/contract/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';

/** Entries that are kept in the file but cannot be shown or used as they stand. */
export function HealthNotice({ items }: { items: readonly HealthItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = items.filter((item) => item.problem !== 'newer-version');
  if (shown.length === 0) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Banner
        kind="warning"
        actions={
          <Button small onPress={() => setOpen(true)}>
            {strings.context.healthDetails}
          </Button>
        }
      >
        {strings.context.health(shown.length)}
      </Banner>
      <Dialog title={strings.context.healthTitle} isOpen={isOpen} onClose={close}>
        <ul className="health-list">
          {shown.map((item) => (
            <li key={`${item.list}/${item.position}/${item.problem}`}>
              <strong>{strings.context.healthPlace(strings.context.healthLists[item.list], item.position)}</strong>:{' '}
              {strings.context.healthProblems[item.problem]}
            </li>
          ))}
        </ul>
        <div className="dialog-actions">
          <Button onPress={close}>{strings.common.close}</Button>
        </div>
      </Dialog>
    </>
  );
}
