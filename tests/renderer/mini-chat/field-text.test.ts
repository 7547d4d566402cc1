import { expect, test } from 'vitest';
import { type FieldText, shownText, typeInto } from '../../../renderer/mini-chat/field-text.ts';

const empty: FieldText = { draft: '', find: '' };

/** What the field holds after each of these stood in it, one after the other. */
const after = (start: FieldText, ...typed: string[]): FieldText => typed.reduce(typeInto, start);

test('typing a search letter by letter leaves no text behind', () => {
  const field = after(empty, '/', '/f', '/fi', '/fin', '/find', '/find ', '/find w', '/find wo');
  expect(field).toEqual({ draft: '', find: '/find wo' });
  expect(shownText(field)).toBe('/find wo');
});

test('a text that was begun is set aside, however the search came in front of it', () => {
  const begun = { draft: 'half a thought', find: '' };
  expect(after(begun, '/half a thought', '/ half a thought', '/f half a thought', '/find half a thought')).toEqual({
    draft: 'half a thought',
    find: '/find half a thought',
  });
  expect(after(begun, '/find words')).toEqual({ draft: 'half a thought', find: '/find words' });
});

test('other words of a search do not change the text', () => {
  expect(after({ draft: 'half', find: '/find a' }, '/find ab', '/find')).toEqual({ draft: 'half', find: '/find' });
});

test('a command that is edited away gives the text back', () => {
  expect(after({ draft: 'half', find: '/find words' }, '/fin words')).toEqual({ draft: 'half', find: '' });
  expect(after({ draft: 'half', find: '/find words' }, '')).toEqual({ draft: 'half', find: '' });
  expect(after({ draft: '', find: '/find words' }, 'words')).toEqual({ draft: 'words', find: '' });
});

test('what is typed or pasted over a search is kept beside the text', () => {
  const field = { draft: 'half a thought', find: '/find words' };
  expect(after(field, 'pasted over it').draft).toBe('half a thought\n\npasted over it');
  expect(after(field, 'half a thought and more').draft).toBe('half a thought and more');
});

test('another text is never taken for a beginning of the command', () => {
  expect(after({ draft: '/etc/hosts is wrong', find: '' }, '/find x').draft).toBe('/etc/hosts is wrong');
  expect(after({ draft: '/todo buy milk', find: '' }, '/find x').draft).toBe('/todo buy milk');
});
