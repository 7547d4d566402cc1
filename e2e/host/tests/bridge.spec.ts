import { expect, type Page, test } from '@playwright/test';
import { type Launched, launch } from './launch.ts';

let launched: Launched;
let main: Page;
test.beforeAll(async () => {
  launched = await launch();
  main = await launched.window('Main');
});
test.afterAll(() => launched.close());

test('the main world has nothing of the host but the exposed key', async () => {
  expect(await main.evaluate(() => globalThis.early)).toEqual({
    require: 'undefined',
    process: 'undefined',
    ipcRenderer: 'undefined',
    sample: 'object',
  });
  const found = await main.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const fresh = new Set(Object.getOwnPropertyNames(frame.contentWindow));
    const inFrame = Reflect.has(frame.contentWindow ?? {}, 'sample');
    frame.remove();
    const extra = Object.getOwnPropertyNames(window).filter((name) => !fresh.has(name) && !/^\d+$/.test(name));
    return { extra: extra.sort(), inFrame };
  });
  expect(found).toEqual({ extra: ['early', 'pushed', 'sample'], inFrame: false });
});

test('exposed objects are frozen copies without prototypes', async () => {
  const found = await main.evaluate(() => {
    const { sample } = globalThis;
    const { writable, configurable } = Object.getOwnPropertyDescriptor(window, 'sample') ?? {};
    return {
      frozen: [sample, sample.nested, sample.nested.list, sample.nested.list[1]].map((value) => Object.isFrozen(value)),
      fixed: [writable, configurable],
      instance: [sample.instance.own, typeof sample.instance.inherited],
      ownFunctions: sample.add instanceof Function,
      version: sample.version,
    };
  });
  expect(found).toEqual({
    frozen: [true, true, true, true],
    fixed: [false, false],
    instance: [1, 'undefined'],
    ownFunctions: true,
    version: 3,
  });
});

test('calls cross synchronously, callbacks and promises cross both ways, of errors only the message', async () => {
  const found = await main.evaluate(async () => {
    const { sample } = globalThis;
    const caught = (work: () => unknown): string => {
      try {
        return String(work());
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message} ${Reflect.get(error as Error, 'secret')}`;
      }
    };
    return {
      add: sample.add(2, 3),
      map: sample.map((item) => item * 10),
      throws: caught(() => sample.throws()),
      rejects: await sample.rejects().catch((error: Error) => error.message),
      kinds: [new Date(), new Map(), new Uint8Array(1), Promise.resolve()].map((value) => sample.kind(value)),
      symbol: caught(() => sample.kind(Symbol('s'))),
    };
  });
  expect(found).toEqual({
    add: 5,
    map: [10, 20, 30],
    throws: 'Error: boom undefined',
    rejects: 'later',
    kinds: ['[object Date]', '[object Map]', '[object Uint8Array]', '[object Promise]'],
    symbol: 'TypeError: A symbol could not be cloned. undefined',
  });
});

test('a page that patches the primitives sees nothing of the channel', async () => {
  const seen = await main.evaluate(async () => {
    const { dispatchEvent, addEventListener } = EventTarget.prototype;
    let calls = 0;
    EventTarget.prototype.dispatchEvent = function (event) {
      calls += 1;
      return dispatchEvent.call(this, event);
    };
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: [string, EventListener]) {
      calls += 1;
      addEventListener.apply(this, args);
    } as typeof addEventListener;
    globalThis.sample.add(1, 1);
    await globalThis.sample.echo('x');
    Object.assign(EventTarget.prototype, { dispatchEvent, addEventListener });
    return calls;
  });
  expect(seen).toBe(0);
});

test('ipc carries what a structured clone carries', async () => {
  const found = await main.evaluate(async () => {
    const cyclic: Record<string, unknown> = { n: 1 };
    cyclic.self = cyclic;
    const back = await globalThis.sample.echo({
      map: new Map([['a', new Set([1n])]]),
      date: new Date(9),
      invalid: new Date(Number.NaN),
      absent: undefined,
      nan: Number.NaN,
      minusZero: -0,
      bytes: new Uint8Array([1, 255]),
      expression: /x/gi,
      big: 2n ** 70n,
      cyclic,
    });
    return {
      map: back.map.get('a')?.has(1n),
      date: back.date.getTime(),
      invalid: Number.isNaN(back.invalid.getTime()),
      absent: 'absent' in back && back.absent === undefined,
      nan: Number.isNaN(back.nan),
      minusZero: Object.is(back.minusZero, -0),
      bytes: back.bytes instanceof Uint8Array && [...back.bytes],
      expression: String(back.expression),
      big: String(back.big),
      cyclic: back.cyclic.self === back.cyclic,
    };
  });
  expect(found).toEqual({
    map: true,
    date: 9,
    invalid: true,
    absent: true,
    nan: true,
    minusZero: true,
    bytes: [1, 255],
    expression: '/x/gi',
    big: String(2n ** 70n),
    cyclic: true,
  });
});

test('a failing handler and a missing one answer with the words of Electron', async () => {
  const messages = await main.evaluate(async () => {
    const { sample } = globalThis;
    const calls = [
      () => sample.fail('error'),
      () => sample.fail('text'),
      () => sample.missing(),
      () => sample.echo(() => 1),
    ];
    const message = (error: Error): string => `${error.name}: ${error.message}${'code' in error ? error.code : ''}`;
    return Promise.all(calls.map((call) => call().then(String, message)));
  });
  expect(messages.slice(0, 3)).toEqual([
    "Error: Error invoking remote method 'fail': RangeError: out of range",
    "Error: Error invoking remote method 'fail': just text",
    "Error: Error invoking remote method 'no-such-channel': Error: No handler registered for 'no-such-channel'",
  ]);
  expect(messages[3]).toContain('could not be cloned');
});

test('main pushes to the page, and sendSync blocks for its answer', async () => {
  await launched.app.evaluate(({ BrowserWindow }) => {
    const [first] = BrowserWindow.getAllWindows();
    first?.webContents.send('push', { at: new Date(5), names: new Set(['a']) });
  });
  await expect.poll(() => main.evaluate(() => globalThis.pushed.length)).toBe(1);
  expect(await main.evaluate(() => (globalThis.pushed[0] as { at: Date; names: Set<string> }).names.has('a'))).toBe(
    true,
  );
  expect(await main.evaluate(() => globalThis.sample.sync(21))).toBe(42);
});

test('a preload is told its arguments, has no Node, and is refused by name what is not imitated', async () => {
  const { argv, attempts, buffer } = await main.evaluate(() => {
    const { argv, attempts, buffer } = globalThis.sample;
    return { argv, attempts, buffer };
  });
  expect(argv).toContain('--role=sample');
  expect(buffer).toBe('undefined');
  expect(attempts.unknownModule).toBe('module not found: node:fs');
  expect(attempts.getPathForFile).toContain('host: webUtils.getPathForFile is not imitated');
  expect(attempts.sendToHost).toContain('host: ipcRenderer.sendToHost is not imitated');
  expect(attempts.executeInMainWorld).toContain('host: contextBridge.executeInMainWorld is not imitated');
});
