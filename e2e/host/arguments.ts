import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The command line of the stand-in, as Electron reads its own. */
export interface HostArguments {
  /** Modules to load before the program (`-r`), as Playwright's. */
  preloaded: string[];
  switches: [name: string, value: string][];
  /** The program's folder, or its main script. */
  program: string;
}

/** The program that the command line names. */
export interface Program {
  main: string;
  folder: string;
  name: string | undefined;
  version: string | undefined;
}

export function parseArguments(args: string[]): HostArguments {
  const preloaded: string[] = [];
  const switches: [string, string][] = [];
  let program: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') break;
    const option = /^--([^=]+)=?(.*)$/s.exec(argument);
    if (argument === '-r' || argument === '--require') preloaded.push(args[++index] ?? '');
    else if (option) switches.push([option[1] ?? '', option[2] ?? '']);
    else program ??= argument;
  }
  return { preloaded, switches, program: resolve(program ?? '.') };
}

/** Finds the main script of a program: a folder's package.json names it; a file is it. @throws Error when there is none. */
export function readProgram(program: string): Program {
  if (!existsSync(program)) throw new Error(`Cannot find the app at ${program}`);
  const isFolder = statSync(program).isDirectory();
  const folder = isFolder ? program : dirname(program);
  const manifestFile = join(folder, 'package.json');
  const manifest = existsSync(manifestFile)
    ? (JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<'main' | 'name' | 'productName' | 'version', string>)
    : undefined;
  const main = isFolder ? resolve(folder, manifest?.main ?? 'index.js') : program;
  if (!existsSync(main)) throw new Error(`Cannot find the main script at ${main}`);
  return { main, folder, name: manifest?.productName ?? manifest?.name, version: manifest?.version };
}
