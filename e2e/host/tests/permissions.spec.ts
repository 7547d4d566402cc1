import { expect, type Page, test } from '@playwright/test';
import { isHeadlessShell, requireChromium } from '../find-chromium.ts';
import { type Launched, launch } from './launch.ts';

let launched: Launched;
let main: Page;
test.beforeAll(async () => {
  launched = await launch();
  main = await launched.window('Main');
});
test.afterAll(() => launched.close());

const states = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = ['notifications', 'geolocation', 'clipboard-read', 'camera', 'microphone', 'midi', 'local-fonts'];
    const query = (name: string) => navigator.permissions.query({ name: name as PermissionName });
    return Promise.all(names.map((name) => query(name).then(({ state }) => state)));
  });

/** What a page gets when it asks for all it can ask for. */
const requests = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const outcome = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.name);
    const place = new Promise((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('found'),
        (error) => reject(new Error(`code ${error.code}`)),
      ),
    );
    return {
      notification: await Notification.requestPermission(),
      geolocation: await place.then(String, (error: Error) => error.message),
      media: await outcome(navigator.mediaDevices.getUserMedia({ audio: true, video: true })),
      display: await outcome(navigator.mediaDevices.getDisplayMedia()),
      clipboard: await outcome(navigator.clipboard.readText()),
      midi: await outcome(navigator.requestMIDIAccess()),
      fullscreen: await outcome(document.body.requestFullscreen()),
      usb: await outcome(
        (navigator as unknown as { usb: { requestDevice(o: object): Promise<void> } }).usb.requestDevice({
          filters: [],
        }),
      ),
    };
  });

test('without a handler everything is granted', async () => {
  expect(new Set(await states(main))).toEqual(new Set(['granted']));
  // Chromium's headless shell reports "denied" here whatever its permission is.
  const reported = isHeadlessShell(requireChromium()) ? 'denied' : 'granted';
  expect(await main.evaluate(() => Notification.permission)).toBe(reported);
});

test('handlers that deny are asked by name, and everything is refused', async () => {
  await launched.app.evaluate(async ({ session, BrowserWindow }) => {
    globalThis.heard = [];
    session.defaultSession.setPermissionCheckHandler((_contents, permission, origin, details) => {
      globalThis.heard.push(`check ${permission} ${origin} ${details.isMainFrame}`);
      return false;
    });
    session.defaultSession.setPermissionRequestHandler((contents, permission, answer, details) => {
      globalThis.heard.push(`request ${permission} ${contents.id} ${details.requestingUrl}`);
      answer(false);
    });
    await BrowserWindow.getAllWindows()[0]?.loadURL('app://sidekeep/main.html?denied');
  });
  await expect(main).toHaveURL(/denied/);
  expect(await launched.app.evaluate(() => globalThis.heard)).toContain('check notifications app://sidekeep/ true');
  expect(await main.evaluate(() => Notification.permission)).toBe('denied');
  expect(new Set(await states(main))).toEqual(new Set(['denied']));
  expect(await requests(main)).toEqual({
    notification: 'denied',
    geolocation: 'code 1',
    media: 'NotAllowedError',
    display: 'NotSupportedError',
    clipboard: 'NotAllowedError',
    midi: 'NotAllowedError',
    fullscreen: 'NotAllowedError',
    usb: 'NotFoundError',
  });
});

test('a request handler alone is asked for each request, and its answer holds', async () => {
  await launched.app.evaluate(async ({ session, BrowserWindow }) => {
    globalThis.heard = [];
    session.defaultSession.setPermissionCheckHandler(null);
    session.defaultSession.setPermissionRequestHandler((contents, permission, answer, details) => {
      globalThis.heard.push([permission, contents.id, details.requestingUrl, Reflect.get(details, 'mediaTypes')]);
      setTimeout(() => answer(permission === 'notifications'), 20);
    });
    await BrowserWindow.getAllWindows()[0]?.loadURL('app://sidekeep/main.html?asked');
  });
  await expect(main).toHaveURL(/asked/);
  expect(new Set(await states(main))).toEqual(new Set(['denied']));
  const { notification, geolocation, media, clipboard } = await requests(main);
  expect({ notification, geolocation, media, clipboard }).toEqual({
    notification: 'granted',
    geolocation: 'code 1',
    media: 'NotAllowedError',
    clipboard: 'NotAllowedError',
  });
  const url = 'app://sidekeep/main.html?asked';
  expect(await launched.app.evaluate(() => globalThis.heard)).toEqual(
    expect.arrayContaining([
      ['notifications', 1, url, undefined],
      ['geolocation', 1, url, undefined],
      ['media', 1, url, ['video', 'audio']],
      ['clipboard-read', 1, url, undefined],
      ['fullscreen', 1, url, undefined],
    ]),
  );
  expect((await states(main))[0]).toBe('granted');
});

test('a page that gets around the guard is still refused by Chromium', async () => {
  const outcome = await main.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const untouched = frame.contentWindow as Window & typeof globalThis;
    const read = await untouched.navigator.clipboard.readText().then(String, (error: Error) => error.name);
    frame.remove();
    return read;
  });
  expect(outcome).toBe('NotAllowedError');
});
