export { rendererConfiguration as default } from './configurations.ts';
