/**
 * Moves the keyboard on when what it was on is removed: to the first of `places` that is still there, so that it does not
 * start again at the top of the window. Focus that the person moved meanwhile stays. None of the places is a text field,
 * in which Ctrl+Z would not undo the removal.
 */
export async function focusAfter(
  removal: Promise<unknown>,
  ...places: (() => Element | null | undefined)[]
): Promise<void> {
  await removal;
  await drawn();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  for (const place of places) {
    const element = place();
    if (!(element instanceof HTMLElement) || !element.isConnected) continue;
    element.focus();
    if (document.activeElement === element) return;
  }
}

/** The tab of the section that is shown. */
export const sectionTab = (): Element | null => document.querySelector('[role="tab"][aria-selected="true"]');

/** Two frames: what the change brought is in the document then. */
export const drawn = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
