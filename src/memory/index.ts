export { canBeUnited, type MemoryUnionOptions, uniteMemory } from './merge.ts';
export { type MemoryOwner, MemoryStore, type MemoryStoreOptions, type MemoryTitles } from './store.ts';
