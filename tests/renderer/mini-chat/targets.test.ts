import { describe, expect, test } from 'vitest';
import { followed, movesOfDrafts, resolveTarget, strandedDrafts } from '../../../renderer/mini-chat/targets.ts';
import { emptyDraft } from '../../../renderer/state/drafts.ts';
import type { ProjectList } from '../../../src/contract/index.ts';

const project = (id: string, hidden = false) => ({ id, label: id, path: null, hidden, added: true });
const list: ProjectList = { sequence: 1, chatsId: 'chats', projects: [project('a'), project('b', true)], moved: [] };
const typed = (...entries: [key: string, text: string][]) =>
  new Map(entries.map(([key, text]) => [key, { ...emptyDraft, text }]));

test('what was typed for a place that is gone is stranded; for a hidden one it waits', () => {
  const drafts = typed(
    ['a/composer', 'one'],
    ['b/composer', 'two'],
    ['chats/composer', 'three'],
    ['gone/composer', 'x'],
  );
  expect(strandedDrafts(drafts, list)).toEqual([{ key: 'gone/composer', text: 'x' }]);
});

test('words of a search and blank texts are not', () => {
  expect(strandedDrafts(typed(['gone/find', 'words'], ['gone/composer', ' \n'], ['gone/note', 'x']), list)).toEqual([]);
});

describe('a folder that moved', () => {
  const moved: ProjectList = {
    ...list,
    moved: [
      { from: 'old', to: 'a' },
      { from: 'b', to: 'a' },
      { from: 'lost', to: 'gone' },
    ],
  };

  test('is followed to its new id, unless the old one is a place again', () => {
    expect(['old', 'b', 'other', 'chats'].map((id) => followed(moved, id))).toEqual(['a', 'b', 'other', 'chats']);
    expect(resolveTarget(moved, followed(moved, 'old'))).toMatchObject({ target: { id: 'a' }, vanished: false });
  });

  test('takes what was typed for it along, once, and not to Chats', () => {
    const drafts = typed(['old/composer', 'one'], ['b/composer', 'two'], ['lost/composer', 'three']);
    expect(movesOfDrafts(drafts, moved)).toEqual([{ from: 'old', to: 'a' }]);
    expect(strandedDrafts(drafts, moved)).toEqual([{ key: 'lost/composer', text: 'three' }]);
    expect(movesOfDrafts(typed(['old/find', '/find words']), moved)).toEqual([{ from: 'old', to: 'a' }]);
    expect(movesOfDrafts(typed(['a/composer', 'one']), moved)).toEqual([]);
  });
});
