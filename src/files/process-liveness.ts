import { readFile } from 'node:fs/promises';
import { systemCode } from './failures.ts';

/** Whether a process of this number runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to someone else.
    return systemCode(error) === 'EPERM';
  }
}

/**
 * What tells two processes with the same number apart: boot and start time, where the system tells them (Linux); null
 * elsewhere, and for a process that does not run.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The second field is the program's name in brackets and may hold blanks; the start time is the 22nd.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot.trim()}:${ticks}`;
  } catch {
    // No such process, or a system without these files: nothing can be told.
    return null;
  }
}
