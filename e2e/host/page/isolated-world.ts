import type { Codec, makeCodec } from '../codec.ts';
import type { makeBridge } from './bridge.ts';
import type { PermissionDetail } from './permission-guard.ts';
import type { makePreloadModules, PreloadHost } from './preload-modules.ts';

/** What the host knows of the process that a preload would see. */
export interface PageProcess {
  platform: string;
  arch: string;
  versions: Record<string, string | undefined>;
  argv: string[];
  env: Record<string, string | undefined>;
}

export type PreloadFunction = (
  require: (name: string) => unknown,
  exports: object,
  module: { exports: object },
  process: object,
  global: object,
) => void;

/**
 * Runs in the isolated world of every document, before any script of the page. In the main frame it runs the preload with
 * Electron's renderer modules; in every frame it carries the permission guard's questions to the main process.
 *
 * Everything to the main process goes through one CDP binding that exists in this world alone; everything from it arrives
 * as a call of the one global function that is defined here. Both names contain a nonce.
 */
export function isolatedWorld(
  nonce: string,
  parts: { bridge: typeof makeBridge; codec: typeof makeCodec; preloadModules: typeof makePreloadModules },
  info: PageProcess,
  preload: PreloadFunction | null,
): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  const post = scope[`send${nonce}`] as ((message: string) => void) | undefined;
  if (!post) return; // The initial empty document of a popup: its binding is not there yet, and no page script runs in it.
  delete scope[`send${nonce}`];
  const isMainFrame = window.top === window;
  const codec: Codec = parts.codec();
  const node = document.createElement('i');
  const bridge = parts.bridge(node, 'Isolated', 'Main');
  const give = (): boolean => document.dispatchEvent(new MouseEvent(`give${nonce}`, { relatedTarget: node }));
  const questions = new Map<number, (granted: boolean) => void>();
  let lastQuestion = 0;

  function send(kind: string, id: number, channel: string, payload: string): void {
    post?.(`${kind}${id}\n${encodeURIComponent(channel)}\n${payload}`);
  }

  bridge.on('permission', ([permission, detail]: [string, PermissionDetail]) =>
    bridge.answer(
      () =>
        new Promise<boolean>((resolve) => {
          questions.set(++lastQuestion, resolve);
          send('permission', lastQuestion, permission, codec.encode(detail));
        }),
    ),
  );
  document.addEventListener(`want${nonce}`, give, { once: true });
  give();

  const host: PreloadHost = { nonce, send, bridge, codec };
  const modules = isMainFrame ? parts.preloadModules(host) : null;

  function receive(kind: string, id: number, channel: string, payload: string): void {
    if (kind === 'permission') {
      questions.get(id)?.(codec.decode(payload) === true);
      questions.delete(id);
    } else {
      modules?.receive(kind, id, channel, payload);
    }
  }
  Object.defineProperty(scope, `receive${nonce}`, { value: receive });
  if (!modules) return;

  runPreload(modules.require);
  reportTitle();
  for (const type of ['focus', 'blur', 'resize']) {
    window.addEventListener(type, (event) => {
      if (event.target !== window) return;
      send('window', 0, type, JSON.stringify([screenX, screenY, innerWidth, innerHeight]));
    });
  }

  function runPreload(require: (name: string) => unknown): void {
    if (!preload) return;
    const process = {
      ...info,
      type: 'renderer',
      contextIsolated: true,
      sandboxed: true,
      isMainFrame: true,
      nextTick: (work: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => work(...args)),
      once: () => process,
      on: () => process,
      cwd: () => '/',
    };
    const module = { exports: {} };
    try {
      preload.call(undefined, require, module.exports, module, process, globalThis);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      send('preload-error', 0, text, codec.encode([]));
      console.error(error);
    }
  }

  // Chromium does not report every change of document.title over the protocol.
  function reportTitle(): void {
    let reported: string | null = null;
    const report = (): void => {
      if (document.title === reported) return;
      reported = document.title;
      send('title', 0, reported, codec.encode([]));
    };
    document.addEventListener('DOMContentLoaded', () => {
      report();
      const what = { childList: true, subtree: true, characterData: true };
      if (document.head) new MutationObserver(report).observe(document.head, what);
    });
  }
}
