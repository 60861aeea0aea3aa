import { readFileSync } from 'node:fs';
import { type Server as HttpServer, IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { fieldValue, toFieldPairs } from '../../base/http/fields.ts';
import { type Log, silentLog } from '../../base/ports.ts';
import { PROBLEMS, type Problem, type ProblemReply, toProblemReply } from '../exchange/problem.ts';
import { createUnroutedAnswer } from '../reply.ts';
import { FAILURE_RESPONSES } from '../upstream/failures.ts';
import { type AccessLogEntry, NodeSender, type Served, type ServerState, toAccessLogEntry } from './send.ts';

export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a response has ended. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry) => void;
}

/** Requests of a connection that can wait for the response before. Node has no limit. */
const MAX_PIPELINED = 128;

/** Takes the messages of a server, and what its parser refuses. */
export class Listener implements ServerState {
  readonly log: Log;
  readonly access: NonNullable<ListenerOptions['access']>;
  served: Served;
  activeCount = 0;
  /** The latest message of a connection, which Node's events do not name. V8 long keeps what a map of all messages names in its former tables. */
  readonly #latest = new WeakMap<Duplex, NodeSender>();
  /** Pipelined requests whose response waits for the one before. */
  readonly #waiting = new WeakMap<Duplex, number>();
  /** Connections whose input cannot be parsed. */
  readonly #refused = new WeakSet<Duplex>();
  isDraining = false;
  isCuttingOff = false;
  cutOffCount = 0;

  constructor(served: Served, options: ListenerOptions = {}) {
    const { log = silentLog } = options;
    this.log = log;
    // Loggers add their own time.
    this.access = options.access ?? (({ time: _, ...entry }) => log.info(entry, 'request'));
    this.served = served;
  }

  readonly handle = (incoming: Message, outgoing: ServerResponse): void => {
    incoming.isHandled = true;
    const { httpVersion, rawHeaders, socket } = incoming;
    if (outgoing.socket === null && !socket.destroyed) this.#addWaiting(socket, outgoing);
    // Another request on this connection would be closed under its client.
    if (this.isDraining) outgoing.shouldKeepAlive = false;
    if (socket.destroyed) return;
    const sender = new NodeSender(this, incoming, outgoing);
    this.#latest.set(socket, sender);
    if (rawHeaders.length > 2 * MAX_HEADER_LINES)
      sender.refuse(PROBLEMS.headersTooLarge, 'too many header lines');
    else if (!KNOWN_VERSIONS.has(httpVersion)) sender.refuse(PROBLEMS.badRequest, 'unknown version');
    else if (httpVersion === '1.1' && fieldValue(rawHeaders, 'host') === undefined)
      sender.refuse(PROBLEMS.badRequest, 'no host');
    // RFC 9112 §6.1.
    else if (httpVersion === '1.0' && fieldValue(rawHeaders, 'transfer-encoding') !== undefined)
      sender.refuse(PROBLEMS.badRequest, 'chunks in HTTP/1.0');
    // RFC 9112 §9.3.2: a pipelined read must not overtake a write. As in nginx, each request waits for its turn.
    // After the event, Node writes what it holds: a 100.
    else if (outgoing.socket === null) outgoing.once('socket', () => queueMicrotask(() => sender.respond()));
    else sender.respond();
  };

