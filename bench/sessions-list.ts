import { execFile } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeFileSystem } from '../src/files/index.ts';
import { SessionCatalog } from '../src/sessions/catalog/catalog.ts';
import { SessionStores } from '../src/sessions/session-stores.ts';
import type { Bar } from './benchmark.ts';
import { bundle } from './bundle.ts';
import { measureInTurn, ratioBar, timed } from './context-pairs.ts';
import { withFolder } from './context-rig.ts';
import type { FreshFigures } from './sessions-list-process.ts';
import { median, milliseconds } from './statistics.ts';

const run = promisify(execFile);

type Print = (line: string) => void;
type Side = 'list' | 'parse';

const fewSessions = 1000;
const manySessions = 10_000;
/** Size of a transcript, in bytes. */
const usual = 180_000;
const small = 18_000;
const rounds = 7;

/** Writes sessions whose meta files vouch for them, as the reference leaves them: transcript, log and meta. */
export const writeSessions = async (root: string, count: number, bytes: number): Promise<void> => {
  const folder = path.join(root, 'sessions');
  await mkdir(folder, { recursive: true });
  const line = (index: number): string =>
    `${JSON.stringify({ role: index % 2 === 0 ? 'user' : 'assistant', id: `m${index}`, content: `Message ${index}. ${'Some words of text. '.repeat(20)}`, createdAt: 1_700_000_000_000 + index })}\n`;
  const transcript = Array.from({ length: Math.max(1, Math.ceil(bytes / line(0).length)) }, (_, index) =>
    line(index),
  ).join('');
  const at = '2026-03-01T10:00:00Z';
  const log = `${JSON.stringify({ schema_version: 1, type: 'replace', revision: 1, messages: [JSON.parse(line(0))], created_at: at })}\n`;
  for (let start = 0; start < count; start += 100) {
    const ids = Array.from({ length: Math.min(100, count - start) }, (_, index) => start + index);
    await Promise.all(ids.map((index) => writeSession(folder, index, transcript, log)));
  }
};

const writeSession = async (folder: string, index: number, transcript: string, log: string): Promise<void> => {
  const time = new Date(1_750_000_000_000 + index * 60_000).toISOString();
  const stem = path.join(
    folder,
    `${time.replace(/[-:]|\..*/g, '').replace('T', '-')}.${String(index).padStart(9, '0')}-model`,
  );
  const digest = String(index).padStart(64, 'a');
  const meta = {
    id: path.basename(stem),
    created_at: time,
    updated_at: time,
    scope: 'project',
    workspace_root: `/home/dev/project-${index % 20}`,
    topic_title: `Session number ${index}`,
    model: 'model',
    revision: 7,
    content_digest: digest,
    writer_id: 'host-4242-5f1c0b7d9e2a4c83',
    schema_version: 2,
    turns: 3 + (index % 40),
    preview: `Please look at file ${index} and tell me what it does.`,
    listing_revision: 7,
    listing_content_digest: digest,
  };
  await writeFile(`${stem}.jsonl`, transcript);
  await writeFile(`${stem}.events.jsonl`, log);
  await writeFile(`${stem}.jsonl.meta`, `${JSON.stringify(meta, null, 2)}\n`);
};

const fresh = async (side: Side, root: string, cacheFolder: string): Promise<FreshFigures> => {
  const program = await bundle('bench/sessions-list-process.ts');
  const { stdout } = await run(process.execPath, [program, side, root, cacheFolder]);
  return JSON.parse(stdout) as FreshFigures;
};

/** The list in a fresh process, with and without its memory, against reading and parsing every transcript. */
export const measureFreshList = (print: Print): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const root = path.join(folder, 'root');
    const cache = path.join(folder, 'cache');
    await writeSessions(root, fewSessions, usual);
    const settled: number[] = [];
    const parse = async (): Promise<number> => checked(await fresh('parse', root, cache)).first;
    const without = await measureInTurn(
      { rounds, warmUp: 1 },
      async () => {
        await rm(cache, { recursive: true, force: true });
        return checked(await fresh('list', root, cache)).first;
      },
      parse,
    );
    await fresh('list', root, cache);
    const withIndex = await measureInTurn(
      { rounds, warmUp: 1 },
      async () => {
        const figures = checked(await fresh('list', root, cache));
        settled.push(figures.settled);
        return figures.first;
      },
      parse,
    );
    print(`with the index, all sessions compared with the disk after ${milliseconds(median(settled))}`);
    return [
      inverse(
        'the list of 1,000 sessions of 180 kB in a fresh process, index present, at least 100 times as fast as reading and parsing all',
        withIndex,
        100,
      ),
      inverse('the same without the index, meta files certified, at least 20 times as fast', without, 20),
    ];
  });

