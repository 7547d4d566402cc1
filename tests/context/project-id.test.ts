import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectIdOf, projectPathOf } from '../../src/context/index.ts';

import { ProjectId } from '../../src/contract/entities.ts';
import { caseClash, idProblem } from '../../src/files/owner-folder.ts';
import { clampText } from '../../src/files/text.ts';
import { failure, setUp } from './support.ts';

// The table in docs/formats/context-format.md, section 6.
test.each([
  ['/home/dev/demo-app', 'path_L2hvbWUvZGV2L2RlbW8tYXBw'],
  ['/home/dev/demo-app//', 'path_L2hvbWUvZGV2L2RlbW8tYXBw'],
  ['/srv/проект', 'path_L3Nydi_Qv9GA0L7QtdC60YI'],
  ['C:\\w\\p', 'path_Qzovdy9w'],
  ['c:\\w\\p\\', 'path_Yzovdy9w'],
  ['/a', 'path_L2E'],
  ['/A', 'path_L0E'],
  ['/a/ ', 'path_L2Ev'],
  ['/', 'path_Lw'],
  ['/\u00e4', 'path_L8Ok'],
  ['/a\u0308', 'path_L2HMiA'],
])('the id of %j is %s', (path, id) => {
  expect(projectIdOf(path)).toBe(id);
});

test('a long path gets a hashed id that still leaves room for a file name', () => {
  const longest = `/${'a'.repeat(182)}`;
  expect(projectIdOf(longest)).toMatch(/^path_(?!h_)/);
  for (const path of [longest, `${longest}b`, `/${'漢'.repeat(61)}`, `/${'漢'.repeat(4000)}`]) {
    expect(Buffer.byteLength(`${projectIdOf(path)}.json`)).toBeLessThanOrEqual(255);
    expect(ProjectId.safeParse(projectIdOf(path)).success).toBe(true);
  }
  const hash = createHash('sha256').update(`${longest}b`).digest('hex');
  expect(projectIdOf(`${longest}b`)).toBe(`path_h_${hash}`);
  expect(projectPathOf(`path_h_${hash}`)).toBeNull();
});

test('an id tells its path, and nothing else is a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (name) => {
      const path = `/${name}`;
      const normal = projectPathOf(projectIdOf(path));
      if (normal !== null) expect(projectIdOf(normal)).toBe(projectIdOf(path));
    }),
  );
  expect(projectPathOf('path_L2hvbWUvZGV2L2RlbW8tYXBw')).toBe('/home/dev/demo-app');
  for (const id of ['path_', 'path_%%%', 'path_L2E=', 'path__w', 'p1', 'chats', 'path_AA', 'path_L2EvLw']) {
    expect(projectPathOf(id), id).toBeNull();
  }
  expect(() => projectIdOf('  ')).toThrow('needs a folder');
});

test('what Windows cannot have as a folder is refused there, and only there', async () => {
  for (const id of ['con', 'NUL', 'aux.x', 'COM1', 'lpt9.json', 'a:b', 'a.', 'a..']) {
    expect(idProblem(id, 'win32'), id).not.toBeNull();
    expect(idProblem(id, 'linux'), id).toBeNull();
  }
  for (const id of ['console', 'path_L2E', '.a', 'com', 'a.b']) expect(idProblem(id, 'win32'), id).toBeNull();
  const { store } = await setUp({ platform: 'win32' });
  await failure(store.context.get({ projectId: 'con' }), 'invalid');
  await failure(store.notes.create({ projectId: 'a:b', body: 'x' }), 'invalid');
});

test('a folder that differs from another only in case clashes where the disk cannot tell them apart', () => {
  expect(caseClash('path_L2E', ['path_l2e', 'x'], true)).toBe('path_l2e');
  expect(caseClash('path_L2E', ['path_l2e', 'path_L2E'], true)).toBeNull();
  expect(caseClash('path_L2E', ['path_l2e'], false)).toBeNull();
  expect(caseClash('path_L2E', ['other'], true)).toBeNull();
});

test('text is cut at a character', () => {
  expect(clampText('ab😀', 3)).toBe('ab');
  expect(clampText('ab😀', 4)).toBe('ab😀');
  expect(clampText('😀', 1)).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, limit) => {
      const cut = clampText(text, limit);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(cut.isWellFormed()).toBe(true);
      if (text.length > limit) expect(cut.length).toBeGreaterThanOrEqual(limit - 1);
    }),
  );
});
