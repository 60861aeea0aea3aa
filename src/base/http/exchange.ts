import type { Readable } from 'node:stream';
import type { CacheStatus } from './cache-status.ts';
import { hasField } from './fields.ts';
import type { UpstreamFailureKind } from './network-errors.ts';

/** The port between who sends a request to an origin (a `Dispatch`) and who takes the response while it arrives (a `ResponseSink`). */

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
}

export interface IncomingRequestHead extends RequestHead {
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  readonly httpVersion: string;
  /** Path of the app that mounts the gateway, such as `/api`. @default none */
  readonly prefix?: string;
}

/** RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** A request to an origin, which transports send unchanged. */
export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  /** Flat list name, value, without hop-by-hop fields. */
  readonly headers: string[];
  readonly body: Readable | Uint8Array | null;
  /** Whether it can be sent again although the site can have got it: a read (RFC 9110, 9.2.2). */
  readonly retryable: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  /** Fields in which the site tags and purges responses. @default they are in `headers` */
  readonly siteFields?: readonly string[];
  /** What the cache did, which becomes the field `Cache-Status`. */
  readonly cacheStatus?: CacheStatus | undefined;
}

export interface RepeatedResponse {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  text?: string | null | undefined;
}

/** WHATWG Fetch, "null body status". */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** The origin can have run an unsafe request all the same. */
export const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

export function isMaintenance({ headers, status }: ResponseHead): boolean {
  return status === 503 && hasField(headers, 'retry-after');
}

/**
 * Receives one response while it arrives.
 * - First comes `head` or `complete`; after `head` come `write` and `end`.
 * - Nothing comes after `complete`, `end`, `fail` or {@link Exchange.abort}.
 * - After `head` and `fail`, the sink must end the response as broken: it destroys the connection.
 */
export interface ResponseSink {
  head(head: ResponseHead): void;
  complete(head: ResponseHead, body: Uint8Array): void;
  /** @returns false if nothing was sent: call `complete` */
  completeStored?(status: number, response: RepeatedResponse, age: string, cacheStatus: CacheStatus): boolean;
  /** Copy what outlives the response. @returns false if the sink is full, until {@link Exchange.resume} */
  write(chunk: Uint8Array): boolean;
  end(): void;
  fail(failure: UpstreamFailure): void;
}

export interface Exchange {
  resume(): void;
  abort(): void;
}

export type Dispatch = (request: UpstreamRequest, sink: ResponseSink) => Exchange;

export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** For the log only: it can name hosts and ports. */
  readonly cause?: unknown;
  readonly isUnsent?: boolean;
  readonly retryAfter?: number;
  /** Undefined if the cache was not asked. */
  readonly cacheStatus?: CacheStatus;
}

export const NOT_SENT_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'circuit-open',
  'overloaded',
]);

export function withFailure(
  { detail = [], ...status }: CacheStatus,
  failure: UpstreamFailureKind,
): CacheStatus {
  const explained: CacheStatus = { detail: [...detail, { kind: 'failed', failure }] };
  // RFC 9211 §2.2: `fwd` states that the request was forwarded.
  return NOT_SENT_KINDS.has(failure) ? explained : { ...status, ...explained };
}

export function mapHead(
  sink: ResponseSink,
  map: (head: ResponseHead) => ResponseHead,
  onFail: (failure: UpstreamFailure) => void = (failure) => sink.fail(failure),
): ResponseSink {
  return {
    head: (head) => sink.head(map(head)),
    write: (chunk) => sink.write(chunk),
    end: () => sink.end(),
    fail: onFail,
    complete: (head, body) => sink.complete(map(head), body),
  };
}

/** Keeps a sink from throwing into a transport's parser, which would swallow the error. */
export class GuardedSink implements ResponseSink {
  readonly #sink: ResponseSink;
  readonly #onError: ((cause: unknown) => void) | undefined;

  /** @param onError tells the sink of a failure by default */
  constructor(sink: ResponseSink, onError?: (cause: unknown) => void) {
    this.#sink = sink;
    this.#onError = onError;
  }

  #crash(cause: unknown): void {
    if (this.#onError === undefined) this.#sink.fail({ kind: 'internal', cause });
    else this.#onError(cause);
  }

  head(head: ResponseHead): void {
    try {
      this.#sink.head(head);
    } catch (cause) {
      this.#crash(cause);
    }
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    try {
      this.#sink.complete(head, body);
    } catch (cause) {
      this.#crash(cause);
    }
  }

  completeStored(...sent: Parameters<NonNullable<ResponseSink['completeStored']>>): boolean {
    try {
      return this.#sink.completeStored?.(...sent) ?? false;
    } catch (cause) {
      this.#crash(cause);
      return true;
    }
  }

  write(chunk: Uint8Array): boolean {
    try {
      return this.#sink.write(chunk);
    } catch (cause) {
      this.#crash(cause);
      return true;
    }
  }

  end(): void {
    try {
      this.#sink.end();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  fail(failure: UpstreamFailure): void {
    try {
      this.#sink.fail(failure);
    } catch (cause) {
      this.#crash(cause);
    }
  }
}
