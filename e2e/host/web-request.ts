import type { CdpSession, Protocol } from './cdp.ts';
import { refuseMissing } from './refuse.ts';
import { runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebFrameMain } from './web-frame.ts';

type Details = Electron.OnBeforeRequestListenerDetails;
type Listener = (details: Details, callback: (response: Electron.CallbackResponse) => void) => void;

interface Registered {
  listener: Listener;
  urls: RegExp[];
  excluded: RegExp[];
  types: string[] | undefined;
}

const resourceTypes: Record<string, Details['resourceType']> = {
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
  Media: 'media',
  WebSocket: 'webSocket',
};

/** `session.webRequest`: `onBeforeRequest` on real requests; every other event of it is refused by name. */
class WebRequest {
  private registered: Registered | undefined;

  onBeforeRequest(listener: Listener | null): void;
  onBeforeRequest(filter: Electron.WebRequestFilter, listener: Listener | null): void;
  onBeforeRequest(...args: [Listener | null] | [Electron.WebRequestFilter, Listener | null]): void {
    const [filter, listener] = args.length === 1 ? [undefined, args[0]] : args;
    const urls = filter?.urls.length ? filter.urls : ['<all_urls>'];
    this.registered = listener
      ? {
          listener,
          urls: urls.map(urlPattern),
          excluded: (filter?.excludeUrls ?? []).map(urlPattern),
          types: filter?.types,
        }
      : undefined;
    for (const contents of runtime.byTarget.values()) contents._interceptAgain();
  }

  listensToAll(): boolean {
    return this.registered !== undefined;
  }

  /** Asks the listener about a request. True when it cancelled or redirected it, which then was done. */
  async intercepts(
    paused: Protocol.Fetch.requestPausedPayload,
    session: CdpSession,
    from: Requester,
  ): Promise<boolean> {
    const url = schemes.fromPage(paused.request.url);
    const { registered } = this;
    const type = resourceType(paused, from.isMainFrame);
    if (!registered || !matches(registered, url, type)) return false;
    const details = {
      id: Number.parseInt(paused.requestId.replace(/\D/g, ''), 10),
      url,
      method: paused.request.method,
      webContentsId: from.webContentsId,
      frame: from.frame,
      resourceType: type,
      referrer: schemes.fromPage(paused.request.headers.Referer ?? ''),
      timestamp: Date.now(),
      uploadData: (paused.request.postDataEntries ?? []).map(({ bytes = '' }) => ({
        bytes: Buffer.from(bytes, 'base64'),
      })),
    };
    const { cancel, redirectURL } = await new Promise<Electron.CallbackResponse>((resolve) =>
      registered.listener(details as unknown as Details, resolve),
    );
    const { requestId } = paused;
    if (cancel) await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    else if (redirectURL) {
      const responseHeaders = [{ name: 'Location', value: schemes.toPage(redirectURL) }];
      await session.send('Fetch.fulfillRequest', { requestId, responseCode: 307, responseHeaders });
    } else return false;
    return true;
  }
}
refuseMissing(WebRequest.prototype, 'WebRequest', 'session.webRequest');

export interface Requester {
  webContentsId: number;
  frame: WebFrameMain | undefined;
  isMainFrame: boolean;
}

export const webRequest = new WebRequest();

function resourceType(paused: Protocol.Fetch.requestPausedPayload, isMainFrame: boolean): Details['resourceType'] {
  if (paused.resourceType === 'Document') return isMainFrame ? 'mainFrame' : 'subFrame';
  return resourceTypes[paused.resourceType] ?? 'other';
}

function matches({ urls, excluded, types }: Registered, url: string, type: string): boolean {
  if (types?.length && !types.includes(type)) return false;
  return urls.some((pattern) => pattern.test(url)) && !excluded.some((pattern) => pattern.test(url));
}

/** A match pattern (`*://*.example.com/*`, `<all_urls>`) as an expression. @throws TypeError for one that is malformed. */
function urlPattern(pattern: string): RegExp {
  if (pattern === '<all_urls>') return /^/;
  const parts = /^(\*|[a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/i.exec(pattern);
  if (!parts) throw new TypeError(`Invalid url pattern ${pattern}`);
  const [, scheme = '', host = '', path = ''] = parts;
  const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const hosts = host.startsWith('*.') ? `([^/]+\\.)?${literal(host.slice(2))}` : host === '*' ? '[^/]*' : literal(host);
  return new RegExp(
    `^${scheme === '*' ? 'https?' : literal(scheme)}://${hosts}${host.includes(':') ? '' : '(:\\d+)?'}${literal(path)}$`,
    'i',
  );
}
