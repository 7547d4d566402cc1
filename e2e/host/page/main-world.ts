import type { Bridge, makeBridge } from './bridge.ts';
import type { guardPermissions } from './permission-guard.ts';

/**
 * Runs in the main world of every document, before any script of the page: receives the shared node from the isolated
 * world, defines the keys that the preload exposes, and puts the permission guard in place.
 */
export function mainWorld(nonce: string, makeBridgeHere: typeof makeBridge, guard: typeof guardPermissions): void {
  const { defineProperty } = Object;
  const { hasOwnProperty: isOwn } = Object.prototype;
  const { apply } = Reflect;

  function start(event: Event): void {
    const node = (event as MouseEvent).relatedTarget;
    if (!node) return;
    const bridge: Bridge = makeBridgeHere(node, 'Main', 'Isolated');
    bridge.on('expose', ([key, wire]: [string, Parameters<Bridge['read']>[0]]) =>
      bridge.answer(() => {
        if (apply(isOwn, window, [key])) {
          throw new Error('Cannot bind an API on top of an existing property on the window object');
        }
        const value = bridge.read(wire, true);
        defineProperty(window, key, { value, writable: false, configurable: false, enumerable: true });
      }),
    );
    guard((permission, detail) => bridge.request('permission', [permission, detail]) as Promise<boolean>);
  }

  // The two worlds' scripts may come in either order: whoever is second finds the other one listening.
  document.addEventListener(`give${nonce}`, start, { once: true });
  document.dispatchEvent(new Event(`want${nonce}`));
}
