/** HTTP/2 (RFC 9113) for the listener: a stream as the request and the response that an HTTP/1.1 connection would give. */
import { METHODS } from 'node:http';
import {
  constants,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { PROBLEMS, type Problem, problemBody, problemHeaders } from '../gateway/exchange/problem.ts';
import { splitNames } from '../glob.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { FAILURE_RESPONSES } from '../upstream/failures.ts';
import { SLICE } from './tls-writes.ts';

/** Streams that may be open at once, and that may end unfinished within a second: each of them costs as much as a request. */
const MAX_STREAMS = 128;

/**
 * Limits of one connection. Node and nghttp2 bound the rest: resets of whatever kind (1000, then 33 a second), CONTINUATION frames (8),
 * entries of SETTINGS (32), unacknowledged SETTINGS and PING (10), and frames to be sent in response (10,000).
 */
export const HTTP2_LIMITS: SecureServerOptions = {
  /** Megabytes. Node refuses new streams past it. Bodies are written in slices, so that it is not reached by large ones. */
  maxSessionMemory: 32,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  // As many lines as over HTTP/1.1, with four pseudo-header fields.
  maxHeaderListPairs: 2004,
  // The longest header section of HTTP/1.1 plus 32 bytes for each of its fields (RFC 9113 §6.5.2). Node resets longer ones.
  settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: 64 * 1024 },
};

/** Bytes of request bodies that may be on their way on one connection. Node buffers 64 KiB for each stream at most. */
const CONNECTION_WINDOW = 1024 * 1024;
/** Bytes of a header section and a request target: Node's limit for HTTP/1.1. */
const MAX_HEADER_BYTES = 16 * 1024;
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

export class Http2Incoming {
  /** For `getRequestListener`. */
  readonly compat: Http2ServerRequest;
  readonly method: string;
  readonly url: string;
  /** Header lines as over HTTP/1.1. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion = '2.0';
  /** The problem of a head that is refused before it is read, and its cause for the log. */
  readonly refusal: readonly [problem: Problem, cause: string] | null;

  constructor(compat: Http2ServerRequest) {
    this.compat = compat;
    this.method = compat.method;
    this.url = compat.url;
    this.rawHeaders = toHeaderLines(compat.rawHeaders, hasContent(compat.stream));
    this.refusal = findRefusal(this.method, compat.rawHeaders);
  }

  get peerAddress(): string {
    return this.compat.socket.remoteAddress ?? '';
  }

  /** The fields that `getRequestListener` gives to the app. */
  get requestFields(): readonly string[] {
    const { rawHeaders } = this.compat;
    return rawHeaders.filter((_, at) => !rawHeaders[at - (at % 2)]?.startsWith(':'));
  }

  toHead(): IncomingRequestHead {
    const { httpVersion, method, peerAddress, rawHeaders, url } = this;
    return { method, target: url, headers: rawHeaders, peerAddress, protocol: 'https', httpVersion };
  }

  /** Reads the content. Called once. */
  openBody(): Http2RequestBody {
    const { stream } = this.compat;
    const body = new Http2RequestBody();
    stream.pipe(body, { end: false });
    // Node ends the content of a stream that is reset too: the site would take a part of it for the whole.
    stream.once('end', () => {
      if (!stream.aborted) body.end();
    });
    stream.once('close', () => {
      if (!body.complete) body.destroy();
    });
    return body;
  }

  /** What `getRequestListener` reads; `null` if the request has no content. */
  get localBody(): Http2ServerRequest | null {
    return hasContent(this.compat.stream) ? this.compat : null;
  }

  destroy(): void {
    breakOff(this.compat.stream);
  }
}

/** Refuses what Node's parser of HTTP/1.1 refuses. */
function findRefusal(method: string, fields: readonly string[]): Http2Incoming['refusal'] {
  if (!KNOWN_METHODS.has(method)) return [PROBLEMS.badRequest, 'unknown method'];
  let bytes = 0;
  for (const text of fields) bytes += text.length;
  return bytes > MAX_HEADER_BYTES ? [PROBLEMS.headersTooLarge, 'too many bytes of headers'] : null;
}

