export type { CacheStore } from '../cache/store.ts';
export { createStore, type StoreOptions } from '../cache/stores/index.ts';
export { nodeCodecs } from './codecs.ts';
export { nodeDecode } from './decode.ts';
export type { AccessEntry, ListenerOptions } from './listener.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
export { stateFolder } from './state-folder.ts';
export { nodeTransport } from './transport.ts';
