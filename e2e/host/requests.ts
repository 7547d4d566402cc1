import type { CdpSession, Protocol } from './cdp.ts';
import { codec } from './codec.ts';
import { ipcMain } from './ipc-main.ts';
import { NavigationGate } from './navigation-gate.ts';
import { permissions } from './permissions.ts';
import { refuse } from './refuse.ts';
import { report } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebContents } from './web-contents.ts';
import { webRequest } from './web-request.ts';

type Paused = Protocol.Fetch.requestPausedPayload;

/** The URL path on which a page's `ipcRenderer.sendSync` waits. */
const syncPath = '/__host_send_sync__/';

/** Answers the requests that Chromium holds back for one WebContents. */
export class Requests {
  readonly gate: NavigationGate;
  private readonly contents: WebContents;

  private startsOver: boolean;

  /** @param openedByPage The window's first document is loaded in a way of its own, see `startOver`. */
  constructor(contents: WebContents, openedByPage: boolean) {
    this.contents = contents;
    this.startsOver = openedByPage;
    this.gate = new NavigationGate(contents);
  }

  async paused(request: Paused, session: CdpSession): Promise<void> {
    const { requestId } = request;
    if (request.request.url.includes(`${syncPath}${this.contents._nonce}/`)) return this.answerSync(request, session);
    const frame = this.contents._frames.get(request.frameId);
    const isMainFrame = frame !== undefined && frame === this.contents._frames.main;
    if (this.startsOver && isMainFrame && request.resourceType === 'Document') return this.startOver(request, session);
    const requester = { webContentsId: this.contents.id, frame, isMainFrame };
    const isDocument = request.resourceType === 'Document';
    // As in Electron: a navigation is asked about before it is a request, so a refused one leaves no error page.
    if (isDocument && !(await this.gate.allows(request))) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    if (await webRequest.intercepts(request, session, requester)) return;
    if (isDocument) await permissions.prepare(this.contents, request.request.url, isMainFrame);
    const scheme = /^([^:]+):/.exec(schemes.fromPage(request.request.url))?.[1] ?? '';
    if (schemes.isPrivileged(scheme)) await this.answerScheme(scheme, request, session);
    else await session.send('Fetch.continueRequest', { requestId });
  }

  /**
   * The first document of a window that a page opened would take over the window object of the empty document before it,
   * and Chromium runs none of our scripts there. So the window visits a blank page of another origin first.
   */
  private async startOver({ requestId, request }: Paused, session: CdpSession): Promise<void> {
    this.startsOver = false;
    if (request.method !== 'GET') refuse('a form that a page posts into a new window');
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    await session.send('Page.navigate', { url: 'about:blank' });
    const url = request.url + (request.urlFragment ?? '');
    const referrer = request.headers.Referer === undefined ? {} : { referrer: request.headers.Referer };
    await session.send('Page.navigate', { url, ...referrer });
  }

  private async answerScheme(scheme: string, paused: Paused, session: CdpSession): Promise<void> {
    const { requestId } = paused;
    const handler = schemes.handler(scheme);
    if (!handler) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      return;
    }
    let response: Response;
    let body: Buffer;
    try {
      response = await handler(toRequest(paused.request));
      body = Buffer.from(await response.arrayBuffer()); // The protocol takes whole bodies only.
    } catch (error) {
      report(`protocol.handle('${scheme}')`, error);
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      return;
    }
    const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value: schemes.mapPolicy(value) }));
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status || 200,
      responseHeaders,
      body: body.toString('base64'),
    });
  }

  private async answerSync(paused: Paused, session: CdpSession): Promise<void> {
    const url = paused.request.url;
    const channel = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
    const args = codec.decode(bodyOf(paused.request).toString('utf8')) as unknown[];
    const frame = this.contents._frames.get(paused.frameId);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const event = this.contents._ipc.frameEvent(frame?._context);
    Object.defineProperty(event, 'returnValue', { set: resolve, get: () => undefined });
    let answer: [boolean, unknown];
    try {
      const heard = [this.contents.ipc, ipcMain].map((ipc) => ipc.emit(channel, event, ...args));
      answer = [true, heard.includes(true) ? await promise : undefined];
    } catch (error) {
      answer = [false, String(error)];
    }
    await session.send('Fetch.fulfillRequest', {
      requestId: paused.requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'text/plain;charset=utf-8' }],
      body: Buffer.from(codec.encode(answer)).toString('base64'),
    });
  }
}

function toRequest(request: Protocol.Network.Request): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    headers.set(name, /^(origin|referer)$/i.test(name) ? schemes.fromPage(value) : value);
  }
  const hasBody = request.hasPostData === true && request.method !== 'GET' && request.method !== 'HEAD';
  return new Request(schemes.fromPage(request.url) + (request.urlFragment ?? ''), {
    method: request.method,
    headers,
    ...(hasBody ? { body: new Uint8Array(bodyOf(request)) } : {}),
  });
}

function bodyOf(request: Protocol.Network.Request): Buffer {
  if (request.postDataEntries) {
    return Buffer.concat(request.postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')));
  }
  return Buffer.from(request.postData ?? '');
}
