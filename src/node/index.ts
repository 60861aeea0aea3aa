export type { OverloadOptions, RedisOptions, RedisTlsOptions } from '../../generated/option-types.d.ts';
export type { ContentCoding, ContentEncoder } from '../cache/compressor.ts';
export type { TextHashes } from '../cache/content/page-text.ts';
export type { SearchedEdit } from '../cache/dependencies/searches.ts';
export type {
  Awaitable,
  CacheStore,
  CompressedResponse,
  GroupPurge,
  IdentityResponse,
  Lease,
  OpenWrite,
  PurgeClause,
  PurgeLabels,
  PurgeMode,
  PurgeSelection,
  ResponseGroup,
  SelectedResponses,
  SharedStoreState,
  StoredResponse,
  StoreInspector,
  StoreStats,
  WritePurgeMode,
} from '../cache/store.ts';
export { type CacheStoreOptions, createCacheStore } from '../cache/stores/create-store.ts';
export type { MemoryStoreOptions } from '../cache/stores/memory-store.ts';
export type { RedisTierOptions } from '../cache/stores/redis/connection.ts';
export type {
  AdminHandler,
  Gateway,
  RequestAttributes,
  SharedCounts,
  TransportFactory,
} from '../gateway/index.ts';
export type { CacheOutcome } from '../gateway/traffic/traffic-counters.ts';
export type { ContentDecoder } from '../http/content-decoding.ts';
export type {
  FetchOutcome,
  IncomingRequestHead,
  RepeatedResponse,
  RequestHead,
  ResponseHead,
  UpstreamFailure,
  UpstreamFailureKind,
  UpstreamRequest,
  UpstreamTimeouts,
} from '../http/exchange.ts';
export type { Json, JsonObject } from '../json.ts';
export type { Clock, Log, StateStore } from '../ports.ts';
export type { FetchTransport } from '../upstream/fetch-transport.ts';
export type { UpstreamTls } from '../upstream/site-fetch.ts';
export type { CertificateFiles } from './certificates.ts';
export type { AccessLogEntry, ListenerOptions } from './listener.ts';

export { nodeDecode, nodeEncoders, nodeHash, nodeTransport } from './platform.ts';
export { connectRedisCounts, type RedisCounts } from './redis-counts.ts';
export type { BodyRate } from './request-body.ts';
export type { ServedApp } from './served-app.ts';
export {
  type ListeningSockets,
  type RunningServer,
  type ServeOptions,
  serve,
  type TlsOptions,
} from './server.ts';
export { stateFolder } from './state-folder.ts';
