/** Whether a project's label or path contains what was typed, in any case and with any accents. */
export function matches(filter: string, label: string, path: string | null): boolean {
  const wanted = plain(filter.trim());
  return wanted === '' || plain(label).includes(wanted) || (path !== null && plain(path).includes(wanted));
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
