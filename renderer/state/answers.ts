import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CallError, Result } from '../../src/contract/index.ts';

/** What a call answered, for as long as somebody looks at it. */
export interface Answer<Value> {
  /** The newest answer; null while there is none, or when the last one was a failure. */
  readonly value: Value | null;
  readonly problem: CallError | null;
  /** A newer answer is on its way; `value` is then the one before. */
  readonly isStale: boolean;
  again(): void;
}

/**
 * Asks when it is first shown and whenever `key` changes. An answer to an older key never takes the place of one to a
 * newer key, in whatever order they come.
 */
export function useAnswer<Value>(key: readonly unknown[], ask: () => Promise<Result<Value>>): Answer<Value> {
  const query = useQuery<Result<Value>>({
    queryKey: ['answer', ...key],
    queryFn: ask,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { data } = query;
  return {
    value: data?.ok ? data.value : null,
    problem: data && !data.ok ? data.error : null,
    isStale: query.isPlaceholderData,
    again: () => void query.refetch(),
  };
}
