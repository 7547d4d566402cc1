import { EventEmitter } from 'node:events';
import { refuseMissing } from './refuse.ts';

let text = '';

/** `clipboard`: plain text, as state of this process; the system's clipboard is not touched. */
export const clipboard = {
  async readText(): Promise<string> {
    return text;
  },
  async writeText(written: string): Promise<void> {
    text = String(written);
  },
  clear(): void {
    text = '';
  },
};
refuseMissing(clipboard, 'Clipboard', 'clipboard');

class PowerMonitor extends EventEmitter {}
refuseMissing(PowerMonitor.prototype, 'PowerMonitor', 'powerMonitor');

/** `powerMonitor`: emits what a test emits (`powerMonitor.emit('resume')`); it observes nothing itself. */
export const powerMonitor = new PowerMonitor();
