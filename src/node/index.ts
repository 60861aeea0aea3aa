export type { CacheStore } from '../cache/store.ts';
export { type CacheStoreOptions, createCacheStore } from '../cache/stores/index.ts';
export type { AccessLogEntry, ListenerOptions } from './listener.ts';
export { nodeCodecs, nodeDecode, nodeTransport } from './platform.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
export { stateFolder } from './state-folder.ts';
