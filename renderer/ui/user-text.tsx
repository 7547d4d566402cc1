import { strings } from './strings.ts';

/** Characters that show nothing: blanks, format and control characters, and marks without a letter to sit on. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Whether a text shows anything at all. */
export const hasVisibleText = (text: string): boolean => !INVISIBLE.test(text);

/** The first line of a text that shows something, for a name or a title; a placeholder when there is none. */
export function plainTitle(text: string): string {
  const line = text.split(/\r\n|[\n\r\u2028\u2029]/).find(hasVisibleText);
  if (line === undefined) return strings.common.noVisibleText;
  // Control and direction characters would act on the text around; a name has no markup to hold them in.
  return line.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '').trim();
}

export interface UserTextProps {
  text: string;
  /** `line`: within a sentence; `one-line`: cut with an ellipsis; `block`: line breaks are kept. */
  as?: 'line' | 'one-line' | 'block';
}

/** Text that came from a file or a person: only text, its direction isolated, never invisible. */
export function UserText({ text, as = 'line' }: UserTextProps) {
  const kind = as === 'line' ? '' : ` user-text-${as}`;
  if (!hasVisibleText(text)) {
    return <span className={`user-text-absent${kind}`}>{strings.common.noVisibleText}</span>;
  }
  return (
    <bdi dir="auto" className={`user-text${kind}`}>
      {as === 'block' ? text : text.replace(/[\r\n\u2028\u2029]+/g, ' ')}
    </bdi>
  );
}
