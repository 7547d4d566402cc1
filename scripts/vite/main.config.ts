export { mainConfiguration as default } from './configurations.ts';
