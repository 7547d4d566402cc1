import { describe, expect, test } from 'vitest';
import {
  commands,
  completeCommand,
  matchingCommands,
  parseAction,
  parseEntry,
  searchedFor,
  typedFor,
  typedWithCommand,
} from '../../../renderer/mini-chat/commands.ts';
import { isSendable, measure, planText, todoLines } from '../../../renderer/mini-chat/entry-text.ts';
import { type ComposerMode, limits, sessionLimits } from '../../../src/contract/index.ts';

const modes: ComposerMode[] = ['note', 'todo', 'plan', 'message'];

describe('a command at the start', () => {
  test.each([
    ['/todo buy milk', 'todo', 'buy milk'],
    ['/TODO buy milk', 'todo', 'buy milk'],
    ['/Plan\nRelease\nsteps', 'plan', 'Release\nsteps'],
    ['/note  spaced', 'note', 'spaced'],
    ['/todo', 'todo', ''],
    ['/todo ', 'todo', ''],
    ['/message  hello', 'message', 'hello'],
  ] as const)('%j chooses the mode', (typed, mode, text) => {
    expect(parseEntry(typed, 'note')).toEqual({ mode, text, commanded: true });
  });

  test.each([
    '/todos buy',
    '/unknown',
    '/',
    '/ todo',
    ' /todo x',
    'buy /todo',
    '/etc/hosts',
    '//',
    '// comment',
    '//etc',
  ])('%j is plain text, unchanged', (typed) => {
    expect(parseEntry(typed, 'plan')).toEqual({ mode: 'plan', text: typed, commanded: false });
  });

  test.each([
    ['//todo x', '/todo x'],
    ['//PLAN', '/PLAN'],
    ['//message', '/message'],
  ])('%j is the text %j', (typed, text) => {
    expect(parseEntry(typed, 'note')).toEqual({ mode: 'note', text, commanded: false });
  });

  test('any text can be typed in any mode', () => {
    for (const text of [
      '/todo x',
      '//todo x',
      '///plan',
      'plain',
      '//',
      '/x',
      '',
      '/find x',
      '//find',
      '/undo',
      '//help ',
      '/help me',
      '/undone',
    ]) {
      for (const mode of modes) {
        expect(parseEntry(typedFor(text), mode)).toMatchObject({ mode, text });
        expect(parseAction(typedFor(text))).toBe(null);
      }
    }
    expect(parseEntry(typedWithCommand('plan', 'Title\n\nbody'), 'note')).toMatchObject({
      mode: 'plan',
      text: 'Title\n\nbody',
    });
  });
});

describe('a command that records nothing', () => {
  test.each([
    ['/find', 'find'],
    ['/FIND two words', 'find'],
    ['/find\nline', 'find'],
    ['/undo', 'undo'],
    ['/Help ', 'help'],
    ['/finder', null],
    [' /find x', null],
    ['//find x', null],
    ['/undo the last change of the parser', null],
    ['/help wanted', null],
    ['/todo find', null],
  ] as const)('%j is %j', (typed, action) => {
    expect(parseAction(typed)).toBe(action);
  });

  test('a search is what stands behind its command', () => {
    expect(searchedFor('/find  two words ')).toBe('two words ');
    expect(searchedFor('/find')).toBe('');
  });
});

describe('completion', () => {
  test.each([
    ['/', 1, commands],
    ['/f', 2, ['find']],
    ['/find', 5, []],
    ['/un', 3, ['undo']],
    ['/T', 2, ['todo']],
    ['/todo', 5, ['todo']],
    ['/x', 2, []],
    ['//', 2, []],
    ['/to buy', 3, ['todo']],
    ['/to buy', 5, []],
    ['/to', 0, []],
    ['a /to', 5, []],
  ])('%j with the cursor at %i', (typed, cursor, expected) => {
    expect(matchingCommands(typed, cursor)).toEqual(expected);
  });

  test('replaces the first word and keeps the rest', () => {
    expect(completeCommand('/to', 'todo')).toEqual({ text: '/todo ', cursor: 6 });
    expect(completeCommand('/p Release', 'plan')).toEqual({ text: '/plan Release', cursor: 6 });
    expect(completeCommand('/f half a thought', 'find')).toEqual({ text: '/find half a thought', cursor: 6 });
  });
});

describe('what a text becomes', () => {
  test('each line that is not blank is a todo', () => {
    expect(todoLines(' milk \n\n  \r\nbread\n')).toEqual(['milk', 'bread']);
  });

  test('the first line of a plan is its title', () => {
    expect(planText('\n\n# Release\n\n- one\n- two\n')).toEqual({
      title: 'Release',
      body: '- one\n- two',
      titleShortened: false,
    });
    expect(planText('Release')).toEqual({ title: 'Release', body: '', titleShortened: false });
    expect(planText('T\n    indented')).toMatchObject({ body: '    indented' });
  });

  test('a first line that is too long for a title stays whole in the text', () => {
    const line = `${'😀'.repeat(79)}x${'😀'.repeat(30)}`;
    const { title, body, titleShortened } = planText(`${line}\nrest`);
    expect(titleShortened).toBe(true);
    expect(title.length).toBeLessThanOrEqual(limits.planTitle);
    expect(title.isWellFormed()).toBe(true);
    expect(body).toBe(`${line}\nrest`);
  });

  test('a text over its limit is not sendable, one at its limit is', () => {
    expect(isSendable('note', 'x'.repeat(limits.noteBody))).toBe(true);
    expect(isSendable('note', ` ${'x'.repeat(limits.noteBody)}\n`)).toBe(true);
    expect(isSendable('note', 'x'.repeat(limits.noteBody + 1))).toBe(false);
    expect(isSendable('todo', `a\n${'x'.repeat(limits.todoText)}`)).toBe(true);
    expect(isSendable('todo', `a\n${'x'.repeat(limits.todoText + 1)}`)).toBe(false);
    expect(isSendable('plan', 'x'.repeat(limits.planRaw))).toBe(false);
    expect(isSendable('message', 'x'.repeat(sessionLimits.message))).toBe(true);
    expect(isSendable('message', `${'x'.repeat(sessionLimits.message)}\n`)).toBe(false);
    for (const mode of modes) expect(isSendable(mode, ' \n\t')).toBe(false);
  });

  test('of several todos the longest line is measured', () => {
    expect(measure('todo', 'a\nbbb\ncc')).toEqual({ length: 3, limit: limits.todoText, line: 2 });
    expect(measure('todo', 'abc')).toMatchObject({ length: 3, line: null });
  });
});
