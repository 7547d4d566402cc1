import { FolderSearch } from 'lucide-react';
import { useState } from 'react';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { navigation } from '../navigation.ts';

/** Adds the project of a folder: by its path, or by the desktop's own dialog. What was typed stays until it worked. */
export function AddProject({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { client, shared } = useSidekeep();
  const [path, setPath] = useState('');
  const [error, setError] = useState<string | null>(null);
  const change = (text: string) => {
    setPath(text);
    setError(null);
  };
  const add = async (folder: string) => {
    if (folder.trim() === '') return;
    const result = await client.projects.add({ path: folder });
    if (!result.ok) return setError(result.error.message);
    shared.accept('projects', result.value.list);
    navigation.goToProject(result.value.project.id);
    change('');
    onClose();
  };
  const choose = async () => {
    const result = await client.projects.chooseFolder({});
    // Where the desktop has no such dialog, the path field stays.
    if (!result.ok) return setError(result.error.message);
    if (result.value.path !== null) {
      change(result.value.path);
      await add(result.value.path);
    }
  };
  return (
    <Dialog title={strings.rail.add} isOpen={isOpen} onClose={onClose}>
      <TextField
        label={strings.rail.addPath}
        hint={strings.rail.addHint}
        autoFocus
        value={path}
        onChange={change}
        error={error}
        onSubmit={() => void add(path)}
      />
      <div className="dialog-actions">
        <Button onPress={() => void choose()}>
          <FolderSearch size={16} aria-hidden="true" />
          {strings.rail.chooseFolder}
        </Button>
        <span className="spacer" />
        <Button onPress={onClose}>{strings.common.cancel}</Button>
        <Button kind="primary" isDisabled={path.trim() === ''} onPress={() => void add(path)}>
          {strings.rail.addConfirm}
        </Button>
      </div>
    </Dialog>
  );
}
