import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contractPage } from '../../docs/contract-page.ts';

test('docs/contract.md is what the contract says today (run `npm run docs`)', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/contract.md'), 'utf8');
  expect(page).toBe(contractPage());
});
