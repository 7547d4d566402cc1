import { contextBridge, ipcRenderer } from 'electron';
import type { BridgeTable } from '../src/contract/derive.ts';

/**
 * The bridge of a window: one frozen object with just the calls and events of its role, by name. The names come from the
 * main process with the window (`--sidekeep-bridge=`), so that neither schemas nor zod are loaded here; every argument is
 * checked on the other side.
 */
const TABLE_ARGUMENT = '--sidekeep-bridge=';

type Listener = (payload: unknown) => void;
type Functions = Record<string, (argument: unknown) => unknown>;

const argument = process.argv.find((text) => text.startsWith(TABLE_ARGUMENT));
const table = JSON.parse(argument?.slice(TABLE_ARGUMENT.length) ?? '{"calls":[],"events":[]}') as BridgeTable;
const bridge: Record<string, Functions> = {};

for (const name of table.calls) {
  functionsOf(name)[memberOf(name)] = (input) => ipcRenderer.invoke(`sidekeep:${name}`, input);
}
for (const name of table.events) {
  const member = memberOf(name);
  functionsOf(name)[`on${member.charAt(0).toUpperCase()}${member.slice(1)}`] = subscriber(`sidekeep:${name}`);
}
contextBridge.exposeInMainWorld('sidekeep', bridge);

/** One listener of ours for a channel, however many the page has; the page never sees Electron's event. */
function subscriber(channel: string): (listener: unknown) => () => void {
  const listeners = new Set<Listener>();
  ipcRenderer.on(channel, (_event, payload: unknown) => {
    for (const listener of [...listeners]) listener(payload);
  });
  return (listener) => {
    if (typeof listener !== 'function') throw new TypeError('a listener is a function');
    // A wrapper of its own, so that the same function can listen twice and each be stopped alone.
    const entry: Listener = (payload) => (listener as Listener)(payload);
    listeners.add(entry);
    return () => {
      listeners.delete(entry);
    };
  };
}

function functionsOf(name: string): Functions {
  const group = name.slice(0, name.indexOf('.'));
  const functions = bridge[group] ?? {};
  bridge[group] = functions;
  return functions;
}

function memberOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
