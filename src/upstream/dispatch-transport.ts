import type { Readable } from 'node:stream';
import { type Dispatcher, errors, type Pool } from 'undici';
import type { Exchange, ResponseSink, Timeouts, UpstreamRequest } from '../http/exchange.ts';
import { DEFAULT_TIMEOUTS } from '../http/exchange.ts';
import { classifyFailure } from './failures.ts';
import { createUndiciPool, RESET_CODE } from './undici-pool.ts';
import { readWholeBody, UploadStream } from './upload.ts';

export interface DispatchTransportOptions {
  /** Scheme, host and port of the site: `https://example.com`. */
  readonly origin: string;
  readonly timeouts?: Timeouts;
  /** How many connections to the site may be open; further requests wait for one. @default 256 */
  readonly connections?: number;
  /** How long an idle connection is kept where the site does not say, in milliseconds. @default 4000 */
  readonly keepAlive?: number;
  /** TLS settings for the site's certificate, such as a private `ca`. */
  readonly tls?: {
    readonly ca?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

/** Sends to one site through undici's connection pool; Node only. */
export interface DispatchTransport {
  /**
   * Sends a request and writes the answer into the sink as it arrives. The sink may be called before this returns.
   *
   * @param request its `body`, where it is a stream, is read by the transport alone and never destroyed
   */
  send(request: UpstreamRequest<Readable>, sink: ResponseSink): Exchange;
  /** Takes no more requests, and waits for those under way. */
  close(): Promise<void>;
  /** Ends at once: requests under way fail as `stopping`. */
  destroy(): Promise<void>;
}

export function createDispatchTransport(options: DispatchTransportOptions): DispatchTransport {
  const timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
  const pool = createUndiciPool(options.origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    connectTimeout: timeouts.connect,
    ...(options.keepAlive === undefined ? {} : { keepAliveTimeout: options.keepAlive }),
    ...(options.tls === undefined ? {} : { connect: options.tls }),
  });
  return {
    send(request, sink) {
      const sending = new DispatchExchange(pool, request, sink, timeouts.connect);
      sending.start();
      return sending;
    },
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
}

/** Bodies up to this length are read whole before they are sent. */
const MAX_BUFFERED_BODY = 64 * 1024;

/**
 * One exchange. This is undici's raw handler (its newer form parses every header into an object first), so a chunk goes
 * from the site's socket into the sink without being copied.
 */
class DispatchExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #pool: Pool;
  readonly #request: UpstreamRequest<Readable>;
  readonly #sink: ResponseSink;
  readonly #patience: number;
  #body: Readable | Uint8Array | null = null;
  #timer: NodeJS.Timeout | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #paused = false;
  /** Inside a call of the parser, which must not be resumed from there. */
  #parsing = false;
  #answered = false;
  #repeated = false;
  #over = false;

  constructor(pool: Pool, request: UpstreamRequest<Readable>, sink: ResponseSink, connectTimeout: number) {
    this.#pool = pool;
    this.#request = request;
    this.#sink = sink;
    this.#patience = connectTimeout;
  }

  start(): void {
    const { body, headers } = this.#request;
    if (body === null || body instanceof Uint8Array) this.#dispatch(body);
    else if (contentLength(headers) <= MAX_BUFFERED_BODY) readWholeBody(body, this.#onCollected);
    else this.#dispatch(new UploadStream(body));
  }

  readonly #onCollected = (body: Uint8Array | null): void => {
    if (this.#over) return;
    if (body === null) this.onError(new errors.RequestAbortedError());
    else this.#dispatch(body);
  };

  #dispatch(body: Readable | Uint8Array | null): void {
    this.#body = body;
    const { method, target, headers } = this.#request;
    if (this.#patience > 0) this.#timer = setTimeout(this.#onImpatience, this.#patience);
    this.#pool.dispatch({ method, path: target, headers, body }, this);
  }

  readonly #onImpatience = (): void => this.onError(new errors.ConnectTimeoutError());

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#parsing) this.#resume?.();
  }

  abort(): void {
    if (this.#over) return;
    this.#finish();
    this.#abort?.(new errors.RequestAbortedError());
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#body !== null && !(this.#body instanceof Uint8Array)) this.#body.destroy();
  }

  onConnect(abort: (error?: Error) => void): void {
    // The caller may have left, or lost patience, while this waited for a connection.
    if (this.#over) {
      abort(new errors.RequestAbortedError());
      return;
    }
    clearTimeout(this.#timer);
    this.#abort = abort;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, reason: string): boolean {
    const head = { status, reason, headers: toHeaderList(raw) };
    if (status < 200) {
      this.#sink.interim?.(head);
      return true;
    }
    this.#resume = resume;
    this.#answered = true;
    this.#sink.head(head);
    // RFC 9110 §8.6: a 304 may state the length of what it stands for, which undici takes for a body that is missing.
    if (status === 304) this.onComplete(null);
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#parsing = true;
    // Set before the sink is asked: it may call resume() while it writes.
    this.#paused = true;
    if (this.#sink.write(chunk)) this.#paused = false;
    this.#parsing = false;
    return !this.#paused;
  }

  onComplete(trailers: string[] | Buffer[] | null): void {
    if (this.#over) return;
    this.#finish();
    this.#sink.end(trailers === null || trailers.length === 0 ? [] : trailers.map(toLatin1));
  }

  onError(error: Error): void {
    if (this.#over) return;
    if (!this.#answered && !this.#repeated && this.#request.retryable && isStaleConnection(error)) {
      this.#repeated = true;
      clearTimeout(this.#timer);
      this.#dispatch(this.#body);
      return;
    }
    this.#finish();
    this.#abort?.(error);
    this.#sink.fail(classifyFailure(error));
  }
}

/**
 * Did a kept-alive connection turn out to be closed when the request was written to it? A connection that had never
 * brought a byte was new: the site itself hung up, and would again.
 */
function isStaleConnection(error: Error): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return 'code' in error && (error.code === RESET_CODE || error.code === 'EPIPE');
}

/** NaN where there is none: the body is chunked. */
function contentLength(headers: readonly string[]): number {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.length === 14 && headers[at]?.toLowerCase() === 'content-length') {
      return Number(headers[at + 1]);
    }
  }
  return Number.NaN;
}

function toHeaderList(raw: readonly Buffer[]): string[] {
  const headers = new Array<string>(raw.length);
  for (let at = 0; at < raw.length; at++) headers[at] = raw[at]?.toString('latin1') ?? '';
  return headers;
}

function toLatin1(text: string | Buffer): string {
  return typeof text === 'string' ? text : text.toString('latin1');
}
