/** The port between the gateway and its transports. */
import { hasField } from './fields.ts';
import type { RequestTrace } from './request-trace.ts';

/**
 * A request to an origin, which transports send unchanged.
 * @typeParam Body a Node `Readable` (dispatch) or a web `ReadableStream` (fetch)
 */
export interface UpstreamRequest<Body> {
  readonly method: string;
  /** Path and query, raw: `/wp-json/core/v2/posts?per_page=1`. */
  readonly target: string;
  /** Flat list name, value, name, value, without hop-by-hop fields. */
  readonly headers: string[];
  /** Bytes if the body is in memory, a stream otherwise. */
  readonly body: Body | Uint8Array | null;
  /**
   * Whether the request can be sent again after a kept-alive connection was closed (RFC 9110 §9.2.2): it has
   * no body, and its *effective* method is safe (`GET` with `_method=DELETE` is not).
   */
  readonly retryable: boolean;
}

/** Status line and header section of a response, in the origin's order, with repeated names repeated. */
export interface ResponseHead {
  readonly status: number;
  /** Reason phrase; often empty. */
  readonly reason: string;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
  /**
   * Fields in which the site tags and purges responses, removed from `headers`. @default they are in
   * `headers`
   */
  readonly siteFields?: readonly string[];
}

/** A complete response in memory that is sent many times, without the fields that differ each time. */
export interface RepeatedResponse {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /**
   * Head as a sink writes it, kept by the sink. `null` if it keeps none; `undefined` before the first time.
   */
  text?: string | null | undefined;
}

/** Statuses without content (WHATWG Fetch, "null body status"). */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Statuses of a proxy whose origin doesn't respond. The origin can have run an unsafe request all the same.
 */
export const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a response limits one client or announces maintenance, which is no failure. */
export function isMaintenance({ headers, status }: ResponseHead): boolean {
  return status === 503 && hasField(headers, 'retry-after');
}

/**
 * Receives one response while it arrives.
 *
 * - First come `interim`, then `head` or `complete`; after `head` come `write` and `end`. `fail` can come at
 * any time.
 * - Nothing comes after `complete`, `end`, `fail` or {@link Exchange.abort}.
 * - After `head` and `fail`, the sink must end the response as broken: it destroys the connection.
 */
export interface ResponseSink {
  /** Receives an interim response (102, 103), but never 100 or 101. */
  interim?(head: ResponseHead): void;
  head(head: ResponseHead): void;
  /** Optional shortcut for a body in memory: replaces `head`, `write` and `end`. */
  complete?(head: ResponseHead, body: Uint8Array): void;
  /**
   * Optional shortcut for a stored response: replaces `complete`, and creates no list of all header fields.
   * @param status always the same for one `response`
   * @param added fields of this response only, a flat list
   * @returns false if nothing was sent: `complete` must be called
   */
  completeStored?(status: number, response: RepeatedResponse, added: readonly string[]): boolean;
  /**
   * Receives a chunk of the body. Its bytes never change, but can be a view of a larger buffer: copy what
   * outlives the response.
   * @returns false if the sink is full: it gets the next chunk after {@link Exchange.resume}
   */
  write(chunk: Uint8Array): boolean;
  /** @param trailers flat list name, value; mostly empty */
  end(trailers: readonly string[]): void;
  /** Receives the reason why there is no response, or why it ends early. */
  fail(failure: UpstreamFailure): void;
}

/** @param onFail called in place of `fail` */
export function mapHead(
  sink: ResponseSink,
  map: (head: ResponseHead) => ResponseHead,
  onFail: (failure: UpstreamFailure) => void = (failure) => sink.fail(failure),
): ResponseSink {
  return {
    interim: (head) => sink.interim?.(head),
    head: (head) => sink.head(map(head)),
    write: (chunk) => sink.write(chunk),
    end: (trailers) => sink.end(trailers),
    fail: onFail,
    ...(sink.complete === undefined
      ? {}
      : { complete: (head: ResponseHead, body: Uint8Array) => sink.complete?.(map(head), body) }),
  };
}

/**
 * Wraps a sink so that it never throws into its caller, e.g. a transport's parser, which would swallow the
 * error.
 * @param onError called with what the sink has thrown. @default fails the sink
 */
export function guardSink(
  sink: ResponseSink,
  onError: (cause: unknown) => void = (cause) => sink.fail({ kind: 'internal', cause }),
): ResponseSink {
  return sink.complete === undefined ? new GuardedSink(sink, onError) : new GuardedWholeSink(sink, onError);
}

