import { builtinModules } from 'node:module';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

const tree = path.resolve(import.meta.dirname, '../..');
/** A package with a native part is loaded from where it is installed. */
export const nativePackages = ['koffi'] as const;

const external = ['electron', ...nativePackages, ...builtinModules.flatMap((name) => [name, `node:${name}`])];

/** A CommonJS bundle for Node or for a sandboxed preload; everything but Electron and Node's own modules goes in. */
function bundle(entry: string, mode: 'node' | 'preload'): InlineConfig {
  return {
    root: tree,
    publicDir: false,
    // A CommonJS bundle has no address of its own. Only code that runs from source asks for it.
    define: { 'import.meta.url': JSON.stringify('file:///bundled') },
    ...(mode === 'node' ? { resolve: { conditions: ['node'], mainFields: ['module', 'main'] } } : {}),
    build: {
      outDir: '.vite/build',
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      sourcemap: true,
      lib: { entry: path.join(tree, entry), formats: ['cjs'], fileName: () => '[name].cjs' },
      rollupOptions: { external, output: { codeSplitting: false } },
    },
  };
}

/** The main process: `.vite/build/main.cjs`. */
export const mainConfiguration = bundle('electron/main.ts', 'node');
/** A worker thread: `.vite/build/<name>.cjs`. */
export const workerConfiguration = (entry: string): InlineConfig => bundle(entry, 'node');
/** The preload of both windows: `.vite/build/preload.cjs`. */
export const preloadConfiguration = bundle('electron/preload.ts', 'preload');

/** The pages of both windows: `.vite/renderer/windows/`. */
export const rendererConfiguration: InlineConfig = {
  root: path.join(tree, 'renderer'),
  base: './',
  plugins: [react()],
  // Its form for browsers decodes through `innerHTML`, which the policy of the pages forbids; this one has a table.
  resolve: {
    alias: {
      'decode-named-character-reference': path.join(tree, 'node_modules/decode-named-character-reference/index.js'),
    },
  },
  build: {
    outDir: path.join(tree, '.vite/renderer/windows'),
    emptyOutDir: true,
    target: 'chrome146',
    modulePreload: { polyfill: false },
    // A small file as a data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: {
        sidebar: path.join(tree, 'renderer/sidebar.html'),
        'mini-chat': path.join(tree, 'renderer/mini-chat.html'),
      },
    },
  },
};
