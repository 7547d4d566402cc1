export { projectIdOf, projectPathOf } from './project-id.ts';
export { openContextStore } from './store.ts';
export type { ContextStore, ContextStoreOptions } from './store-options.ts';
