export { createStore, type StoreOptions } from './create.ts';
export { createMemoryStore, type MemoryOptions } from './memory.ts';
