export { writeWorkerConfiguration as default } from './configurations.ts';
