import type { ContextNotice } from '../../../src/contract/index.ts';

/** The notice that stands in the open: the newest about what another program replaced, else the newest; null for none. */
export function firstNotice(notices: readonly ContextNotice[]): ContextNotice | null {
  const replaced = notices.filter(({ kind }) => kind === 'overwritten' || kind === 'displaced');
  const [newest] = (replaced.length > 0 ? replaced : notices).toSorted((one, other) => other.at - one.at);
  return newest ?? null;
}
