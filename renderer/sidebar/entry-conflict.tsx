import { useState } from 'react';
import type { EntryEdit } from '../state/entry-edit.ts';
import { useSidekeep } from '../state/hooks.ts';
import { Button } from '../ui/button.tsx';
import { useCopy } from '../ui/copy.ts';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { CompareDialog } from './compare-dialog.tsx';

/**
 * The notice in an edit whose entry changed or went away elsewhere; nothing when it did not.
 * @param saveAsNew saves the person's text as an entry of its own; resolves to whether that worked
 */
export function EntryConflict(props: {
  edit: EntryEdit;
  editKey: string;
  saveAsNewLabel: string;
  saveAsNew: () => Promise<boolean>;
}) {
  const { edit, editKey } = props;
  const { editing } = useSidekeep();
  const [comparing, setComparing] = useState(false);
  const copy = useCopy();
  if (edit.theirs === null) return null;
  const saveAsNew = async (after: () => void) => {
    if (await props.saveAsNew()) after();
  };
  if (edit.theirs === 'deleted') {
    return (
      <Banner
        kind="warning"
        actions={
          <>
            <Button small onPress={() => void saveAsNew(() => editing.end(editKey))}>
              {props.saveAsNewLabel}
            </Button>
            <Button small onPress={() => copy(edit.mine)}>
              {strings.common.copyText}
            </Button>
            <Button small kind="danger" onPress={() => editing.end(editKey)}>
              {strings.conflict.discard}
            </Button>
          </>
        }
      >
        {strings.conflict.deleted}
      </Banner>
    );
  }
  const theirs = edit.theirs.text;
  return (
    <Banner
      kind="warning"
      actions={
        <>
          <Button small onPress={() => editing.keepMine(editKey)}>
            {strings.conflict.keepMine}
          </Button>
          <Button small onPress={() => editing.takeTheirs(editKey)}>
            {strings.conflict.useTheirs}
          </Button>
          <Button small onPress={() => void saveAsNew(() => editing.takeTheirs(editKey))}>
            {strings.conflict.keepBoth}
          </Button>
          <Button small kind="quiet" onPress={() => setComparing(true)}>
            {strings.conflict.compare}
          </Button>
        </>
      }
    >
      <p>{strings.conflict.changed}</p>
      <div className="conflict-theirs">
        <span className="soft">{strings.conflict.theirs}: </span>
        <UserText text={theirs} as="block" />
      </div>
      <CompareDialog isOpen={comparing} onClose={() => setComparing(false)} mine={edit.mine} theirs={theirs} />
    </Banner>
  );
}
