import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import type { Session, WebContents } from 'electron';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fuses } from '../../electron/fuses.ts';
import { CallRate } from '../../electron/ipc/call-rate.ts';
import { contentSecurityPolicy, schemePrivileges } from '../../electron/protocol.ts';
import {
  isAllowedRequest,
  permissionAnswer,
  secureContents,
  secureSession,
  secureWebPreferences,
} from '../../electron/security.ts';
import { calls, checkPayload, ProjectId } from '../../src/contract/index.ts';
import { childPath, nodeFileSystem, writeDurably } from '../../src/files/index.ts';

// The twenty items of Electron's security checklist, in its order, on the configuration as data; e2e/security.spec.ts asks
// the running windows. Item 17 is tests/electron/sender.test.ts.

const tree = path.resolve(import.meta.dirname, '../..');
const sources = globSync('{electron,src,renderer}/**/*.{ts,tsx,html,css}', { cwd: tree }).map((file) => ({
  file,
  text: readFileSync(path.join(tree, file), 'utf8'),
}));
const mentioning = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

/** Records what is registered on a session or on contents. */
function recorder() {
  const handlers: Record<string, (...values: never[]) => unknown> = {};
  const on = (name: string) => (handler: (...values: never[]) => unknown) => {
    handlers[name] = handler;
  };
  return { handlers, on };
}

function securedContents() {
  const { handlers, on } = recorder();
  secureContents({
    on: (name: string, handler: (...values: never[]) => unknown) => on(name)(handler),
    setWindowOpenHandler: on('window-open'),
  } as unknown as WebContents);
  return handlers;
}

function securedSession() {
  const { handlers, on } = recorder();
  secureSession({
    setPermissionRequestHandler: on('request'),
    setPermissionCheckHandler: on('check'),
    webRequest: { onBeforeRequest: on('before-request') },
  } as unknown as Session);
  return handlers;
}

test('1 only our own content is loaded: every other request is cancelled', () => {
  const decide = securedSession()['before-request'] as unknown as (
    details: { url: string },
    answer: (verdict: { cancel: boolean }) => void,
  ) => void;
  const cancelled = (url: string): boolean => {
    let cancel = false;
    decide({ url }, (verdict) => {
      cancel = verdict.cancel;
    });
    return cancel;
  };
  expect(cancelled('app://sidekeep/sidebar.html')).toBe(false);
  const foreign = [
    'https://example.org/',
    'http://localhost/',
    'file:///etc/passwd',
    'app://sidekeep.evil/x',
    'ws://x/',
    'data:text/html,x',
    'blob:app://sidekeep/1',
  ];
  expect(foreign.filter((url) => !cancelled(url))).toEqual([]);
});

test('2 no Node in pages, workers or subframes', () => {
  const { nodeIntegration, nodeIntegrationInWorker, nodeIntegrationInSubFrames } = secureWebPreferences;
  expect([nodeIntegration, nodeIntegrationInWorker, nodeIntegrationInSubFrames]).toEqual([false, false, false]);
});

test('3 the preload is isolated from the page', () => {
  expect(secureWebPreferences.contextIsolation).toBe(true);
});

test('4 every process of a page is sandboxed', () => {
  expect(secureWebPreferences.sandbox).toBe(true);
  expect(mentioning(/app\.enableSandbox\(\)/)).toEqual(['electron/main.ts']);
});

test('5 every permission is denied, when asked for and when checked', () => {
  const handlers = securedSession();
  const request = handlers.request as unknown as (c: null, permission: string, answer: (yes: boolean) => void) => void;
  const check = handlers.check as unknown as (c: null, permission: string) => boolean;
  const permissions = [
    'clipboard-read',
    'clipboard-sanitized-write',
    'display-capture',
    'fileSystem',
    'fullscreen',
    'geolocation',
    'hid',
    'idle-detection',
    'keyboardLock',
    'media',
    'mediaKeySystem',
    'midi',
    'midiSysex',
    'notifications',
    'openExternal',
    'pointerLock',
    'serial',
    'speaker-selection',
    'storage-access',
    'top-level-storage-access',
    'unknown',
    'usb',
    'window-management',
    'a-permission-of-tomorrow',
  ];
  const answers: boolean[] = [];
  for (const permission of permissions) {
    request(null, permission, (yes) => answers.push(yes));
    answers.push(check(null, permission), permissionAnswer(permission));
  }
  expect(answers).toHaveLength(permissions.length * 3);
  expect(answers.every((answer) => answer === false)).toBe(true);
});

