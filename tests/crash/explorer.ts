import { type CrashState, crashStates } from './crash-states.ts';
import { type DiskImage, digestOf, pathsOf } from './disk-image.ts';
import { DATA, firstDifference, inspect, opened, type Program, Violation, viewsOf } from './inspection.ts';
import { explainPath } from './layout.ts';
import { MemoryDisk } from './memory-disk.ts';
import { Random } from './random.ts';
import { type Recording, record, type Scenario } from './recording.ts';
import { type Accept, acceptInTurn, acceptTogether } from './verdict.ts';

export interface ExploreOptions {
  /** Most states that are made at one position of a log. */
  limit?: number;
  /** Every so many states the opening is crashed once more, if it writes something; 0 for never. */
  deep?: number;
  /** Stops at the first violation. */
  first?: boolean;
}

export interface Exploration {
  /** How many different disks were opened and looked at. */
  distinct: number;
  /** How many times; the same disk counts again where more had been acknowledged. */
  checked: number;
  violations: string[];
}

/** How long after the crash the program starts again: soon enough that nothing has run out. */
const RESTART_MS = 60_000;
const justOne: Program = { owners: ['p1'] };
/** A second crash is played in every so many states. */
const DEEP = 10;
/** Most states of a second crash at one position. */
const DEEP_LIMIT = 12;
/** Violations after which a scenario is broken enough. */
const ENOUGH = 5;

/** Runs a scenario, then looks at every disk that a crash at any point of it may leave. */
export async function explore(scenario: Scenario, options: ExploreOptions = {}): Promise<Exploration> {
  const recording = await record(scenario);
  const program = scenario.program ?? justOne;
  const startMs = recording.disk.now + RESTART_MS;
  const accept = scenario.together
    ? await acceptTogether(recording, program, startMs)
    : await acceptInTurn(recording, program, startMs);
  return new Explorer(scenario, recording, accept, startMs, options).run();
}

class Explorer {
  readonly #scenario: Scenario;
  readonly #recording: Recording;
  readonly #accept: Accept;
  readonly #startMs: number;
  readonly #options: ExploreOptions;
  readonly #random = new Random(20);
  readonly #seen = new Set<string>();
  readonly #distinct = new Set<string>();
  readonly #violations: string[] = [];
  /** States of the first crash so far. */
  #first = 0;

  constructor(scenario: Scenario, recording: Recording, accept: Accept, startMs: number, options: ExploreOptions) {
    this.#scenario = scenario;
    this.#recording = recording;
    this.#accept = accept;
    this.#startMs = startMs;
    this.#options = options;
  }

  async run(): Promise<Exploration> {
    const { start, disk, steps } = this.#recording;
    for (const state of crashStates(start, disk.born, disk.log, this.#crashOptions)) {
      if (this.#isEnough) break;
      const acknowledged = steps.filter((step) => step.acknowledgedAt <= state.position).length;
      await this.#check(state, state.position, `acknowledged ${acknowledged}`, true);
    }
    return { distinct: this.#distinct.size, checked: this.#seen.size, violations: this.#violations };
  }

  get #program(): Program {
    return this.#scenario.program ?? justOne;
  }

  get #crashOptions() {
    return { limit: this.#options.limit ?? 400, random: this.#random };
  }

  get #isEnough(): boolean {
    return this.#violations.length >= (this.#options.first ? 1 : ENOUGH);
  }

  /** @param position How far the scenario had come; of a second crash that of the first. */
  async #check(state: CrashState, position: number, required: string, deepen: boolean): Promise<void> {
    const key = `${state.hash} ${required}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const isNew = !this.#distinct.has(state.hash);
    this.#distinct.add(state.hash);
    try {
      refuseStrangers(state.image, this.#recording.disk);
      refuseLoss(state.image, this.#scenario.keeps ?? []);
      const found = await inspect(state.image, this.#program, this.#startMs);
      const objection = this.#accept(found, position);
      if (objection !== null) throw new Violation(objection);
    } catch (error) {
      this.#violations.push(this.#describe(state, position, error));
      return;
    }
    if (!deepen || !isNew) return;
    const every = this.#options.deep ?? DEEP;
    if (every > 0 && ++this.#first % every === 0) await this.#crashWhileOpening(state, position, required);
  }

  /** Crashes once more while the first crash is being made good. */
  async #crashWhileOpening({ image }: CrashState, position: number, required: string): Promise<void> {
    const disk = new MemoryDisk(image, this.#startMs);
    await opened(disk, this.#program, (store) => viewsOf(store, this.#program));
    if (disk.log.length === 0) return;
    for (const content of disk.finished) this.#recording.disk.finished.add(content);
    for (const state of crashStates(image, disk.born, disk.log, { ...this.#crashOptions, limit: DEEP_LIMIT })) {
      if (this.#isEnough) return;
      await this.#check(state, position, required, false);
    }
  }

  #describe({ lost, position: own }: CrashState, position: number, error: unknown): string {
    const { steps } = this.#recording;
    const running = steps.filter((step) => step.begunAt < position && position < step.acknowledgedAt);
    const where = running.length === 0 ? 'between calls' : `in ${running.map(({ name }) => name).join(', ')}`;
    const again = own === position ? '' : `, again at ${own} while opening`;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return `${this.#scenario.name}: crash at ${position} ${where}${again}; lost: ${lost || 'nothing'}\n  ${what}`;
  }
}

/** Nothing may stand on a disk that is torn, or that nobody would recognise as left over. */
export function refuseStrangers(image: DiskImage, disk: MemoryDisk): void {
  for (const [path, node] of pathsOf(image)) {
    if (path === '/' || path === DATA) continue;
    const place = explainPath(path.slice(DATA.length + 1));
    if (place === 'unknown') throw new Violation(`something unknown is left over: ${path}`);
    if (place === 'temporary' || node.kind !== 'file' || disk.finished.has(digestOf(node.content))) continue;
    const difference = firstDifference(node.content.toString('latin1'), '');
    throw new Violation(`${path} is torn: ${difference ?? 'it is empty'}`);
  }
}

/** Contents that are only moved must be somewhere. */
function refuseLoss(image: DiskImage, keeps: readonly (string | Buffer)[]): void {
  if (keeps.length === 0) return;
  const found = new Set<string>();
  for (const [path, node] of pathsOf(image)) {
    if (node.kind === 'file' && explainPath(path.slice(DATA.length + 1)) === 'data') found.add(digestOf(node.content));
  }
  for (const content of keeps) {
    if (!found.has(digestOf(Buffer.from(content)))) throw new Violation(`lost: ${content.toString().slice(0, 100)}`);
  }
}
