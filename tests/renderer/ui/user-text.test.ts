import { describe, expect, it } from 'vitest';
import { strings } from '../../../renderer/ui/strings.ts';
import { hasVisibleText, plainTitle } from '../../../renderer/ui/user-text.tsx';

describe('text from files', () => {
  it.each(['', '\u200b\u200b\u200b', '\ufeff', '\n\n', '\u2066', '\u202e', '\u0301'.repeat(1000), '\u3164'])(
    'has a name where it shows nothing: %j',
    (text) => {
      expect(hasVisibleText(text)).toBe(false);
      expect(plainTitle(text)).toBe(strings.common.noVisibleText);
    },
  );

  it('cannot turn the text around it when it is a name (microsoft/terminal#2409)', () => {
    expect(plainTitle('\u202egnp.exe')).toBe('gnp.exe');
    expect(plainTitle('\u200b\n\u2066 Title \u2069\nsecond line')).toBe('Title');
    expect(plainTitle('مرحبا abc 123')).toBe('مرحبا abc 123');
  });
});
