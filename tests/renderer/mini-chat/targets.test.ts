import { expect, test } from 'vitest';
import { strandedDrafts } from '../../../renderer/mini-chat/targets.ts';
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
