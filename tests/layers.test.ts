import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

const tree = path.resolve(import.meta.dirname, '..');

/** From left to right: a module may import those to its left, and the contract. */
const coreModules = ['files', 'memory', 'context', 'sessions', 'chats', 'knowledge', 'watch'];

/** Packages that each layer may import. A package that is in none of these lists may be imported nowhere. */
const packages: Record<string, RegExp> = {
  contract: /^zod$/,
  core: /^node:|^zod$/,
  files: /^node:|^koffi$/,
  watch: /^node:|^zod$|^chokidar$/,
  electron: /^node:|^zod$|^electron$|^electron-store$|^@electron\/fuses$/,
  renderer:
    /^react$|^react-dom(?:\/client)?$|^react-aria-components$|^@tanstack\/|^@codemirror\/|^@lezer\/highlight$|^lucide-react$|^react-markdown$|^remark-gfm$|^zod$|^\.\/.*\.css$/,
};

interface Import {
  file: string;
  target: string;
}

const imports = (folders: string): Import[] =>
  globSync(`${folders}/**/*.{ts,tsx}`, { cwd: tree }).flatMap((file) => {
    const text = readFileSync(path.join(tree, file), 'utf8');
    const found = text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|\bimport\('([^']+)'\)/g,
    );
    return [...found].map((match) => {
      const specifier = match[1] ?? match[2] ?? match[3] ?? '';
      const target = specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier;
      return { file, target };
    });
  });

const isPackage = (target: string): boolean =>
  !/^(src|electron|renderer|e2e|bench|scripts|docs|tests|\.\.)(\/|$)/.test(target);
const describe = ({ file, target }: Import): string => `${file} → ${target}`;

function layerOf(file: string): string {
  if (file.startsWith('src/contract/')) return 'contract';
  if (file.startsWith('src/watch/')) return 'watch';
  if (file.startsWith('src/files/')) return 'files';
  if (file.startsWith('src/')) return 'core';
  return file.split('/')[0] ?? '';
}

test('a package is imported only by the layers that may', () => {
  const wrong = imports('{src,electron,renderer}')
    .filter(({ target }) => isPackage(target))
    .filter(({ file, target }) => !packages[layerOf(file)]?.test(target));
  expect(wrong.map(describe)).toEqual([]);
});

test('Node modules are named with their scheme', () => {
  const bare = imports('{src,electron,renderer,e2e,bench,scripts}').filter(({ target }) =>
    builtinModules.includes(target),
  );
  expect(bare.map(describe)).toEqual([]);
});

test('the contract imports nothing of ours', () => {
  const wrong = imports('src/contract').filter(
    ({ target }) => !isPackage(target) && !target.startsWith('src/contract/'),
  );
  expect(wrong.map(describe)).toEqual([]);
});

test('a module of the core imports the contract and the modules to its left', () => {
  const wrong = coreModules.flatMap((name, place) => {
    const allowed = ['contract', name, ...coreModules.slice(0, place)].map((left) => `src/${left}/`);
    return imports(`src/${name}`).filter(
      ({ target }) => !isPackage(target) && !allowed.some((prefix) => target.startsWith(prefix)),
    );
  });
  expect(wrong.map(describe)).toEqual([]);
});

test('every folder of the core has a place in the order', () => {
  const folders = new Set(globSync('src/*/', { cwd: tree }).map((folder) => path.basename(folder)));
  folders.delete('contract');
  expect([...folders].filter((folder) => !coreModules.includes(folder))).toEqual([]);
});

test('the windows import the contract and their own folder only', () => {
  const wrong = imports('renderer').filter(
    ({ target }) => !isPackage(target) && !target.startsWith('src/contract/') && !target.startsWith('renderer/'),
  );
  expect(wrong.map(describe)).toEqual([]);
});

test('the two windows do not import each other', () => {
  const wrong = [
    ...imports('renderer/sidebar').filter(({ target }) => target.startsWith('renderer/mini-chat/')),
    ...imports('renderer/mini-chat').filter(({ target }) => target.startsWith('renderer/sidebar/')),
    ...imports('renderer/{ui,state}').filter(({ target }) => /^renderer\/(sidebar|mini-chat)\//.test(target)),
  ];
  expect(wrong.map(describe)).toEqual([]);
});

test('nothing of the program imports tests, benchmarks, scripts or the development host', () => {
  const wrong = imports('{src,electron,renderer}').filter(({ target }) =>
    /^(e2e|bench|scripts|docs|tests)\//.test(target),
  );
  expect(wrong.map(describe)).toEqual([]);
});

test('the check sees imports at all', () => {
  expect(imports('electron').length).toBeGreaterThan(20);
  expect(imports('src/contract').some(({ target }) => target === 'zod')).toBe(true);
});
