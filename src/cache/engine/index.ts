export { createHttpCache } from './cache-engine.ts';
export { type CacheLimits, type CacheOptions, DEFAULT_LIMITS } from './options.ts';
