const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** `14:05`. */
export const clockTime = (ms: number): string => clock.format(ms);

/** The shortest form that still tells the day; null for 0, which stands for "not known". */
export function shortTime(ms: number, now: number): string | null {
  if (ms === 0) return null;
  const then = new Date(ms);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return clock.format(ms);
  return then.getFullYear() === today.getFullYear() ? `${day.format(ms)}, ${clock.format(ms)}` : year.format(ms);
}

/** Date and time in full, for a tooltip. */
export const fullTime = (ms: number): string => full.format(ms);
