import { useEffect } from 'react';
import { useSidekeep } from '../state/hooks.ts';
import { isMemoryEnabled } from '../state/memory-hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Store } from '../state/store.ts';
import { hasCommand, isComposing, isTextTarget, shortcutLabel } from '../ui/keys.ts';
import { focusAfter, sectionTab } from './focus-after.ts';
import { focusComposer, focusProjects, focusSearch, navigation, sections } from './navigation.ts';
import { openDialog, shownOwner } from './open-dialog.ts';
import { texts } from './strings.ts';
import { wantFind } from './transcript/finding-shown.ts';

/** Whether the help of shortcuts is open. */
export const helpOpen = new Store(false);

/** The shortcuts that work everywhere in the sidebar. */
export function useShortcuts(): void {
  const sidekeep = useSidekeep();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || document.querySelector('.modal-shade')) return;
      if (runShortcut(event, sidekeep)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [sidekeep]);
}

function runShortcut(event: KeyboardEvent, sidekeep: Sidekeep): boolean {
  // By place as well, where the digits need Shift.
  const digit = /^[1-4]$/.test(event.key) ? event.key : /^Digit([1-4])$/.exec(event.code)?.[1];
  const section = sections[Number(digit) - 1];
  if (hasCommand(event) && !event.altKey && !event.shiftKey) {
    if (section && (section !== 'memory' || isMemoryEnabled(sidekeep))) {
      navigation.goToSection(section);
      // What the keyboard was on may have gone with the other section.
      void focusAfter(Promise.resolve(), sectionTab);
      return true;
    }
    if (event.key.toLowerCase() === 'n') {
      focusComposer();
      return true;
    }
    if (event.key.toLowerCase() === 'k') {
      focusProjects();
      return true;
    }
    if (event.key.toLowerCase() === 'f') {
      // In a session it is the session that is searched; `/` leads to the search of everything.
      if (document.querySelector('.transcript') === null) focusSearch();
      else wantFind();
      return true;
    }
    if (event.key.toLowerCase() !== 'z' || isTextTarget(event.target)) return false;
    if (!sidekeep.toasts.actOnNewest()) sayNothingToUndo(sidekeep);
    return true;
  }
  if (hasCommand(event) && event.shiftKey && !event.altKey && event.key.toLowerCase() === 'd') {
    return showDeleted();
  }
  if (event.key === 'F2' && renameOpenSession(event, sidekeep)) return true;
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTextTarget(event.target)) {
    focusSearch();
    return true;
  }
  if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTextTarget(event.target)) return false;
  helpOpen.set(true);
  return true;
}

/** F2 in an open session, outside of a text field; in the rail it is about the row that it is pressed on. */
function renameOpenSession(event: KeyboardEvent, { sessions }: Sidekeep): boolean {
  const { session } = navigation.get();
  const row = session === null ? null : sessions.row(session);
  const isInPane = event.target instanceof Element && event.target.closest('.session-pane') !== null;
  if (row === null || !isInPane || isTextTarget(event.target)) return false;
  openDialog.set({ kind: 'rename-session', row });
  return true;
}

/** Shows what was deleted from the owner that is shown; false before there is one. */
function showDeleted(): boolean {
  const owner = shownOwner.get();
  if (owner) openDialog.set({ kind: 'deleted', owner });
  return owner !== null;
}

/** The toast with the undo is gone, or there was none: leads to what can still come back. */
function sayNothingToUndo({ toasts }: Sidekeep): void {
  const action = { label: texts.more.deleted, run: () => void showDeleted(), isLink: true };
  toasts.show(texts.deleted.nothingToUndo(shortcutLabel('mod+shift+D')), { kind: 'nothing to undo', action });
}
