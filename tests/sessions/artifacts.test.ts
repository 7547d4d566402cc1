import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Artifact,
  type ArtifactOperation,
  artifactAnswers,
  artifactName,
  artifactOf,
  artifacts,
  lackingAnswers,
  registerArtifact,
} from '../../src/sessions/artifacts.ts';
import { isSessionTranscriptName } from '../../src/sessions/seed-names.ts';
import { artifactPlaces } from '../../src/sessions/session-files.ts';

const operations: ArtifactOperation[] = ['scan', 'rename', 'fork', 'trash', 'restore', 'purge', 'privacy'];
const later: Artifact = { ...artifactOf('recovery'), kind: 'later', suffix: '.later.json', seed: null };

describe('the table of what belongs to a session', () => {
  test('asks for an answer for each operation', () => {
    expect(Object.keys(artifactAnswers).sort()).toEqual([...operations].sort());
  });

  test.each(artifacts().map((row) => [row.kind, row] as const))('has all answers for %s', (_kind, row) => {
    expect(lackingAnswers(row)).toEqual([]);
  });

  test.each(operations)('notices a row without an answer for %s', (operation) => {
    const { [operation]: _answer, ...rest } = later;
    expect(lackingAnswers(rest as Artifact)).toEqual([operation]);
    expect(() => registerArtifact(rest as Artifact)).toThrow(`no answer for ${operation}`);
    expect(() => registerArtifact({ ...later, [operation]: 'something' } as unknown as Artifact)).toThrow('no answer');
  });

  test('has every name only once', () => {
    const names = artifactPlaces('a').map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const kinds = artifacts().map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test('has one row that is a session', () => {
    const sessions = artifacts().filter((row) => isSessionTranscriptName(artifactName(row, 'a')));
    expect(sessions.map(({ kind }) => kind)).toEqual(['transcript']);
  });

  test('moves what is kept and removes what only protects or hides a live session', () => {
    for (const row of artifacts()) {
      const isRemoved = row.trash === 'lock' || row.trash === 'marker';
      expect([row.kind, row.restore === 'never', row.purge === 'gone']).toEqual([row.kind, isRemoved, isRemoved]);
    }
  });

  test('names every artifact of the format', () => {
    const names = artifactPlaces('s').map(({ name }) => name);
    for (const name of [
      's.jsonl',
      's.jsonl.meta',
      's.ckpt',
      's.jobs',
      's.inbox',
      's.outputs',
      's.wire.jsonl',
      's.adjudication.jsonl',
      's.execution.jsonl',
      's.superseded.jsonl.bak',
      's.jsonl.telemetry.json',
      's.acp.json',
      's.run-journal.ndjson',
      's.guardian.jsonl',
      's.guardian.jsonl.meta',
      's.guardian.events.jsonl',
      's.guardian.ckpt',
      's.guardian.cursor.json',
      's.cleanup-pending.json',
      's.jsonl.lock',
      's.jsonl.lease.lock',
      's.jsonl.lease.json',
    ]) {
      expect(names).toContain(name);
    }
  });

  test('takes a row of a later module, and gives it back', () => {
    const remove = registerArtifact(later);
    onTestFinished(remove);
    expect(artifactPlaces('a').map(({ name }) => name)).toContain('a.later.json');
    expect(() => registerArtifact(later)).toThrow('there already');
    expect(() => registerArtifact({ ...later, kind: 'other' })).toThrow('there already');
    remove();
    expect(artifactPlaces('a').map(({ name }) => name)).not.toContain('a.later.json');
  });

  test('refuses a new kind that older readers would show as a session', () => {
    expect(() => registerArtifact({ ...later, suffix: '.later.jsonl' })).toThrow('shown as a session');
  });
});
