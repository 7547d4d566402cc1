/** Whether a project's label or path contains what was typed, in any case and with any accents. */
export function matches(filter: string, label: string, path: string | null): boolean {
  const wanted = plain(filter.trim());
  return wanted === '' || plain(label).includes(wanted) || (path !== null && plain(path).includes(wanted));
}

/**
 * What Enter opens while a filter is set: null stands for Chats. Chats counts when its name begins with what was typed;
 * where the letters only stand somewhere in it, the projects that match come first. Undefined: nothing matches.
 */
export function firstMatch(filter: string, chats: string, found: readonly { id: string }[]): string | null | undefined {
  const wanted = plain(filter.trim());
  if (wanted === '') return undefined;
  if (plain(chats).startsWith(wanted)) return null;
  const [first] = found;
  return first ? first.id : plain(chats).includes(wanted) ? null : undefined;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
