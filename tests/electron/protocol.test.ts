import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, contentSecurityPolicy, resolveFile } from '../../electron/protocol.ts';

let base = '';
let folder = '';

beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'sidekeep-protocol-'));
  folder = path.join(base, 'windows');
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  mkdirSync(path.join(base, 'windows-secret'));
  writeFileSync(path.join(folder, 'sidebar.html'), '<!doctype html>');
  writeFileSync(path.join(folder, 'assets', 'main-x_1.js'), 'export {};');
  writeFileSync(path.join(folder, 'notes.txt'), 'no content type of ours');
  writeFileSync(path.join(base, 'secret.html'), 'secret');
  writeFileSync(path.join(base, 'windows-secret', 'page.html'), 'secret');
  symlinkSync(path.join(base, 'secret.html'), path.join(folder, 'link.html'));
  symlinkSync(base, path.join(folder, 'up'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

test('a page and its script are served with the policy and the right type', async () => {
  const page = await answer(new Request('app://sidekeep/sidebar.html'), folder);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const script = await answer(new Request('app://sidekeep/assets/main-x_1.js?v=1#x'), folder);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test.each([
  'app://sidekeep/',
  'app://sidekeep/missing.html',
  'app://sidekeep/assets',
  'app://sidekeep/notes.txt',
  'app://sidekeep/../secret.html',
  'app://sidekeep/%2e%2e/secret.html',
  'app://sidekeep/%2e%2e%2fsecret.html',
  'app://sidekeep/..%5csecret.html',
  'app://sidekeep/assets/..%2f..%2fsecret.html',
  'app://sidekeep/%252e%252e/secret.html',
  'app://sidekeep/sidebar.html%00.js',
  'app://sidekeep/%00',
  'app://sidekeep/../windows-secret/page.html',
  'app://sidekeep/%2e%2e/windows-secret/page.html',
  'app://sidekeep/link.html',
  'app://sidekeep/up/secret.html',
  'app://sidekeep//etc/passwd',
  'app://sidekeep/C:/Windows/win.ini',
  'app://sidekeep/C:x',
  'app://sidekeep/%5c%5cserver%5cshare%5cx.html',
  'app://sidekeep/.hidden.html',
  'app://sidekeep/sidebar.html/',
  'app://sidekeep/%E0%A4%A',
  `app://sidekeep/${'a'.repeat(5000)}.html`,
  'app://other/sidebar.html',
  'app://sidekeep.evil/sidebar.html',
  'app://sidekeep:80/sidebar.html',
  'https://sidekeep/sidebar.html',
  'file:///etc/passwd',
])('%s names no file of ours', async (address) => {
  expect(await resolveFile(address, folder)).toBeNull();
  const response = await answer(new Request(address), folder);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('');
});

test('only reading is answered', async () => {
  const response = await answer(new Request('app://sidekeep/sidebar.html', { method: 'POST', body: 'x' }), folder);
  expect(response.status).toBe(405);
});

test('an application folder that is itself a link is resolved once', async () => {
  const link = path.join(base, 'application');
  symlinkSync(folder, link);
  expect(await resolveFile('app://sidekeep/sidebar.html', link)).toBe(path.join(folder, 'sidebar.html'));
});
