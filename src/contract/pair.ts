import type { Role } from './call.ts';
import { type Bridge, createClient, subscriberName } from './client.ts';
import type { Client, Implementation, Publish } from './contract.ts';
import { bridgeTable } from './derive.ts';
import { checkEvent, dispatch, type Report } from './dispatch.ts';

/** Both ends of the bridge in one process. */
export interface Pair {
  /** A client of this role; several may be made, they stand for several windows. */
  connect(role: Role): Client;
  /** Pushes an event to every connected client whose role receives it. */
  publish: Publish;
}

/**
 * The bridge without Electron: the same checks of role, size, input, output and events, and a structured clone both ways.
 * For tests of the windows and of the core.
 */
export function createPair(implementation: Implementation, report: Report): Pair {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const listen = (channel: string, listener: (payload: unknown) => void): (() => void) => {
    const set = listeners.get(channel) ?? new Set();
    listeners.set(channel, set);
    set.add(listener);
    return () => set.delete(listener);
  };
  return {
    connect(role) {
      const bridge: Record<string, Record<string, (argument: unknown) => unknown>> = {};
      const table = bridgeTable(role);
      const signal = new AbortController().signal;
      for (const name of table.calls) {
        const [group = '', method = ''] = name.split('.');
        bridge[group] ??= {};
        bridge[group][method] = async (input) =>
          structuredClone(await dispatch(implementation, name, structuredClone(input), { role, signal }, report));
      }
      for (const name of table.events) {
        const [group = '', event = ''] = name.split('.');
        bridge[group] ??= {};
        bridge[group][subscriberName(event)] = (listener) =>
          listen(`${role}:${name}`, listener as (payload: unknown) => void);
      }
      return createClient(bridge as Bridge, role);
    },
    publish(name, payload) {
      const checked = checkEvent(name, payload, report);
      if (checked === null) return;
      for (const role of ['sidebar', 'mini-chat']) {
        for (const listener of listeners.get(`${role}:${name}`) ?? []) listener(structuredClone(checked));
      }
    },
  };
}
