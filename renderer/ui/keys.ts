import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

type KeyEvent = KeyboardEvent | ReactKeyboardEvent;

/** Whether an input method is composing: the key belongs to it, so Enter must not submit and Escape must not close. */
export function isComposing(event: KeyEvent): boolean {
  const native = 'nativeEvent' in event ? event.nativeEvent : event;
  // Chromium sends the Enter that ends a composition with keyCode 229 and, at times, with isComposing already false.
  return native.isComposing || native.keyCode === 229;
}

export const isMac = (): boolean => /Mac/.test(navigator.platform);

/** Ctrl, or Command on macOS, and not the other one. */
export const hasCommand = (event: KeyEvent): boolean =>
  isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;

/** A shortcut as a person reads it: `mod` is Ctrl or ⌘, `alt` is Alt or ⌥. */
export function shortcutLabel(shortcut: string): string {
  const mac = isMac();
  const names: Record<string, string> = mac
    ? { mod: '⌘', alt: '⌥', shift: '⇧', up: '↑', down: '↓' }
    : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', up: '↑', down: '↓' };
  return shortcut
    .split('+')
    .map((part) => names[part] ?? part)
    .join(mac ? '' : '+');
}

/** An accelerator in Electron's notation as a person reads it. */
export const acceleratorLabel = (accelerator: string): string =>
  shortcutLabel(
    accelerator
      .replace(/CommandOrControl|CmdOrCtrl/g, 'mod')
      .replace(/\bAlt\b/g, 'alt')
      .replace(/\bShift\b/g, 'shift'),
  );

/** Whether typing goes into this element, so that single-letter shortcuts must keep out. */
export function isTextTarget(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.isContentEditable) return true;
  // CodeMirror lives in a shadow root: from outside, the event comes from its host.
  if (element?.shadowRoot) return true;
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'checkbox');
}
