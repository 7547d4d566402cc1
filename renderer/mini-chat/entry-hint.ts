import { type ComposerMode, limits } from '../../src/contract/index.ts';
import type { Entry } from './commands.ts';
import { isSendable, measure, planText, todoLines } from './entry-text.ts';
import { texts } from './strings.ts';

/** Whether an entry can be recorded as it stands. */
export const isWritable = ({ mode, text }: Entry): boolean => isSendable(mode, text);

/** What has to be known of the text now: that it is too long, else what becomes of it. */
export function hintOf({ mode, text }: Entry): { text: string; isProblem: boolean } {
  const { length, limit, line } = measure(mode, text);
  if (length > limit) return { text: texts.composer.over(length - limit, line), isProblem: true };
  return { text: [becomes(mode, text), count(length, limit)].filter(Boolean).join(' '), isProblem: false };
}

function becomes(mode: ComposerMode, text: string): string {
  if (text.trim() === '') return '';
  if (mode === 'todo') {
    const todos = todoLines(text).length;
    return todos > 1 ? texts.composer.todos(todos) : '';
  }
  return mode === 'plan' && planText(text).titleShortened ? texts.composer.planTitleShortened : '';
}

/** Counting starts where the limit comes into sight. */
const count = (length: number, limit: number): string =>
  length >= limit * 0.5 ? texts.composer.count(length, limit) : '';

/** The mode that holds a text which is too long for its own. */
export function widerMode({ mode, text }: Entry): ComposerMode | null {
  if (mode === 'todo' && text.trim().length <= limits.noteBody) return 'note';
  return mode !== 'plan' && isSendable('plan', text) ? 'plan' : null;
}
