import { globSync } from 'node:fs';
import path from 'node:path';

const tree = path.resolve(import.meta.dirname, '../..');

/** The entries of the worker threads, below the tree: every file of the core whose name ends in `-worker.ts`. */
export const workerEntries: readonly string[] = globSync('src/**/*-worker.ts', { cwd: tree }).sort();
