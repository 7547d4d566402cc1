export { projectIdOf, projectPathOf } from './project-id.ts';
export { type ContextStore, type ContextStoreOptions, openContextStore } from './store.ts';
