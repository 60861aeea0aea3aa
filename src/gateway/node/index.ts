export type { CacheOutcome, UpstreamFailureKind } from '../../base/http/message.ts';
export type { Gateway, Log, RequestAttributes } from '../index.ts';
export type { AccessLogEntry } from '../reply.ts';
export type { ListenerOptions } from './listener.ts';
export type { ServedApp } from './send.ts';
export { type RunningServer, type ServeOptions, serve } from './server.ts';
