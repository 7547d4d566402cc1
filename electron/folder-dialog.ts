import { type BrowserWindow, type Dialog, dialog } from 'electron';

/**
 * Asks for a folder; null when the person chose none. Throws where this desktop has no such dialog.
 * @param parent the window that the dialog belongs to
 */
export async function chooseFolder(parent: BrowserWindow | null, dialogs: Dialog = dialog): Promise<string | null> {
  const options = {
    title: 'Choose the folder of a project',
    properties: ['openDirectory' as const, 'createDirectory' as const],
  };
  const answer = parent ? await dialogs.showOpenDialog(parent, options) : await dialogs.showOpenDialog(options);
  return answer.canceled ? null : (answer.filePaths[0] ?? null);
}
