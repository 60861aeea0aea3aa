import { type LookupFunction, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici';
import { type BufferedBody, bufferBody } from '../../base/http/body.ts';
import type { Dispatch, Exchange, ResponseSink, UpstreamRequest } from '../../base/http/exchange.ts';
import { firstFieldValue } from '../../base/http/fields.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { readUserFile } from '../../base/read-file.ts';
import { classifyFailure, classifySentFailure, MAX_RESPONSE_HEAD } from './failures.ts';
import { findUnsupportedTransferCoding } from './response-headers.ts';
import type { UpstreamServer, UpstreamTls } from './site-fetch.ts';

/**
 * A connection pool of undici, without three faults of undici 7:
 * - A connection that ends while a slow client pauses the parser ends the process (nodejs/undici#5360), so the parser is resumed before.
 * - A reset counts as the end of a body without a length, so its error code is replaced.
 * - A `100 Continue` that nobody asked for ends the connection, so it becomes a 102, which is dropped like other interim responses.
 * @internal Tests put other transports around it.
 */
export class DispatchTransport implements Transport {
  readonly pool: Pool;
  readonly timeouts: UpstreamTimeouts;
  readonly turn: LoopTurn = new LoopTurn();

  constructor({ lookup, origin, timeouts = DEFAULT_UPSTREAM_TIMEOUTS, tls }: TransportTarget) {
    const { ca, insecure = false, serverName } = tls ?? {};
    const verification = tls && { rejectUnauthorized: !insecure };
    const timeout = timeouts.connect;
    this.timeouts = timeouts;
    this.pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      headersTimeout: timeouts.headers,
      bodyTimeout: timeouts.body,
      maxHeaderSize: MAX_RESPONSE_HEAD,
      connect: createConnector(ca, (trusted) =>
        buildConnector({ timeout, ...omitUndefined({ ...verification, ca: trusted, lookup }) }),
      ),
      factory: (url, clientOptions: Client.Options) => new GuardedClient(url, clientOptions, serverName),
    });
  }

  /** Can call the sink before it returns. A `body` that is a stream is not destroyed. */
  readonly send: Dispatch = (request, sink) => {
    const exchange = new DispatchExchange(this, request, sink);
    const { body, headers } = request;
    if (body === null || body instanceof Uint8Array) exchange.dispatch(body);
    // A slow client occupies no connection to the site.
    else if (Number(firstFieldValue(headers, 'content-length')) <= MAX_BUFFERED_BODY)
      bufferBody(body, MAX_BUFFERED_BODY, () => true, exchange.onBodyRead);
    else exchange.dispatch(new RequestBodyStream(body));
    return exchange;
  };

  close(): Promise<void> {
    return this.pool.close();
  }

  destroy(): Promise<void> {
    return this.pool.destroy();
  }
}

export interface UpstreamTimeouts {
  /** Time until a connection accepts the request, with DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** Time from the last byte of the request to the end of the response's head. @default 60_000 */
  readonly headers: number;
  /** Time between two chunks of the response's body while the sink is not full. @default 60_000 */
  readonly body: number;
}

const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connect: 10_000, headers: 60_000, body: 60_000 };

/** Further requests wait. Downloads and streams count too. */
const MAX_CONNECTIONS = 1024;

const MAX_BUFFERED_BODY = 64 * 1024;

const TURN_BYTES = 64 * 1024;
const SHORT_BODY = 16 * 1024;

/** What long downloads can take of a turn: Node accepts one connection in each (libuv/libuv#3696). */
class LoopTurn {
  #left = TURN_BYTES;
  readonly #waiting: DispatchExchange[] = [];

  get isOver(): boolean {
    return this.#left <= 0;
  }

  spend(bytes: number): void {
    if (this.#left === TURN_BYTES) setImmediate(this.#begin);
    this.#left -= bytes;
  }

  wait(exchange: DispatchExchange): void {
    this.#waiting.push(exchange);
  }

  readonly #begin = (): void => {
    this.#left = TURN_BYTES;
    while (!this.isOver) {
      const exchange = this.#waiting.shift();
      if (exchange === undefined) return;
      exchange.continue();
    }
  };
}

class DispatchExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #transport: DispatchTransport;
  readonly #request: UpstreamRequest;
  readonly #sink: ResponseSink;
  #body: Readable | Uint8Array | null = null;
  connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #paused = false;
  #isWaiting = false;
  #received = 0;
  #ending = false;
  #parsing = false;
  #isSent = false;
  #headReceived = false;
  #hasInterim = false;
  #retried = false;
  #finished = false;

  constructor(transport: DispatchTransport, request: UpstreamRequest, sink: ResponseSink) {
    this.#transport = transport;
    this.#request = request;
    this.#sink = sink;
  }

  get isAwaited(): boolean {
    return !this.#headReceived;
  }

  readonly onBodyRead = (body: BufferedBody | null): void => {
    if (this.#finished) return;
    if (body?.kind === 'whole') this.dispatch(body.bytes);
    else this.onError(new errors.RequestAbortedError());
  };

  dispatch(body: Readable | Uint8Array | null): void {
    this.#body = body;
    this.#isSent = false;
    this.connection = undefined;
    const { method, target, headers } = this.#request;
    const { connect } = this.#transport.timeouts;
    if (connect > 0) this.#timer = setTimeout(this.#onConnectTimeout, connect);
    const authorization = firstFieldValue(headers, 'authorization');
    const reset = authorization !== undefined && CONNECTION_SCHEME.test(authorization);
    this.#transport.pool.dispatch({ method, path: target, headers, body, reset }, this);
  }

  readonly #onConnectTimeout = (): void => {
    // With open connections the site is reachable: the request waited for one.
    const isWaiting = this.#transport.pool.stats.connected > 0;
    this.onError(isWaiting ? new errors.HeadersTimeoutError() : new errors.ConnectTimeoutError());
  };

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#parsing && !this.#ending && !this.#isWaiting && this.#hasTurn()) this.#resume?.();
  }

  continue(): void {
    this.#isWaiting = false;
    if (!this.#paused && !this.#ending && !this.#finished) this.#resume?.();
  }

  #hasTurn(): boolean {
    if (this.#received <= SHORT_BODY || !this.#transport.turn.isOver) return true;
    this.#isWaiting = true;
    this.#transport.turn.wait(this);
    return false;
  }

  /** When the connection ends, undici asserts that its parser is not paused. */
  flush(): void {
    this.#ending = true;
    if (this.#paused || this.#isWaiting) this.#resume?.();
  }

  abort(): void {
    if (this.#finished) return;
    this.#finish();
    this.#abort?.(new errors.RequestAbortedError());
  }

  #finish(): void {
    this.#finished = true;
    clearTimeout(this.#timer);
    if (this.connection?.exchange === this) this.connection.exchange = undefined;
    // The site has one connection less when the next request takes the slot.
    if (!this.#isSent) this.connection?.opening?.destroy(new errors.RequestAbortedError());
    if (this.#body !== null && !(this.#body instanceof Uint8Array)) this.#body.destroy();
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#finished) throw new errors.RequestAbortedError();
    clearTimeout(this.#timer);
    if (this.connection !== undefined) this.connection.exchange = this;
    this.#ending = false;
    this.#isSent = true;
    this.#abort = abort;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, reason: string): boolean {
    if (status < 200) {
      // undici restarts its header timeout with each interim response, so a site could send them for ever.
      if (!this.#hasInterim) this.#startHeaderTimer();
      this.#hasInterim = true;
      return true;
    }
    const head = { status, reason, headers: raw.map((text) => text.toString('latin1')) };
    clearTimeout(this.#timer);
    this.#resume = resume;
    this.#headReceived = true;
    const coding = findUnsupportedTransferCoding(head.headers);
    if (coding !== undefined) {
      this.onError(new Error(`the site sent the transfer coding ${JSON.stringify(coding.slice(0, 60))}`));
      return true;
    }
    this.#sink.head(head);
    // RFC 9110 §8.6: a 304 can state a Content-Length, some sites state one in a 204, and undici would wait for that body.
    if (status === 304 || status === 204) this.onComplete();
    return true;
  }

  #startHeaderTimer(): void {
    const { headers } = this.#transport.timeouts;
    if (headers > 0) this.#timer = setTimeout(this.#onHeaderTimeout, headers);
  }

  readonly #onHeaderTimeout = (): void => {
    const body = this.#body;
    const isSent = body === null || body instanceof Uint8Array || body.readableEnded;
    if (!isSent) this.#startHeaderTimer();
    else this.onError(new errors.HeadersTimeoutError());
  };

  onData(chunk: Buffer): boolean {
    if (chunk.byteLength === 0) return true;
    this.#parsing = true;
    // Set before the call: the sink can call resume() from within write().
    this.#paused = true;
    if (this.#sink.write(chunk)) this.#paused = false;
    this.#parsing = false;
    this.#received += chunk.byteLength;
    if (this.#received > SHORT_BODY) this.#transport.turn.spend(chunk.byteLength);
    return this.#ending || (!this.#paused && this.#hasTurn());
  }

  onComplete(): void {
    if (this.#finished) return;
    this.#finish();
    this.#sink.end();
  }

  /** What a connection has taken can have reached the site. */
  #mayRepeat(error: Error): boolean {
    if (this.#headReceived || this.#retried || !isStaleConnection(error)) return false;
    return this.#isSent ? this.#request.retryable : !(this.#body instanceof Readable);
  }

  onError(error: Error): void {
    if (this.#finished) return;
    if (this.#mayRepeat(error)) {
      this.#retried = true;
      this.#hasInterim = false;
      clearTimeout(this.#timer);
      this.dispatch(this.#body);
      return;
    }
    this.#finish();
    this.#abort?.(error);
    this.#sink.fail(
      this.#isSent ? classifySentFailure(error) : { ...classifyFailure(error), isUnsent: true },
    );
  }
}

/** NTLM and Kerberos (RFC 4559 §6): the site would take the connection's next client for this one. */
const CONNECTION_SCHEME = /^(?:ntlm|negotiate)\b/i;

/** Whether the site closed a kept-alive connection, not because of this request. */
function isStaleConnection(error: Error): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return 'code' in error && (error.code === SITE_RESET_CODE || error.code === 'EPIPE');
}

const SITE_RESET_CODE = 'SITE_RESET';

class Connection {
  exchange: DispatchExchange | undefined;
  opening: Socket | undefined;
}

class GuardedClient extends Client {
  readonly #connection: Connection;

  constructor(url: URL, options: Client.Options, servername: string | undefined) {
    const { connect } = options;
    const connection = new Connection();
    if (typeof connect !== 'function') throw new TypeError('undici passes no connector to the pool factory');
    super(url, {
      ...options,
      connect(target, callback) {
        const named = servername === undefined ? target : { ...target, servername };
        const opening: unknown = connect(named, (...[error, socket]) => {
          connection.opening = undefined;
          if (error !== null) return callback(error, null);
          socket.on('end', () => connection.exchange?.flush());
          const read = socket.read.bind(socket);
          socket.read = (size) => {
            const chunk: unknown = read(size);
            const isFirst = chunk instanceof Uint8Array && connection.exchange?.isAwaited === true;
            if (
              isFirst &&
              chunk[9] === DIGIT_ONE &&
              CONTINUE.test(String.fromCharCode(...chunk.subarray(0, 13)))
            )
              chunk[11] = DIGIT_TWO;
            return chunk;
          };
          socket.on('error', (cause: NodeJS.ErrnoException) => {
            if (cause.code === 'ECONNRESET') cause.code = SITE_RESET_CODE;
          });
          callback(null, socket);
        });
        if (opening instanceof Socket) connection.opening = opening;
      },
    });
    this.#connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof DispatchExchange) handler.connection = this.#connection;
    return super.dispatch(options, handler);
  }
}

const [DIGIT_ONE, DIGIT_TWO] = [0x31, 0x32];
const CONTINUE = /^HTTP\/1\.[01] 100 /;

/** Reads the file of certificates for each connection: they are renewed, e.g. by certbot, without a reload. */
function createConnector(
  ca: string | undefined,
  create: (trusted?: string) => buildConnector.connector,
): buildConnector.connector {
  if (ca === undefined) return create();
  let [trusted, connect]: [string, buildConnector.connector | undefined] = ['', undefined];
  return (target, callback) => {
    const text = readUserFile(ca);
    if (connect === undefined || text !== trusted) [trusted, connect] = [text, create(text)];
    return connect(target, callback);
  };
}

/** undici destroys a body if the site responds early, which would close the client's connection. */
class RequestBodyStream extends Readable {
  readonly #source: Readable;

  constructor(source: Readable) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // The transport reports the error. Without a listener it would end the process.
    this.on('error', ignore);
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore).on('close', this.#onClose);
    if (source.destroyed) this.#onClose();
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (!this.push(chunk)) this.#source.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.#source.readableEnded) this.destroy(new errors.RequestAbortedError());
  };

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    if (!this.#source.readableEnded && !this.#source.destroyed) this.#source.resume();
    callback(error);
  }
}

function ignore(): void {}

export interface TransportTarget {
  readonly origin: string;
  readonly timeouts?: UpstreamTimeouts | undefined;
  readonly tls?: UpstreamTls | undefined;
  /** For servers that the site leads to. */
  readonly lookup?: LookupFunction | undefined;
}

export interface Transport {
  readonly send: Dispatch;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

export type TransportFactory = (target: TransportTarget) => Transport;

/** Milliseconds for which a replaced site's connections stay open, to repeat requests. */
const RETIRE_DELAY = 30_000;

export class SiteTransports {
  readonly #create: TransportFactory;
  readonly #settings: Omit<TransportTarget, 'origin'>;
  readonly #transports = new Map<string, Transport>();

  constructor(settings: Omit<TransportTarget, 'origin'>, create?: TransportFactory) {
    this.#create = create ?? ((target) => new DispatchTransport(target));
    this.#settings = settings;
  }

  /** TLS settings are for the configured server only. */
  get({ isConfigured, origin }: UpstreamServer): Dispatch {
    const known = this.#transports.get(origin);
    if (known !== undefined) return known.send;
    const { lookup, timeouts, tls } = this.#settings;
    const created = this.#create(isConfigured ? { origin, timeouts, tls } : { origin, timeouts, lookup });
    this.#transports.set(origin, created);
    return created.send;
  }

  async close(grace: number): Promise<void> {
    const all = [...this.#transports.values()];
    const isLate = await Promise.race([this.#finish(), sleep(grace, true, { ref: false })]);
    if (isLate === true) await Promise.all(all.map((transport) => transport.destroy()));
  }

  /** Closes the connections after the requests in flight: another site replaces this one. */
  retire(): void {
    setTimeout(() => void this.#finish(), RETIRE_DELAY).unref();
  }

  async #finish(): Promise<void> {
    const all = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all(all.map((transport) => transport.close()));
  }
}
