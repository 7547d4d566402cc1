/** What a page's request says beside the permission's name. */
export interface PermissionDetail {
  mediaTypes?: ('video' | 'audio')[];
  /** A mere question (`navigator.permissions.query`): only the check handler is asked. */
  query?: boolean;
}

/** Asks the main process whether the frame has a permission, by Electron's name of it. */
export type AskPermission = (permission: string, detail: PermissionDetail) => Promise<boolean>;

/**
 * Runs in the main world before the page's scripts. Each function of the web platform that needs a permission first asks the
 * main process, which runs the session's handlers and sets Chromium's own permission accordingly; then the real function
 * runs and Chromium decides. Chromium's setting is "denied" until a handler grants, so a page that gets around this guard
 * gains nothing. What Chromium does not gate by a setting (fullscreen, pointer lock) is refused here.
 *
 * Functions are replaced by proxies of themselves: name, length and `toString` stay.
 */
export function guardPermissions(ask: AskPermission): void {
  type Holder = Record<string, unknown>;
  type Work = (self: object, args: unknown[], original: (...args: unknown[]) => unknown) => unknown;
  const { apply } = Reflect;
  const names: Record<string, string> = {
    camera: 'media',
    microphone: 'media',
    'clipboard-write': 'clipboard-sanitized-write',
    'pointer-lock': 'pointerLock',
    'keyboard-lock': 'keyboardLock',
  };

  function wrap(holder: object | undefined, name: string, work: Work): void {
    const original = holder && (holder as Holder)[name];
    if (typeof original !== 'function') return;
    const proxy = new Proxy(original as (...args: unknown[]) => unknown, {
      apply: (target, self: object, args: unknown[]) => work(self, args, (...given) => apply(target, self, given)),
    });
    Object.defineProperty(holder, name, { value: proxy, writable: true, configurable: true, enumerable: true });
  }

  function prototypeOf(name: string): object | undefined {
    return (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype;
  }

  /** Chromium decides after the main process has: the real function runs whatever the answer is. */
  function askFirst(holder: object | undefined, name: string, permission: (args: unknown[]) => string): void {
    wrap(holder, name, async (_self, args, original) => {
      await ask(permission(args), {});
      return original(...args);
    });
  }

  /** Chromium has no setting for it: the guard itself refuses. */
  function askOrRefuse(holder: object | undefined, name: string, permission: string, detail = {}): void {
    wrap(holder, name, async (_self, args, original) => {
      if (!(await ask(permission, detail))) throw new DOMException('Permission denied', 'NotAllowedError');
      return original(...args);
    });
  }

  askFirst((globalThis as { Notification?: object }).Notification, 'requestPermission', () => 'notifications');
  askFirst(prototypeOf('Clipboard'), 'read', () => 'clipboard-read');
  askFirst(prototypeOf('Clipboard'), 'readText', () => 'clipboard-read');
  askFirst(prototypeOf('Clipboard'), 'write', () => 'clipboard-sanitized-write');
  askFirst(prototypeOf('Clipboard'), 'writeText', () => 'clipboard-sanitized-write');
  askFirst(prototypeOf('Navigator'), 'requestMIDIAccess', ([options]) =>
    (options as { sysex?: boolean } | undefined)?.sysex ? 'midiSysex' : 'midi',
  );
  askFirst((globalThis as { IdleDetector?: object }).IdleDetector, 'requestPermission', () => 'idle-detection');
  askFirst(globalThis, 'getScreenDetails', () => 'window-management');
  askFirst(globalThis, 'queryLocalFonts', () => 'local-fonts');
  askFirst(prototypeOf('StorageManager'), 'persist', () => 'persistent-storage');
  askFirst(prototypeOf('WakeLock'), 'request', () => 'screen-wake-lock');
  askFirst(prototypeOf('Keyboard'), 'lock', () => 'keyboardLock');
  askOrRefuse(prototypeOf('Document'), 'requestStorageAccess', 'storage-access');
  askOrRefuse(prototypeOf('Element'), 'requestFullscreen', 'fullscreen');
  askOrRefuse(prototypeOf('Element'), 'requestPointerLock', 'pointerLock');

  wrap(prototypeOf('MediaDevices'), 'getUserMedia', async (_self, args, original) => {
    const wanted = (args[0] ?? {}) as { audio?: unknown; video?: unknown };
    const mediaTypes: ('video' | 'audio')[] = [];
    if (wanted.video) mediaTypes.push('video');
    if (wanted.audio) mediaTypes.push('audio');
    if (!(await ask('media', { mediaTypes }))) throw new DOMException('Permission denied', 'NotAllowedError');
    return original(...args);
  });
  // As in Electron without a display media handler, which the host does not offer.
  wrap(prototypeOf('MediaDevices'), 'getDisplayMedia', async () => {
    await ask('display-capture', {});
    throw new DOMException('Not supported', 'NotSupportedError');
  });
  // As in Electron when nothing answers select-hid-device and its like.
  for (const [type, name] of [
    ['HID', 'requestDevice'],
    ['USB', 'requestDevice'],
    ['Bluetooth', 'requestDevice'],
    ['Serial', 'requestPort'],
  ] as const) {
    wrap(prototypeOf(type), name, async () => {
      throw new DOMException('No device selected.', 'NotFoundError');
    });
  }

  wrap(prototypeOf('Permissions'), 'query', async (_self, args, original) => {
    const descriptor = args[0] as { name?: string; sysex?: boolean } | undefined;
    const name = descriptor?.name ?? '';
    const detail: PermissionDetail = { query: true };
    if (name === 'camera') detail.mediaTypes = ['video'];
    if (name === 'microphone') detail.mediaTypes = ['audio'];
    await ask(name === 'midi' && descriptor?.sysex ? 'midiSysex' : (names[name] ?? name), detail);
    return original(...args);
  });

  const watches = new Map<number, number>();
  const cancelled = new Set<number>();
  let lastWatch = 0;
  wrap(prototypeOf('Geolocation'), 'getCurrentPosition', (_self, args, original) => {
    void ask('geolocation', {}).then(() => original(...args));
  });
  wrap(prototypeOf('Geolocation'), 'watchPosition', (_self, args, original) => {
    const id = ++lastWatch;
    void ask('geolocation', {}).then(() => {
      if (!cancelled.delete(id)) watches.set(id, original(...args) as number);
    });
    return id;
  });
  wrap(prototypeOf('Geolocation'), 'clearWatch', (_self, [id], original) => {
    const real = watches.get(id as number);
    if (real === undefined) cancelled.add(id as number);
    else original(real);
  });
}
