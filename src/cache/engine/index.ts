export { createHttpCache } from './cache-engine.ts';
export { type CacheEngineLimits, DEFAULT_CACHE_LIMITS, type HttpCacheOptions } from './http-cache-options.ts';
