import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ContextEvent, ProjectContext } from '../../src/context/project-context.ts';
import { ProjectFiles } from '../../src/context/project-files.ts';
import { type FileSystem, nodeFileSystem, Root } from '../../src/files/index.ts';
import { temporaryFolder } from '../files/support.ts';
import { freeAccess } from './access.ts';
import { NOW } from './support.ts';

/** One owner, `p1`, without the store around it: its files, its context, and a clock that the test turns. */
export interface Owner {
  files: ProjectFiles;
  context: ProjectContext;
  clock: { now: number };
  events: ContextEvent[];
  /** What was reported; the test takes out what it expected. */
  reports: string[];
  /** Path below the owner's folder. */
  path(...names: string[]): string;
  text(...names: string[]): Promise<string>;
  /** Names in a folder, sorted; none where there is no folder. */
  names(...names: string[]): Promise<string[]>;
  put(content: unknown, ...names: string[]): Promise<void>;
  /** `context.json` as JSON. */
  stored(): Promise<Record<string, unknown>>;
  /** The same owner after a restart of the program. */
  restarted(): ProjectContext;
}

export async function setUpOwner({ fileSystem = nodeFileSystem }: { fileSystem?: FileSystem } = {}): Promise<Owner> {
  const root = join(await temporaryFolder(), 'context');
  const path = (...names: string[]): string => join(root, 'projects', 'p1', ...names);
  const clock = { now: NOW };
  const events: ContextEvent[] = [];
  const reports: string[] = [];
  await mkdir(path('plans'), { recursive: true });
  const seen = { root: true, projects: true };
  const files = new ProjectFiles(fileSystem, new Root(fileSystem, root), 'p1', seen, freeAccess(fileSystem));
  const restarted = (): ProjectContext =>
    new ProjectContext({
      files,
      onEvent: (event) => void events.push(event),
      now: () => clock.now,
      report: (where, error) => void reports.push(`${where}: ${error}`),
      sleep: () => Promise.resolve(),
    });
  onTestFinished(() => {
    expect(reports).toEqual([]);
  });
  return {
    files,
    context: restarted(),
    clock,
    events,
    reports,
    path,
    text: (...names) => readFile(path(...names), 'utf8'),
    names: async (...names) => (await readdir(path(...names)).catch(() => [])).sort(),
    put: async (content, ...names) => {
      const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
      await mkdir(path(...names, '..'), { recursive: true });
      await writeFile(path(...names), text);
    },
    stored: async () => JSON.parse(await readFile(path('context.json'), 'utf8')),
    restarted,
  };
}
