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
