import type { Session, WebContents, WebPreferences } from 'electron';
import { ORIGIN } from './protocol.ts';

/**
 * The preferences of every window, as data: Electron's security checklist asks for each of them. `preload` and
 * `additionalArguments` are added by the window that is made.
 */
export const secureWebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences;

/** Every permission that a page may ask for or check has this answer; copying text out needs none of them. */
export const permissionAnswer = (_permission: string): boolean => false;

/** Locks a session down: no permission, and no request that leaves our scheme. */
export function secureSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permissionAnswer(permission)));
  session.setPermissionCheckHandler((_contents, permission) => permissionAnswer(permission));
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isAllowedRequest(details.url) }));
}

/** Whether a page of ours may load this address: our own scheme, and pictures that a page holds itself. */
export function isAllowedRequest(url: string): boolean {
  return url.startsWith(`${ORIGIN}/`) || url.startsWith('data:image/');
}

/** Refuses every way in which a page could leave, open another page or embed one. */
export function secureContents(contents: WebContents): void {
  const refuse = (event: { preventDefault(): void }): void => event.preventDefault();
  contents.on('will-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-attach-webview', refuse);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
