import { MenuButton } from '../ui/menu.tsx';
import type { Owner } from './open-dialog.ts';
import { ownerMenu } from './owner-menu.ts';
import { texts } from './strings.ts';

/** What can be done with the owner that is shown, beside its sections. */
export function PaneMenu({ owner }: { owner: Owner }) {
  return (
    <div className="pane-menu">
      <MenuButton label={texts.more.of(owner.title)} entries={ownerMenu(owner)} />
    </div>
  );
}
