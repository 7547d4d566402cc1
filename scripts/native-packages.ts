import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { nativePackages } from './vite/configurations.ts';

const modules = path.resolve(import.meta.dirname, '../node_modules');

/**
 * Puts the packages that are not bundled into a package of the application, each with the part that is built for its platform.
 *
 * @throws When that part is not installed here: a package for another system has to be made on one like it.
 */
export async function copyNativePackages(folder: string, platform: string, arch: string): Promise<void> {
  for (const name of nativePackages) {
    const built = `@koromix/${name}-${platform}-${arch}`;
    for (const each of [name, built]) {
      const from = path.join(modules, each);
      if (!existsSync(from))
        throw new Error(`${each} is not installed, so the program cannot be packaged for ${platform} ${arch}.`);
      await cp(from, path.join(folder, 'node_modules', each), { recursive: true });
    }
  }
}
