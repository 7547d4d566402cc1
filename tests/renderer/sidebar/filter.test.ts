import { expect, test } from 'vitest';
import { firstMatch } from '../../../renderer/sidebar/rail/filter.ts';

const projects = [{ id: 'p1' }, { id: 'p2' }];

test('Chats is opened by the beginning of its name, whatever else matches', () => {
  expect(firstMatch('cha', 'Chats', projects)).toBeNull();
  expect(firstMatch(' CHATS ', 'Chats', [])).toBeNull();
});

test('letters from the middle of Chats open it only where no project matches', () => {
  expect(firstMatch('at', 'Chats', projects)).toBe('p1');
  expect(firstMatch('at', 'Chats', [])).toBeNull();
});

test('without a filter and without a match nothing is opened', () => {
  expect(firstMatch(' ', 'Chats', projects)).toBeUndefined();
  expect(firstMatch('zebra', 'Chats', [])).toBeUndefined();
});
