import { setTimeout as delay } from 'node:timers/promises';
import { BrowserWindow } from './browser-window.ts';
import { refuse } from './refuse.ts';
import { report, runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import { type AttachedTarget, closeTarget } from './targets.ts';
import type { WebContents } from './web-contents.ts';

/**
 * A page has opened a window, which still waits before its first document: the opener's `setWindowOpenHandler` decides
 * whether it becomes a BrowserWindow or is closed. Without a handler it is allowed, as in Electron.
 */
export function openedByPage(target: AttachedTarget, openerId: string | undefined): void {
  const opener = openerOf(target, openerId);
  if (!opener) {
    report('a window that no page of ours opened was closed', target.url);
    void closeTarget(target.targetId);
    return;
  }
  const details = opener._opening.shift() ?? fallbackDetails(target.url);
  try {
    const verdict = opener._openHandler?.(details) ?? { action: 'allow' as const };
    if (verdict.action !== 'allow') {
      void deny(target);
      return;
    }
    if (verdict.createWindow) refuse('setWindowOpenHandler with createWindow');
    const options = verdict.overrideBrowserWindowOptions ?? {};
    const webPreferences = { ...opener._preferences, ...options.webPreferences };
    const window = new BrowserWindow({ ...placeOf(details.features), ...options, webPreferences }, target);
    opener.emit('did-create-window', window, { ...details, options });
  } catch (error) {
    report('window open handler', error); // A handler that fails opens nothing.
    void closeTarget(target.targetId);
  }
}

/**
 * Closes a window that was not allowed. It shares its opener's process, which some versions of Chromium hold still for as
 * long as the window waits; so what is left of it is let go on once the closing is under way.
 */
async function deny(target: AttachedTarget): Promise<void> {
  await Promise.race([closeTarget(target.targetId), delay(100)]);
  await target.resume();
}

function openerOf({ url }: AttachedTarget, openerId: string | undefined): WebContents | undefined {
  if (openerId !== undefined) return runtime.byTarget.get(openerId);
  const original = schemes.fromPage(url);
  const waiting = [...runtime.byTarget.values()].filter((contents) => contents._opening.length > 0);
  return waiting.find(({ _opening: [first] }) => first?.url === original) ?? waiting[0];
}

function fallbackDetails(url: string): Electron.HandlerDetails {
  return {
    url: schemes.fromPage(url),
    frameName: '',
    features: '',
    disposition: 'new-window',
    referrer: { url: '', policy: 'strict-origin-when-cross-origin' },
  };
}

/** The size and place that a page asked for in `window.open`. */
function placeOf(features: string): Electron.BrowserWindowConstructorOptions {
  const place: Electron.BrowserWindowConstructorOptions = {};
  const names = { width: 'width', height: 'height', left: 'x', top: 'y' } as const;
  for (const [, name = '', value = ''] of features.matchAll(/(\w+)=(\d+)/g)) {
    const option = names[name as keyof typeof names];
    if (option) place[option] = Number(value);
  }
  return place;
}