/** Methods, not closures: each request has up to three of these. */
class GuardedSink implements ResponseSink {
  protected readonly sink: ResponseSink;
  protected readonly onError: (cause: unknown) => void;

  constructor(sink: ResponseSink, onError: (cause: unknown) => void) {
    this.sink = sink;
    this.onError = onError;
  }

  interim(head: ResponseHead): void {
    try {
      this.sink.interim?.(head);
    } catch (cause) {
      this.onError(cause);
    }
  }

  head(head: ResponseHead): void {
    try {
      this.sink.head(head);
    } catch (cause) {
      this.onError(cause);
    }
  }

  write(chunk: Uint8Array): boolean {
    try {
      return this.sink.write(chunk);
    } catch (cause) {
      this.onError(cause);
      return true;
    }
  }

  end(trailers: readonly string[]): void {
    try {
      this.sink.end(trailers);
    } catch (cause) {
      this.onError(cause);
    }
  }

  fail(failure: UpstreamFailure): void {
    try {
      this.sink.fail(failure);
    } catch (cause) {
      this.onError(cause);
    }
  }
}

class GuardedWholeSink extends GuardedSink {
  complete(head: ResponseHead, body: Uint8Array): void {
    try {
      this.sink.complete?.(head, body);
    } catch (cause) {
      this.onError(cause);
    }
  }

  completeStored(status: number, response: RepeatedResponse, added: readonly string[]): boolean {
    try {
      return this.sink.completeStored?.(status, response, added) ?? false;
    } catch (cause) {
      this.onError(cause);
      return true;
    }
  }
}

/** A running exchange, as the client of the response controls it. */
export interface Exchange {
  /** Continues after `write` has returned false. */
  resume(): void;
  /** Closes the connection to the origin, and calls the sink no more. */
  abort(): void;
}

/** Sends a request. The sink can receive the response before this returns. */
export type Dispatch<Body> = (request: UpstreamRequest<Body>, sink: ResponseSink) => Exchange;

export type UpstreamFailureKind =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  /** The connection broke, the response was invalid, or the error is of an unknown kind. */
  | 'connection-broken'
  /** The response has a transfer coding other than `chunked`, which no client has requested. */
  | 'transfer-coding'
  /** The transport cannot send the request, e.g. because of an invalid field value. */
  | 'invalid-request'
  | 'body-length-mismatch'
  | 'shutdown'
  /** The circuit breaker is open: the request was not sent. */
  | 'circuit-open'
  /** Too many requests wait for the origin: the request was not sent. */
  | 'overloaded'
  /** The request has `only-if-cached`, and no stored response can be used for it. */
  | 'not-stored'
  | 'client-gone'
  /** The gateway itself failed. The cause is an error for its log. */
  | 'internal';

export const NOT_SENT_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'circuit-open',
  'overloaded',
]);

/**
 * Why there is no response, or only a part of one. `FAILURE_RESPONSES` in upstream/failures.ts maps it to a
 * response.
 */
export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** For the log only: it can name hosts and ports. */
  readonly cause?: unknown;
  /** Whether the transport knows that nothing of the request was sent. */
  readonly isUnsent?: boolean;
  /** Seconds for the client's `Retry-After`. */
  readonly retryAfter?: number;
  /** For the client (RFC 9211); undefined if the cache was not asked. */
  readonly cacheStatus?: string;
}

/** Time limits of a request to an origin, in milliseconds. 0 disables a limit. */
export interface UpstreamTimeouts {
  /** Until a connection accepts the request: the wait for a free one, DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** From the last byte of the request to the end of the response's head. @default 60_000 */
  readonly headers: number;
  /** Between two chunks of the response's body while the sink is not full. @default 60_000 */
  readonly body: number;
}

export const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connect: 10_000, headers: 60_000, body: 60_000 };

/**
 * Request line and header section, neither decoded nor normalized. Each character of a string is one byte.
 */
export interface RequestHead {
  readonly method: string;
  /** `/path?query`, or in absolute form. */
  readonly target: string;
  /** Flat list name, value, name, value: Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

/** A request head with the properties of its connection. */
export interface IncomingRequestHead extends RequestHead {
  /** IP address of the connection's peer, without port; empty if unknown. */
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  /** As in `Via`: `1.1`. */
  readonly httpVersion: string;
  /** Path of the app that the gateway is mounted in, such as `/api`, which the target lacks. @default none */
  readonly prefix?: string;
  /** Spans of the request, if an SDK of OpenTelemetry is registered. @internal */
  readonly trace?: RequestTrace;
}

/** RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
