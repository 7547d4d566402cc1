import { normalizedAccelerator } from './accelerator.ts';
import { refuseMissing } from './refuse.ts';
import { runtime } from './runtime.ts';

const registered = new Map<string, () => void>();
const takenElsewhere = new Set<string>();

/** `globalShortcut` as a registry: nothing listens to the keyboard; a test presses keys through `__host`. */
export const globalShortcut = {
  /** False for an accelerator that is registered already, here or (said by a test) by another program. */
  register(accelerator: string, callback: () => void): boolean {
    needsReady();
    const key = normalizedAccelerator(accelerator);
    if (registered.has(key) || takenElsewhere.has(key)) return false;
    registered.set(key, callback);
    return true;
  },
  registerAll(accelerators: string[], callback: () => void): void {
    for (const accelerator of accelerators) this.register(accelerator, callback);
  },
  isRegistered(accelerator: string): boolean {
    needsReady();
    return registered.has(normalizedAccelerator(accelerator));
  },
  unregister(accelerator: string): void {
    needsReady();
    registered.delete(normalizedAccelerator(accelerator));
  },
  unregisterAll(): void {
    needsReady();
    registered.clear();
  },
};
refuseMissing(globalShortcut, 'GlobalShortcut', 'globalShortcut');

/** For tests: as if a person pressed the keys. False when no one registered them. */
export function pressShortcut(accelerator: string): boolean {
  const callback = registered.get(normalizedAccelerator(accelerator));
  callback?.();
  return callback !== undefined;
}

/** For tests: as if another program had registered the keys, or had let go of them. */
export function takeShortcut(accelerator: string, taken = true): void {
  const key = normalizedAccelerator(accelerator);
  if (taken) takenElsewhere.add(key);
  else takenElsewhere.delete(key);
}

function needsReady(): void {
  if (!runtime.ready) throw new Error('globalShortcut cannot be used before the app is ready');
}
