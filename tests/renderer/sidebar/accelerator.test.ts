import { describe, expect, it } from 'vitest';
import { matches } from '../../../renderer/sidebar/rail/filter.ts';
import { acceleratorOf } from '../../../renderer/sidebar/status/accelerator.ts';
import { todoLines } from '../../../renderer/sidebar/todos/todo-lines.ts';

const press = (code: string, ...modifiers: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]) => ({
  key: '',
  code,
  ctrlKey: modifiers.includes('ctrlKey'),
  metaKey: modifiers.includes('metaKey'),
  altKey: modifiers.includes('altKey'),
  shiftKey: modifiers.includes('shiftKey'),
});

describe('recording a shortcut', () => {
  it.each([
    [press('Space', 'ctrlKey', 'shiftKey'), 'CommandOrControl+Shift+Space'],
    [press('KeyK', 'altKey'), 'Alt+K'],
    [press('F9'), 'F9'],
    [press('Digit5', 'metaKey'), 'CommandOrControl+5'],
    [press('KeyA'), null],
    [press('KeyA', 'shiftKey'), null],
    [press('KeyV', 'ctrlKey'), null],
    [press('ControlLeft', 'ctrlKey'), null],
  ])('%j is %s', (pressed, accelerator) => {
    expect(acceleratorOf(pressed)).toBe(accelerator);
  });
});

describe('filtering projects', () => {
  it('finds plain letters in any case, under accents and beside invisible characters', () => {
    expect(matches('CAFE', 'Café', null)).toBe(true);
    expect(matches('demo', 'de\u200bmo', null)).toBe(true);
    expect(matches('work/de', 'demo', '/home/dev/work/demo')).toBe(true);
    expect(matches('x', 'demo', null)).toBe(false);
  });
});

describe('todos from pasted text', () => {
  it('are its lines that are not blank', () => {
    expect(todoLines(' one \r\n\n two\rthree\n ')).toEqual(['one', 'two', 'three']);
  });
});
