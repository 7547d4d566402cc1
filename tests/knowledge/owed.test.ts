import { expect, test } from 'vitest';
import { type OwedInput, owedReason } from '../../src/knowledge/owed.ts';

const [one, two] = [`v2:${'1'.repeat(64)}`, `v2:${'2'.repeat(64)}`];
const told = { signature: one, pins: 'p', compaction: null };
const input: OwedInput = { signature: one, pins: 'p', compaction: null, delivered: told, isUnreadable: false };

test.each<[string, Partial<OwedInput>, string | null]>([
  ['told all of it', {}, null],
  ['nothing to tell', { signature: '' }, null],
  ['nothing to tell, and nothing known', { signature: '', delivered: null, isUnreadable: true }, null],
  ['never told', { delivered: null }, 'first'],
  ['not known whether told', { delivered: null, isUnreadable: true }, 'unknown'],
  ['told by an older program', { delivered: { ...told, signature: 'n:a:1' } }, 'unknown'],
  ['told under another form', { delivered: { ...told, signature: 'v2:short' } }, 'unknown'],
  ['other content', { signature: two }, 'content'],
  ['other pins', { signature: two, pins: 'q' }, 'pins'],
  [
    'other content since a time whose pins are not known',
    { signature: two, delivered: { ...told, pins: null } },
    'content',
  ],
  ['other pins with the same content', { pins: 'q' }, null],
  ['summed up since', { compaction: '5:h' }, 'compacted'],
  ['summed up before', { compaction: '5:h', delivered: { ...told, compaction: '5:h' } }, null],
  ['summed up again', { compaction: '9:h', delivered: { ...told, compaction: '5:h' } }, 'compacted'],
  ['a summary that is gone', { delivered: { ...told, compaction: '5:h' } }, null],
])('%s', (_what, changed, expected) => {
  expect(owedReason({ ...input, ...changed })).toBe(expected);
});
