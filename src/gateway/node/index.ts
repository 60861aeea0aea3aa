export type { CacheOutcome } from '../../base/http/cache-status.ts';
export type { UpstreamFailureKind } from '../../base/http/network-errors.ts';
export type { Gateway, Log, RequestAttributes } from '../index.ts';
export type { ListenerOptions } from './listener.ts';
export type { AccessLogEntry, ServedApp } from './send.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
