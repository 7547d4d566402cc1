import type { Protocol } from './cdp.ts';
import type { PermissionDetail } from './page/permission-guard.ts';
import { quietly, report, runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import type { WebContents } from './web-contents.ts';
import type { WebFrameMain } from './web-frame.ts';

type RequestHandler = NonNullable<Parameters<Electron.Session['setPermissionRequestHandler']>[0]>;
type CheckHandler = NonNullable<Parameters<Electron.Session['setPermissionCheckHandler']>[0]>;
type PermissionName = Parameters<RequestHandler>[1];
type MediaType = 'video' | 'audio';
type Descriptor = Protocol.Browser.PermissionDescriptor;

interface ChromiumPermission {
  descriptor: Descriptor;
  name: PermissionName;
  mediaType?: MediaType;
}

/** Chromium's permissions that can be set, with the names that Electron's handlers know them by. */
const table: ChromiumPermission[] = [
  { descriptor: { name: 'camera' }, name: 'media', mediaType: 'video' },
  { descriptor: { name: 'microphone' }, name: 'media', mediaType: 'audio' },
  { descriptor: { name: 'clipboard-write' }, name: 'clipboard-sanitized-write' },
  { descriptor: { name: 'midi' }, name: 'midi' },
  { descriptor: { name: 'midi', sysex: true }, name: 'midiSysex' },
  { descriptor: { name: 'pointer-lock' }, name: 'pointerLock' },
  { descriptor: { name: 'keyboard-lock' }, name: 'keyboardLock' },
  { descriptor: { name: 'fullscreen', allowWithoutGesture: true }, name: 'automatic-fullscreen' },
  { descriptor: { name: 'accelerometer' }, name: 'sensors' },
  { descriptor: { name: 'gyroscope' }, name: 'sensors' },
  { descriptor: { name: 'magnetometer' }, name: 'sensors' },
  { descriptor: { name: 'ambient-light-sensor' }, name: 'sensors' },
  ...(
    [
      'background-fetch',
      'background-sync',
      'captured-surface-control',
      'clipboard-read',
      'display-capture',
      'geolocation',
      'idle-detection',
      'local-fonts',
      'local-network',
      'local-network-access',
      'loopback-network',
      'nfc',
      'notifications',
      'payment-handler',
      'periodic-background-sync',
      'persistent-storage',
      'screen-wake-lock',
      'speaker-selection',
      'storage-access',
      'system-wake-lock',
      'top-level-storage-access',
      'web-app-installation',
      'window-management',
    ] as const
  ).map((name) => ({ descriptor: { name }, name })),
];

let requestHandler: RequestHandler | null = null;
let checkHandler: CheckHandler | null = null;
/** What Chromium was told last, by origin and permission. */
const told = new Map<string, boolean>();

/**
 * The session's permission handlers, made to decide over Chromium's own permissions.
 *
 * Without a handler everything is granted, as in Electron. As soon as there is one, everything is denied in Chromium, and
 * granted per origin: before a document of that origin is loaded where the check handler says so, and, when a page asks,
 * where the request handler says so. With a request handler alone, Electron reports "granted" to a mere question; the host
 * stays at "denied" until a request was granted.
 */
export const permissions = {
  setRequestHandler(handler: RequestHandler | null): void {
    requestHandler = handler;
    void quietly(this.reset());
  },

  setCheckHandler(handler: CheckHandler | null): void {
    checkHandler = handler;
    void quietly(this.reset());
  },

  /** Tells Chromium the rule for origins that no handler decided about yet. */
  async reset(): Promise<void> {
    const browser = runtime.connection?.browser;
    if (!browser) return;
    told.clear();
    const setting = requestHandler || checkHandler ? 'denied' : 'granted';
    await Promise.all([
      browser.send('Browser.resetPermissions', {}),
      ...table.map(({ descriptor }) => browser.send('Browser.setPermission', { permission: descriptor, setting })),
    ]);
  },

  /** Before a document at `pageUrl` is loaded: what the check handler says of its origin. */
  async prepare(contents: WebContents, pageUrl: string, isMainFrame: boolean): Promise<void> {
    if (!checkHandler || !/^https?:/.test(pageUrl)) return;
    await Promise.all(
      table.map((permission) => tell(permission, pageUrl, checks(contents, permission, pageUrl, isMainFrame))),
    );
  },

  /** Answers a page that asks (`detail.query`: that only wants to know), after telling Chromium the same. */
  async decide(frame: WebFrameMain, contents: WebContents, name: string, detail: PermissionDetail): Promise<boolean> {
    const pageUrl = frame._pageUrl;
    const isMainFrame = frame === contents._frames.main;
    const mediaTypes = detail.mediaTypes ?? [];
    const concerned = table.filter(
      (permission) => permission.name === name && (!permission.mediaType || mediaTypes.includes(permission.mediaType)),
    );
    const asked: ChromiumPermission[] = concerned.length
      ? concerned
      : [{ descriptor: { name: '' }, name: name as PermissionName }];
    const allowed = asked.every((permission) => checks(contents, permission, pageUrl, isMainFrame));
    const known = asked.every(({ descriptor }) => told.get(keyOf(descriptor, pageUrl)) === true);
    const granted = detail.query
      ? allowed && (checkHandler !== null || requestHandler === null || known)
      : allowed && (await requested(contents, name as PermissionName, mediaTypes, frame, isMainFrame));
    await Promise.all(concerned.map((permission) => tell(permission, pageUrl, granted)));
    return granted;
  },
};

function checks(
  contents: WebContents,
  { name, mediaType }: ChromiumPermission,
  pageUrl: string,
  isMainFrame: boolean,
): boolean {
  if (!checkHandler) return true;
  const origin = schemes.originOf(pageUrl);
  const topOrigin = contents._frames.main?.origin ?? origin;
  const details: Electron.PermissionCheckHandlerHandlerDetails = {
    isMainFrame,
    requestingUrl: schemes.fromPage(pageUrl),
    securityOrigin: `${origin}/`,
    ...(mediaType ? { mediaType } : {}),
    ...(isMainFrame ? {} : { embeddingOrigin: topOrigin }),
  };
  try {
    const subject = contents as unknown as Electron.WebContents;
    return checkHandler(subject, name as Parameters<CheckHandler>[1], `${origin}/`, details) === true;
  } catch (error) {
    report('permission check handler', error); // A handler that fails grants nothing.
    return false;
  }
}

function requested(
  contents: WebContents,
  name: PermissionName,
  mediaTypes: MediaType[],
  frame: WebFrameMain,
  isMainFrame: boolean,
): Promise<boolean> {
  const handler = requestHandler;
  if (!handler) return Promise.resolve(true);
  const details = {
    requestingUrl: frame.url,
    isMainFrame,
    ...(name === 'media' ? { mediaTypes, securityOrigin: `${frame.origin}/` } : {}),
  };
  return new Promise((resolve) => {
    try {
      handler(contents as unknown as Electron.WebContents, name, (granted) => resolve(granted === true), details);
    } catch (error) {
      report('permission request handler', error); // A handler that fails grants nothing.
      resolve(false);
    }
  });
}

async function tell({ descriptor }: ChromiumPermission, pageUrl: string, granted: boolean): Promise<void> {
  const browser = runtime.connection?.browser;
  const key = keyOf(descriptor, pageUrl);
  if (!browser || !/^https?:/.test(pageUrl) || told.get(key) === granted) return;
  told.set(key, granted);
  await browser.send('Browser.setPermission', {
    permission: descriptor,
    setting: granted ? 'granted' : 'denied',
    origin: new URL(pageUrl).origin,
  });
}

function keyOf(descriptor: Descriptor, pageUrl: string): string {
  return `${pageUrl.split('/', 3).join('/')} ${JSON.stringify(descriptor)}`;
}
