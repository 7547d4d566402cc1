import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What the command line asks of the program. */
export interface CommandLine {
  /** Folder that holds every root (`--data DIR`), absolute; null for the person's own data. */
  data: string | null;
  /** Whether to prove the main job and exit (`--smoke`). */
  smoke: boolean;
}

/**
 * Reads the program's own arguments; Chromium's and Electron's switches are left to them.
 * @throws Error with one sentence for the person when `--data` names no folder.
 */
export function readCommandLine(argv: readonly string[], workingFolder: string): CommandLine {
  const line: CommandLine = { data: null, smoke: false };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index];
    if (argument === '--smoke') line.smoke = true;
    else if (argument === '--data') line.data = dataFolder(argv[++index], workingFolder);
    else if (argument?.startsWith('--data=')) line.data = dataFolder(argument.slice('--data='.length), workingFolder);
  }
  return line;
}

function dataFolder(value: string | undefined, workingFolder: string): string {
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw new Error('--data needs a folder, as in: npm start -- --data /path/to/folder');
  }
  return path.resolve(workingFolder, value);
}

/**
 * Makes the folder of `--data`, one level after the other: making all at once never ends on some file systems.
 * @throws Error with one sentence for the person when it cannot be a folder of theirs.
 */
export function prepareDataFolder(folder: string): void {
  const missing: string[] = [];
  let existing = folder;
  while (!exists(existing)) {
    missing.unshift(existing);
    existing = path.dirname(existing);
  }
  try {
    if (!statSync(existing).isDirectory()) throw new Error('a file is in the way');
    for (const made of missing) mkdirSync(made, { mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : (error as Error).message;
    throw new Error(`--data ${folder} cannot be used (${code}); name a folder that you may write to`);
  }
}

function exists(place: string): boolean {
  try {
    statSync(place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    // Something is there, or on the way there: making the folder says what.
    return true;
  }
}
