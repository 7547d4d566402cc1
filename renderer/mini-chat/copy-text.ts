import type { Sidekeep } from '../state/sidekeep.ts';
import { announce } from '../ui/announcer.tsx';
import { strings } from '../ui/strings.ts';

/** Copies a text; says so, or how to copy it by hand where the system refuses. */
export async function copyText(sidekeep: Sidekeep, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(strings.common.copied);
  } catch {
    // The browser refuses without a reason that helps anyone; what helps is the other way to do it.
    sidekeep.toasts.show(strings.common.copyFailed);
  }
}
