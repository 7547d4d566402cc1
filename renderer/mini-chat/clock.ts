import { useSyncExternalStore } from 'react';
import { startOfDay } from './stream.ts';

const CHECK_MS = 30_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, CHECK_MS);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Local start of today; changes at midnight, also in a window that stays open. */
export const useToday = (): number => useSyncExternalStore(subscribe, () => startOfDay(Date.now()));
