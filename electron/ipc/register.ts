import type { IpcMain } from 'electron';
import { calls, channelOf, dispatch, errorStatus, type Implementation, type Report } from '../../src/contract/index.ts';
import { CallRate } from './call-rate.ts';
import { checkSender, type FindWindow } from './sender.ts';

const forbidden = {
  ok: false,
  error: {
    code: 'forbidden',
    status: errorStatus.forbidden,
    message: 'This page may not use Sidekeep. Nothing was read or changed.',
  },
} as const;

const tooFast = {
  ok: false,
  error: {
    code: 'too-large',
    status: errorStatus['too-large'],
    message: 'This window asks for more than it may at once. This request changed nothing; try again in a moment.',
    detail: { reason: 'rate' },
  },
} as const;

/** Registers a handler for every call of the contract. The result removes them. */
export function registerCalls(
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>,
  implementation: Implementation,
  findWindow: FindWindow,
  report: Report,
  rate: CallRate = new CallRate(),
): () => void {
  for (const name of calls.keys()) {
    ipcMain.handle(channelOf(name), (event, input: unknown) => {
      const sender = checkSender(event, findWindow);
      if (!sender) return forbidden;
      return rate.allow(event.sender.id) ? dispatch(implementation, name, input, sender, report) : tooFast;
    });
  }
  return () => {
    for (const name of calls.keys()) ipcMain.removeHandler(channelOf(name));
  };
}