function hasContent({ endAfterHeaders }: ServerHttp2Stream): boolean {
  return !endAfterHeaders;
}

/**
 * Converts the fields of a request to the lines that HTTP/1.1 would have: `:authority` is `Host` (RFC 9113 §8.3.1), the crumbs of
 * `Cookie` are joined (§8.2.3), and content of unknown length is chunked.
 */
function toHeaderLines(fields: readonly string[], hasBody: boolean): string[] {
  const lines: string[] = [];
  let authority: string | undefined;
  let cookie: string | undefined;
  let hasLength = false;
  const hosts: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    if (name === ':authority') authority = value;
    else if (name === 'host') hosts.push(value);
    else if (name === 'cookie') cookie = cookie === undefined ? value : `${cookie}; ${value}`;
    else if (!name.startsWith(':')) {
      hasLength ||= name === 'content-length';
      lines.push(name, value);
    }
  }
  // Two that differ make the request ambiguous: both are kept, and the header section is refused as over HTTP/1.1.
  const named = authority === undefined ? hosts : [authority, ...hosts.filter((host) => host !== authority)];
  if (cookie !== undefined) lines.push('cookie', cookie);
  if (hasBody && !hasLength) lines.push('transfer-encoding', 'chunked');
  return [...named.flatMap((host) => ['host', host]), ...lines];
}

/** The content of a request, with the count of its own bytes: other streams use the same connection. */
export class Http2RequestBody extends Transform {
  readonly socket = { bytesRead: 0 };

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.socket.bytesRead += chunk.byteLength;
    done(null, chunk);
  }

  /** Whether the whole content has arrived. */
  get complete(): boolean {
    return this.writableEnded;
  }
}

/** Fields of a connection, which HTTP/2 has not (RFC 9113 §8.2.2). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set(
  splitNames('connection keep-alive proxy-connection transfer-encoding upgrade'),
);
/** Fields whose lines are kept apart. The lines of other fields are joined: Node refuses some of them more than once. */
const REPEATED_FIELDS: ReadonlySet<string> = new Set(['set-cookie', 'www-authenticate', 'link']);

/** The response on a stream. It has the members of `ServerResponse` that the listener uses. */
export class Http2Outgoing {
  /** For `getRequestListener`. */
  readonly compat: Http2ServerResponse;
  readonly #stream: ServerHttp2Stream;
  readonly #added: OutgoingHttpHeaders;
  readonly #isHead: boolean;
  #hasNoContent = false;
  #isEnded = false;

