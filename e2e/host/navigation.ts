import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CdpSession, Protocol } from './cdp.ts';
import { hostEvent, quietly, runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebContents } from './web-contents.ts';

const errorNumbers: Record<string, number> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_TIMED_OUT: -7,
  ERR_ACCESS_DENIED: -10,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_BLOCKED_BY_RESPONSE: -27,
  ERR_BLOCKED_BY_CSP: -30,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_INVALID_URL: -300,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_TOO_MANY_REDIRECTS: -310,
  ERR_EMPTY_RESPONSE: -324,
};

/** Loads pages into one WebContents and turns Chromium's events about loading into Electron's. */
export class Navigation {
  isLoading = false;
  private readonly contents: WebContents;
  private readonly statuses = new Map<string, { code: number; text: string }>();
  private readonly failures = new Map<string, string>();
  private shown = false;
  private blankWanted = false;
  private onErrorPage = false;

  constructor(contents: WebContents) {
    this.contents = contents;
  }

  /** @throws Error with `code`, `errno` and `url`, as Electron's, when the page cannot be loaded. */
  async loadURL(url: string, options: Electron.LoadURLOptions): Promise<void> {
    const { contents } = this;
    await contents._attached;
    const target = schemes.toPage(url);
    this.blankWanted = url === 'about:blank';
    const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
    const lost = (): void => reject(loadError('ERR_FAILED', url));
    contents.once('did-finish-load', resolve);
    contents.once('destroyed', lost);
    contents.once('render-process-gone', lost);
    finished.catch(() => undefined); // Reported below, if a load was begun at all.
    try {
      const referrer = typeof options.httpReferrer === 'string' ? { referrer: options.httpReferrer } : {};
      const { loaderId, errorText } = await contents._requests.gate.during(target, () =>
        contents._session.send('Page.navigate', { url: target, ...referrer }),
      );
      if (errorText) {
        const code = errorText.replace('net::', '');
        this.failed(code, url, true);
        throw loadError(code, url);
      }
      if (loaderId) await finished;
    } finally {
      contents.off('did-finish-load', resolve);
      contents.off('destroyed', lost);
      contents.off('render-process-gone', lost);
    }
  }

  loadFile(file: string, { query = {}, search, hash }: Electron.LoadFileOptions): Promise<void> {
    const url = pathToFileURL(resolve(runtime.appPath, file));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (search) url.search = search;
    if (hash) url.hash = hash;
    return this.loadURL(url.href, {});
  }

  reload(ignoreCache: boolean): void {
    const { contents } = this;
    void quietly(contents._attached.then(() => contents._session.send('Page.reload', { ignoreCache })));
  }

  watch(session: CdpSession): void {
    session.onEvent('Page.frameStartedNavigating', (started) => this.started(started));
    session.onEvent('Page.frameStartedLoading', ({ frameId }) => this.loading(frameId, true));
    session.onEvent('Page.frameStoppedLoading', ({ frameId }) => this.loading(frameId, false));
    session.onEvent('Page.navigatedWithinDocument', ({ frameId, url }) => this.navigatedWithin(frameId, url));
    session.onEvent('Page.domContentEventFired', () => {
      if (!this.isUnwantedBlank()) this.contents.emit('dom-ready', hostEvent());
    });
    session.onEvent('Page.loadEventFired', () => this.finished());
    session.onEvent('Network.responseReceived', ({ requestId, loaderId, type, response }) => {
      if (type !== 'Document' || requestId !== loaderId) return;
      this.statuses.set(loaderId, { code: response.status, text: response.statusText });
    });
    session.onEvent('Network.loadingFailed', ({ requestId, type, errorText }) => {
      if (type === 'Document') this.failures.set(requestId, errorText.replace('net::', ''));
    });
  }

  /** A document was committed: of the main frame, or of another one. */
  committed(frame: Protocol.Page.Frame): void {
    const { contents } = this;
    const isMainFrame = frame.parentId === undefined && frame.id === contents._frames.main?._id;
    const document = contents._frames.get(frame.id);
    const { code, text } = this.statuses.get(frame.loaderId) ?? { code: -1, text: '' };
    const failure = this.failures.get(frame.loaderId);
    this.statuses.clear();
    this.failures.clear();
    if (isMainFrame) this.onErrorPage = frame.unreachableUrl !== undefined;
    if (frame.unreachableUrl !== undefined) {
      if (contents._requests.gate.isOurs(frame.unreachableUrl)) return; // loadURL tells of it itself.
      this.failed(failure ?? 'ERR_FAILED', schemes.fromPage(frame.unreachableUrl), isMainFrame);
      return;
    }
    const url = document?.url ?? frame.url;
    if (isMainFrame && !this.isUnwantedBlank()) contents.emit('did-navigate', hostEvent(), url, code, text);
    if (url === 'about:blank') return;
    const { processId, routingId } = document ?? {};
    contents.emit('did-frame-navigate', hostEvent(), url, code, text, isMainFrame, processId, routingId);
  }

  private started({ frameId, url, navigationType }: Protocol.Page.frameStartedNavigatingPayload): void {
    const { contents } = this;
    const frame = contents._frames.get(frameId) ?? null;
    const isMainFrame = frame === null || frame === contents._frames.main;
    if (url === 'about:blank' && !this.blankWanted) return;
    const original = schemes.fromPage(url);
    const isSameDocument = /sameDocument/i.test(navigationType);
    const event = hostEvent({ url: original, isSameDocument, isMainFrame, frame, initiator: null });
    const { processId, routingId } = frame ?? {};
    contents.emit('did-start-navigation', event, original, isSameDocument, isMainFrame, processId, routingId);
  }

  private loading(frameId: string, begun: boolean): void {
    const { contents } = this;
    const frame = contents._frames.get(frameId);
    const isMainFrame = frame !== undefined && frame === contents._frames.main;
    if (!begun && frame && frame.url !== 'about:blank') {
      contents.emit('did-frame-finish-load', hostEvent(), isMainFrame, frame.processId, frame.routingId);
    }
    if (!isMainFrame || this.isLoading === begun) return;
    this.isLoading = begun;
    contents.emit(begun ? 'did-start-loading' : 'did-stop-loading');
  }

  private navigatedWithin(frameId: string, url: string): void {
    const { contents } = this;
    const frame = contents._frames.get(frameId);
    if (!frame) return;
    frame._pageUrl = url;
    const isMainFrame = frame === contents._frames.main;
    const event = hostEvent();
    contents.emit('did-navigate-in-page', event, frame.url, isMainFrame, frame.processId, frame.routingId);
  }

  private finished(): void {
    const { contents } = this;
    if (this.isUnwantedBlank() || this.onErrorPage) return;
    contents.emit('did-finish-load', hostEvent());
    if (this.shown) return;
    this.shown = true;
    contents._window.emit('ready-to-show', hostEvent());
  }

  private failed(code: string, url: string, isMainFrame: boolean): void {
    const { main } = this.contents._frames;
    const frame = [main?.processId, main?.routingId];
    this.contents.emit('did-fail-load', hostEvent(), errorNumbers[code] ?? -2, code, url, isMainFrame, ...frame);
  }

  // Every window begins at an about:blank that Electron does not show.
  private isUnwantedBlank(): boolean {
    return !this.blankWanted && (this.contents._frames.main?._pageUrl || 'about:blank') === 'about:blank';
  }
}

function loadError(code: string, url: string): Error {
  const errno = errorNumbers[code] ?? -2;
  return Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url });
}
