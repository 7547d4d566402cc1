import { describe, expect, test } from 'vitest';
import { toldMessage } from '../../src/sessions/writing/told-message.ts';
import { exploreTold, type RecordMessage, session, type ToldScenario } from './session-told-explorer.ts';
import { withoutKnowledgeSync, withoutLogSync } from './session-write-layers.ts';
import { said } from './session-write-recording.ts';

const LEAST = 300;
const TIMEOUT_MS = 120_000;
let distinct = 0;

const scenarios: readonly ToldScenario[] = [
  {
    name: 'a message with what it is told',
    async run(recorder) {
      await recorder.pin('a');
      await recorder.say('m1');
    },
  },
  {
    name: 'messages at once, and pins between them',
    async run(recorder) {
      await recorder.pin('a');
      await recorder.say('m1', 'm2', 'm3');
      await recorder.pin('b');
      await recorder.say('m4');
      await recorder.pin('a', false);
      await recorder.say('m5', 'm6');
    },
  },
  {
    name: 'other content after a restart',
    async run(recorder) {
      await recorder.pin('a');
      await recorder.say('m1');
      await recorder.restart();
      await recorder.say('m2');
      await recorder.pin('b');
      await recorder.restart();
      await recorder.say('m3');
    },
  },
];

describe('after a crash at any point, and whatever the disk lost of what a session was told', () => {
  test.each(scenarios)('$name', { timeout: TIMEOUT_MS }, async (scenario) => {
    const found = await exploreTold(scenario);
    distinct += found.distinct;
    expect(found.violations.join('\n')).toBe('');
    expect(found.distinct, 'the scenario must be one that writes').toBeGreaterThan(5);
  });

  test(`at least ${LEAST} disks were looked at`, () => {
    console.info(`Crash explorer, telling sessions: ${distinct} different disks.`);
    expect(distinct).toBeGreaterThanOrEqual(LEAST);
  });
});

/** What is told has a record of its own. */
const apart: RecordMessage = ({ writers, telling }, messageId) =>
  telling.record(session, said(messageId), async (messages) => {
    for (const message of messages.slice(0, -1)) await writers.append(session, [message]);
    return writers.append(session, messages.slice(-1));
  });

/** It is remembered before it is told. */
const early: RecordMessage = async ({ writers, knowledge }, messageId) => {
  const { told } = await knowledge.owed(session);
  if (told !== null) await knowledge.recorded(session, told);
  const message = said(messageId);
  return writers.append(session, told === null ? [message] : [toldMessage(told, message), message]);
};

const first = scenarios[0] as ToldScenario;

describe('the explorer catches what is done wrong on purpose', () => {
  test.each<[string, Partial<ToldScenario>, RegExp]>([
    ['the log is not synced', { layer: withoutLogSync }, /was acknowledged, and is gone|was not told/],
    ['what is told has a record of its own', { record: apart }, /stands alone/],
    ['it is remembered before it is told', { record: early }, /remembered as told, and was not told/],
    ['what is remembered is not synced', { layer: withoutKnowledgeSync }, /is torn|the pins are/],
  ])('%s', { timeout: TIMEOUT_MS }, async (_name, mistake, expected) => {
    const { violations } = await exploreTold({ ...first, ...mistake }, { first: true });
    expect(violations.join('\n')).toMatch(expected);
  });
});
