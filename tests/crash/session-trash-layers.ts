import { basename, dirname } from 'node:path';
import { removeDurably } from '../../src/files/index.ts';
import { type Layer, over } from './broken-layers.ts';

/** A session is moved without being hidden, and without a journal. */
export const withoutJournal: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      if (/\.sidekeep-journal\.json$|\.cleanup-pending\.json$/.test(to)) return disk.unlink(from);
      await disk.rename(from, to);
    },
  });

/** A session is shown again before it has been moved. */
export const markerFirst: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      if (basename(from) === 's.events.jsonl' && to.includes('/.trash/')) {
        await removeDurably(disk, `${dirname(from)}/s.cleanup-pending.json`);
      }
      await disk.rename(from, to);
    },
  });

/** The transcript comes back before everything else. */
export const transcriptFirst: Layer = (disk) =>
  over(disk, {
    link: async (from, to) => {
      const transcript = `${dirname(to)}/s.jsonl`;
      const isThere = await disk.lstat(transcript).catch(() => null);
      if (!to.includes('/.trash/') && basename(to) !== 's.jsonl' && !to.includes('subagents') && isThere === null) {
        await disk.link(`${dirname(from)}/s.jsonl`, transcript);
      }
      await disk.link(from, to);
    },
  });

/** An entry is emptied where it is. */
export const removedInPlace: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      if (basename(to).startsWith('.purge-')) await disk.unlink(`${from}/s.jsonl`).catch(() => undefined);
      await disk.rename(from, to);
    },
  });
