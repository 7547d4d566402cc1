import { MakerZIP } from '@electron-forge/maker-zip';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import { VitePlugin } from '@electron-forge/plugin-vite';
import type { ForgeConfig } from '@electron-forge/shared-types';
import { fuses } from './electron/fuses.ts';

/** Packaging. The Vite configurations are those of `npm run build`. */
const configuration: ForgeConfig = {
  packagerConfig: { asar: true, executableName: 'sidekeep' },
  makers: [new MakerZIP({}, ['linux', 'darwin', 'win32'])],
  plugins: [
    new VitePlugin({
      build: [
        { entry: 'electron/main.ts', config: 'scripts/vite/main.config.ts', target: 'main' },
        { entry: 'src/watch/watch-worker.ts', config: 'scripts/vite/worker.config.ts', target: 'main' },
        { entry: 'src/files/write-worker.ts', config: 'scripts/vite/write-worker.config.ts', target: 'main' },
        { entry: 'electron/preload.ts', config: 'scripts/vite/preload.config.ts', target: 'preload' },
      ],
      renderer: [{ name: 'windows', config: 'scripts/vite/renderer.config.ts' }],
    }),
    new FusesPlugin(fuses),
  ],
};

export default configuration;
