export { createMemoryStore, type MemoryOptions } from './memory.ts';
