import { buildApplication } from './build-application.ts';

await buildApplication('info');
