export { workerConfiguration as default } from './configurations.ts';
