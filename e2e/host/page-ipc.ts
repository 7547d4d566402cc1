import { codec } from './codec.ts';
import type { PageMessage } from './frame-session.ts';
import { ipcMain } from './ipc-main.ts';
import type { PermissionDetail } from './page/permission-guard.ts';
import { permissions } from './permissions.ts';
import { hostEvent, quietly, report } from './runtime.ts';
import type { WebContents } from './web-contents.ts';
import { callPage, type IsolatedContext, type WebFrameMain } from './web-frame.ts';

/** Takes what the isolated worlds of one WebContents send, and answers it. */
export class PageIpc {
  private readonly contents: WebContents;

  constructor(contents: WebContents) {
    this.contents = contents;
  }

  receive(message: PageMessage): void {
    const { kind, channel, payload, context } = message;
    const isMainFrame = context.frameId === this.contents._frames.main?._id;
    switch (kind) {
      case 'invoke':
        void quietly(this.invoke(message));
        break;
      case 'send':
        this.send(message);
        break;
      case 'permission':
        void quietly(this.permission(message));
        break;
      case 'title':
        if (isMainFrame) this.contents._titleChanged(channel);
        break;
      case 'window':
        if (isMainFrame) this.contents._window._pageEvent(channel, JSON.parse(payload) as number[]);
        break;
      case 'preload-error':
        report('preload', channel);
        this.contents.emit('preload-error', hostEvent(), this.contents._preferences.preload, new Error(channel));
        break;
    }
  }

  /**
   * The event of a message from a document. `senderFrame` is null once that document is left, as in Electron; so a check of
   * the sender has to read it before anything asynchronous.
   */
  frameEvent(context: IsolatedContext | undefined): Electron.IpcMainInvokeEvent {
    const { contents } = this;
    const frame = context && contents._frames.get(context.frameId);
    const properties = {
      type: 'frame',
      sender: contents,
      processId: frame?.processId ?? -1,
      frameId: frame?.routingId ?? -1,
      ports: [],
      get senderFrame(): WebFrameMain | null {
        return context?.alive ? (contents._frames.get(context.frameId) ?? null) : null;
      },
      reply: (channel: string, ...args: unknown[]) => {
        if (context?.alive) callPage(context, 'event', 0, channel, codec.encode(args));
      },
    };
    return hostEvent(properties) as unknown as Electron.IpcMainInvokeEvent;
  }

  private send({ channel, payload, context }: PageMessage): void {
    const event = this.frameEvent(context);
    const args = codec.decode(payload) as unknown[];
    this.contents.emit('ipc-message', event, channel, ...args);
    const frame = event.senderFrame as unknown as WebFrameMain | null;
    frame?.ipc.emit(channel, event, ...args);
    this.contents.ipc.emit(channel, event, ...args);
    ipcMain.emit(channel, event, ...args);
  }

  private async invoke({ id, channel, payload, context }: PageMessage): Promise<void> {
    const event = this.frameEvent(context);
    const frame = event.senderFrame as unknown as WebFrameMain | null;
    const reply = (kind: string, text: string): void => {
      if (context.alive) callPage(context, kind, id, channel, text);
    };
    const refuse = (reason: string): void =>
      reply('error', codec.encode(`Error invoking remote method '${channel}': ${reason}`));
    const handler = frame?.ipc._handler(channel) ?? this.contents.ipc._handler(channel) ?? ipcMain._handler(channel);
    if (!handler) return refuse(`Error: No handler registered for '${channel}'`);
    try {
      reply('result', codec.encode(await handler(event, ...(codec.decode(payload) as unknown[]))));
    } catch (error) {
      report(`Error occurred in handler for '${channel}'`, error);
      refuse(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
  }

  private async permission({ id, channel, payload, context }: PageMessage): Promise<void> {
    const frame = this.contents._frames.get(context.frameId);
    if (!frame) return;
    const detail = codec.decode(payload) as PermissionDetail;
    const granted = await permissions.decide(frame, this.contents, channel, detail);
    if (context.alive) callPage(context, 'permission', id, channel, codec.encode(granted));
  }
}
