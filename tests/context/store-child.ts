import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect } from 'vitest';

/** A call of the store, such as `notes.create`; `open` takes the folder. */
export interface Order {
  id: number;
  call: string;
  input: object;
}

export interface Answer {
  id: number;
  value?: unknown;
  error?: { code: string; message: string; detail: object | null };
  /** What the store reported; belongs to no order. */
  report?: string;
}

const script = join(import.meta.dirname, 'store-process.ts');
const writeWorker = pathToFileURL(join(import.meta.dirname, '../../src/files/write-worker.ts')).href;

/** The program of a child in one file, compiled: many of them start in a short time. */
export interface Program {
  file: string;
  /** Folder of the compiled code. */
  cache: string;
}

/** Puts the program together in a folder. */
export async function bundle(folder: string): Promise<Program> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: script, outDir: folder, rollupOptions: { output: { entryFileNames: 'program.mjs' } } },
  });
  const program = { file: join(folder, 'program.mjs'), cache: join(folder, 'cache') };
  const { status } = spawnSync(process.execPath, [program.file, folder, writeWorker, 'warm'], {
    env: environment(program),
  });
  expect(status).toBe(0);
  return program;
}

const environment = (program: Program | undefined): NodeJS.ProcessEnv =>
  program === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: program.cache };

/** A store in another process, see store-process.ts. */
export class StoreChild {
  readonly process: ChildProcess;
  readonly reports: string[] = [];
  /** Called with every answer. */
  onAnswer: () => void = () => undefined;
  readonly #asked = new Map<number, (answer: Answer | null) => void>();
  readonly #closed: Promise<unknown>;
  #next = 0;

  /** @param limit Largest file that it may write, in KiB. */
  constructor(root: string, { program, limit }: { program?: Program; limit?: number } = {}) {
    const command = [process.execPath, program?.file ?? script, root, writeWorker];
    const [file = '', ...parameters] =
      limit === undefined ? command : ['bash', '-c', `ulimit -f ${limit} && exec "$0" "$@"`, ...command];
    this.process = spawn(file, parameters, { stdio: ['pipe', 'pipe', 'inherit'], env: environment(program) });
    this.process.stdin?.on('error', () => undefined);
    if (this.process.stdout === null) throw new Error('it has a standard output');
    createInterface({ input: this.process.stdout }).on('line', (line) => this.#hear(JSON.parse(line) as Answer));
    // What it said before its end is heard before this.
    this.#closed = once(this.process, 'close').then(() => {
      for (const resolve of this.#asked.values()) resolve(null);
      this.#asked.clear();
    });
  }

  /** What became of a call; null when the process ended without saying. */
  ask(call: string, input: object): Promise<Answer | null> {
    const order: Order = { id: this.#next++, call, input };
    return new Promise((resolve) => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) return resolve(null);
      this.#asked.set(order.id, resolve);
      this.process.stdin?.write(`${JSON.stringify(order)}\n`);
    });
  }

  /** The answer of a call that has to succeed. */
  async get<Value>(call: string, input: object): Promise<Value> {
    const answer = await this.ask(call, input);
    expect(answer?.error, call).toBeUndefined();
    expect(answer, `${call} was answered`).not.toBeNull();
    return answer?.value as Value;
  }

  /** Resolves when it has ended and all that it said was heard. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#closed;
  }

  /** Lets it give the folder back and end. */
  async leave(): Promise<void> {
    this.process.stdin?.end();
    await this.#closed;
  }

  #hear(answer: Answer): void {
    if (answer.report !== undefined) this.reports.push(answer.report);
    this.#asked.get(answer.id)?.(answer);
    this.#asked.delete(answer.id);
    this.onAnswer();
  }
}
