export { type CacheStoreOptions, createCacheStore } from './create-store.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
