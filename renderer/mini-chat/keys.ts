import { useEffect, useEffectEvent } from 'react';
import type { ComposerMode } from '../../src/contract/index.ts';
import { hasCommand, isComposing, isTextTarget } from '../ui/keys.ts';
import { composerModes } from './commands.ts';

/** What the keys of the whole window do. */
export interface WindowKeys {
  hide(): void;
  chooseMode(mode: ComposerMode): void;
  pickTarget(): void;
  handOver(): void;
  /** False when there is nothing to undo. */
  undo(): boolean;
}

/** Escape and the shortcuts. What is open over the window handles its own Escape first and stops it there. */
export function useWindowKeys(keys: WindowKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (event.key === 'Escape') keys.hide();
    else if (!hasCommand(event) || event.shiftKey || event.altKey || !runShortcut(keys, event)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function runShortcut(keys: WindowKeys, event: KeyboardEvent): boolean {
  // By place and not by letter, so that they are the digits also where those need Shift.
  const mode = composerModes[Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0) - 1];
  if (mode) keys.chooseMode(mode);
  else if (event.key.toLowerCase() === 'k') keys.pickTarget();
  else if (event.key.toLowerCase() === 'o') keys.handOver();
  else if (event.key.toLowerCase() === 'z' && !isTextTarget(event.target)) return keys.undo();
  else return false;
  return true;
}
