import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Move } from '../../src/context/merge.ts';
import { ProjectContext } from '../../src/context/project-context.ts';
import { ProjectFiles } from '../../src/context/project-files.ts';
import { ProjectMerges } from '../../src/context/project-merges.ts';
import { type FileSystem, KeyedQueue, nodeFileSystem, Root } from '../../src/files/index.ts';
import { temporaryFolder } from '../files/support.ts';
import { freeAccess } from './access.ts';

export const NOW = 1_750_000_000_000;

/** The merges of one root, as a program has them from its start. */
export function openMerges(
  root: string,
  { fileSystem = nodeFileSystem, finish }: { fileSystem?: FileSystem; finish?: (move: Move) => Promise<void> } = {},
) {
  const contexts = new Map<string, ProjectContext>();
  const finished: Move[] = [];
  const reports: string[] = [];
  const queue = new KeyedQueue();
  const place = new Root(fileSystem, root);
  const seen = { root: false, projects: false };
  const report = (where: string, error: unknown): void => void reports.push(`${where}: ${error}`);
  const context = (id: string): ProjectContext => {
    const known = contexts.get(id);
    if (known) return known;
    const files = new ProjectFiles(fileSystem, place, id, seen, freeAccess(fileSystem));
    const made = new ProjectContext({
      files,
      onEvent: () => undefined,
      now: () => NOW,
      report,
      sleep: () => Promise.resolve(),
    });
    contexts.set(id, made);
    return made;
  };
  const merges = new ProjectMerges({
    fileSystem,
    root: place,
    side: context,
    locked: ([first, second], job) => queue.run(first, () => queue.run(second, job)),
    forget: (id) => void contexts.delete(id),
    finish: finish ?? ((move) => void finished.push(move)),
    now: () => NOW,
    report,
  });
  return {
    merges,
    context,
    finished,
    reports,
    /** Merges `a` into `b`, unless told otherwise. */
    merge: (from = 'a', to = 'b') => merges.merge({ from, to, path: null }, (move) => void finished.push(move)),
  };
}

/** A root in a folder of its own. */
export async function setUpMerge() {
  const root = join(await temporaryFolder(), 'context');
  await mkdir(join(root, 'projects'), { recursive: true });
  const opened = openMerges(root);
  onTestFinished(() => {
    if (opened.reports.length > 0) throw new Error(opened.reports.join('\n'));
  });
  const path = (...names: string[]): string => join(root, 'projects', ...names);
  return {
    ...opened,
    root,
    path,
    put: (name: string, content: unknown) => putFile(path(name), content),
    text: (name: string) => readFile(path(name), 'utf8'),
    json: async (name: string): Promise<Record<string, unknown>> => JSON.parse(await readFile(path(name), 'utf8')),
    tree: () => treeOf(path()),
  };
}

/** Writes a text, or anything else as JSON. */
export async function putFile(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** Every file below a folder, by its path from there. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(texts.sort());
}