const checked = (figures: FreshFigures): FreshFigures => {
  if (figures.sessions !== fewSessions) throw new Error(`${figures.sessions} sessions were found`);
  return figures;
};

const inverse = (promise: string, samples: { ours: number[]; other: number[] }, least: number): Bar => {
  const factor = median(samples.other) / median(samples.ours);
  return {
    promise,
    measured: `${factor.toFixed(0)} times (list ${milliseconds(median(samples.ours))}, parsing ${milliseconds(median(samples.other))}; medians of ${samples.ours.length} runs each)`,
    held: factor >= least,
  };
};

/** The list of 10,000 sessions in a running program, against bare calls to the system for what it stands on. */
export const measureWarmList = (print: Print): Promise<Bar[]> =>
  withFolder(print, async (root) => {
    await writeSessions(root, manySessions, 400);
    let isWatching = true;
    const catalog = new SessionCatalog({
      stores: new SessionStores(nodeFileSystem, root),
      cacheFolder: null,
      ownerOf: async () => 'bench',
      isWatching: () => isWatching,
      patience: { first: 60_000, again: 60_000 },
      report: (where, error) => {
        throw new Error(where, { cause: error });
      },
    });
    try {
      await catalog.start();
      const list = (): Promise<number> => timed(() => catalog.list({ ownerId: null }));
      const bare = (): Promise<number> => timed(() => lookBarely(path.join(root, 'sessions')));
      const watched = await measureInTurn({ rounds: 15, warmUp: 2 }, list, bare);
      isWatching = false;
      const looked = await measureInTurn({ rounds: 15, warmUp: 2 }, list, bare);
      const names = ['list', 'readdir and stat'] as const;
      return [
        ratioBar({
          promise:
            'a warm list of 10,000 sessions takes at most 1.3 times a bare readdir and stat of transcript, log and meta',
          samples: watched,
          names,
          unit: 'ms',
          bound: { atMost: 1.3 },
        }),
        ratioBar({
          promise: 'the same where nothing watches, so that every session is looked at again, at most 1.3 times',
          samples: looked,
          names,
          unit: 'ms',
          bound: { atMost: 1.3 },
        }),
      ];
    } finally {
      await catalog.dispose();
    }
  });

const lookBarely = (folder: string): number => {
  let bytes = 0;
  for (const name of readdirSync(folder)) bytes += lstatSync(path.join(folder, name)).size;
  return bytes;
};

/** The list in a fresh process when every transcript is ten times as long. */
export const measureGrowth = (print: Print): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const roots = { long: path.join(folder, 'long'), short: path.join(folder, 'short') };
    const cache = path.join(folder, 'cache');
    await writeSessions(roots.long, fewSessions, usual);
    await writeSessions(roots.short, fewSessions, small);
    const peaks: Record<keyof typeof roots, number[]> = { long: [], short: [] };
    const side = (name: keyof typeof roots) => async (): Promise<number> => {
      await rm(cache, { recursive: true, force: true });
      const figures = checked(await fresh('list', roots[name], cache));
      peaks[name].push(figures.peak);
      return figures.first;
    };
    const samples = await measureInTurn({ rounds, warmUp: 1 }, side('long'), side('short'));
    const memory = median(peaks.long) / median(peaks.short);
    return [
      ratioBar({
        promise: 'the list of 1,000 sessions takes at most 1.2 times as long when transcripts are ten times as long',
        samples,
        names: ['180 kB', '18 kB'],
        unit: 'ms',
        bound: { atMost: 1.2 },
      }),
      {
        promise: 'and at most 1.2 times the memory',
        measured: `${memory.toFixed(2)} (peaks of ${megabytes(median(peaks.long))} and ${megabytes(median(peaks.short))})`,
        held: memory <= 1.2,
      },
    ];
  });

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** All that is promised of the list. */
export const measureSessionList = async (print: Print): Promise<Bar[]> => {
  const bars: Bar[] = [];
  for (const part of [measureFreshList, measureWarmList, measureGrowth]) bars.push(...(await part(print)));
  return bars;
};
