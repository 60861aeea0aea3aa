/** The port between the gateway and its transports: a request to an origin, and the sink that receives the response. */
import { hasField } from './fields.ts';
import type { RequestTrace } from './request-trace.ts';

/**
 * A request to an origin. Transports send it unchanged: they add, decode and normalize nothing.
 *
 * @typeParam Body the stream type of the transport: a Node `Readable` (dispatch) or a web `ReadableStream` (fetch)
 */
export interface UpstreamRequest<Body> {
  readonly method: string;
  /** Path and query, raw: `/wp-json/core/v2/posts?per_page=1`. The origin belongs to the transport. */
  readonly target: string;
  /** Flat list name, value, name, value, without hop-by-hop fields. */
  readonly headers: string[];
  /** Bytes if the body is in memory, a stream otherwise; `null` if the request has no body. */
  readonly body: Body | Uint8Array | null;
  /**
   * Whether the transport can send the request again after a kept-alive connection was closed (RFC 9110 §9.2.2). True
   * if the request has no body and its *effective* method is safe: `GET` with `_method=DELETE` is not.
   */
  readonly retryable: boolean;
}

/** Status line and header section of a response, in the origin's order, with repeated names repeated. */
export interface ResponseHead {
  readonly status: number;
  /** The reason phrase; often empty. */
  readonly reason: string;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
  /** The fields in which the site tags and purges responses, removed from `headers`. @default they are in `headers` */
  readonly siteFields?: readonly string[];
}

/** A complete response in memory that clients get again and again, without the fields that differ at each time. */
export interface RepeatedResponse {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Status line and fields as a sink writes them, kept by the sink. `null` if it does not; `undefined` before the first time. */
  text?: string | null | undefined;
}

/** Statuses of responses that have no content (WHATWG Fetch, "null body status"). */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** Statuses of what stands before an origin that does not respond. The origin can have run an unsafe request all the same. */
export const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a response limits one client or announces maintenance: it says nothing about a failure. */
export function isMaintenance({ headers, status }: ResponseHead): boolean {
  return status === 503 && hasField(headers, 'retry-after');
}

/**
 * Receives one response while it arrives.
 *
 * | state    | accepted calls                        |
 * |----------|---------------------------------------|
 * | initial  | `interim`, `head`, `complete`, `fail` |
 * | has head | `write`, `end`, `fail`                |
 * | ended    | none                                  |
 *
 * - `head` leads to "has head"; `complete`, `end`, `fail` and {@link Exchange.abort} lead to "ended".
 * - After `fail` in "has head", the sink must end the response as broken: it destroys the connection.
 */
export interface ResponseSink {
  /** Receives an interim response (102, 103), but never 100 or 101. */
  interim?(head: ResponseHead): void;
  /** Receives the head of the final response. */
  head(head: ResponseHead): void;
  /** Optional shortcut for a response whose body is in memory: replaces `head`, `write` and `end`. */
  complete?(head: ResponseHead, body: Uint8Array): void;
  /**
   * Optional shortcut for a stored response: replaces `complete`, and creates no list of all header fields.
   *
   * @param status always the same for one `response`
   * @param added fields of this response alone, a flat list name, value
   * @returns false if nothing was sent: `complete` must be called
   */
  completeStored?(status: number, response: RepeatedResponse, added: readonly string[]): boolean;
  /**
   * Receives a chunk of the body. Its bytes never change. It can be a view of a larger buffer, so a sink that keeps it
   * after the end of the response must copy it.
   *
   * @returns false if the sink is full: it gets the next chunk after {@link Exchange.resume}
   */
  write(chunk: Uint8Array): boolean;
  /** Receives the end of the response. @param trailers flat list name, value; empty if there are no trailers */
  end(trailers: readonly string[]): void;
  /** Receives the reason why there is no response, or why it ends early. */
  fail(failure: UpstreamFailure): void;
}

/** Wraps a sink. @param onFail called in place of `fail` */
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
 * Wraps a sink so that it never throws into the code that calls it, e.g. a transport's parser, which would swallow the error.
 *
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
  /** Continues after `write` has returned false; has no effect otherwise. */
  resume(): void;
  /** Ends the exchange early: closes the connection to the origin, and calls the sink no more. */
  abort(): void;
}

/** Sends a request. The sink can receive the response before this returns. */
export type Dispatch<Body> = (request: UpstreamRequest<Body>, sink: ResponseSink) => Exchange;

export type UpstreamFailureKind =
  /** A limit of `UpstreamTimeouts` was exceeded. */
  | 'timeout'
  /** The origin refused the connection, or is unreachable. */
  | 'refused'
  | 'dns'
  | 'tls'
  /** The connection broke, the response was invalid, or the error is of an unknown kind. */
  | 'connection-broken'
  /** The response has a transfer coding other than `chunked`, which no client has requested. */
  | 'transfer-coding'
  /** The transport cannot send the request, for instance because of an invalid field value. */
  | 'invalid-request'
  /** The request body differs in length from its `Content-Length`. */
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

/** Failures of requests that were not sent. */
export const NOT_SENT_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'circuit-open',
  'overloaded',
]);

/** Why there is no response, or only a part of one. `FAILURE_RESPONSES` in upstream/failures.ts maps it to a response. */
export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** For the log only: it can name hosts and ports. */
  readonly cause?: unknown;
  /** Whether the transport knows that nothing of the request was sent. */
  readonly isUnsent?: boolean;
  /** Seconds for the `Retry-After` field of the response to the client; undefined if unknown. */
  readonly retryAfter?: number;
  /** `Cache-Status` of the response to the client (RFC 9211); undefined if the cache was not asked. */
  readonly cacheStatus?: string;
}

/** Time limits of a request to an origin, in milliseconds. 0 disables a limit. */
export interface UpstreamTimeouts {
  /** Time until a connection accepts the request, with the wait for a free connection, DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** Time from the last byte of the request to the end of the response's head. @default 60_000 */
  readonly headers: number;
  /** Time between two chunks of the response's body while the sink is not full. @default 60_000 */
  readonly body: number;
}

export const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connect: 10_000, headers: 60_000, body: 60_000 };

/** Request line and header section, neither decoded nor normalized. Each character of a string is one byte. */
export interface RequestHead {
  readonly method: string;
  /** The request target: `/path?query`, or in absolute form. */
  readonly target: string;
  /** Flat list name, value, name, value: Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

/** A request head with the properties of the connection on which it arrived. */
export interface IncomingRequestHead extends RequestHead {
  /** IP address of the client or of the proxy in front of the gateway, without port; empty if unknown. */
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  /** Protocol version in the form that `Via` uses: `1.1`. */
  readonly httpVersion: string;
  /** Path of the app that the gateway is mounted in, such as `/api`. The target does not contain it. @default none */
  readonly prefix?: string;
  /** Spans of the request, if an SDK of OpenTelemetry is registered. @internal */
  readonly trace?: RequestTrace;
}

/** Methods that are not to change anything at the site (RFC 9110 §9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
