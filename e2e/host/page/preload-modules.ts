import type { Codec } from '../codec.ts';
import type { Bridge } from './bridge.ts';

export interface PreloadHost {
  nonce: string;
  bridge: Bridge;
  codec: Codec;
  send(kind: string, id: number, channel: string, payload: string): void;
}

export interface PreloadModules {
  /** What `require` is in a sandboxed preload: a handful of modules by name, and nothing of Node's. */
  require(name: string): unknown;
  receive(kind: string, id: number, channel: string, payload: string): void;
}

/** Electron's renderer modules as a sandboxed preload sees them. Injected as text: uses nothing from outside itself. */
export function makePreloadModules({ nonce, bridge, codec, send }: PreloadHost): PreloadModules {
  type Listener = (...args: unknown[]) => void;

  class EventEmitter {
    private readonly held = new Map<string | symbol, { call: Listener; given: Listener }[]>();

    on(name: string | symbol, listener: Listener): this {
      return this.add(name, listener, listener);
    }
    addListener(name: string | symbol, listener: Listener): this {
      return this.add(name, listener, listener);
    }
    once(name: string | symbol, listener: Listener): this {
      const call = (...args: unknown[]): void => {
        this.off(name, listener);
        listener(...args);
      };
      return this.add(name, listener, call);
    }
    off(name: string | symbol, listener: Listener): this {
      const list = this.held.get(name) ?? [];
      const index = list.findLastIndex(({ given }) => given === listener);
      if (index >= 0) this.held.set(name, list.toSpliced(index, 1));
      return this;
    }
    removeListener(name: string | symbol, listener: Listener): this {
      return this.off(name, listener);
    }
    removeAllListeners(name?: string | symbol): this {
      if (name === undefined) this.held.clear();
      else this.held.delete(name);
      return this;
    }
    emit(name: string | symbol, ...args: unknown[]): boolean {
      const list = this.held.get(name) ?? [];
      for (const { call } of list) {
        try {
          call(...args);
        } catch (error) {
          reportError(error); // One listener's error reaches the console and not the other listeners.
        }
      }
      return list.length > 0;
    }
    listenerCount(name: string | symbol): number {
      return this.held.get(name)?.length ?? 0;
    }
    listeners(name: string | symbol): Listener[] {
      return (this.held.get(name) ?? []).map(({ given }) => given);
    }
    eventNames(): (string | symbol)[] {
      return [...this.held.keys()].filter((name) => this.listenerCount(name) > 0);
    }
    private add(name: string | symbol, given: Listener, call: Listener): this {
      if (typeof given !== 'function') throw new TypeError('The "listener" argument must be of type function');
      this.held.set(name, [...(this.held.get(name) ?? []), { call, given }]);
      return this;
    }
  }

  const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastCall = 0;

  class IpcRenderer extends EventEmitter {
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const payload = codec.encode(args);
      const id = ++lastCall;
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        send('invoke', id, channel, payload);
      });
    }
    send(channel: string, ...args: unknown[]): void {
      send('send', 0, channel, codec.encode(args));
    }
    /** Blocks the page on a request that the host answers; a page's CSP must allow `connect-src 'self'`. */
    sendSync(channel: string, ...args: unknown[]): unknown {
      const request = new XMLHttpRequest();
      request.open('POST', `${location.origin}/__host_send_sync__/${nonce}/${encodeURIComponent(channel)}`, false);
      request.send(codec.encode(args));
      const [ok, value] = codec.decode(request.responseText) as [boolean, unknown];
      if (!ok) throw new Error(String(value));
      return value;
    }
  }

  function refusing(name: string, module: object): object {
    return new Proxy(module, {
      get(target, key, receiver) {
        if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON') {
          return Reflect.get(target, key, receiver);
        }
        throw new Error(`host: ${name}${name && '.'}${key} is not imitated; this needs real Electron`);
      },
    });
  }

  const ipcRenderer = refusing('ipcRenderer', new IpcRenderer()) as IpcRenderer;
  const contextBridge = refusing('contextBridge', {
    exposeInMainWorld(key: string, api: unknown): void {
      bridge.request('expose', [key, bridge.write(api)]);
    },
  });
  const electron = refusing('', {
    contextBridge,
    ipcRenderer,
    webFrame: refusing('webFrame', {}),
    webUtils: refusing('webUtils', {}),
    clipboard: refusing('clipboard', {}),
    nativeImage: refusing('nativeImage', {}),
    crashReporter: refusing('crashReporter', {}),
  });
  const modules: Record<string, unknown> = {
    electron,
    'electron/renderer': electron,
    'electron/common': electron,
    events: Object.assign(EventEmitter, { EventEmitter }),
    timers: { setTimeout, setInterval, clearTimeout, clearInterval },
    url: { URL, URLSearchParams },
  };

  return {
    require(name) {
      const module = modules[name.replace(/^node:/, '')];
      if (module === undefined) throw new Error(`module not found: ${name}`);
      return module;
    },
    receive(kind, id, channel, payload) {
      const value = codec.decode(payload);
      if (kind === 'event') {
        ipcRenderer.emit(channel, { sender: ipcRenderer, ports: [] }, ...(value as unknown[]));
        return;
      }
      const call = calls.get(id);
      calls.delete(id);
      if (kind === 'result') call?.resolve(value);
      else call?.reject(new Error(String(value)));
    },
  };
}
