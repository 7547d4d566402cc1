import type { CdpSession, Protocol } from './cdp.ts';
import { hostEvent } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebContents } from './web-contents.ts';

type Paused = Protocol.Fetch.requestPausedPayload;

/** How long a main frame's request may be held while no page has said that it wants it. */
const patienceInMilliseconds = 500;

/**
 * Lets the program decide about navigations before they reach a network: `will-frame-navigate` and `will-navigate` for those
 * that a page started, `will-redirect` for each hop. What main itself started (`loadURL`, `reload`), or Playwright, is not
 * asked about, as in Electron.
 */
export class NavigationGate {
  private readonly contents: WebContents;
  /** URLs that `loadURL` is about to load. */
  private readonly ours = new Set<string>();
  /** By frame id: the URL that a page asked for last. */
  private readonly asked = new Map<string, string>();
  private readonly reloading = new Map<string, string>();

  constructor(contents: WebContents) {
    this.contents = contents;
  }

  watch(session: CdpSession): void {
    session.onEvent('Page.frameRequestedNavigation', ({ frameId, url }) => this.asked.set(frameId, url));
    session.onEvent('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      if (/^(reload|restore|history)/.test(navigationType)) this.reloading.set(frameId, url);
      else this.reloading.delete(frameId);
    });
  }

  /** Runs `load`, during which a navigation to `url` is the main process's own. */
  async during<T>(url: string, load: () => Promise<T>): Promise<T> {
    this.ours.add(withoutHash(url));
    try {
      return await load();
    } finally {
      this.ours.delete(withoutHash(url));
    }
  }

  /** Whether `loadURL` is about to load it. */
  isOurs(url: string): boolean {
    return this.ours.has(withoutHash(url));
  }

  async allows(paused: Paused): Promise<boolean> {
    const { contents } = this;
    const frame = contents._frames.get(paused.frameId) ?? null;
    const isMainFrame = paused.frameId === contents._frames.main?._id;
    const url = schemes.fromPage(paused.request.url + (paused.request.urlFragment ?? ''));
    const details = () => hostEvent({ url, isSameDocument: false, isMainFrame, frame, initiator: frame });
    if (paused.redirectedRequestId !== undefined) {
      const event = details();
      contents.emit('will-redirect', event, url, false, isMainFrame, frame?.processId, frame?.routingId);
      if (event.defaultPrevented) return false;
      contents.emit('did-redirect-navigation', details(), url, false, isMainFrame, frame?.processId, frame?.routingId);
      return true;
    }
    if (!contents.listenerCount('will-navigate') && !contents.listenerCount('will-frame-navigate')) return true;
    if (!(await this.pageStarted(paused, isMainFrame))) return true;
    const frameEvent = details();
    contents.emit('will-frame-navigate', frameEvent);
    if (frameEvent.defaultPrevented) return false;
    if (!isMainFrame) return true;
    const event = details();
    contents.emit('will-navigate', event, url, false, true, frame?.processId, frame?.routingId);
    return !event.defaultPrevented;
  }

  private async pageStarted({ frameId, request }: Paused, isMainFrame: boolean): Promise<boolean> {
    if (this.reloading.get(frameId) === request.url + (request.urlFragment ?? ''))
      return this.wasAsked(frameId, request.url);
    if (!isMainFrame) return true;
    if (this.ours.has(request.url)) return false;
    // Two channels tell of it, the renderer's wish and the held request, and either may be first.
    for (let waited = 0; waited < patienceInMilliseconds && !this.isAsked(frameId, request.url); waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.wasAsked(frameId, request.url);
  }

  private isAsked(frameId: string, url: string): boolean {
    const asked = this.asked.get(frameId);
    return asked !== undefined && withoutHash(asked) === withoutHash(url);
  }

  private wasAsked(frameId: string, url: string): boolean {
    return this.isAsked(frameId, url) && this.asked.delete(frameId);
  }
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? url;
}
