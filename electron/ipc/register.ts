import type { IpcMain } from 'electron';
import { calls, channelOf, dispatch, errorStatus, type Implementation, type Report } from '../../src/contract/index.ts';
import { checkSender, type FindWindow } from './sender.ts';

const forbidden = {
  ok: false,
  error: {
    code: 'forbidden',
    status: errorStatus.forbidden,
    message: 'This page may not use Sidekeep. Nothing was read or changed.',
  },
} as const;

/** Registers a handler for every call of the contract. The result removes them. */
export function registerCalls(
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>,
  implementation: Implementation,
  findWindow: FindWindow,
  report: Report,
): () => void {
  for (const name of calls.keys()) {
    ipcMain.handle(channelOf(name), (event, input: unknown) => {
      const sender = checkSender(event, findWindow);
      return sender ? dispatch(implementation, name, input, sender, report) : forbidden;
    });
  }
  return () => {
    for (const name of calls.keys()) ipcMain.removeHandler(channelOf(name));
  };
}
