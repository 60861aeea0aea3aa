/** Types of interfaces that users implement or receive. */

export type { ContentCoding, ContentEncoder } from './cache/compressor.ts';
export type {
  Awaitable,
  CacheStore,
  CompressedResponse,
  IdentityResponse,
  Lease,
  Lookup,
  PurgeMode,
  PurgeSelection,
  PutResult,
  SharedStoreState,
  StoredResponse,
  StoreMark,
  StoreReport,
} from './cache/store.ts';
export type { AdminHandler, Gateway, SharedCounts, TransportFactory } from './gateway/index.ts';
export type { ContentDecoder } from './http/content-decoding.ts';
export type {
  Dispatch,
  Exchange,
  IncomingRequestHead,
  RepeatedResponse,
  RequestHead,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
  UpstreamFailureKind,
  UpstreamRequest,
  UpstreamTimeouts,
} from './http/exchange.ts';
export type { Json, JsonObject } from './json.ts';
export type { PhpArray, PhpValue } from './php/query.ts';
export type { Clock, Log, StateStore } from './ports.ts';
export type { UpstreamTls } from './upstream/site-fetch.ts';
