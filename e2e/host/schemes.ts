import { refuse } from './refuse.ts';

/** A handler as given to `protocol.handle`. */
export type SchemeHandler = (request: Request) => Response | Promise<Response>;

const handlers = new Map<string, SchemeHandler>();
const privileged = new Set<string>();

/**
 * Chromium knows no scheme of ours, so the pages of `app://host/path` live at `https://host.app.localhost/path`: a standard,
 * secure origin that never reaches a network, because each request for it is answered by `protocol.handle`. Main sees the
 * original everywhere; only the page's own `location` shows the stand-in.
 */
export const schemes = {
  handler: (scheme: string): SchemeHandler | undefined => handlers.get(scheme),
  isPrivileged: (scheme: string): boolean => privileged.has(scheme),
  isHandled: (scheme: string): boolean => handlers.has(scheme),
  remove: (scheme: string): boolean => handlers.delete(scheme),
  add(scheme: string, handler: SchemeHandler): void {
    handlers.set(scheme, handler);
  },
  /** @throws NotImitated for privileges other than those that an https origin has. */
  declare({ scheme, privileges = {} }: Electron.CustomScheme): void {
    if (!privileges.standard || !privileges.secure || !privileges.supportFetchAPI) {
      refuse(`a scheme (${scheme}) that is not standard, secure and supportFetchAPI`);
    }
    if (privileges.bypassCSP) refuse(`the privilege bypassCSP (of ${scheme})`);
    if (privileges.allowServiceWorkers) refuse(`the privilege allowServiceWorkers (of ${scheme})`);
    privileged.add(scheme);
  },
  /** Patterns, for the Fetch domain, of the requests that handlers answer. */
  patterns: (): string[] => [...privileged].map((scheme) => `https://*.${scheme}.localhost/*`),
  toPage,
  fromPage,
  originOf,
  mapPolicy,
};

/** `app://sidekeep/a` → `https://sidekeep.app.localhost/a`; any other URL as it is. */
function toPage(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(url);
  const [, scheme = '', host = '', rest = ''] = parts ?? [];
  if (!parts || !privileged.has(scheme.toLowerCase())) return url;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return `https://${hostLabel(host)}.${scheme.toLowerCase()}.localhost${path}`;
}

/** The reverse of `toPage`. */
function fromPage(url: string): string {
  const parts = /^https:\/\/([^./]+)\.([a-z0-9+-]+)\.localhost(?::\d+)?(.*)$/is.exec(url);
  const [, label = '', scheme = '', rest = ''] = parts ?? [];
  return parts && privileged.has(scheme) ? `${scheme}://${hostOfLabel(label)}${rest}` : url;
}

/** The origin of a URL as `WebFrameMain.origin` gives it: `app://sidekeep`, `file://`, `null` for an opaque one. */
function originOf(url: string): string {
  const original = fromPage(url);
  if (!URL.canParse(original)) return 'null';
  const { origin, protocol, host } = new URL(original);
  if (protocol === 'file:') return 'file://';
  if (origin !== 'null') return origin;
  return privileged.has(protocol.slice(0, -1)) ? `${protocol}//${host}` : 'null';
}

/** A header value that may name our origin or scheme (CSP, CORS, Location), in terms of the page's stand-in. */
function mapPolicy(value: string): string {
  let mapped = value;
  for (const scheme of privileged) {
    mapped = mapped
      .replace(new RegExp(`\\b${scheme}://([^\\s/;,'"]+)`, 'g'), (_all, host: string) =>
        toPage(`${scheme}://${host}`).replace(/\/$/, ''),
      )
      .replace(new RegExp(`(^|\\s)${scheme}:(?=$|[\\s;])`, 'g'), `$1https://*.${scheme}.localhost`);
  }
  return mapped;
}

// A host that is no DNS label travels as hex.
function hostLabel(host: string): string {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(host) && !host.startsWith('x--')) return host;
  return `x--${Buffer.from(host).toString('hex')}`;
}

function hostOfLabel(label: string): string {
  return label.startsWith('x--') ? Buffer.from(label.slice(3), 'hex').toString() : label;
}
