import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, isHeadless, isHeadlessShell } from '../../e2e/host/find-chromium.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-chromium-'));
  for (const name of ['mine', 'chromium', 'not-executable']) {
    writeFileSync(path.join(folder, name), '#!/bin/sh\n');
    chmodSync(path.join(folder, name), name === 'not-executable' ? 0o644 : 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('CHROMIUM_PATH wins over everything', () => {
  const mine = path.join(folder, 'mine');
  expect(findChromium({ CHROMIUM_PATH: mine, PATH: folder })).toBe(mine);
});

test.each(['none', 'not-executable', '.'])(
  'a CHROMIUM_PATH of %s is an error that names it, not passed over',
  (name) => {
    const wrong = path.join(folder, name);
    expect(() => findChromium({ CHROMIUM_PATH: wrong, PATH: folder })).toThrow(wrong);
  },
);

test('one that cannot show windows is not taken when windows are to be shown', () => {
  const shown = findChromium({ PATH: folder }, false);
  expect(shown).toBeDefined();
  expect(isHeadlessShell(shown ?? '')).toBe(false);
});

test('nothing is drawn without a display, unless the environment says otherwise', () => {
  expect(isHeadless({})).toBe(process.platform === 'linux');
  expect(isHeadless({ DISPLAY: ':0' })).toBe(false);
  expect(isHeadless({ WAYLAND_DISPLAY: 'wayland-0', HOST_HEADLESS: '1' })).toBe(true);
  expect(isHeadless({ HOST_HEADLESS: '0' })).toBe(false);
});
