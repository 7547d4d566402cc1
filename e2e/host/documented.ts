import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Declaration {
  parent: string | undefined;
  members: Set<string>;
  statics: Set<string>;
}

const packageFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/** The version of the installed `electron` package, for whose API the host stands in. */
export const electronVersion: string = (
  JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
).version;

let declarations: Map<string, Declaration> | undefined;

/**
 * The members that `electron.d.ts` documents for an interface or class, its parents included, without those that do not
 * exist on this platform (they are `undefined` in Electron too, and programs test for that).
 */
export function documentedMembers(name: string): string[] {
  declarations ??= readDeclarations(process.platform);
  const found = new Set<string>();
  for (let next: string | undefined = name; next !== undefined; ) {
    const declaration: Declaration | undefined = declarations.get(next);
    for (const member of declaration?.members ?? []) found.add(member);
    next = declaration?.parent;
  }
  return [...found];
}

/** The static members that `electron.d.ts` documents for a class itself. */
export function documentedStatics(name: string): string[] {
  declarations ??= readDeclarations(process.platform);
  return [...(declarations.get(name)?.statics ?? [])];
}

function readDeclarations(platform: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  let current: Declaration | undefined;
  let elsewhere = false;
  for (const line of readFileSync(join(packageFolder, 'electron.d.ts'), 'utf8').split('\n')) {
    const opening = /^ {2}(?:interface|class) (\w+)(?: extends ([\w.]+))? \{/.exec(line);
    if (opening) {
      current = { parent: opening[2], members: new Set(), statics: new Set() };
      found.set(opening[1] ?? '', current);
    } else if (/^ {2}\}/.test(line)) {
      current = undefined;
    } else if (current && /^ {4}(?! )/.test(line)) {
      if (line.startsWith('    /**')) elsewhere = false;
      const member = /^ {4}(static )?(?:readonly |get |set )*(\w+)\??[(:<]/.exec(line);
      if (member && !elsewhere && member[2] !== 'constructor') {
        (member[1] ? current.statics : current.members).add(member[2] ?? '');
      }
      if (member) elsewhere = false;
    } else {
      const platforms = /^ {5}\* @platform ([\w,]+)/.exec(line)?.[1];
      if (platforms && !platforms.split(',').includes(platform)) elsewhere = true;
    }
  }
  return found;
}
