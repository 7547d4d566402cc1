import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProjectId } from '../../src/contract/entities.ts';
import { hintKey, hintsFor, isProjectId, isWatched } from '../../src/watch/hints.ts';
import type { EntryType, TreeEventKind } from '../../src/watch/watched-tree.ts';

const keysOf = (kind: TreeEventKind, location: string): string[] =>
  hintsFor({ kind, segments: location === '' ? [] : location.split('/') }).map(hintKey);

const temporaryNames = [
  '.context.json.4711-a1b2c3d4e5f6.tmp',
  '.1700000000-alpha.md.4711-a1b2c3d4e5f6.tmp',
  'context.json.tmp-4711-1700000000000-9f8e7d',
  '1700000000-alpha.md.tmp-4711-1700000000000-9f8e7d',
  '.path_L2hvbWU.json.4711-a1b2c3d4e5f6.tmp',
  'path_L2hvbWU.json.tmp-4711-1700000000000-9f8e7d',
];

describe('hints for an event', () => {
  test.each<[TreeEventKind, string, string[]]>([
    ['change', 'projects/p1/context.json', ['context p1']],
    ['unlink', 'projects/p1/context.json', ['context p1']],
    ['notice', 'projects/p1/context.json', ['context p1']],
    ['add', 'projects/p1/plans/1-a.md', ['plan p1 1-a.md']],
    ['addDir', 'projects/p1/plans', ['context p1']],
    ['unlinkDir', 'projects/p1/plans', ['context p1']],
    ['addDir', 'projects/p1', ['projects', 'context p1', 'memory p1']],
    ['unlinkDir', 'projects/p1', ['projects', 'context p1', 'memory p1']],
    ['notice', 'projects/p1', ['projects', 'context p1', 'memory p1']],
    ['change', 'memory.json', ['memory ']],
    ['unlink', 'projects/p1/memory.json', ['memory p1']],
    ['change', 'projects/p1.json', ['legacy p1']],
    ['notice', 'projects/p1.json', ['legacy p1']],
    ['addDir', 'projects', ['all']],
    ['unlinkDir', 'projects', ['all']],
    ['unlinkDir', '', []],
  ])('%s of %s', (kind, location, expected) => {
    expect(keysOf(kind, location)).toEqual(expected);
  });

  test('a folder whose id ends in .json is a project, not a legacy file', () => {
    expect(keysOf('addDir', 'projects/notes.json')).toEqual(['projects', 'context notes.json', 'memory notes.json']);
    expect(keysOf('change', 'projects/notes.json/context.json')).toEqual(['context notes.json']);
  });

  test.each(temporaryNames)('a half-written file gives none, wherever it lies: %s', (name) => {
    for (const kind of ['add', 'addDir', 'change', 'unlink', 'notice'] as const) {
      for (const folder of ['', 'projects/', 'projects/p1/', 'projects/p1/plans/']) {
        expect(keysOf(kind, `${folder}${name}`)).toEqual([]);
      }
    }
  });

  test.each([
    'chats/2026-03-01/session-1/notes.md',
    'memory.json/inside',
    'chats/memory.json',
    '.sidekeep-owner.json',
    'projects/p1/plans/memory.json',
    '.sidekeep/memory.json',
    'projects/p1/.sidekeep/memory.json',
    'projects/p1/.sidekeep/trash/1.json',
    'projects/p1/plans/draft.txt',
    'projects/p1/plans/deeper/a.md',
    'projects/../context.json',
    'projects/p 1/context.json',
    'elsewhere/p1/context.json',
  ])('what is neither context nor memory gives none: %s', (location) => {
    expect(keysOf('change', location)).toEqual([]);
  });
});

describe('what is watched', () => {
  const watched = (location: string, type: EntryType): boolean =>
    isWatched(location === '' ? [] : location.split('/'), type);

  test.each<[string, EntryType]>([
    ['', 'folder'],
    ['projects', 'folder'],
    ['projects/p1', 'folder'],
    ['projects/p1', 'unknown'],
    ['projects/p1.json', 'file'],
    ['projects/p1.json', 'folder'],
    ['projects/p1/context.json', 'file'],
    ['projects/p1/plans', 'folder'],
    ['projects/p1/plans/1-a.md', 'file'],
    ['memory.json', 'file'],
    ['projects/p1/memory.json', 'file'],
    // Names that chokidar's own list of editors' files would have dropped.
    ['projects/a.b.swp', 'folder'],
  ])('%s as %s is', (location, type) => {
    expect(watched(location, type)).toBe(true);
  });

  test.each<[string, EntryType]>([
    ['chats', 'folder'],
    ['memory.json', 'folder'],
    ['memory.json', 'link'],
    ['projects/memory.json', 'link'],
    ['projects/p1/memory.json', 'folder'],
    ['projects', 'link'],
    ['projects/p1', 'link'],
    ['projects/p1', 'file'],
    ['projects/p1/.sidekeep', 'folder'],
    ['projects/p1/node_modules', 'folder'],
    ['projects/p1/context.json', 'link'],
    ['projects/p1/context.json', 'folder'],
    ['projects/p1/plans/deeper', 'folder'],
    ['projects/p1/plans/1-a.md', 'other'],
    ['projects/p1/plans/a/b.md', 'file'],
  ])('%s as %s is not', (location, type) => {
    expect(watched(location, type)).toBe(false);
  });
});

test('a project id is what the contract says it is', () => {
  const odd = constantFrom('.', '..', ':', '-', 'a', 'Z', '0', '/', ' ', '\n', 'é', 'a'.repeat(249), '');
  const name = oneof(
    string(),
    array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
  );
  assert(
    property(name, (text) => {
      expect(isProjectId(text)).toBe(ProjectId.safeParse(text).success);
    }),
  );
});
