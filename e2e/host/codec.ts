/** A value as text, and back, by the rules of the structured clone algorithm. */
export interface Codec {
  /** @throws DataCloneError for what cannot be cloned: functions, symbols, DOM nodes, promises, proxies. */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/**
 * The codec of all IPC payloads. Its source text runs in Node and, injected, in the page's isolated world, so this function
 * uses nothing from outside itself. (V8's own wire format cannot be reached from a page.)
 *
 * `encode` runs the real `structuredClone` first: what Electron would refuse is refused here by the engine, and prototypes,
 * getters and non-enumerable properties are dropped by the engine. The clone is then written as JSON, where an array is
 * always a tag with its operands, and an object's keys carry a `$` so that `__proto__` stays an ordinary key. Objects are
 * numbered in the order in which they are met, so that shared and cyclic references survive.
 */
export function makeCodec(): Codec {
  type Wire = null | string | number | boolean | Wire[] | { [key: string]: Wire };
  const arrayTypes = [
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float16Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
    'DataView',
  ];
  const errorTypes: Record<string, ErrorConstructor> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };
  const inNode = typeof Buffer === 'function';

  function toBase64(bytes: Uint8Array): string {
    if (inNode) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    let binary = '';
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(binary);
  }

  function fromBase64(text: string): ArrayBuffer {
    if (inNode) return new Uint8Array(Buffer.from(text, 'base64')).buffer;
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
  }

  function typeName(value: object): string {
    return Object.prototype.toString.call(value).slice(8, -1);
  }

  function encodeNumber(value: number): Wire {
    if (Object.is(value, -0)) return ['n', '-0'];
    return Number.isFinite(value) ? value : ['n', String(value)];
  }

  function encode(value: unknown): string {
    if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
    const numbers = new Map<object, number>();

    function write(part: unknown): Wire {
      if (part === null) return null;
      if (part === undefined) return ['u'];
      if (typeof part === 'string' || typeof part === 'boolean') return part;
      if (typeof part === 'number') return encodeNumber(part);
      if (typeof part === 'bigint') return ['i', String(part)];
      return writeObject(part as object);
    }

    function writeObject(part: object): Wire {
      const known = numbers.get(part);
      if (known !== undefined) return ['r', known];
      numbers.set(part, numbers.size);
      const type = typeName(part);
      if (Array.isArray(part)) return writeArray(part);
      if (part instanceof Map) return ['m', [...part].map(([key, item]) => [write(key), write(item)])];
      if (part instanceof Set) return ['s', [...part].map(write)];
      if (part instanceof Date) return ['d', write(part.getTime())];
      if (part instanceof RegExp) return ['x', part.source, part.flags];
      if (type === 'ArrayBuffer') return ['b', toBase64(new Uint8Array(part as ArrayBuffer))];
      if (ArrayBuffer.isView(part)) return writeView(part, type);
      if (part instanceof Error) {
        return ['e', part.name, part.message, write(part.stack), 'cause' in part, write(part.cause)];
      }
      if (type === 'Boolean' || type === 'Number' || type === 'String' || type === 'BigInt') {
        return ['w', write(part.valueOf())];
      }
      if (type !== 'Object') throw new DOMException(`#<${type}> could not be cloned.`, 'DataCloneError');
      return writeProperties(part);
    }

    function writeProperties(part: object): { [key: string]: Wire } {
      const written: { [key: string]: Wire } = {};
      for (const [key, item] of Object.entries(part)) written[`$${key}`] = write(item);
      return written;
    }

    function writeArray(part: unknown[]): Wire {
      const keys = Object.keys(part);
      const dense = keys.length === part.length && keys.every((key, index) => key === String(index));
      if (dense) return ['a', part.map(write)];
      return ['A', part.length, writeProperties(part)];
    }

    // The whole buffer travels, as in a structured clone: two views of one buffer share it on the other side too.
    function writeView(part: ArrayBufferView, type: string): Wire {
      const length = 'length' in part ? (part.length as number) : part.byteLength;
      return ['t', type, write(part.buffer), part.byteOffset, length];
    }

    return JSON.stringify(write(structuredClone(value)));
  }

  function decode(text: string): unknown {
    const objects: unknown[] = [];

    function keep<T>(object: T): T {
      objects.push(object);
      return object;
    }

    function read(wire: Wire | undefined): unknown {
      if (wire === undefined) throw new Error('codec: the payload ends too early');
      if (wire === null || typeof wire !== 'object') return wire;
      if (!Array.isArray(wire)) {
        const object = {};
        objects.push(object);
        readProperties(object, wire);
        return object;
      }
      return readTagged(wire[0] as string, wire);
    }

    function readProperties(object: object, wire: { [key: string]: Wire }): void {
      for (const [key, item] of Object.entries(wire)) {
        const value = read(item);
        Object.defineProperty(object, key.slice(1), { value, writable: true, enumerable: true, configurable: true });
      }
    }

    function readTagged(tag: string, wire: Wire[]): unknown {
      const [, first, second] = wire;
      switch (tag) {
        case 'u':
          return undefined;
        case 'n':
          return first === '-0' ? -0 : Number(first);
        case 'i':
          return BigInt(first as string);
        case 'r':
          return objects[first as number];
        case 'a': {
          const array: unknown[] = [];
          objects.push(array);
          for (const item of first as Wire[]) array.push(read(item));
          return array;
        }
        case 'A': {
          const array = new Array(first as number);
          objects.push(array);
          readProperties(array, second as { [key: string]: Wire });
          return array;
        }
        case 'm': {
          const map = new Map();
          objects.push(map);
          for (const pair of first as Wire[][]) {
            const key = read(pair[0]);
            map.set(key, read(pair[1]));
          }
          return map;
        }
        case 's': {
          const set = new Set();
          objects.push(set);
          for (const item of first as Wire[]) set.add(read(item));
          return set;
        }
        case 'd':
          return keep(new Date(read(first) as number));
        case 'x':
          return keep(new RegExp(first as string, second as string));
        case 'b':
          return keep(fromBase64(first as string));
        case 'w':
          return keep(Object(read(first)));
        case 't':
          return readView(wire);
        case 'e':
          return readError(wire);
        default:
          throw new Error(`codec: unknown tag ${tag}`);
      }
    }

    function readView(wire: Wire[]): unknown {
      const [, type, buffer, offset, length] = wire;
      if (!arrayTypes.includes(type as string)) throw new Error(`codec: unknown array type ${String(type)}`);
      const place = objects.push(undefined) - 1; // The view was numbered before its buffer.
      const View = (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[type as string];
      if (View === undefined) throw new Error(`codec: ${String(type)} does not exist here`);
      const view = new View(read(buffer) as ArrayBuffer, offset as number, length as number);
      objects[place] = view;
      return view;
    }

    function readError(wire: Wire[]): unknown {
      const [, name, message, stack, hasCause, cause] = wire;
      const Type = errorTypes[name as string] ?? Error;
      const error = new Type(message as string);
      objects.push(error);
      const text = read(stack);
      Object.defineProperty(error, 'stack', { value: text, writable: true, configurable: true });
      const value = read(cause);
      if (hasCause) Object.defineProperty(error, 'cause', { value, writable: true, configurable: true });
      return error;
    }

    return read(JSON.parse(text) as Wire);
  }

  return { encode, decode };
}

/** The codec of the main process. */
export const codec: Codec = makeCodec();
