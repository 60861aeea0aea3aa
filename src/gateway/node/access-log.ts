import {
  type CacheOutcome,
  type CacheStatus,
  fieldValue,
  formatCacheStatus,
  type IncomingRequestHead,
  toCacheOutcome,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../../base/http/message.ts';
import type { RequestAttributes } from '../index.ts';
import type { Answer } from '../reply.ts';
import { describeFailureCause } from '../upstream/failures.ts';

export interface AccessLogEntry extends RequestAttributes {
  /** Name of the site; `null` outside of all sites. */
  readonly site: string | null;
  /** Time of completion, in milliseconds since the epoch. */
  readonly time: number;
  readonly method: string | undefined;
  /** Raw path, without the query, which can contain passwords and nonces. */
  readonly path: string;
  /** Raw query with its question mark. It can contain passwords and nonces. @default none */
  readonly query?: string;
  /** Status of the response; of the failure if the site broke it off, and 499 if the client left before it was complete. */
  readonly status: number;
  /** Status that the client got; `null` if it got none. */
  readonly sent: number | null;
  /** How the response ended: whole, or broken off by one side or the gateway's stop. */
  readonly end: 'complete' | 'client' | 'site' | 'shutdown';
  /** Milliseconds from the request head to completion. */
  readonly duration: number;
  readonly host: string;
  /** `User-Agent` as received. */
  readonly userAgent: string | undefined;
  /** `Referer` without the query, which can contain passwords and nonces. */
  readonly referer?: string | undefined;
  readonly httpVersion: string;
  /** Trace of the request (W3C Trace Context). */
  readonly traceId?: string | undefined;
  readonly cache: CacheOutcome;
  /** The response's `Cache-Status`. */
  readonly cacheStatus?: string | undefined;
  /** Bytes of content sent. */
  readonly bytes: number;
  /** Absent if the request was not validated. */
  readonly validation?: 'valid' | 'invalid' | undefined;
  /** Code of the gateway's refusal. */
  readonly refusal?: string | undefined;
  /** Milliseconds to the head of the site's response; `undefined` if it was not asked. */
  readonly siteDuration: number | undefined;
  /** Why the site's response is missing or incomplete. */
  readonly failure?: UpstreamFailureKind;
  readonly cause?: string | undefined;
}

const NO_ATTRIBUTES = { operation: null, requestId: '', route: null };

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

/** @internal */
export function toAccessLogEntry(
  { headers, httpVersion, method, peerAddress, target }: IncomingRequestHead,
  answer: Answer | null,
  cacheStatus: CacheStatus | undefined,
  failure: UpstreamFailure | undefined,
  outcome: Pick<AccessLogEntry, 'status' | 'sent' | 'end' | 'duration' | 'bytes'>,
): AccessLogEntry {
  const { client, operation, requestId, route } = answer ?? { ...NO_ATTRIBUTES, client: peerAddress };
  const request = answer?.kind === 'site' ? answer : undefined;
  const questionMark = target.indexOf('?');
  const traceparent = fieldValue(headers, 'traceparent') ?? '';
  const entry = {
    time: Date.now(),
    requestId,
    client,
    method,
    path: questionMark < 0 ? target : target.slice(0, questionMark),
    query: questionMark < 0 ? '' : target.slice(questionMark),
    site: answer?.site?.settings.name ?? null,
    route,
    operation,
    status: outcome.status,
    sent: outcome.sent,
    end: outcome.end,
    duration: Math.round(outcome.duration * 10) / 10,
    host: fieldValue(headers, 'host') ?? '',
    userAgent: fieldValue(headers, 'user-agent'),
    referer: fieldValue(headers, 'referer')?.split(/[?#]/, 1)[0],
    httpVersion,
    traceId: TRACEPARENT.exec(traceparent)?.[1],
    cache: toCacheOutcome(cacheStatus),
    cacheStatus: cacheStatus && formatCacheStatus(cacheStatus),
    bytes: outcome.bytes,
    validation: request?.validation?.outcome,
    refusal: answer?.kind === 'own' ? answer.problem?.code : undefined,
    siteDuration: request?.siteDuration,
  };
  if (failure === undefined) return entry;
  return { ...entry, failure: failure.kind, cause: describeFailureCause(failure) };
}
