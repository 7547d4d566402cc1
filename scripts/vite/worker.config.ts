import type { ConfigEnv, UserConfig } from 'vite';
import { workerConfiguration } from './configurations.ts';

/** Packaging builds one worker at a time and says which. */
export default (environment: ConfigEnv & { forgeConfigSelf: { entry: string } }): UserConfig =>
  workerConfiguration(environment.forgeConfigSelf.entry);