  /** Before Node 24, the first of several pipelined responses is closed with the connection; the next has it after this event. */
  #addWaiting(socket: Duplex, outgoing: ServerResponse): void {
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    this.#waiting.set(socket, waiting);
    if (waiting > MAX_PIPELINED) socket.destroy();
    this.#latest.get(socket)?.outgoing.once('close', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      setImmediate(() => {
        if (outgoing.socket === null && !outgoing.closed) outgoing.emit('close');
      });
    });
  }

  findActive(socket: Duplex): ServerResponse | undefined {
    const { outgoing } = this.#latest.get(socket) ?? {};
    return outgoing?.closed === true ? undefined : outgoing;
  }

  /** Any but `100-continue`. */
  readonly refuseExpectation = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const sender = new NodeSender(this, incoming, outgoing);
    this.#latest.set(incoming.socket, sender);
    sender.refuse(PROBLEMS.unknownExpectation);
  };

  /** RFC 9112 §9.3: input that cannot be parsed ends its connection. */
  readonly onClientError = (error: ParserError, socket: Duplex): void => {
    const { code = '' } = error;
    // A socket error, or an end of input within a request (HPE_INVALID_EOF_STATE), means that the client has gone away.
    const isParserError = code.startsWith('HPE_') || Object.hasOwn(PROBLEMS_BY_ERROR_CODE, code);
    const isClientMistake = isParserError && code !== 'HPE_INVALID_EOF_STATE';
    if (!isClientMistake || !socket.writable) {
      socket.destroy();
      return;
    }
    // Node emits the event again for each further chunk.
    if (this.#refused.has(socket)) return;
    const problem =
      PROBLEMS_BY_ERROR_CODE[code] ?? (isUnknownMethod(error) ? PROBLEMS.unknownMethod : PROBLEMS.badRequest);
    this.#refused.add(socket);
    const active = this.findActive(socket);
    const refuse = (): void => {
      if (socket.writable) this.#refuseInput(socket, problem, error);
    };
    const refuseActive = (): void => this.#latest.get(socket)?.refuse(problem, error.reason);
    // A pipelined request has no socket before the responses to all earlier ones have ended.
    if (active === undefined || (active.writableEnded && active.socket !== null)) refuse();
    else if (active.req.complete) active.once('finish', refuse);
    // The input is a part of a request. The client would read a second response as a part of the first.
    else if (active.headersSent) socket.destroy();
    else if (active.socket !== null) refuseActive();
    else active.once('socket', refuseActive);
  };

  /** Node no longer times out the connection or resumes its responses, so one that has not ended would wait for good. */
  readonly onConnect = (_: unknown, socket: Duplex): void => {
    socket.on('error', () => {});
    if (this.findActive(socket) === undefined)
      this.onClientError({ code: 'CONNECT', reason: 'a tunnel' }, socket);
    else socket.destroy();
  };

  /** Input that Node has not handed over as a message. The connection closes. */
  #refuseInput(socket: Duplex, problem: Problem, { rawPacket, reason = '' }: ParserError): void {
    const peerAddress = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
    const head = { ...readRequestLine(rawPacket), headers: [], peerAddress, protocol: 'http' } as const;
    const answer = createUnroutedAnswer(this.served.gateway.context, head);
    const reply = toProblemReply(answer.recordRefusal(problem));
    const bytes = reply.body.byteLength;
    socket.end(formatReply(reply, answer.requestId), () => socket.destroy());
    const ending = { status: reply.status, sent: reply.status, end: 'complete', duration: 0, bytes } as const;
    answer.record(undefined, ending);
    this.access(toAccessLogEntry(head, answer, undefined, ending, undefined, reason));
  }

  /** Tells the client of a request in progress, whose response has not begun, that the gateway stops. */
  cutOff(socket: Duplex): void {
    const { requestId = '' } = this.#latest.get(socket)?.answer ?? {};
    socket.end(formatReply(toProblemReply(FAILURE_RESPONSES.shutdown), requestId), () => socket.destroy());
  }
}

/** Node builds `headers` to look for `Expect`; this skips that. Later readers get all fields. */
export class Message extends IncomingMessage {
  isHandled = false;
}

const NO_FIELDS = Object.freeze({});
const INHERITED = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers');

// TypeScript declares the accessor of Node as a property, which no accessor of a class can replace.
Object.defineProperty(Message.prototype, 'headers', {
  ...INHERITED,
  get(this: Message): unknown {
    const isAskedByNode = !this.isHandled && fieldValue(this.rawHeaders, 'expect') === undefined;
    return isAskedByNode ? NO_FIELDS : INHERITED?.get?.call(this);
  },
});

