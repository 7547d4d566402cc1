import { MakerZIP } from '@electron-forge/maker-zip';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import { VitePlugin } from '@electron-forge/plugin-vite';
import type { ForgeConfig } from '@electron-forge/shared-types';
import { fuses } from './electron/fuses.ts';
import { copyNativePackages } from './scripts/native-packages.ts';
import { workerEntries } from './scripts/vite/workers.ts';

/** Packaging. The Vite configurations are those of `npm run build`. */
const configuration: ForgeConfig = {
  // A library that the system loads cannot lie in the archive.
  packagerConfig: { asar: { unpack: '**/*.node' }, executableName: 'sidekeep' },
  hooks: {
    packageAfterCopy: async (_configuration, folder, _version, platform, arch) =>
      copyNativePackages(folder, platform, arch),
  },
  makers: [new MakerZIP({}, ['linux', 'darwin', 'win32'])],
  plugins: [
    new VitePlugin({
      build: [
        { entry: 'electron/main.ts', config: 'scripts/vite/main.config.ts', target: 'main' },
        ...workerEntries.map((entry) => ({ entry, config: 'scripts/vite/worker.config.ts', target: 'main' as const })),
        { entry: 'electron/preload.ts', config: 'scripts/vite/preload.config.ts', target: 'preload' },
      ],
      renderer: [{ name: 'windows', config: 'scripts/vite/renderer.config.ts' }],
    }),
    new FusesPlugin(fuses),
  ],
};

export default configuration;
