import { EventEmitter } from 'node:events';
import { paths } from './app-paths.ts';
import { net } from './net.ts';
import { permissions } from './permissions.ts';
import { protocol } from './protocol.ts';
import { refuse, refuseMissing } from './refuse.ts';
import { webRequest } from './web-request.ts';

/** The default session, the only one: every window lives in it. */
class Session extends EventEmitter {
  readonly protocol = protocol;
  readonly webRequest = webRequest;
  readonly storagePath: string | null = null;
  private spellChecker = true;
  private languages: string[] = [];

  setPermissionRequestHandler(handler: Parameters<Electron.Session['setPermissionRequestHandler']>[0]): void {
    permissions.setRequestHandler(handler);
  }
  setPermissionCheckHandler(handler: Parameters<Electron.Session['setPermissionCheckHandler']>[0]): void {
    permissions.setCheckHandler(handler);
  }
  /** Accepted and never asked: the page's request for a device ends before a device could be named. */
  setDevicePermissionHandler(_handler: Parameters<Electron.Session['setDevicePermissionHandler']>[0]): void {}
  setDisplayMediaRequestHandler(handler: unknown): void {
    if (handler !== null) refuse('session.setDisplayMediaRequestHandler with a handler');
  }
  isSpellCheckerEnabled(): boolean {
    return this.spellChecker;
  }
  setSpellCheckerEnabled(enable: boolean): void {
    this.spellChecker = enable;
  }
  get spellCheckerEnabled(): boolean {
    return this.spellChecker;
  }
  set spellCheckerEnabled(enable: boolean) {
    this.spellChecker = enable;
  }
  getSpellCheckerLanguages(): string[] {
    return this.languages;
  }
  setSpellCheckerLanguages(languages: string[]): void {
    this.languages = [...languages];
  }
  getStoragePath(): string {
    return paths.get('sessionData');
  }
  isPersistent(): boolean {
    return true;
  }
  fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    return net.fetch(input, init);
  }
}
refuseMissing(Session.prototype, 'Session', 'session');

const defaultSession = new Session();

/** `session`: partitions and paths would need a second profile and are refused. */
export const session = {
  defaultSession,
  fromPartition: (partition: string): never => refuse(`session.fromPartition('${partition}')`),
  fromPath: (path: string): never => refuse(`session.fromPath('${path}')`),
};
