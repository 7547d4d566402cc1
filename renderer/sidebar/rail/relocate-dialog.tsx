import { FolderSearch } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CallOutput, Project } from '../../../src/contract/index.ts';
import { useProjects, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { plainTitle } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { closeDialog } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { followFolder } from './follow-folder.ts';
import { projectAt } from './same-folder.ts';

type Moved = CallOutput<'projects.relocate'>;

/** Says where the folder of a project is now; its data follows. What was typed stays until it worked. */
export function RelocateDialog({ project }: { project: Project }) {
  const [moved, setMoved] = useState<Moved | null>(null);
  const title = plainTitle(project.label);
  return (
    <Dialog title={texts.relocate.title(title)} isOpen onClose={closeDialog}>
      {moved ? <Result title={title} moved={moved} /> : <Form project={project} onMoved={setMoved} />}
    </Dialog>
  );
}

function Form({ project, onMoved }: { project: Project; onMoved: (moved: Moved) => void }) {
  const sidekeep = useSidekeep();
  const { value: list } = useProjects();
  const confirm = useRef<HTMLSpanElement>(null);
  const [path, setPath] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const change = (text: string) => {
    setPath(text);
    setError(null);
  };
  const move = async () => {
    if (path.trim() === '' || isRunning) return;
    setRunning(true);
    const result = await followFolder(sidekeep, project, path);
    setRunning(false);
    if (!result.ok) return setError(result.error.message);
    if (navigation.get().projectId === project.id) navigation.follow(project.id, result.value.project.id);
    onMoved(result.value);
  };
  const other = list ? projectAt(list, path, project.id) : null;
  const otherTitle = other ? plainTitle(other.label) : null;
  /** Two projects become one only by the button that says so. */
  const submit = () => {
    if (other) confirm.current?.querySelector<HTMLElement>('button')?.focus();
    else void move();
  };
  const choose = async () => {
    const result = await sidekeep.client.projects.chooseFolder({});
    // Where the desktop has no such dialog, the path field stays.
    if (!result.ok) setError(result.error.message);
    else if (result.value.path !== null) change(result.value.path);
  };
  return (
    <>
      <div className="relocate-text">
        <p className="relocate-path">{texts.relocate.now(project.path ?? strings.rail.unknownPath)}</p>
        <p>{texts.relocate.effect}</p>
      </div>
      <TextField
        label={texts.relocate.path}
        hint={texts.relocate.hint}
        autoFocus
        value={path}
        onChange={change}
        error={error}
        onSubmit={submit}
      />
      {otherTitle === null ? null : <Banner kind="warning">{texts.relocate.listed(otherTitle)}</Banner>}
      <div className="dialog-actions">
        <Button onPress={() => void choose()}>
          <FolderSearch size={16} aria-hidden="true" />
          {strings.rail.chooseFolder}
        </Button>
        <span className="spacer" />
        <Button onPress={closeDialog}>{strings.common.cancel}</Button>
        <span ref={confirm}>
          <Button kind="primary" isDisabled={path.trim() === '' || isRunning} onPress={() => void move()}>
            {isRunning
              ? texts.relocate.running
              : otherTitle === null
                ? texts.relocate.confirm
                : texts.relocate.merge(otherTitle)}
          </Button>
        </span>
      </div>
    </>
  );
}

function Result({ title, moved }: { title: string; moved: Moved }) {
  const { project, merged } = moved;
  return (
    <>
      <Banner kind="info">
        <p className="relocate-path">{texts.relocate.done(title, project.path ?? strings.rail.unknownPath)}</p>
        <p>{merged === null ? texts.relocate.nothing : texts.relocate.merged(merged)}</p>
      </Banner>
      <div className="dialog-actions">
        <Button kind="primary" autoFocus onPress={closeDialog}>
          {strings.common.close}
        </Button>
      </div>
    </>
  );
}
