import { useSidekeep } from '../state/hooks.ts';
import { strings } from './strings.ts';

/** Copies a text and says whether that worked. */
export function useCopy(): (text: string) => void {
  const { toasts } = useSidekeep();
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => toasts.show(strings.common.copied),
      () => toasts.show(strings.common.copyFailed),
    );
  };
}
