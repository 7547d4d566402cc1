import { useState } from 'react';
import type { EntryEdit } from '../state/entry-edit.ts';
import { useSidekeep } from '../state/hooks.ts';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { useCopy } from '../ui/copy.ts';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { CompareDialog } from './compare-dialog.tsx';

/**
 * The notice in an edit whose entry changed or went away elsewhere; nothing when it did not.
 * @param saveAsNew saves the person's text as an entry of its own; resolves to whether that worked
 * @param onEnd the edit is over: the keyboard goes back to the row
 */
export function EntryConflict(props: {
  edit: EntryEdit;
  editKey: string;
  saveAsNewLabel: string;
  saveAsNew: () => Promise<boolean>;
  bothKept: string;
  onEnd: () => void;
}) {
  const { edit, editKey } = props;
  const { editing, toasts } = useSidekeep();
  const [comparing, setComparing] = useState(false);
  const copy = useCopy();
  if (edit.theirs === null) return null;
  const saveAsNew = async (after: () => void) => {
    if (await props.saveAsNew()) after();
  };
  const end = () => {
    props.onEnd();
    editing.end(editKey);
  };
  if (edit.theirs === 'deleted') {
    return (
      <Banner
        kind="warning"
        actions={
          <>
            <Button small onPress={() => void saveAsNew(end)}>
              {props.saveAsNewLabel}
            </Button>
            <Button small onPress={() => copy(edit.mine)}>
              {strings.common.copyText}
            </Button>
            <Button small kind="danger" onPress={end}>
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
  const keepBoth = () =>
    saveAsNew(() => {
      end();
      toasts.show(props.bothKept);
    });
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
          <Button small onPress={() => void keepBoth()}>
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

/** A save was asked for while two texts wait for a decision: leads the keyboard to the choices, and says so. */
export function leadToChoices(place: Element | null | undefined): void {
  place?.querySelector<HTMLElement>('.banner-actions button')?.focus();
  announce(strings.conflict.chooseFirst);
}