  /** @param added fields of each response that does not have them, names in lower case */
  constructor(compat: Http2ServerResponse, method: string, added: OutgoingHttpHeaders) {
    this.compat = compat;
    this.#stream = compat.stream;
    this.#added = added;
    this.#isHead = method === 'HEAD';
    // The rest of a body that nobody reads is not needed any more (RFC 9113 §8.1).
    this.#stream.once('finish', () => {
      if (this.#isEnded && !this.#stream.readableEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR);
    });
  }

  get statusCode(): number {
    return this.#stream.headersSent ? Number(this.#stream.sentHeaders?.[':status']) : this.compat.statusCode;
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  /** Whether the whole response was written, at the end of the stream. Node may end it before it says that the last write is done. */
  get writableFinished(): boolean {
    const isEnded = this.#isEnded || this.compat.writableEnded;
    return isEnded && this.#stream.rstCode === constants.NGHTTP2_NO_ERROR;
  }

  on(event: 'close', listener: () => void): this {
    this.#stream.on(event, listener);
    return this;
  }

  once(event: 'drain', listener: () => void): this {
    this.#stream.once(event, listener);
    return this;
  }

  writeHead(status: number, fields: readonly string[] | OutgoingHttpHeaders): this {
    if (!this.#canRespond()) return this;
    // Node throws for a status that is none. It counts as one of the class 5xx (RFC 9110 §15).
    const sent = status > 599 ? 500 : status;
    this.#hasNoContent = this.#isHead || status === 204 || status === 205 || status === 304;
    this.#send(() => this.#stream.respond({ ...this.#added, ...toOutgoingFields(fields), ':status': sent }));
    return this;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#hasNoContent || this.#stream.closed || this.#stream.destroyed) return true;
    return this.#stream.write(chunk);
  }

  end(body?: Uint8Array | string): this {
    this.#isEnded = true;
    if (this.#stream.closed || this.#stream.destroyed) return this;
    if (body === undefined || this.#hasNoContent) this.#stream.end();
    else this.#writeSlices(typeof body === 'string' ? Buffer.from(body) : body, 0);
    return this;
  }

  /** Ends the stream so that the response is not taken for complete. */
  destroy(): this {
    breakOff(this.#stream);
    return this;
  }

  flushHeaders(): void {}

  writeProcessing(): void {
    if (this.#canRespond()) this.#send(() => this.#stream.additionalHeaders({ ':status': 102 }));
  }

  writeEarlyHints(hints: Readonly<Record<string, string>>): void {
    if (!this.#canRespond()) return;
    this.#send(() => this.#stream.additionalHeaders({ ...toOutgoingFields(hints), ':status': 103 }));
  }

  /** Node throws for fields that HTTP/2 cannot have. A site chooses them. */
  #send(send: () => void): void {
    try {
      send();
    } catch {
      breakOff(this.#stream);
    }
  }

  #canRespond(): boolean {
    return !this.#stream.headersSent && !this.#stream.closed && !this.#stream.destroyed;
  }

  #writeSlices(body: Uint8Array, from: number): void {
    let at = from;
    while (at + SLICE < body.byteLength) {
      const hasCapacity = this.#stream.write(body.subarray(at, at + SLICE));
      at += SLICE;
      if (hasCapacity) continue;
      this.#stream.once('drain', () => this.#writeSlices(body, at));
      return;
    }
    this.#stream.end(body.subarray(at));
  }
}

function toOutgoingFields(fields: readonly string[] | OutgoingHttpHeaders): OutgoingHttpHeaders {
  const lines = Array.isArray(fields) ? fields : Object.entries(fields).flat();
  const outgoing = new Map<string, string | string[]>();
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = String(lines[at]).toLowerCase();
    if (CONNECTION_FIELDS.has(name)) continue;
    const value = String(lines[at + 1]);
    const before = outgoing.get(name);
    if (before === undefined) outgoing.set(name, value);
    else if (REPEATED_FIELDS.has(name)) outgoing.set(name, [before, value].flat());
    else outgoing.set(name, `${String(before)}, ${value}`);
  }
  return Object.fromEntries(outgoing);
}

/** Milliseconds after which a connection is looked at that its client may have closed. */
const CONNECTION_CHECK_INTERVAL = 500;

const STOPPING: Problem = FAILURE_RESPONSES.shutdown;

interface OpenSession {
  readonly streams: Set<ServerHttp2Stream>;
  /** Bytes that were read at the last look, without the answer to a PING. */
  bytesRead: number;
  /** Whether a PING was sent since. */
  isProbed: boolean;
  /** Looks in a row that have found it unsent. */
  unsent: number;
}

/** The sessions of a server: HTTP/2 connections. */
export class Http2Sessions {
  readonly #open = new Map<ServerHttp2Session, OpenSession>();
  readonly #sockets = new Set<Socket>();
  readonly #idleTimeout: number;
  #checking: NodeJS.Timeout | undefined;
  #isDraining = false;

  /** @param idleTimeout milliseconds after which an idle session, or a stream that is idle because of the client, is closed */
  constructor(server: Http2SecureServer, idleTimeout: number) {
    this.#idleTimeout = idleTimeout;
    server.on('session', (session) => this.#add(session));
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.#watch(socket);
    });
  }

  /**
   * Destroys a connection that its client has closed. While a write waits for the client, Node does not read from the connection, and
   * it drops the error of that write (a TODO in `Http2Session::ClearOutgoing`). Without a look at the socket the streams would stay open
   * until the idle timeout, and with them the requests to the site.
   */
  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    this.#checking ??= setInterval(() => {
      for (const each of this.#sockets) if (!isConnected(each)) each.destroy();
      for (const [session, open] of this.#open) if (!session.destroyed) endIfTerminated(session, open);
    }, CONNECTION_CHECK_INTERVAL).unref();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size > 0) return;
      clearInterval(this.#checking);
      this.#checking = undefined;
    });
  }

  /**
   * Closes each session after its streams. GOAWAY names the last of them, so a client that has sent more knows that they were not
   * processed, and sends them again on another connection (RFC 9113 §6.8). Node cannot announce the end before.
   */
  drain(): void {
    this.#isDraining = true;
    for (const session of this.#open.keys()) session.close();
  }

  /** Ends all streams: with 503 if no head of a response was sent, and otherwise with a reset. Each session closes after them. */
  cutOff(): void {
    for (const [session, { streams }] of this.#open) {
      for (const stream of streams) {
        if (stream.headersSent || stream.destroyed) breakOff(stream);
        else {
          stream.respond({ ...problemHeaders(STOPPING), ':status': STOPPING.status });
          stream.end(problemBody(STOPPING));
        }
      }
      session.close();
    }
  }

  #add(session: ServerHttp2Session): void {
    const streams = new Set<ServerHttp2Stream>();
    this.#open.set(session, { streams, bytesRead: 0, isProbed: false, unsent: 0 });
    session.once('close', () => this.#open.delete(session));
    session.setLocalWindowSize(CONNECTION_WINDOW);
    let unfinished = 0;
    let countedSince = 0;
    session.on('stream', (stream) => {
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        if (stream.writableFinished && !stream.aborted) return;
        const now = performance.now();
        if (now - countedSince > 1_000) [countedSince, unfinished] = [now, 0];
        unfinished += 1;
        // The streams that are open end as they would, and the client opens another connection for further ones.
        if (unfinished > MAX_STREAMS) session.close();
      });
      stream.setTimeout(this.#idleTimeout);
      stream.on('timeout', () => {
        if (!isWaitingForSite(stream)) breakOff(stream);
      });
    });
    session.setTimeout(this.#idleTimeout);
    session.on('timeout', () => {
      if (streams.size === 0) session.destroy();
    });
    // The connection was accepted before the end: its first request is served.
    if (this.#isDraining) session.once('stream', () => session.close());
  }
}

/** Whether the system has a peer for a socket. `remoteAddress` is kept by Node, so it does not tell. */
function isConnected(socket: Socket): boolean {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('getpeername' in handle)) return true;
  const { getpeername } = handle;
  return typeof getpeername !== 'function' || Reflect.apply(getpeername, handle, [{}]) === 0;
}

