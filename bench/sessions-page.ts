import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bar } from './benchmark.ts';
import { bundle } from './bundle.ts';
import { withFolder } from './context-rig.ts';
import type { PageFigures } from './sessions-page-process.ts';
import { median, milliseconds } from './statistics.ts';

const run = promisify(execFile);

/** Size of the transcript, in bytes. */
const size = 1_000_000_000;
/** Units of each message. */
const length = 2000;
const sessionId = '20260301-100000.123456789-model';
/** How often a page is read; reading and parsing everything takes so long that a few times tell as much. */
const pageRuns = 7;
const parseRuns = 3;

const fastEnough = 100;
const firstShare = 0.05;
/** Most memory over idle, in bytes. */
const memoryBar = 64 * 2 ** 20;

type Sides = Record<'parse' | 'first' | 'last', PageFigures[]>;

/** Pages of a transcript of 1 GB, with and without our index, each in a fresh process, against reading and parsing it whole. */
export const measurePages = (print: (line: string) => void): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const root = path.join(folder, 'root');
    await writeTranscript(path.join(root, 'sessions'));
    const caches = { empty: path.join(folder, 'empty'), made: path.join(folder, 'made') };
    await fresh('index', root, caches.made);
    const sides: Sides = { parse: [], first: [], last: [] };
    for (let round = 0; round < pageRuns; round += 1) {
      if (round < parseRuns) sides.parse.push(await fresh('parse', root, caches.empty));
      await rm(caches.empty, { recursive: true, force: true });
      sides.first.push(await fresh('first', root, caches.empty));
      sides.last.push(await fresh('last', root, caches.made));
    }
    if (sides.first.some(({ complete }) => complete)) throw new Error('the first page was read with an index');
    if (sides.last.some(({ complete }) => !complete)) throw new Error('the last page was read without the index');
    return judge(sides);
  });

const judge = ({ parse, first, last }: Sides): Bar[] => {
  const [whole, without, withIndex] = [parse, first, last].map((side) => median(side.map(({ took }) => took)));
  if (whole === undefined || without === undefined || withIndex === undefined)
    throw new Error('three sides are measured');
  const against = `parsing ${milliseconds(whole)}; medians of ${pageRuns} and ${parseRuns} runs`;
  const memory = Math.max(...last.map((figures) => figures.memory));
  return [
    {
      promise: `the first page that is shown of a transcript of 1 GB, without an index, in at most ${firstShare} of reading and parsing all`,
      measured: `${(without / whole).toFixed(4)} (page ${milliseconds(without)}, ${against})`,
      held: without / whole <= firstShare,
    },
    {
      promise: `its last page with our index at least ${fastEnough} times as fast as reading and parsing all`,
      measured: `${(whole / withIndex).toFixed(0)} times (page ${milliseconds(withIndex)}, ${against})`,
      held: whole / withIndex >= fastEnough,
    },
    {
      promise: `with at most ${memoryBar / 2 ** 20} MiB over an idle process`,
      measured: `${(memory / 2 ** 20).toFixed(1)} MiB at most (${pageRuns} runs; parsing ${(median(parse.map((figures) => figures.memory)) / 2 ** 20).toFixed(0)} MiB)`,
      held: memory <= memoryBar,
    },
  ];
};

const fresh = async (side: 'parse' | 'index' | 'first' | 'last', root: string, cache: string): Promise<PageFigures> => {
  const program = await bundle('bench/sessions-page-process.ts');
  const worker = await bundle('src/sessions/transcript/index-worker.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, side, root, sessionId, cache, worker]);
  const figures = JSON.parse(stdout) as PageFigures;
  if (figures.messages === 0) throw new Error(`no message was found: ${side}`);
  return figures;
};

/** Writes the transcript as agents leave them, without a log. */
const writeTranscript = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const handle = await open(path.join(folder, `${sessionId}.jsonl`), 'wx');
  try {
    let written = 0;
    for (let index = 0; written < size; index += 1000) {
      const lines = Array.from({ length: 1000 }, (_, step) => lineOf(index + step)).join('');
      await handle.writeFile(lines);
      written += lines.length;
    }
  } finally {
    await handle.close();
  }
};

const lineOf = (index: number): string =>
  `${JSON.stringify({
    role: index % 2 === 0 ? 'user' : 'assistant',
    id: `m${index}`,
    content: `Message ${index}. ${'Some words of text, and a "quoted" one.\n'.repeat(length / 40)}`,
    createdAt: 1_700_000_000_000 + index,
  })}\n`;
