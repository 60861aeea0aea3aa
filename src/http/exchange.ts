/** The port between the gateway and its transports: requests to an origin, and the sinks of its responses. */

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
  /** Bytes where the body is buffered, `null` where the request has none. */
  readonly body: Body | Uint8Array | null;
  /**
   * Whether the transport may send it twice, because a kept-alive connection was closed (RFC 9110 §9.2.2). True where
   * the *effective* method is safe (`GET` with `_method=DELETE` is not) and there is no body.
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
  /** Receives an interim response: 102, 103 and so on, never 100 or 101. */
  interim?(head: ResponseHead): void;
  head(head: ResponseHead): void;
  /** Optional shortcut for a response whose body is in memory: replaces `head`, `write` and `end`. */
  complete?(head: ResponseHead, body: Uint8Array): void;
  /**
   * Receives a chunk of the body. Its bytes never change, but it may be a view of a larger buffer: a sink that keeps it
   * after the response has ended must copy it.
   *
   * @returns false where the sink is full: the next chunk comes after {@link Exchange.resume}
   */
  write(chunk: Uint8Array): boolean;
  /** @param trailers flat list, empty where there were none */
  end(trailers: readonly string[]): void;
  fail(failure: UpstreamFailure): void;
}

/** Controls of a running exchange. */
export interface Exchange {
  /** Continues after `write` returned false; otherwise without effect. */
  resume(): void;
  /** Ends the exchange early: closes the connection to the origin, and calls the sink no more. */
  abort(): void;
}

/** Sends a request. The sink may receive the response before this returns. */
export type Dispatch<Body> = (request: UpstreamRequest<Body>, sink: ResponseSink) => Exchange;

/** The result of the `fetch` transport: a response with a web stream, or the reason why there is none. */
export type FetchOutcome =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

export type UpstreamFailureKind =
  /** A limit of `UpstreamTimeouts` was exceeded. */
  | 'timeout'
  /** The origin refused the connection, or is unreachable. */
  | 'refused'
  | 'dns'
  | 'tls'
  /** The connection broke, or the response was invalid; also any error of an unknown kind. */
  | 'connection-broken'
  /** The transport cannot send the request, for instance because of an invalid field value. */
  | 'invalid-request'
  /** The request body differs in length from its `Content-Length`. */
  | 'body-length-mismatch'
  | 'shutting-down'
  /** The circuit breaker is open: the request was not sent. */
  | 'circuit-open'
  /** Nothing stored may be used for a request with `only-if-cached`. */
  | 'not-stored'
  | 'client-gone';

/** Why there is no response, or only a part of one. `FAILURES` in upstream/failures.ts maps it to a response. */
export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** For the log only: it may name hosts and ports. */
  readonly cause?: unknown;
  /** Value of `Retry-After` in seconds, where it is known. */
  readonly retryAfter?: number;
}

/** Time limits of a request to an origin, in milliseconds; 0 disables one. */
export interface UpstreamTimeouts {
  /** Until a connection has accepted the request: includes the wait for a free one, DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** From the last byte of the request to the end of the response's head. @default 60_000 */
  readonly headers: number;
  /** Between two chunks of the response's body, while the sink is not full. @default 60_000 */
  readonly body: number;
}

export const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connect: 10_000, headers: 60_000, body: 60_000 };
