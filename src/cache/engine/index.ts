export { createHttpCache } from './cache.ts';
export { type CacheClock, type CacheLimits, type CacheOptions, DEFAULT_LIMITS } from './options.ts';
