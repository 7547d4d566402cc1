export { preloadConfiguration as default } from './configurations.ts';
