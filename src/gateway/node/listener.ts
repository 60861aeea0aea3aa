import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConfigurationError } from '../../base/errors.ts';
import { firstFieldValue, toFieldPairs } from '../../base/http/message.ts';
import { type Log, silentLog } from '../../base/ports.ts';
import { PROBLEMS, type Problem, type ProblemReply, toProblemReply } from '../exchange/problem.ts';
import { listMounts } from '../gateway.ts';
import type { AccessLogEntry } from './access-log.ts';
import type { Connections } from './connections.ts';
import { NodeSender, type Served, type ServedApp, type ServerState } from './send.ts';

export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a request is complete, with its header section, a flat list name, value. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry) => void;
}

export class Listener implements ServerState {
  readonly log: Log;
  readonly access: NonNullable<ListenerOptions['access']>;
  served: Served;
  activeCount = 0;
  /** By connection: V8 long keeps what a growing map of all messages names in its former tables. */
  readonly #latest = new WeakMap<Duplex, NodeSender>();
  isCuttingOff = false;
  cutOffCount = 0;

  constructor(app: ServedApp, options: ListenerOptions = {}) {
    const { log = silentLog } = options;
    this.log = log;
    // Loggers add their own time.
    this.access = options.access ?? (({ time: _, ...entry }) => log.info(entry, 'request'));
    this.served = findServed(app);
  }

  readonly handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { httpVersion, rawHeaders, socket } = incoming;
    if (rawHeaders.length > 2 * MAX_HEADER_LINES)
      this.#refuse(incoming, outgoing, PROBLEMS.headersTooLarge, 'too many header lines');
    else if (socket.destroyed) return;
    else if (!KNOWN_VERSIONS.has(httpVersion))
      this.#refuse(incoming, outgoing, PROBLEMS.badRequest, 'unknown version');
    else if (httpVersion === '1.1' && firstFieldValue(rawHeaders, 'host') === undefined)
      this.#refuse(incoming, outgoing, PROBLEMS.badRequest, 'no host');
    else {
      const sender = new NodeSender(this, incoming, outgoing);
      this.#latest.set(socket, sender);
      // RFC 9112 §9.3.2: a pipelined read must not overtake a write. As in nginx, each request waits for its turn.
      if (outgoing.socket === null) outgoing.once('socket', () => sender.respond());
      else sender.respond();
    }
  };

  #refuse({ socket }: IncomingMessage, outgoing: ServerResponse, problem: Problem, cause: string): void {
    this.#latest.delete(socket);
    const requestId = this.nextRequestId();
    const client = socket.remoteAddress ?? '';
    this.log.info({ client, status: problem.status, cause, requestId }, 'invalid request');
    const { body, headers, status } = toLastReply(problem, requestId);
    outgoing.writeHead(status, [...headers]).end(body);
  }

  nextRequestId(): string {
    return this.served.gateway.context.nextRequestId();
  }

  /** Input that Node has not handed over as a message. The connection closes. */
  refuseInput(socket: Duplex, problem: Problem, isActive: boolean, cause = ''): void {
    const sender = isActive ? this.#latest.get(socket) : undefined;
    const requestId = sender?.answer?.requestId ?? this.nextRequestId();
    const client = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
    if (!isActive) this.log.info({ client, status: problem.status, cause, requestId }, 'invalid request');
    socket.end(formatRefusal(problem, requestId), () => socket.destroy());
  }
}

/** Node's parser takes 0.9 and 2.0 too. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Maximum header lines of a request. A site or library behind the gateway can silently drop more. */
const MAX_HEADER_LINES = 2000;

function toLastReply(problem: Problem, requestId: string): ProblemReply {
  const reply = toProblemReply(problem);
  return { ...reply, headers: [...reply.headers, 'X-Request-Id', requestId, 'connection', 'close'] };
}

function formatRefusal(problem: Problem, requestId: string): string {
  const { body, headers, reason, status } = toLastReply(problem, requestId);
  const lines = toFieldPairs([...headers, 'Date', new Date().toUTCString()]).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`;
}

const PROBLEMS_BY_ERROR_CODE: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: PROBLEMS.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: PROBLEMS.chunksTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: PROBLEMS.requestTimeout,
  CONNECT: PROBLEMS.noTunnel,
};

interface ParserError extends NodeJS.ErrnoException {
  readonly bytesParsed?: number;
  readonly rawPacket?: Uint8Array;
}

/** RFC 9112 §9.3: input that cannot be parsed ends its connection. */
export function handleClientErrors(server: Server, connections: Connections, listener: Listener): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const { code = '' } = error;
    // A socket error, or an end of input within a request (HPE_INVALID_EOF_STATE), means that the client has gone away.
    const isParserError = code.startsWith('HPE_') || Object.hasOwn(PROBLEMS_BY_ERROR_CODE, code);
    const isClientMistake = isParserError && code !== 'HPE_INVALID_EOF_STATE';
    if (!isClientMistake || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem =
      PROBLEMS_BY_ERROR_CODE[code] ?? (isUnknownMethod(error) ? PROBLEMS.unknownMethod : PROBLEMS.badRequest);
    const { incoming, outgoing } = connections.findActiveRequest(socket) ?? {};
    const refuse = (): void => {
      if (socket.writable) listener.refuseInput(socket, problem, false, code);
    };
    // A pipelined request has no socket before the responses to all earlier ones have ended.
    if (outgoing === undefined || (outgoing.writableEnded && outgoing.socket !== null)) refuse();
    else if (incoming?.complete === true) outgoing.once('finish', refuse);
    // The input is a part of a request. The client would read a second response as a part of the first.
    else if (outgoing.headersSent) socket.destroy();
    else if (outgoing.socket !== null) listener.refuseInput(socket, problem, true);
    else outgoing.once('socket', () => listener.refuseInput(socket, problem, true));
  });
}

/** Whether the parser stopped at a letter of a method, such as `BAN`, and not at other bytes, such as TLS. */
function isUnknownMethod({ bytesParsed = 0, code, rawPacket }: ParserError): boolean {
  return code === 'HPE_INVALID_METHOD' && /[\w-]/.test(String.fromCharCode(rawPacket?.[bytesParsed] ?? 0));
}

/** @throws {ConfigurationError} when there is none, or there are several */
export function findServed(app: ServedApp): Served {
  const [mount, ...others] = listMounts(app);
  if (mount === undefined) {
    throw new ConfigurationError('serve: the app contains no gateway. Add one: app.route("/", gateway.app).');
  }
  const { gateway } = mount;
  if (others.some((other) => other.gateway !== gateway)) {
    throw new ConfigurationError(
      'serve: the app contains several gateways. Give all sites to one: each has its own path or hosts.',
    );
  }
  return { gateway, app: app === gateway.app && !gateway.hasOuterRoutes ? null : app };
}