test('6 web security is on and nothing turns it off', () => {
  expect(secureWebPreferences.webSecurity).toBe(true);
  expect(mentioning(/disable-web-security|webSecurity:\s*false/)).toEqual([]);
});

test('7 the content security policy allows only our own files, no inline code, no eval, and asks for trusted types', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'");
  expect(contentSecurityPolicy).toContain("script-src 'self';");
  expect(contentSecurityPolicy).toContain("frame-ancestors 'none'");
  expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'");
  expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:|blob:|nonce/);
});

test('8 insecure content is never allowed', () => {
  expect(secureWebPreferences.allowRunningInsecureContent).toBe(false);
});

test('9 no experimental features', () => {
  expect(secureWebPreferences.experimentalFeatures).toBe(false);
});

test('10 no Blink features are enabled', () => {
  expect(secureWebPreferences).not.toHaveProperty('enableBlinkFeatures');
  expect(mentioning(/enableBlinkFeatures|enable-blink-features/)).toEqual([]);
});

test('11 there is no webview tag, so none that allows popups', () => {
  expect(secureWebPreferences.webviewTag).toBe(false);
  expect(mentioning(/allowpopups|<webview/i)).toEqual([]);
});

test('12 attaching a webview is prevented', () => {
  expect(prevents('will-attach-webview')).toBe(true);
});

test('13 every navigation is prevented', () => {
  expect(['will-navigate', 'will-redirect', 'will-frame-navigate'].filter((name) => !prevents(name))).toEqual([]);
});

test('14 every new window is denied', () => {
  const decide = securedContents()['window-open'] as unknown as (details: unknown) => unknown;
  expect(decide({ url: 'https://example.org' })).toEqual({ action: 'deny' });
  expect(decide({ url: 'app://sidekeep/sidebar.html' })).toEqual({ action: 'deny' });
});

test('15 nothing is opened outside: of the shell, only showing a file in its folder is used', () => {
  expect(mentioning(/openExternal|openPath|trashItem|openExtension/)).toEqual([]);
  // The start gives the shell to `createReveal`, which takes nothing else of it.
  expect(mentioning(/\bshell\b\s*[.,})]|\bShell\b/).sort()).toEqual(['electron/main.ts', 'electron/reveal.ts']);
  const [start, reveal] = ['electron/main.ts', 'electron/reveal.ts'].map((file) =>
    readFileSync(path.join(tree, file), 'utf8'),
  );
  expect(start?.match(/\bshell\b/g)).toHaveLength(2);
  expect(start).toContain('createReveal(shell)');
  expect(reveal).toContain("shell: Pick<Shell, 'showItemInFolder'>");
});

test('16 the Electron is one of the three majors that its makers support, a new one every eight weeks', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  const major = Number.parseInt(devDependencies.electron, 10);
  const weeksSince45 = (Date.now() - Date.parse('2026-10-21')) / (7 * 24 * 3600 * 1000);
  const newest = 45 + Math.floor(weeksSince45 / 8);
  expect(major).toBeGreaterThan(newest - 3);
});

