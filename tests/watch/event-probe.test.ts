import { describe, expect, test } from 'vitest';
import { EventProbe } from '../../src/watch/event-probe.ts';
import { isNetworkType } from '../../src/watch/network-root.ts';

const times = (root: number, projects: number | null) => ({
  root: BigInt(root),
  projects: projects === null ? null : BigInt(projects),
});

describe('the probe for missing events', () => {
  test('says nothing while nothing changes', () => {
    const probe = new EventProbe();
    expect([probe.round(times(1, 1)), probe.round(times(1, 1)), probe.round(times(1, 1))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('says nothing when each change was announced', () => {
    const probe = new EventProbe();
    probe.round(times(1, 1));
    probe.saw({ kind: 'notice', segments: ['projects', 'p1'] });
    expect(probe.round(times(1, 2))).toBe(false);
    expect(probe.round(times(1, 2))).toBe(false);
  });

  test('gives an event one more round to arrive', () => {
    const probe = new EventProbe();
    probe.round(times(1, 1));
    expect(probe.round(times(1, 2))).toBe(false);
    probe.saw({ kind: 'notice', segments: ['projects', 'p1'] });
    expect(probe.round(times(1, 2))).toBe(false);
    expect(probe.round(times(1, 2))).toBe(false);
  });

  test.each([
    ['projects', times(1, 2)],
    ['the root', times(2, 1)],
  ])('tells when a change of %s stays unannounced', (_where, changed) => {
    const probe = new EventProbe();
    probe.round(times(1, 1));
    probe.round(changed);
    expect(probe.round(changed)).toBe(true);
  });

  test('an event elsewhere is no announcement', () => {
    const probe = new EventProbe();
    probe.round(times(1, 1));
    probe.saw({ kind: 'change', segments: ['projects', 'p1', 'context.json'] });
    probe.round(times(1, 2));
    expect(probe.round(times(1, 2))).toBe(true);
  });

  test('starts from nothing after a reset, and when projects appears', () => {
    const probe = new EventProbe();
    probe.round(times(1, 1));
    probe.round(times(2, 1));
    probe.reset();
    expect([probe.round(times(3, null)), probe.round(times(3, 4)), probe.round(times(3, 4))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('network file systems', () => {
  test.each([
    ['nfs', 0x6969, true],
    ['cifs', 0xff534d42, true],
    // statfs gives some of these as negative 32-bit numbers.
    ['smb2', 0xfe534d42 | 0, true],
    ['fuse', 0x65735546, true],
    ['ext4', 0xef53, false],
    ['btrfs', 0x9123683e, false],
    ['tmpfs', 0x01021994, false],
    ['overlayfs', 0x794c7630, false],
  ])('%s', (_name, type, expected) => {
    expect(isNetworkType(type)).toBe(expected);
  });
});
