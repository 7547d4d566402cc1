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
    // The second field is the program's name in brackets and may hold blanks; the state is the 3rd, the start time the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ended = fields[0] === 'Z' || fields[0] === 'X';
    return ended || fields[19] === undefined ? null : `${boot.trim()}:${fields[19]}`;
  } catch {
    // No such process, or a system without these files: nothing can be told.
    return null;
  }
}
