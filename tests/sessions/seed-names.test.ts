import { describe, expect, test } from 'vitest';
import * as names from '../../src/sessions/seed-names.ts';
import { nameVectors } from './name-vectors.ts';

const { isSessionTranscriptName, sessionSidecarFiles } = names;
const columns = [
  names.sessionMeta,
  names.sessionGoalState,
  names.sessionEventLogDamaged,
  names.sessionTranscriptProjection,
  names.sessionRecoveryState,
];

describe('the names of the files beside a transcript', () => {
  test.each(nameVectors)('of %j', (input, ...expected) => {
    expect(columns.map((column) => column(input))).toEqual(expected.slice(0, 5));
    expect(sessionSidecarFiles(input)?.[0] ?? null).toBe(expected[5]);
  });

  test('all vectors are there', () => expect(nameVectors).toHaveLength(17));

  test('the others treat blanks as the table says', () => {
    expect(names.sessionLeaseInfo(' a.jsonl ')).toBe(' a.jsonl .lease.json');
    expect(names.sessionLockFile('a.jsonl')).toBe('a.jsonl.lock');
    expect(names.sessionLeaseLock('a.jsonl')).toBe('a.jsonl.lease.lock');
    expect(names.sessionJobsDir(' a.jsonl ')).toBe('a.jobs');
    expect(names.sessionInboxDir('\u00a0a.jsonl\t')).toBe('a.inbox');
    expect(names.sessionCheckpointDir(' a.jsonl ')).toBe(' a.jsonl .ckpt');
    expect(names.sessionEventLog('a.meta')).toBe('a.meta.events.jsonl');
    expect(names.sessionContext(' a.jsonl ')).toBe('a.context.json');
    expect(names.sessionPinnedContext(' a.jsonl ')).toBe('a.pinned-context.json');
    expect(names.sessionCleanupPending(' a.jsonl ')).toBe('a.cleanup-pending.json');
    expect(names.sessionEventLogRotating(' a.jsonl ')).toBe(' a.jsonl .events.jsonl.rotating');
    expect(names.sessionTurnEventLogDamaged('a.jsonl')).toBe('a.turns.jsonl.damaged');
  });

  test('every function gives an empty text for an empty path', () => {
    const { isSessionTranscriptName: _test, sessionSidecarFiles: _list, ...functions } = names;
    for (const name of Object.values(functions)) expect(name('')).toBe('');
    expect(Object.keys(functions)).toHaveLength(21);
  });

  test('the list of sidecar files is in the order of the reference', () => {
    expect(sessionSidecarFiles('/p/a.jsonl')).toEqual([
      '/p/a.jsonl.meta',
      '/p/a.goal-state.json',
      '/p/a.events.jsonl',
      '/p/a.events.jsonl.damaged',
      '/p/a.events.jsonl.rotating',
      '/p/a.turns.jsonl',
      '/p/a.turns.jsonl.damaged',
      '/p/a.event-index.json',
      '/p/a.display-index.json',
      '/p/a.transcript-projection.json',
      '/p/a.conflicts.jsonl',
      '/p/a.recovery.json',
      '/p/a.context.json',
      '/p/a.pinned-context.json',
    ]);
  });
});

const transcripts = [
  'abc.jsonl',
  ' abc.jsonl ',
  'abc.jsonl\n',
  '.jsonl',
  'abc.jsonl.jsonl',
  'abc.events.jsonl.jsonl',
  'abc.Events.jsonl',
  'abc.events .jsonl',
  'abc.telemetry.jsonl',
  'abc.recovery.jsonl',
  'events.jsonl',
  'execution.jsonl',
  '/p/abc.jsonl',
  '\ufeffabc.jsonl',
  'abc.jsonl\u0085',
];
const others = [
  '',
  ' ',
  'abc',
  'A.JSONL',
  ...['events', 'turns', 'conflicts', 'guardian', 'wire', 'adjudication', 'execution'].map(
    (part) => `abc.${part}.jsonl`,
  ),
  '.events.jsonl',
  'abc.wire.jsonl ',
  'abc.guardian.events.jsonl',
  'abc.events.jsonl.damaged',
  'abc.events.jsonl.rotating',
  'abc.jsonl.meta',
  'abc.jsonl.lock',
  'abc.superseded.jsonl.bak',
  'abc.jsonl/',
  'abc.jsonl\ufeff',
  'notes.txt',
];

describe('which names are those of transcripts', () => {
  test.each(transcripts)('%j is one', (name) => expect(isSessionTranscriptName(name)).toBe(true));
  test.each(others)('%j is none', (name) => expect(isSessionTranscriptName(name)).toBe(false));
});