/**
 * Destroys a session that nghttp2 has ended because of an invalid frame. Node does not learn of it: nothing is read, written or timed
 * any more, and the end of the connection is not seen. Such a session keeps a PING in its queue, although the connection takes bytes.
 * A client whose streams are open gets one PING once it is silent, until it sends something else.
 */
function endIfTerminated(session: ServerHttp2Session, open: OpenSession): void {
  const { socket } = session;
  const { bytesRead } = socket;
  if (bytesRead !== open.bytesRead) {
    Object.assign(open, { bytesRead, isProbed: false, unsent: 0 });
  } else if (!open.isProbed) {
    open.isProbed =
      open.streams.size > 0 &&
      session.ping((error) => {
        if (error === null) open.bytesRead = socket.bytesRead;
      });
  } else {
    const isUnsent = (session.state.outboundQueueSize ?? 0) > 0 && countUnwritten(socket) === 0;
    open.unsent = isUnsent ? open.unsent + 1 : 0;
    if (open.unsent > 1) session.destroy();
  }
}

/** Counts the bytes that the system has not taken yet. */
function countUnwritten(socket: object): unknown {
  const handle: unknown = Reflect.get(socket, '_handle');
  return typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
}

/** Resets a stream. `close()` would end it first, and the client would take an incomplete response for complete. */
function breakOff(stream: ServerHttp2Stream): void {
  stream.destroy(new Error('the gateway breaks off the response'));
}

/** The whole request has arrived, and the client has read what was sent. */
function isWaitingForSite(stream: ServerHttp2Stream): boolean {
  const isReceived = stream.state.state === constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
  return isReceived && !stream.writableEnded && stream.writableLength === 0;
}
