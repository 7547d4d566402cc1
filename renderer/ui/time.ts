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

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
/** In the language of the catalog, whose sentences it stands in. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `14:05` for today, else with the day and the year: for a sentence that names one moment. */
export function momentOf(ms: number, now: number): string {
  return new Date(ms).toDateString() === new Date(now).toDateString() ? clock.format(ms) : moment.format(ms);
}

/** Date and time, with the year. */
export const dayAndTime = (ms: number): string => moment.format(ms);

/** The day. */
export const dayOf = (ms: number): string => date.format(ms);

/** `2 minutes ago`, `in 3 days`, in the largest unit of which there is at least one; null within a minute. */
export function relativeTime(ms: number, now: number): string | null {
  const passed = ms - now;
  const distance = Math.abs(passed);
  if (distance < MINUTE) return null;
  if (distance < HOUR) return relative.format(Math.trunc(passed / MINUTE), 'minute');
  if (distance < DAY) return relative.format(Math.trunc(passed / HOUR), 'hour');
  return relative.format(Math.trunc(passed / DAY), 'day');
}

/** Date and time in full, for a tooltip. */
export const fullTime = (ms: number): string => full.format(ms);
