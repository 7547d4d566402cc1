import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileHandle, nodeFileSystem } from '../../../src/files/index.ts';
import { lineEnd, scanLines, scanLinesBackwards } from '../../../src/sessions/transcript/lines.ts';
import { temporaryFolder } from '../../files/support.ts';

interface Seen {
  offset: number;
  length: number;
  text: string | null;
  terminated: boolean;
}

async function opened(bytes: Uint8Array): Promise<{ handle: FileHandle; [Symbol.asyncDispose](): Promise<void> }> {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, bytes);
  const handle = await nodeFileSystem.open(path, 'r');
  return { handle, [Symbol.asyncDispose]: () => handle.close() };
}

/** An open file of these bytes, which reads as little at a time as a pipe might. */
function inMemory(bytes: Buffer): FileHandle {
  return {
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      return { bytesRead: bytes.copy(buffer, offset, position, Math.min(bytes.length, position + length)) };
    },
  } as unknown as FileHandle;
}

async function forward(handle: FileHandle, options: { from?: number; chunk?: number; cap?: number; to?: number } = {}) {
  const seen: Seen[] = [];
  await scanLines(handle, options, ({ offset, length, bytes, terminated }) => {
    seen.push({ offset, length, text: bytes?.toString() ?? null, terminated });
  });
  return seen;
}

/** What the lines of some bytes are, told in the plainest way. */
function expected(bytes: Buffer): Seen[] {
  const seen: Seen[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const found = bytes.indexOf(10, offset);
    const end = found < 0 ? bytes.length : found;
    seen.push({ offset, length: end - offset, text: bytes.toString('utf8', offset, end), terminated: found >= 0 });
    offset = end + 1;
  }
  return seen;
}

const someBytes = fc
  .array(fc.oneof(fc.constantFrom('\n', '\r\n', '\n\n', '\u2028', '😀', 'é', '\0'), fc.string({ maxLength: 40 })), {
    maxLength: 30,
  })
  .map((parts) => Buffer.from(parts.join('')));

test('every line is handed over once with its place, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(someBytes, fc.integer({ min: 1, max: 60 }), async (bytes, chunk) => {
      expect(await forward(inMemory(bytes), { chunk })).toEqual(expected(bytes));
    }),
    { numRuns: 500 },
  );
});

test('backwards gives the same lines in reverse, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(someBytes, fc.integer({ min: 1, max: 60 }), async (bytes, chunk) => {
      const seen: Seen[] = [];
      await scanLinesBackwards(inMemory(bytes), { end: bytes.length, chunk }, (line) => {
        seen.unshift({ ...line, text: line.bytes?.toString() ?? null, bytes: undefined } as never);
      });
      expect(seen.map(({ offset, length, text, terminated }) => ({ offset, length, text, terminated }))).toEqual(
        expected(bytes),
      );
    }),
    { numRuns: 500 },
  );
});

test('a character across the edge of a chunk stays whole, and separators of Unicode end no line', async () => {
  for (const start of [4093, 4094, 4095, 4096, 65533, 65534, 65535]) {
    const bytes = Buffer.from(`${'x'.repeat(start)}😀\u2028\u2029\u0085y\nz\n`);
    await using file = await opened(bytes);
    for (const chunk of [4096, 65536, 1024 * 1024]) {
      expect((await forward(file.handle, { chunk })).map(({ text }) => text?.slice(start))).toEqual([
        '😀\u2028\u2029\u0085y',
        '',
      ]);
    }
  }
});

test('a line over the cap is told without its bytes, and the next ones are whole', async () => {
  const bytes = Buffer.from(`first\n${'x'.repeat(100_000)}\nlast`);
  const lines = [
    { offset: 0, length: 5, text: 'first', terminated: true },
    { offset: 6, length: 100_000, text: null, terminated: true },
    { offset: 100_007, length: 4, text: 'last', terminated: false },
  ];
  for (const chunk of [7, 1000, 1_000_000]) {
    expect(await forward(inMemory(bytes), { chunk, cap: 1000 })).toEqual(lines);
    const seen: Seen[] = [];
    await scanLinesBackwards(inMemory(bytes), { end: bytes.length, chunk, cap: 1000 }, (line) => {
      seen.unshift({
        offset: line.offset,
        length: line.length,
        text: line.bytes?.toString() ?? null,
        terminated: line.terminated,
      });
    });
    expect(seen).toEqual(lines);
  }
});

test('a scan ends where it is told to', async () => {
  const bytes = Buffer.from('one\ntwo\nthree\n');
  const seen: string[] = [];
  const end = await scanLines(inMemory(bytes), { chunk: 5 }, (line) => {
    seen.push(String(line.bytes));
    return Promise.resolve(line.offset === 0);
  });
  expect(seen).toEqual(['one', 'two']);
  expect(end).toBe(8);
  expect((await forward(inMemory(bytes), { from: 4, to: 11 })).map(({ text }) => text)).toEqual(['two', 'thr']);
  expect(lineEnd({ offset: 4, length: 3, bytes: null, terminated: true })).toBe(8);
});

test('a cancelled scan fails as cancelled', async () => {
  const controller = new AbortController();
  const scan = scanLines(inMemory(Buffer.from('a\nb\n')), { chunk: 2, signal: controller.signal }, () =>
    controller.abort(),
  );
  await expect(scan).rejects.toMatchObject({ code: 'cancelled' });
});
