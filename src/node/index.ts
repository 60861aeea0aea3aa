export {
  type CacheStoreOptions,
  createCacheStore,
  type OpenCacheStore,
} from '../cache/stores/create-store.ts';
export type { MemoryStoreOptions } from '../cache/stores/memory-store.ts';
export type { RedisStoreOptions } from '../cache/stores/redis/connection.ts';
export type { RedisOptions, RedisTlsOptions } from '../config/option-types.ts';
export type { RequestAttributes } from '../gateway/index.ts';
export type * from '../port-types.ts';
export type { CacheOutcome } from '../site/traffic/traffic-counters.ts';
export type { TlsOptions } from './certificates.ts';
export type { AccessLogEntry, ListenerOptions } from './listener.ts';

export { nodeDecode, nodeEncoders, nodeHash, nodeTransport } from './platform.ts';
export { connectRedisCounts, type RedisCounts } from './redis-counts.ts';
export type { BodyRate } from './request-body.ts';
export type { ServedApp } from './served-app.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
export { stateFolder } from './state-folder.ts';