test('18 pages come from our own standard scheme, never from files', () => {
  expect(schemePrivileges).toEqual({
    scheme: 'app',
    privileges: { standard: true, secure: true, supportFetchAPI: true },
  });
  expect(mentioning(/loadFile\(|loadURL\([^)]*file:/)).toEqual([]);
});

test('19 the fuses forbid running as Node, inspecting and loading from beside the archive', () => {
  const answered = Object.fromEntries(
    Object.entries(FuseV1Options)
      .filter((entry): entry is [string, FuseV1Options] => typeof entry[1] === 'number')
      .map(([name, option]) => [name, fuses[option]]),
  );
  expect(answered).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
  expect(fuses.strictlyRequireAllFuses).toBe(true);
});

test('20 Electron is imported by the main process and the preload only, and the preload exposes no raw channel', () => {
  expect(mentioning(/from 'electron'/).filter((file) => !file.startsWith('electron/'))).toEqual([]);
  const preload = readFileSync(path.join(tree, 'electron/preload.ts'), 'utf8');
  expect(preload.match(/exposeInMainWorld\(/g)).toHaveLength(1);
  expect(preload).toContain("exposeInMainWorld('sidekeep', bridge)");
});

// Eight bars of our own.

test('ids, never paths, are on the wire; only adding a project, and saying where it moved, takes a folder', () => {
  // What becomes of a chat's folder is one of two words, not where it is.
  const choice = JSON.stringify({ folder: { type: 'string', enum: ['keep', 'trash'] } }).slice(1, -1);
  const withPath = [...calls].filter(([, call]) =>
    /path|folder|director|"file/i.test(JSON.stringify(z.toJSONSchema(call.input)).replace(choice, '')),
  );
  expect(withPath.map(([name]) => name)).toEqual(['projects.add', 'projects.relocate']);
  const hostile = ['.', '..', '...', 'a/b', 'a\\b', '../x', 'a\0', '%2e%2e', '', ' ', `${'x'.repeat(251)}`];
  expect(hostile.filter((id) => ProjectId.safeParse(id).success)).toEqual([]);
});

test('a path below a root is built from plain names only', () => {
  const hostile = ['..', '.', '', 'a/b', 'a\\b', 'a\0b', '/etc'];
  const refused = hostile.filter((name) => {
    try {
      childPath('/root', name);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual(hostile);
  expect(childPath('/root', 'a.b')).toBe(path.resolve('/root/a.b'));
});

test('size, depth and rate are capped, and a refusal is a typed failure', () => {
  expect(checkPayload('x'.repeat(2 ** 20 + 1))?.code).toBe('too-large');
  const rate = new CallRate(() => 0);
  expect(Array.from({ length: 2000 }, () => rate.allow(1)).filter(Boolean)).toHaveLength(1000);
});

test('new files are for the person alone, and a mode is never widened', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-security-'));
  try {
    const file = path.join(folder, 'context.json');
    await writeDurably(nodeFileSystem, file, Buffer.from('{}'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o400);
    await writeDurably(nodeFileSystem, file, Buffer.from('{"a":1}'));
    expect(statSync(file).mode & 0o777).toBe(0o400);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('one process: a second start takes the lock or ends', () => {
  expect(mentioning(/if \(app\.requestSingleInstanceLock\(\)\)/)).toEqual(['electron/main.ts']);
});

test('the addresses that a page may load are compared with their separator', () => {
  expect(isAllowedRequest('app://sidekeep')).toBe(false);
  expect(isAllowedRequest('app://sidekeepx/a')).toBe(false);
  expect(isAllowedRequest('data:image/svg+xml,<svg/>')).toBe(true);
});

test('no page can hold markup of its own making: no HTML sinks in the windows', () => {
  expect(
    mentioning(/dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(|\beval\(|new Function\(/),
  ).toEqual([]);
});

test('no page loads anything remote or carries inline code', () => {
  const pages = sources.filter(({ file }) => file.endsWith('.html'));
  expect(pages.map(({ file }) => file).sort()).toEqual(['renderer/mini-chat.html', 'renderer/sidebar.html']);
  for (const { text } of pages) {
    expect(text).not.toMatch(/https?:|<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  }
});

test('nothing secret stands on the command line, and no inspector or debugging port is opened', () => {
  expect(mentioning(/remote-debugging|--inspect|openDevTools|appendSwitch\(/)).toEqual([]);
});

test('install scripts run only for the packages that are listed', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  expect(allowScripts).toEqual({ koffi: false, node: true });
});

test('every dependency has one exact version', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

function prevents(name: string): boolean {
  let prevented = false;
  const handler = securedContents()[name] as ((event: unknown) => void) | undefined;
  handler?.({
    preventDefault: () => {
      prevented = true;
    },
  });
  return prevented;
}
