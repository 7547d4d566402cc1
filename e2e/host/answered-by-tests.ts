import { refuse, refuseMissing } from './refuse.ts';

type Refused = (...args: unknown[]) => never;
type RefusedLater = (...args: unknown[]) => Promise<never>;

const throws =
  (api: string): Refused =>
  () =>
    refuse(api);

// An asynchronous function of Electron's fails as one: by a rejected promise.
const rejects =
  (api: string): RefusedLater =>
  async () =>
    refuse(api);

/** `dialog`: nothing is shown and nothing is answered, unless a test replaces the function. */
export const dialog = {
  showOpenDialog: rejects('dialog.showOpenDialog'),
  showOpenDialogSync: throws('dialog.showOpenDialogSync'),
  showSaveDialog: rejects('dialog.showSaveDialog'),
  showSaveDialogSync: throws('dialog.showSaveDialogSync'),
  showMessageBox: rejects('dialog.showMessageBox'),
  showMessageBoxSync: throws('dialog.showMessageBoxSync'),
  showErrorBox: throws('dialog.showErrorBox'),
};
refuseMissing(dialog, 'Dialog', 'dialog');

/** `shell`: nothing leaves the program, and no file is moved, unless a test replaces the function. */
export const shell = {
  openExternal: rejects('shell.openExternal'),
  openPath: rejects('shell.openPath'),
  showItemInFolder: throws('shell.showItemInFolder'),
  trashItem: rejects('shell.trashItem'),
  beep: throws('shell.beep'),
};
refuseMissing(shell, 'Shell', 'shell');
