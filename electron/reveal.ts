import type { Shell } from 'electron';
import { Failure } from '../src/contract/index.ts';

/** Shows a file in the desktop's file manager. @throws Failure `io` where there is none. */
export type Reveal = (file: string) => void;

/** The one thing of the desktop's shell that is used: nothing is opened, only shown. */
export function createReveal(shell: Pick<Shell, 'showItemInFolder'>): Reveal {
  return (file) => {
    try {
      shell.showItemInFolder(file);
    } catch (error) {
      throw new Failure('io', 'This desktop shows no file manager. Nothing was changed.', { cause: error });
    }
  };
}
