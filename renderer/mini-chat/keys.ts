import { useEffect, useEffectEvent } from 'react';
import type { ComposerMode } from '../../src/contract/index.ts';
import { hasCommand, isComposing, isTextTarget } from '../ui/keys.ts';
import { composerModes } from './commands.ts';

/** What the keys of the whole window do. */
export interface WindowKeys {
  /** Leaves the search, else hides the window. */
  leave(): void;
  chooseMode(mode: ComposerMode): void;
  pickTarget(): void;
  /** Lets the person choose a session of the target. */
  pickSession(): void;
  newSession(): void;
  handOver(): void;
  find(): void;
  findEverywhere(): void;
  help(): void;
  /** False when there is nothing to undo. */
  undo(): boolean;
}

/** Escape and the shortcuts. What is open over the window handles its own Escape first and stops it there. */
export function useWindowKeys(keys: WindowKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector('.modal-shade')) return;
    if (runKey(keys, event)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function runKey(keys: WindowKeys, event: KeyboardEvent): boolean {
  if (event.key === 'Escape') keys.leave();
  else if (hasCommand(event) && !event.altKey) return runShortcut(keys, event);
  else if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTextTarget(event.target)) {
    keys.help();
  } else return false;
  return true;
}

function runShortcut(keys: WindowKeys, event: KeyboardEvent): boolean {
  const letter = event.key.toLowerCase();
  // By place and not by letter, so that they are the digits also where those need Shift.
  const mode = composerModes[Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0) - 1];
  if (letter === 'f') (event.shiftKey ? keys.findEverywhere : keys.find)();
  else if (letter === 'j') (event.shiftKey ? keys.newSession : keys.pickSession)();
  else if (event.shiftKey) return false;
  else if (mode) keys.chooseMode(mode);
  else if (letter === 'k') keys.pickTarget();
  else if (letter === 'o') keys.handOver();
  else if (letter === 'z' && !isTextTarget(event.target)) return keys.undo();
  else return false;
  return true;
}
