import type { Call, PushEvent, Role } from './call.ts';
import { type CallName, contract, type EventName } from './contract.ts';

const members = Object.entries(contract).flatMap(([group, entries]) =>
  Object.entries(entries as Record<string, Call | PushEvent>).map(
    ([name, member]) => [`${group}.${name}`, member] as const,
  ),
);

/** Every call by its dotted name. */
export const calls: ReadonlyMap<CallName, Call> = new Map(
  members.filter((entry): entry is [CallName, Call] => entry[1].kind === 'call'),
);

/** Every event by its dotted name. */
export const events: ReadonlyMap<EventName, PushEvent> = new Map(
  members.filter((entry): entry is [EventName, PushEvent] => entry[1].kind === 'event'),
);

/** The channel on which a call or an event travels. */
export const channelOf = (name: CallName | EventName): string => `sidekeep:${name}`;

/** What the preload of one role exposes: names only, so that the preload needs neither schemas nor zod. */
export interface BridgeTable {
  role: Role;
  calls: CallName[];
  events: EventName[];
}

/** The calls and events of one role. */
export function bridgeTable(role: Role): BridgeTable {
  return {
    role,
    calls: [...calls].filter(([, call]) => call.roles.includes(role)).map(([name]) => name),
    events: [...events].filter(([, event]) => event.roles.includes(role)).map(([name]) => name),
  };
}
