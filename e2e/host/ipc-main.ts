import { EventEmitter } from 'node:events';
import { refuseMissing } from './refuse.ts';

type Handler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;

/** `ipcMain`, and the `ipc` of one WebContents or WebFrameMain. */
export class IpcMain extends EventEmitter {
  private readonly handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    }
    this.handlers.set(channel, handler);
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel);
      return handler(event, ...args);
    });
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }

  /** For the host: the handler of a channel, if there is one. */
  _handler(channel: string): Handler | undefined {
    return this.handlers.get(channel);
  }
}
refuseMissing(IpcMain.prototype, 'IpcMain', 'ipcMain');

export const ipcMain = new IpcMain();
ipcMain.setMaxListeners(0);
