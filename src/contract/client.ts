import type { Role } from './call.ts';
import type { CallName, Client } from './contract.ts';
import { bridgeTable } from './derive.ts';
import { errorStatus, type Result } from './errors.ts';
import { checkPayload } from './payload.ts';

/**
 * What the preload exposes: group → call name → function, and group → `on<Event>` → function that answers its
 * unsubscriber. Only the calls and events of the window's role are there.
 */
export type Bridge = Readonly<Record<string, Readonly<Record<string, (argument: unknown) => unknown>>>>;

/** Name of an event's subscribe function on the bridge: `context.changed` is `context.onChanged`. */
export const subscriberName = (event: string): string => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`;

/**
 * Makes a client of a bridge. Calls resolve always: a request that is not plain data or is too large fails here, with
 * the field named, before it reaches the bridge; a call that this role does not have answers `forbidden`.
 */
export function createClient(bridge: Bridge, role: Role): Client {
  const on = (event: string, listener: (payload: never) => void): (() => void) => {
    const [group = '', name = ''] = event.split('.');
    const subscribe = bridge[group]?.[subscriberName(name)];
    if (!subscribe) throw new Error(`this window does not receive ${event}`);
    return subscribe(listener) as () => void;
  };
  const client: Record<string, unknown> = { on };
  for (const name of bridgeTable(role).calls) {
    const [group = '', method = ''] = name.split('.');
    const functions = (client[group] ?? {}) as Record<string, unknown>;
    client[group] = functions;
    functions[method] = (input: unknown) => send(bridge, name, group, method, input);
  }
  return client as Client;
}

async function send(
  bridge: Bridge,
  name: CallName,
  group: string,
  method: string,
  input: unknown,
): Promise<Result<unknown>> {
  let plain: unknown;
  try {
    const problem = checkPayload(input);
    if (problem) return failure(problem.code, problem.message, problem.path);
    plain = toPlainData(input);
  } catch {
    // Only code in the object itself (a getter, a proxy) throws here: it is not plain data.
    return failure('invalid', 'The request is not plain data. Nothing was changed.');
  }
  const invoke = bridge[group]?.[method];
  if (!invoke) return failure('forbidden', `This window may not use ${name}. Nothing was changed.`);
  try {
    return (await invoke(plain)) as Result<unknown>;
  } catch {
    // The bridge rejects only when it broke: the main process is gone, or the window is being closed.
    return failure('io', 'Sidekeep did not answer. What you typed is still here; try again.');
  }
}

/** A copy without proxies or prototypes: what `checkPayload` accepted, as the bridge can carry it. */
function toPlainData(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return Array.from(value, toPlainData);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlainData(entry)]));
}

function failure(code: 'invalid' | 'too-large' | 'forbidden' | 'io', message: string, field?: string): Result<never> {
  const detail = field === undefined ? {} : { detail: { field } };
  return { ok: false, error: { code, status: errorStatus[code], message, ...detail } };
}
