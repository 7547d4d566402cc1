import { expect, test } from 'vitest';
import { Shortcut } from '../../electron/shortcut.ts';

/** A desktop where some accelerators belong to other programs. */
function desktop(taken: readonly string[]) {
  const registered = new Set<string>();
  return {
    registered,
    register: (accelerator: string) => {
      if (!/^[A-Za-z+]+$/.test(accelerator)) throw new TypeError(`conversion failure from ${accelerator}`);
      if (taken.includes(accelerator) || registered.has(accelerator)) return false;
      registered.add(accelerator);
      return true;
    },
    unregister: (accelerator: string) => void registered.delete(accelerator),
  };
}

test('a taken shortcut is refused with a message, and the old one is free again', () => {
  const system = desktop(['Alt+Space']);
  const shortcut = new Shortcut(system, () => {});
  shortcut.set('CommandOrControl+Shift+Space');
  expect([...system.registered]).toEqual(['CommandOrControl+Shift+Space']);
  shortcut.set('Alt+Space');
  expect(shortcut.problem).toMatch(/taken by another program/);
  expect([...system.registered]).toEqual([]);
  shortcut.set('CommandOrControl+Shift+Space');
  expect(shortcut.problem).toBeNull();
});

test('a text that is no shortcut is refused with an example, an empty one means none', () => {
  const shortcut = new Shortcut(desktop([]), () => {});
  shortcut.set('Ctrl+?!');
  expect(shortcut.problem).toMatch(/is not a shortcut/);
  shortcut.set('');
  expect(shortcut.problem).toBeNull();
});
