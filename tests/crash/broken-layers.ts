import { basename, dirname, join } from 'node:path';
import { type FileSystem, removeDurably, temporaryPath, writeDurably } from '../../src/files/index.ts';
import { isRecord, own, parseStored, serialiseStored, withoutKeys } from '../../src/files/json.ts';
import { replaceKeptBy } from '../files/support.ts';
import type { MemoryDisk } from './memory-disk.ts';

/** Something over a disk that does one thing wrong, as code might that knows less of disks. */
export type Layer = (disk: MemoryDisk) => FileSystem;

/** Files are not synced before they get their name. */
export const withoutFileSync: Layer = (disk) =>
  over(disk, {
    open: async (path, flags, mode) => {
      const handle = await disk.open(path, flags, mode);
      return flags === 'wx' ? { ...handle, sync: () => Promise.resolve() } : handle;
    },
  });

/** Folders are not synced after a name in them changed. */
export const withoutFolderSync: Layer = (disk) =>
  over(disk, {
    open: async (path, flags, mode) => {
      const handle = await disk.open(path, flags, mode);
      return flags === 'r' ? { ...handle, sync: () => Promise.resolve() } : handle;
    },
  });

/** A file that is there is emptied and written anew instead of being replaced. */
export const inPlace: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      const target = await disk.lstat(to).catch(() => null);
      if (!target?.isFile()) return disk.rename(from, to);
      disk.overwrite(to, disk.content(from));
      await disk.unlink(from);
    },
  });

/** The link of a new plan is written before its document has its name. */
export const manifestBeforeMarkdown: Layer = (disk) => {
  let late: { from: string; to: string } | null = null;
  const here = (path: string): string => (path === late?.to ? late.from : path);
  return over(disk, {
    link: async (from, to) => {
      if (basename(dirname(to)) !== 'plans' || !to.endsWith('.md')) return disk.link(from, to);
      late = { from, to };
    },
    unlink: async (path) => {
      if (path !== late?.from) await disk.unlink(path);
    },
    lstat: (path) => disk.lstat(here(path)),
    open: (path, flags, mode) => disk.open(here(path), flags, mode),
    rename: async (from, to) => {
      await disk.rename(from, to);
      if (late === null || basename(to) !== 'context.json') return;
      await disk.rename(late.from, late.to);
      late = null;
    },
  });
};

/** The document of a deleted plan goes before its link. */
export const markdownBeforeManifest: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      const gone = basename(to) === 'context.json' ? await removedPlans(disk, from, to) : [];
      const moved = gone.map((file) => {
        const path = join(dirname(to), 'plans', file);
        return { path, away: temporaryPath(path) };
      });
      for (const { path, away } of moved) await disk.rename(path, away);
      await disk.rename(from, to);
      // The product moves them to the trash itself, and only now.
      for (const { path, away } of moved) await disk.rename(away, path);
    },
  });

/** The keys of older data go before the data has arrived. */
export const legacyKeysFirst: Layer = (disk) => {
  const removeKeys = async (path: string): Promise<void> => {
    const settings = `${dirname(path)}.json`;
    if (basename(path) !== 'context.json' || (await disk.lstat(settings).catch(() => null)) === null) return;
    const stored = parseStored(disk.content(settings), 'The settings');
    const rest = withoutKeys(stored, ['projectNotes', 'projectTodos', 'projectPlanFiles']);
    await writeDurably(disk, settings, serialiseStored(rest));
  };
  return over(disk, {
    rename: async (from, to) => {
      await removeKeys(to);
      await disk.rename(from, to);
    },
    link: async (from, to) => {
      await removeKeys(to);
      await disk.link(from, to);
    },
  });
};

/** The journal of a merge goes before the source is put aside. */
export const journalFirst: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      if (/\.merged-\d+$/.test(to)) {
        for (const id of await disk.readdir(dirname(to))) {
          await removeDurably(disk, join(dirname(to), id, '.sidekeep', 'merge.json')).catch(() => false);
        }
      }
      await disk.rename(from, to);
    },
  });

/** A disk of which some calls are others. */
export function over(disk: FileSystem, changes: Partial<Omit<FileSystem, 'replaceKept'>>): FileSystem {
  const system: FileSystem = {
    open: (path, flags, mode) => disk.open(path, flags, mode),
    lstat: (path) => disk.lstat(path),
    stat: (path) => disk.stat(path),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, name) => disk.link(existing, name),
    unlink: (path) => disk.unlink(path),
    mkdir: (path, mode) => disk.mkdir(path, mode),
    rmdir: (path) => disk.rmdir(path),
    readdir: (path) => disk.readdir(path),
    readlink: (path) => disk.readlink(path),
    symlink: (target, path) => disk.symlink(target, path),
    realpath: (path) => disk.realpath(path),
    replaceKept: (from, to, keep, isExpected) => replaceKeptBy(system, from, to, keep, isExpected),
    ...changes,
  };
  return system;
}

/** Files of the plans that one context file has and another one lacks. */
async function removedPlans(disk: MemoryDisk, after: string, before: string): Promise<string[]> {
  if ((await disk.lstat(before).catch(() => null)) === null) return [];
  const left = new Set(plansOf(disk.content(after)));
  return plansOf(disk.content(before)).filter((file) => !left.has(file));
}

function plansOf(content: Buffer): string[] {
  const plans = own(parseStored(content, 'The context'), 'plans');
  const links: unknown[] = Array.isArray(plans) ? plans : [];
  return links.flatMap((link) => (isRecord(link) && typeof link.file === 'string' ? [link.file] : []));
}
