import type { Readable } from 'node:stream';
import { type Dispatcher, errors, type Pool } from 'undici';
import type {
  Exchange,
  ResponseHead,
  ResponseSink,
  UpstreamRequest,
  UpstreamTimeouts,
} from '../http/exchange.ts';
import { classifyFailure } from './failures.ts';
import { RequestBodyStream, readWholeBody } from './request-body.ts';
import { findUnsupportedTransferCoding, TransferCodingError } from './transfer-coding.ts';
import { SITE_RESET_CODE } from './undici-pool.ts';

/** Bodies up to this length in bytes are read whole before they are sent. */
const MAX_BUFFERED_BODY = 64 * 1024;
/** Maximum interim responses that reach the sink. A sink has no way to slow them down. */
const MAX_INTERIM_RESPONSES = 20;

/**
 * One running exchange. It implements undici's raw handler interface, so chunks go from the site's socket to the sink
 * without a copy. (The newer interface parses all headers into an object first.)
 */
export class DispatchExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #pool: Pool;
  readonly #request: UpstreamRequest<Readable>;
  readonly #sink: ResponseSink;
  readonly #timeouts: UpstreamTimeouts;
  #body: Readable | Uint8Array | null = null;
  #timer: NodeJS.Timeout | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #paused = false;
  /** Whether a call of undici's parser is running. The parser must not be resumed from within this call. */
  #parsing = false;
  #headReceived = false;
  #interimCount = 0;
  #retried = false;
  #finished = false;

  constructor(
    pool: Pool,
    request: UpstreamRequest<Readable>,
    sink: ResponseSink,
    timeouts: UpstreamTimeouts,
  ) {
    this.#pool = pool;
    this.#request = request;
    this.#sink = sink;
    this.#timeouts = timeouts;
  }

  start(): void {
    const { body, headers } = this.#request;
    if (body === null || body instanceof Uint8Array) this.#dispatch(body);
    else if (readContentLength(headers) <= MAX_BUFFERED_BODY) readWholeBody(body, this.#onBodyRead);
    else this.#dispatch(new RequestBodyStream(body));
  }

  readonly #onBodyRead = (body: Uint8Array | null): void => {
    if (this.#finished) return;
    if (body === null) this.onError(new errors.RequestAbortedError());
    else this.#dispatch(body);
  };

  #dispatch(body: Readable | Uint8Array | null): void {
    this.#body = body;
    const { method, target, headers } = this.#request;
    const { connect } = this.#timeouts;
    if (connect > 0) this.#timer = setTimeout(this.#onConnectTimeout, connect);
    this.#pool.dispatch({ method, path: target, headers, body }, this);
  }

  readonly #onConnectTimeout = (): void => {
    // With open connections the site can be reached: the request waited for one of them to be free.
    const isWaiting = this.#pool.stats.connected > 0;
    this.onError(isWaiting ? new errors.HeadersTimeoutError() : new errors.ConnectTimeoutError());
  };

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#parsing) this.#resume?.();
  }

  abort(): void {
    if (this.#finished) return;
    this.#finish();
    this.#abort?.(new errors.RequestAbortedError());
  }

  #finish(): void {
    this.#finished = true;
    clearTimeout(this.#timer);
    if (this.#body !== null && !(this.#body instanceof Uint8Array)) this.#body.destroy();
  }

  onConnect(abort: (error?: Error) => void): void {
    // The client may have left, or the connect timeout passed, while the request waited for a connection.
    if (this.#finished) {
      abort(new errors.RequestAbortedError());
      return;
    }
    clearTimeout(this.#timer);
    this.#abort = abort;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, reason: string): boolean {
    const head = { status, reason, headers: toHeaderList(raw) };
    if (status < 200) {
      this.#onInterim(head);
      return true;
    }
    clearTimeout(this.#timer);
    this.#resume = resume;
    this.#headReceived = true;
    const coding = findUnsupportedTransferCoding(head.headers);
    if (coding !== undefined) {
      this.onError(new TransferCodingError(coding));
      return true;
    }
    this.#sink.head(head);
    // RFC 9110 §8.6: a 304 may state the Content-Length of the representation. undici would wait for that body.
    if (status === 304) this.onComplete(null);
    return true;
  }

  #onInterim(head: ResponseHead): void {
    this.#interimCount += 1;
    // undici restarts its header timeout with each interim response, so a site could send them for ever.
    if (this.#interimCount === 1) this.#startHeaderTimer();
    if (this.#interimCount <= MAX_INTERIM_RESPONSES) this.#sink.interim?.(head);
  }

  #startHeaderTimer(): void {
    const { headers } = this.#timeouts;
    if (headers > 0) this.#timer = setTimeout(this.#onHeaderTimeout, headers);
  }

  readonly #onHeaderTimeout = (): void => {
    // The time counts from the last byte of the request.
    if (isBeingSent(this.#body)) this.#startHeaderTimer();
    else this.onError(new errors.HeadersTimeoutError());
  };

  onData(chunk: Buffer): boolean {
    this.#parsing = true;
    // Set before the call: the sink may call resume() from within write().
    this.#paused = true;
    if (this.#sink.write(chunk)) this.#paused = false;
    this.#parsing = false;
    return !this.#paused;
  }

  onComplete(trailers: string[] | Buffer[] | null): void {
    if (this.#finished) return;
    this.#finish();
    this.#sink.end(trailers === null || trailers.length === 0 ? [] : trailers.map(toLatin1));
  }

  onError(error: Error): void {
    if (this.#finished) return;
    if (!this.#headReceived && !this.#retried && this.#request.retryable && isStaleConnection(error)) {
      this.#retried = true;
      this.#interimCount = 0;
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
 * Whether the request failed because the site had closed a kept-alive connection. A connection that never received a
 * byte was new: the site closed it because of this request, so a retry would fail too.
 */
function isStaleConnection(error: Error): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return 'code' in error && (error.code === SITE_RESET_CODE || error.code === 'EPIPE');
}

function isBeingSent(body: Readable | Uint8Array | null): boolean {
  return body !== null && !(body instanceof Uint8Array) && !body.readableEnded;
}

/** The value of `Content-Length`; `NaN` for a chunked body. */
function readContentLength(headers: readonly string[]): number {
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
