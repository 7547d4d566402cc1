import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { idOfTranscript, isNewId, newSessionId, refuseBadId } from '../../src/sessions/session-id.ts';

const hostile = [
  '../victim',
  '..',
  '.',
  '.jsonl',
  '',
  '   ',
  'a/../../victim',
  '/etc/hostname',
  '..%2fvictim',
  's1/../../victim',
  'C:\\x',
  's1\u0000.jsonl',
  'a'.repeat(300),
  'ä'.repeat(125),
  's1\n',
  ' s1',
  's1 ',
  '\u0085s1',
  's1\ufeff',
  's\u00011',
  'a\ud800',
];

describe('ids of sessions', () => {
  test.each(hostile)('%j is refused as input', (id) => {
    expect(() => refuseBadId(id)).toThrow(Failure);
    expect(() => refuseBadId(id)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  test.each(['a', 'a..b', 'notes.events', 'CON', 'x~1 (copy)', '日本', 'a'.repeat(249), 'ends.'])(
    '%j is let through',
    (id) => {
      expect(() => refuseBadId(id)).not.toThrow();
    },
  );

  test.each(['a', 'A-1_b.c', '20260105-100000.123456789-gpt', 'a.eventsx', 'events.a', 'a'.repeat(200)])(
    '%j may be new',
    (id) => {
      expect(isNewId(id)).toBe(true);
    },
  );

  test.each([
    'notes.events',
    'events',
    'a.turns',
    'b.guardian',
    'c.conflicts',
    'a.JSONL',
    'a.Meta',
    'a.knowledge',
    'a.event-index',
    'con',
    'CON.x',
    'lpt9.b',
    'a.',
    'a..b',
    '-a',
    '_a',
    'a b',
    'ä',
    'a'.repeat(201),
    '.a',
    '',
  ])('%j may not be new', (id) => expect(isNewId(id)).toBe(false));

  test('a new id is made of the time in UTC and chance', () => {
    expect(newSessionId(Date.UTC(2026, 0, 5, 9, 8, 7, 65), '012345678')).toBe('20260105-090807.012345678-sidekeep');
    const id = newSessionId(Date.now());
    expect(id).toMatch(/^\d{8}-\d{6}\.\d{9}-sidekeep$/);
    expect(isNewId(id)).toBe(true);
  });

  test('a transcript names its session, a sidecar none', () => {
    expect(idOfTranscript('a.b.jsonl')).toBe('a.b');
    for (const name of ['.jsonl', 'a.events.jsonl', 'a.JSONL', 'a.jsonl ', ' a.jsonl', 'a.jsonl.meta', '..jsonl']) {
      expect(idOfTranscript(name), name).toBeNull();
    }
  });
});
