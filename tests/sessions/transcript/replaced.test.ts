import { rename, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { OpenFlags } from '../../../src/files/file-system.ts';
import { type FileHandle, type FileSystem, nodeFileSystem } from '../../../src/files/index.ts';
import { contents, lines, message, TestSession } from './support.ts';

const before = ['one', 'two'];
const replaced = ['A FIRST ONE THAT IS LONGER', 'TWO', 'THREE, LONGER AGAIN', 'FOUR', 'FIVE'];
const stored = (texts: readonly string[]): string => lines(...texts.map((text, index) => message(`${index}`, text)));

/** The real file system; runs something before one of its calls on the transcript, counted from when it is set. */
function interrupted(path: string): FileSystem & { at: number; act: (() => Promise<void>) | null; calls: number } {
  const step = async (): Promise<void> => {
    if (system.act === null || system.calls++ !== system.at) return;
    const { act } = system;
    system.act = null;
    await act();
  };
  const watched = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return async (...parameters: unknown[]) => {
          await step();
          return Reflect.apply(member, target, parameters);
        };
      },
    });
  const system = {
    ...nodeFileSystem,
    at: 0,
    calls: 0,
    act: null as (() => Promise<void>) | null,
    async open(file: string, ...rest: [flags: OpenFlags, mode?: number]) {
      if (file !== path) return nodeFileSystem.open(file, ...rest);
      await step();
      return watched(await nodeFileSystem.open(file, ...rest));
    },
    async lstat(file: string) {
      if (file === path) await step();
      return nodeFileSystem.lstat(file);
    },
  };
  return system;
}

const replacements = {
  'by another file': async (path: string) => {
    await writeFile(`${path}.x`, stored(replaced));
    await rename(`${path}.x`, path);
  },
  'in place': (path: string) => writeFile(path, stored(replaced)),
};

test.each(Object.entries(replacements))(
  'a transcript that is replaced %s at any moment of a look is read as it is by the next one',
  async (_how, replace) => {
    for (let at = 0; ; at++) {
      const session = await TestSession.with({ transcript: stored(before) });
      const path = session.path('transcript');
      const fileSystem = interrupted(path);
      const reader = session.reader({ fileSystem });
      expect(await reader.page({ limit: 1 })).toMatchObject({ total: before.length });
      await session.append('transcript', lines(message('9', 'more')));
      Object.assign(fileSystem, { at, calls: 0, act: () => replace(path) });
      // What it answers in that very moment may be either, or a failure that says so.
      await reader.page({ limit: 1 }).catch(() => undefined);
      const wasReached = fileSystem.act === null;
      fileSystem.act = null;
      const now = wasReached ? replaced : [...before, 'more'];
      // The last page alone: whoever reads the rows before it might notice by them that they are not there.
      const last = { total: now.length, holes: 0, messages: [{ content: now.at(-1) }] };
      expect(await reader.page({ limit: 1 }), `after call ${at}`).toMatchObject(last);
      expect(await contents(reader)).toEqual(now);
      await session.append('transcript', lines(message('10', 'last')));
      expect(await contents(reader), `after call ${at}`).toEqual([...now, 'last']);
      if (!wasReached) break;
      await reader.dispose();
    }
  },
);
