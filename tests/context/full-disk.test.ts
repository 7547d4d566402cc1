import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../files/support.ts';

/** A disk of 64 KiB in a namespace of its own, which ends with the command: so nothing has to be taken away after it. */
const mounting = 'mount -t tmpfs -o size=64k none "$0"';
const inNamespace = ['-rm', 'sh', '-c'];

/** Whether this system lets its user mount: Linux as root, or where users have namespaces. */
const canMount = process.platform === 'linux' && spawnSync('unshare', [...inNamespace, mounting, '/mnt']).status === 0;

interface Outcome {
  refused: { code: string; reason: string; message: string }[];
  /** What was on the disk and shown while it was full. */
  whileFull: { notes: string[]; plan: string; leftovers: string[] };
  /** The same after space was made and each change was made again. */
  after: { notes: string[]; plan: string; plans: number; leftovers: string[] };
}

// microsoft/vscode#303134, anomalyco/opencode#7607
describe.runIf(canMount)('a disk that is really full', () => {
  test('costs no byte that was saved, is named, leaves nothing behind, and the same changes work once there is space', async () => {
    const folder = await temporaryFolder();
    const script = join(import.meta.dirname, 'full-disk-process.ts');
    const { stdout } = await promisify(execFile)('unshare', [
      ...inNamespace,
      `${mounting} && exec "$1" "$2" "$0"`,
      folder,
      process.execPath,
      script,
    ]);
    const { refused, whileFull, after } = JSON.parse(stdout) as Outcome;
    expect(refused.map(({ code, reason }) => `${code} ${reason}`)).toEqual(Array(3).fill('io disk-full'));
    for (const { message } of refused) expect(message).toContain('disk is full');
    expect(whileFull).toEqual({ notes: ['alpha'], plan: '# Alpha\n\nbody\n', leftovers: [] });
    expect(after).toEqual({
      notes: ['new', 'alpha'],
      plan: `# Alpha\n\n${'x'.repeat(20_000)}\n`,
      plans: 2,
      leftovers: [],
    });
  });
});
