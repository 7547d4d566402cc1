/**
 * The local day of a moment, `YYYY-MM-DD` (docs/formats/context-format.md, section 11).
 *
 * @param at In ms since 1970.
 * @param timeZone Name of a time zone; that of this machine when left out.
 */
export function dayOf(at: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}
