/** Id of the composer's text field. */
export const COMPOSER_ID = 'composer';

/** Gives the keyboard to the composer, unless something is open over the window. */
export function focusComposer(): void {
  if (document.querySelector('[role="dialog"], .popover')) return;
  document.getElementById(COMPOSER_ID)?.focus();
}

/** Gives the keyboard to the composer if it is nowhere: its element was just replaced, or the window is new. */
export function focusComposerIfLost(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusComposer();
}

/** Gives the keyboard to the composer once the list that was chosen from is gone. */
export function focusComposerAfterClosing(): void {
  requestAnimationFrame(() => requestAnimationFrame(focusComposer));
}

/** Gives the keyboard to the composer and selects its text from a place on, once the text is there. */
export function selectInComposer(start: number): void {
  requestAnimationFrame(() => {
    focusComposer();
    const field = document.getElementById(COMPOSER_ID);
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(start, field.value.length);
  });
}
