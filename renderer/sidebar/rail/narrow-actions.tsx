import { Eye, EyeOff, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { limits, type Project } from '../../../src/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { plainTitle } from '../../ui/user-text.tsx';
import { projectMenu } from '../owner-menu.ts';
import { useProjectChanges } from './project-changes.ts';

/** What the rail's row of the open project offers, where the window is too narrow for the rail. */
export function NarrowActions({ project }: { project: Project }) {
  const { rename, setHidden } = useProjectChanges(project, true);
  const [name, setName] = useState<string | null>(null);
  const title = plainTitle(project.label);
  const close = () => setName(null);
  const submit = async () => {
    if (name === null || (await rename(name))) close();
  };
  return (
    <>
      <MenuButton
        label={strings.rail.actions(title)}
        entries={[
          { id: 'rename', label: strings.rail.rename, icon: PencilLine, run: () => setName(project.label) },
          project.hidden
            ? { id: 'show', label: strings.rail.unhide, icon: Eye, run: () => void setHidden(false) }
            : { id: 'hide', label: strings.rail.hide, icon: EyeOff, run: () => void setHidden(true) },
          ...projectMenu(project),
        ]}
      />
      <Dialog title={strings.rail.rename} isOpen={name !== null} onClose={close}>
        <TextField
          label={strings.rail.renameField(title)}
          autoFocus
          selectAll
          value={name ?? ''}
          onChange={setName}
          limit={limits.projectLabel}
          onSubmit={() => void submit()}
        />
        <div className="dialog-actions">
          <span className="spacer" />
          <Button onPress={close}>{strings.common.cancel}</Button>
          <Button kind="primary" isDisabled={name?.trim() === ''} onPress={() => void submit()}>
            {strings.common.save}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
