import type { ContextStore } from '../../src/context/index.ts';
import type { FileSystem } from '../../src/files/index.ts';
import { type DiskImage, imageOf } from './disk-image.ts';
import { DATA, openStore, type Program } from './inspection.ts';
import { MemoryDisk } from './memory-disk.ts';

/** Time at which every recording begins, ms since 1970. */
const START = 1_750_000_000_000;

/** What a step has to work with. */
export interface Session {
  /** The store as it is now; another one after {@link restart}. */
  store: ContextStore;
  readonly disk: MemoryDisk;
  /** What was over the disk when the store was opened. */
  readonly fileSystem: FileSystem;
  /** Ends the program in good order and starts it again. */
  restart(): Promise<void>;
}

/** One call, or what belongs to one. */
export interface Step {
  readonly name: string;
  run(session: Session): Promise<unknown>;
  /** Where steps run side by side: ids of the entries that the call touched, from its answer. */
  touches?(answer: unknown): readonly string[];
}

/** What is done to which disk. */
export interface Scenario {
  readonly name: string;
  /** Files below the data folder at the start. */
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  readonly steps: readonly Step[];
  /** Whose context is looked at, and what is done at each start; `p1` and nothing when not given. */
  readonly program?: Program;
  /** Contents that must be somewhere on the disk whatever happens, under a name that is not a temp file's. */
  readonly keeps?: readonly (string | Buffer)[];
  /** Whether the steps run side by side. */
  readonly together?: boolean;
  /** Whether names can change places on the disk. */
  readonly exchanges?: boolean;
  /** Something over the disk, such as a layer that is broken on purpose. */
  readonly layer?: (disk: MemoryDisk) => FileSystem;
}

/** A step that ran: the positions of the log at which it began and was acknowledged. */
export interface RecordedStep {
  readonly name: string;
  readonly begunAt: number;
  readonly acknowledgedAt: number;
  /** Ids of the entries that it touched, where it says so. */
  readonly touches: readonly string[];
  /** The disk after it, volatile or not. */
  readonly image: DiskImage;
}

export interface Recording {
  readonly start: DiskImage;
  readonly disk: MemoryDisk;
  readonly steps: readonly RecordedStep[];
}

/** Runs a scenario to its end. */
export async function record(scenario: Scenario): Promise<Recording> {
  const files = Object.entries(scenario.files).map(([path, content]) => [`${DATA}/${path}`, content]);
  const start = imageOf({ [DATA]: null, ...Object.fromEntries(files) });
  const disk = new MemoryDisk(start, START, scenario.exchanges);
  const fileSystem = scenario.layer?.(disk) ?? disk;
  const session: Session = {
    store: openStore(disk, fileSystem),
    disk,
    fileSystem,
    restart: async () => {
      await session.store.dispose();
      session.store = openStore(disk, fileSystem);
    },
  };
  const run = async (step: Step): Promise<RecordedStep> => {
    const begunAt = disk.log.length;
    const answer = await step.run(session);
    const acknowledgedAt = disk.log.length;
    return { name: step.name, begunAt, acknowledgedAt, touches: step.touches?.(answer) ?? [], image: disk.image() };
  };
  const steps: RecordedStep[] = [];
  if (scenario.together) steps.push(...(await Promise.all(scenario.steps.map(run))));
  else for (const step of scenario.steps) steps.push(await run(step));
  await session.store.dispose();
  return { start, disk, steps };
}
