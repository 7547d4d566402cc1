import { randomBytes } from 'node:crypto';
import type { CdpSession, Protocol } from './cdp.ts';
import { chromium, quietly, runtime } from './runtime.ts';

/** A page target that is attached and still waits before its first document. */
export interface AttachedTarget {
  session: CdpSession;
  targetId: string;
  url: string;
  resume(): Promise<void>;
}

export interface WindowPlace {
  x: number | undefined;
  y: number | undefined;
  width: number;
  height: number;
}

export interface TargetHooks {
  openAppWindow(url: string): void;
  /** A page opened it (`window.open`, a link with a target); `openerId` is missing with `noopener`. */
  popup(target: AttachedTarget, openerId: string | undefined): void;
}

const windowMark = 'data:text/html,';
const awaited = new Map<string, (target: AttachedTarget) => void>();
const early = new Map<string, AttachedTarget>();
const marked = new Map<string, (target: AttachedTarget) => void>();
let hooks: TargetHooks | undefined;
let creating: Promise<unknown> = Promise.resolve();
let inCreation = 0;

/**
 * Attaches to every page from now on, each paused before its first document. This happens before Playwright is told
 * where to connect: our request interception then lies inside Playwright's, and `page.route` sees each request first.
 */
export async function watchTargets(given: TargetHooks): Promise<void> {
  hooks = given;
  const { browser } = chromium();
  browser.onEvent('Target.attachedToTarget', ({ sessionId, targetInfo }) => attached(sessionId, targetInfo));
  browser.onEvent('Target.detachedFromTarget', ({ sessionId }) => chromium().forget(sessionId));
  browser.onEvent('Target.targetDestroyed', ({ targetId }) => runtime.byTarget.get(targetId)?._gone());
  browser.onEvent('Target.targetCrashed', ({ targetId, status, errorCode }) =>
    runtime.byTarget.get(targetId)?._crashed(status, errorCode),
  );
  const filter = [{ type: 'page' }];
  await browser.send('Target.setDiscoverTargets', { discover: true, filter });
  await browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter });
}

/** Opens a window, one at a time, so that Playwright sees windows in the order in which they were constructed. */
export function createTarget(place: WindowPlace): Promise<AttachedTarget> {
  const created = creating.then(() => (runtime.headless ? createHeadless(place) : createHeaded(place)));
  creating = created.catch(() => undefined); // The caller gets the error; the next window does not depend on it.
  return created;
}

export function closeTarget(targetId: string): Promise<void> {
  return quietly(chromium().browser.send('Target.closeTarget', { targetId }));
}

function attached(sessionId: string, info: Protocol.Target.TargetInfo): void {
  const session = chromium().session(sessionId);
  const target: AttachedTarget = {
    session,
    targetId: info.targetId,
    url: info.url,
    resume: () => quietly(session.send('Runtime.runIfWaitingForDebugger')),
  };
  const claim = awaited.get(info.targetId) ?? marked.get(info.url.slice(windowMark.length));
  if (claim) claim(target);
  else if (inCreation > 0 && !info.openerId && /^(about:blank)?$/.test(info.url)) early.set(info.targetId, target);
  else hooks?.popup(target, info.openerId);
}

async function createHeadless({ x, y, width, height }: WindowPlace): Promise<AttachedTarget> {
  inCreation += 1;
  try {
    const position = x !== undefined && y !== undefined ? { left: x, top: y } : {};
    const { targetId } = await chromium().browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
      ...position,
    });
    const known = early.get(targetId);
    early.delete(targetId);
    if (known) return known;
    return await new Promise((resolve) => awaited.set(targetId, resolve)).then((target) => {
      awaited.delete(targetId);
      return target as AttachedTarget;
    });
  } finally {
    inCreation -= 1;
  }
}

// A window of `--app` has neither tabs nor an address bar, and no minimum width of 500 pixels.
async function createHeaded(place: WindowPlace): Promise<AttachedTarget> {
  const mark = randomBytes(8).toString('hex');
  const attachedTarget = new Promise<AttachedTarget>((resolve) => marked.set(mark, resolve));
  hooks?.openAppWindow(`${windowMark}${mark}`);
  const target = await attachedTarget;
  marked.delete(mark);
  const { targetId } = target;
  const { windowId } = await chromium().browser.send('Browser.getWindowForTarget', { targetId });
  const bounds = { left: place.x ?? 0, top: place.y ?? 0, width: place.width, height: place.height };
  await chromium().browser.send('Browser.setWindowBounds', { windowId, bounds });
  return target;
}
