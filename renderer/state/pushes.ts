import { useEffect, useEffectEvent, useState } from 'react';
import type { EventName, EventPayload } from '../../src/contract/index.ts';
import { useSidekeep } from './hooks.ts';

/**
 * How many pushes that concern what is shown have come: part of the key of an answer that has to be asked for again then.
 * @param concerns whether a push is about what is shown
 */
export function usePushes<Name extends EventName>(
  name: Name,
  concerns: (payload: EventPayload<Name>) => boolean,
): number {
  const { client } = useSidekeep();
  const [count, setCount] = useState(0);
  const isAbout = useEffectEvent(concerns);
  useEffect(
    () =>
      client.on(name, (payload) => {
        if (isAbout(payload)) setCount((before) => before + 1);
      }),
    [client, name],
  );
  return count;
}