/** Node's parser takes 0.9 and 2.0 too. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Maximum header lines of a request. A site or library behind the gateway can silently drop more. */
const MAX_HEADER_LINES = 2000;

const MAX_REQUEST_LINE = 1_000;

/** Of what Node could not parse: empty if it isn't like HTTP. */
function readRequestLine(
  packet: Uint8Array = new Uint8Array(),
): Pick<IncomingRequestHead, 'method' | 'target' | 'httpVersion'> {
  const line = Buffer.from(packet.subarray(0, MAX_REQUEST_LINE)).toString('latin1');
  const [, method = '', target = '', httpVersion = ''] =
    /^([\w-]{1,30}) (\S*)(?: HTTP\/(\d\.\d))?/.exec(line) ?? [];
  return { method, target, httpVersion };
}

function formatReply({ body, headers, reason, status }: ProblemReply, requestId: string): string {
  const own = ['X-Request-Id', requestId, 'connection', 'close', 'Date', new Date().toUTCString()];
  const lines = toFieldPairs([...headers, ...own]).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`;
}

const PROBLEMS_BY_ERROR_CODE: Readonly<Record<string, Problem>> = {
  HPE_INVALID_URL: PROBLEMS.rawTarget,
  HPE_HEADER_OVERFLOW: PROBLEMS.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: PROBLEMS.chunksTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: PROBLEMS.requestTimeout,
  CONNECT: PROBLEMS.noTunnel,
};

interface ParserError extends Partial<NodeJS.ErrnoException> {
  readonly bytesParsed?: number;
  readonly rawPacket?: Uint8Array;
  /** E.g. `Invalid character in chunk size`. */
  readonly reason?: string;
}

/** Whether the parser stopped at a letter of a method, such as `BAN`, and not at other bytes, such as TLS. */
function isUnknownMethod({ bytesParsed = 0, code, rawPacket }: ParserError): boolean {
  return code === 'HPE_INVALID_METHOD' && /[\w-]/.test(String.fromCharCode(rawPacket?.[bytesParsed] ?? 0));
}

const ACCEPT_QUEUE_LENGTH = 511;

/** Milliseconds in which clients can read the last bytes of requests cut off. */
const LAST_WRITE_TIME = 250;

/** File descriptors left for connections to sites and for files, at most three quarters of all. */
const RESERVED_DESCRIPTORS = 300;

const LOG_INTERVAL = 10_000;

export class Connections {
  readonly #server: HttpServer;
  readonly #listener: Listener;
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  readonly #maxDescriptors = readDescriptorLimit();
  #refused = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  readonly #closedBytes = { bytesRead: 0, bytesWritten: 0 };

  constructor(server: HttpServer, listener: Listener, idleTimeout: number) {
    this.#server = server;
    this.#listener = listener;
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        addBytes(this.#closedBytes, socket);
      });
      // Node writes what is left before it closes the connection, but a client that left doesn't read.
      socket.once('end', () => {
        if (listener.findActive(socket)?.writableEnded === false) socket.destroy();
      });
    });
    if (Number.isFinite(this.#maxDescriptors)) {
      const reserved = Math.min(RESERVED_DESCRIPTORS, (this.#maxDescriptors * 3) / 4);
      server.maxConnections = Math.floor(this.#maxDescriptors - reserved);
    }
    server.on('drop', () => {
      this.#refused += 1;
      this.#logRefusal();
    });
    server.on('clientError', listener.onClientError);
    // Without a listener Node closes the connection, or responds with an empty 405.
    server.on('connect', listener.onConnect);
    this.#closeIdle(idleTimeout);
  }

  report(): readonly (readonly [series: string, value: number])[] {
    const bytes = { ...this.#closedBytes };
    for (const socket of this.#sockets) addBytes(bytes, socket);
    return [
      ['waygate_connections_open', this.#sockets.size],
      ['waygate_connections_accepted_total', this.#accepted],
      ['waygate_connections_refused_total{reason="descriptors"}', this.#refused],
      ['waygate_network_bytes_total{direction="received"}', bytes.bytesRead],
      ['waygate_network_bytes_total{direction="sent"}', bytes.bytesWritten],
    ];
  }

  #logRefusal(): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL) return;
    this.#loggedAt = now;
    const fields = { reason: 'descriptors', limit: this.#maxDescriptors, refused: this.#refused };
    this.#listener.log.error(
      fields,
      'connections are refused: the process has no file descriptors left for them. Raise its limit (ulimit -n)',
    );
  }

  /** Closes connections that wait for the client. The transport's timeouts limit waiting for the site. */
  #closeIdle(idleTimeout: number): void {
    this.#server.setTimeout(idleTimeout);
    this.#server.on('timeout', (socket: unknown) => {
      if (!(socket instanceof Socket)) return;
      const active = this.#listener.findActive(socket);
      // The body of a pipelined request is read in its turn.
      const isWaitingForSite =
        active !== undefined &&
        (active.req.complete || active.socket === null) &&
        !active.writableEnded &&
        socket.writableLength === 0;
      if (!isWaitingForSite) socket.destroy();
    });
  }

  /** Serves what has arrived, then accepts no more. @returns whether the rest was cut off after `grace` */
  async drain(grace: number, idleGrace: number): Promise<boolean> {
    await this.#handleArrivedBytes();
    this.#listener.isDraining = true;
    for (const socket of this.#sockets) {
      // The latest of several pipelined requests: earlier responses leave the connection open.
      const active = this.#listener.findActive(socket);
      if (active !== undefined) active.shouldKeepAlive = false;
    }
    // `close()` of a server of HTTP would close idle connections at once.
    const closed = new Promise<void>((resolve) => {
      Reflect.apply(NetServer.prototype.close, this.#server, [() => resolve()]);
    });
    let cutOff: Promise<void> | undefined;
    const timer = setTimeout(() => {
      cutOff = this.cutOff();
    }, grace);
    if (idleGrace > 0) {
      await Promise.race([closed, sleep(idleGrace, undefined, { ref: false })]);
      // On a busy machine, bytes that arrived in time can still be unread.
      await this.#handleArrivedBytes();
    }
    // Browsers open connections in advance. Node counts a connection without a byte as busy.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    // A keep-alive connection whose response ends after close() becomes idle later.
    this.#server.closeIdleConnections();
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 25);
    await closed;
    await cutOff;
    await nextTurn();
    clearInterval(sweep);
    clearTimeout(timer);
    this.#server.close(() => {});
    return cutOff !== undefined;
  }

  /** With 503 if nothing was sent, otherwise so that the response isn't taken for complete. */
  async cutOff(): Promise<void> {
    this.#listener.isCuttingOff = true;
    for (const socket of this.#sockets) {
      const active = this.#listener.findActive(socket);
      // While a request waits for its turn, the response before it can have begun.
      if (active?.headersSent === false && active.socket !== null) this.#listener.cutOff(socket);
      else if (active !== undefined) socket.destroy();
    }
    const deadline = performance.now() + LAST_WRITE_TIME;
    while (this.#sockets.size > 0 && performance.now() < deadline) await sleep(10);
    for (const socket of this.#sockets) socket.destroy();
    await nextTurn();
  }

  /** Node accepts one connection in each turn, the oldest first, so further ones have arrived later. */
  async #handleArrivedBytes(): Promise<void> {
    const lastCount = this.#accepted + ACCEPT_QUEUE_LENGTH;
    let counted: number;
    do {
      counted = this.#accepted;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (this.#accepted > counted && this.#accepted < lastCount);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

function addBytes(sums: Pick<Socket, 'bytesRead' | 'bytesWritten'>, socket: Socket): void {
  Object.assign(sums, {
    bytesRead: sums.bytesRead + socket.bytesRead,
    bytesWritten: sums.bytesWritten + socket.bytesWritten,
  });
}

export function readDescriptorLimit(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
