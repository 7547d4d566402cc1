export { type MemoryOwner, MemoryStore, type MemoryStoreOptions, type MemoryTitles } from './store.ts';
