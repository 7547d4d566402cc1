import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areSimilar, titleKey } from '../../src/memory/similar.ts';

const of = (body: string) => ({ title: '', body });

test.each([
  ['Uses tabs for indentation in Go files', 'Uses tabs for indentation in all Go files'],
  ['Der Port des Servers ist immer 4000', 'Port des Servers ist immer 4000'],
  ['テストは必ず実装の前に全部書く', 'テストは必ず実装の前に書く'],
  ['Run the tests before each commit!', 'run THE tests, before each commit'],
  ['测试必须在提交之前全部通过', '测试必须在提交之前全都通过'],
])('%s ~ %s', (left, right) => {
  expect(areSimilar(of(left), of(right))).toBe(true);
  expect(areSimilar(of(right), of(left))).toBe(true);
});

test.each([
  // A short one says less than the long one that holds it.
  ['Uses tabs in Go', 'Uses tabs in Go and two blanks in TypeScript, four in Python, and none in plain text'],
  ['Push to main without asking', 'Do not push to main without asking'],
  ['Always use the mock server in tests', 'Never use the mock server in tests'],
  ['Man soll die Tests im Ordner parallel ausführen', 'Man soll die Tests im Ordner nicht parallel ausführen'],
  ['テストは並列に実行する必要がある', 'テストは並列に実行する必要がない'],
  ['Port 4000', 'Port 4000'],
])('%s ≁ %s', (left, right) => {
  expect(areSimilar(of(left), of(right))).toBe(false);
  expect(areSimilar(of(right), of(left))).toBe(false);
});

test('it is the same both ways round, whatever the words', () => {
  const word = fc.constantFrom(
    'not',
    'never',
    'tabs',
    'use',
    'in',
    'go',
    'files',
    'port',
    'is',
    'nicht',
    '不',
    'テスト',
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => of(words.join(' ')));
  fc.assert(fc.property(text, text, (left, right) => areSimilar(left, right) === areSimilar(right, left)));
});

test('titles are the same whatever their case, blanks and forms of letters', () => {
  expect(titleKey('  Ｅditor\u00a0 Café')).toBe(titleKey('editor cafe\u0301'));
  expect(titleKey('editor')).not.toBe(titleKey('editors'));
});
