import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayOf } from '../../src/chats/day.ts';

const cases: readonly [zone: string, at: string, day: string][] = [
  ['America/Los_Angeles', '2026-03-02T06:30:00Z', '2026-03-01'],
  ['Asia/Tokyo', '2026-03-01T15:30:00Z', '2026-03-02'],
  ['Asia/Kathmandu', '2026-03-01T18:14:59Z', '2026-03-01'],
  ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02'],
  // The night with 23 hours: midnight before it, the gap, the midnight after it.
  ['Europe/Berlin', '2026-03-28T22:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
  // The night with 25 hours.
  ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
  // Where the hour that is left out is the one after midnight.
  ['America/Santiago', '2026-09-06T03:59:59Z', '2026-09-05'],
  ['America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
  ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', '2026-01-01'],
  ['Pacific/Niue', '2026-01-01T10:59:59Z', '2025-12-31'],
  ['UTC', '2024-02-29T23:59:59Z', '2024-02-29'],
];

test.each(cases)('in %s it is at %s the day %s', (zone, at, day) => {
  expect(dayOf(Date.parse(at), zone)).toBe(day);
});

test('without a zone it is the day of the machine', () => {
  const program = `import { dayOf } from ${JSON.stringify(join(import.meta.dirname, '../../src/chats/day.ts'))};
    process.stdout.write(dayOf(Date.parse('2026-03-02T06:30:00Z')));`;
  for (const [zone, day] of [
    ['America/Los_Angeles', '2026-03-01'],
    ['Asia/Tokyo', '2026-03-02'],
  ]) {
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TZ: zone, LC_ALL: 'ar_EG' },
      encoding: 'utf8',
    });
    expect(told).toBe(day);
  }
});
