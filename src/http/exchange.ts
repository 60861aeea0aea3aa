/** The port between the gateway and its transports: what is sent to a site, and how its answer comes back. */

/**
 * A request as it goes to the site. Nothing is added, decoded or normalised on the way.
 *
 * @typeParam Body what the transport streams: a Node `Readable` (dispatch) or a web `ReadableStream` (fetch); bytes
 * where the whole body is at hand, `null` where there is none.
 */
export interface UpstreamRequest<Body> {
  readonly method: string;
  /** Path and query, raw: `/wp-json/core/v2/posts?per_page=1`. The origin belongs to the transport. */
  readonly target: string;
  /** Flat list name, value, name, value, already filtered (`RequestFields`). */
  readonly headers: string[];
  readonly body: Body | Uint8Array | null;
  /**
   * May the site get it twice? True where the *effective* method is safe (`GET` with `_method=DELETE` is not) and there
   * is no body. Only then is it sent again when a kept-alive connection turns out to have been closed (RFC 9110 §9.2.2).
   */
  readonly retryable: boolean;
}

/** Status line and header section, as the site sent them: unfiltered, in order, repeated names repeated. */
export interface ResponseHead {
  readonly status: number;
  /** The reason phrase; often empty, never to be relied on. */
  readonly reason: string;
  /** Flat list name, value, name, value. */
  readonly headers: readonly string[];
}

/**
 * Where an answer goes while it arrives. The order of calls is `interim`*, `head`, `write`*, then exactly one of `end`
 * and `fail` (or `whole` alone); `fail` may come at any time, and where `head` came before it the answer must be broken off visibly (the
 * connection destroyed, never a clean end). Nothing is called after `end`, `fail` or {@link Exchange.abort}.
 */
export interface ResponseSink {
  /** An interim answer: 102, 103 and so on, never 100 or 101. */
  interim?(head: ResponseHead): void;
  head(head: ResponseHead): void;
  /** A complete answer at once, in place of `head`, `write` and `end`, where the sink knows this: one write to a socket. */
  complete?(head: ResponseHead, body: Uint8Array): void;
  /**
   * A part of the body. Nobody writes to it again, but it may be a view of more: whoever keeps it for longer than the
   * answer takes copies it.
   *
   * @returns false where the sink is full: nothing more comes until {@link Exchange.resume} is called.
   */
  write(chunk: Uint8Array): boolean;
  /** @param trailers flat list, empty where there were none */
  end(trailers: readonly string[]): void;
  fail(failure: UpstreamFailure): void;
}

/** What the caller of a running exchange may do with it. */
export interface Exchange {
  /** The sink can take more. Harmless when nothing was paused. */
  resume(): void;
  /** The caller has left: the site's connection is closed, and the sink hears nothing more. */
  abort(): void;
}

/** Sends a request, and writes the answer into the sink as it arrives, perhaps before this returns. */
export type Dispatch<Body> = (request: UpstreamRequest<Body>, sink: ResponseSink) => Exchange;

/** What `fetch` brings: the head and a web stream, or why there is none. */
export type FetchOutcome =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

export type FailureKind =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'connection-broken'
  | 'invalid-request'
  | 'body-length-mismatch'
  | 'shutting-down'
  | 'circuit-open'
  | 'not-stored'
  | 'client-gone';

/** Why there is no answer, or only a part of one. What a caller is told of it is `FAILURES` in failures.ts. */
export interface UpstreamFailure {
  readonly kind: FailureKind;
  /** For the log only: it may name hosts and ports. */
  readonly cause?: unknown;
  /** Seconds after which it is worth asking again, where that is known. */
  readonly retryAfter?: number;
}

/** How long to wait, in milliseconds; 0 waits for ever. */
export interface Timeouts {
  /** Until a connection has taken the request: waiting for a free one, DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** From the request's last byte to the end of the answer's head. @default 60_000 */
  readonly headers: number;
  /** Between two parts of the answer's body, while the caller is ready to take more. @default 60_000 */
  readonly body: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 60_000, body: 60_000 };
