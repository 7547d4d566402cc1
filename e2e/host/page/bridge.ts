/** What crosses between the page's main world and the isolated world: a tag, then its operands. */
export type BridgeWire =
  | ['value', unknown]
  | ['same', number]
  | ['error', string]
  | ['function', number]
  | ['promise', number]
  | ['array', number, BridgeWire[]]
  | ['object', number, [string, BridgeWire][]];

/** One end of the synchronous channel between the two worlds. */
export interface Bridge {
  on(type: string, listener: (detail: never) => void): void;
  write(value: unknown): BridgeWire;
  read(wire: BridgeWire, frozen?: boolean): unknown;
  request(type: string, detail: unknown): unknown;
  answer(work: () => unknown): void;
}

/**
 * The rules of contextBridge: a synchronous call channel over a detached DOM node that only two closures hold, one in each
 * world. `detail` of a CustomEvent that is read in another world is a structured clone, so no object ever leaks between
 * the worlds; functions and promises cross as numbers; prototypes are dropped; of an error only its message crosses.
 *
 * The source text of this function runs in both worlds, so it uses nothing from outside itself, and it keeps its own
 * references to every primitive that a page could replace later.
 */
export function makeBridge(node: EventTarget, me: string, peer: string): Bridge {
  const { apply } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const { freeze, keys, defineProperty, create } = Object;
  const { toString: nameOf } = Object.prototype;
  const { isArray } = Array;
  const DetailEvent = CustomEvent;
  const PagePromise = Promise;
  const { then } = Promise.prototype;
  const clone = structuredClone;
  const local: Record<number, unknown> = create(null);
  const waiting: Record<number, [(value: unknown) => void, (error: Error) => void]> = create(null);
  const replies: [boolean, BridgeWire | string][] = [];
  const released = new FinalizationRegistry((id: number) => emit('free', id));
  const deepest = 1000;
  let lastId = 0;

  function emit(type: string, detail: unknown): void {
    apply(dispatchEvent, node, [new DetailEvent(type + peer, { detail })]);
  }

  function on(type: string, listener: (detail: never) => void): void {
    node.addEventListener(type + me, (event) => listener((event as CustomEvent).detail as never));
  }

  function messageOf(error: unknown): string {
    return error !== null && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  }

  function write(value: unknown, seen = new Map<object, number>(), depth = 0): BridgeWire {
    if (depth > deepest) {
      throw new TypeError(
        `Electron contextBridge recursion depth exceeded.  Nested objects deeper than ${deepest} are not supported.`,
      );
    }
    if (typeof value === 'symbol') throw new TypeError('A symbol could not be cloned.');
    if (typeof value === 'function') {
      local[++lastId] = value;
      return ['function', lastId];
    }
    if (typeof value !== 'object' || value === null) return ['value', value];
    if (value instanceof PagePromise) return writePromise(value);
    const known = seen.get(value);
    if (known !== undefined) return ['same', known];
    const name = apply(nameOf, value, []) as string;
    if (name === '[object Error]' || value instanceof Error) return ['error', messageOf(value)];
    if (isArray(value)) {
      const place = seen.size;
      seen.set(value, place);
      const items: BridgeWire[] = [];
      for (let index = 0; index < value.length; index++) items[index] = write(value[index], seen, depth + 1);
      return ['array', place, items];
    }
    if (name !== '[object Object]') return ['value', clone(value)];
    const place = seen.size;
    seen.set(value, place);
    const properties: [string, BridgeWire][] = [];
    for (const key of keys(value)) {
      properties[properties.length] = [key, write((value as Record<string, unknown>)[key], seen, depth + 1)];
    }
    return ['object', place, properties];
  }

  function writePromise(promise: Promise<unknown>): BridgeWire {
    const id = ++lastId;
    const fail = (error: unknown): void => emit('settle', [id, false, messageOf(error)]);
    const settle = (value: unknown): void => {
      let wire: BridgeWire;
      try {
        wire = write(value);
      } catch (error) {
        fail(error);
        return;
      }
      emit('settle', [id, true, wire]);
    };
    apply(then, promise, [settle, fail]);
    return ['promise', id];
  }

  function read(wire: BridgeWire, frozen = false, seen: Record<number, unknown> = {}): unknown {
    switch (wire[0]) {
      case 'value':
        return wire[1];
      case 'same':
        return seen[wire[1]];
      case 'error':
        return new Error(wire[1]);
      case 'function': {
        const id = wire[1];
        const call = (...args: unknown[]): unknown => request('call', [id, args.map((argument) => write(argument))]);
        released.register(call, id);
        return call;
      }
      case 'promise': {
        const id = wire[1];
        return new PagePromise((resolve, reject) => {
          waiting[id] = [resolve, reject];
        });
      }
      case 'array': {
        const array: unknown[] = [];
        seen[wire[1]] = array;
        for (const item of wire[2]) array[array.length] = read(item, frozen, seen);
        return frozen ? freeze(array) : array;
      }
      case 'object': {
        const object = {};
        seen[wire[1]] = object;
        for (const [key, item] of wire[2]) {
          const value = read(item, frozen, seen);
          defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
        }
        return frozen ? freeze(object) : object;
      }
    }
  }

  function request(type: string, detail: unknown): unknown {
    emit(type, detail);
    const reply = replies.pop();
    if (!reply) throw new Error('contextBridge: the other world is gone');
    if (!reply[0]) throw new Error(reply[1] as string);
    return read(reply[1] as BridgeWire);
  }

  function answer(work: () => unknown): void {
    let reply: [boolean, BridgeWire | string];
    try {
      reply = [true, write(work())];
    } catch (error) {
      reply = [false, messageOf(error)];
    }
    emit('return', reply);
  }

  on('return', (reply: [boolean, BridgeWire | string]) => {
    replies[replies.length] = reply;
  });
  on('call', ([id, args]: [number, BridgeWire[]]) =>
    answer(() => {
      const target = local[id];
      if (typeof target !== 'function') throw new Error('contextBridge: the function was released');
      return apply(
        target,
        undefined,
        args.map((argument) => read(argument)),
      );
    }),
  );
  on('settle', ([id, ok, wire]: [number, boolean, BridgeWire | string]) => {
    const promise = waiting[id];
    delete waiting[id];
    if (!promise) return;
    if (ok) promise[0](read(wire as BridgeWire));
    else promise[1](new Error(wire as string));
  });
  on('free', (id: number) => {
    delete local[id];
  });
  return { on, write, read, request, answer };
}
