import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { IncomingRequestHead, UpstreamFailure } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { type Log, silentLog } from '../../base/ports.ts';
import { PROBLEMS, type Problem, problemResponse } from '../exchange/problem.ts';
import type { GatewayMount } from '../gateway.ts';
import { handleHead } from '../handle.ts';
import { toOriginForm } from '../router/target.ts';
import { EXCHANGE, type PreparedRequest, type ResponseOutcome, ServerExchange } from '../server-exchange.ts';
import { FAILURE_RESPONSES } from '../upstream/failures.ts';
import { isValidHostField } from '../upstream/forwarded.ts';
import { type AccessLogEntry, toAccessLogEntry } from './access-log.ts';
import { FAULT, ResponseWriter, writeOwnProblem } from './response-writer.ts';
import type { ServedApp } from './served-app.ts';
import { makeReadable, ServedGateway } from './served-gateway.ts';
import { writeProblem } from './write-problem.ts';

export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a request is complete, with its header section, a flat list name, value. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry) => void;
}

/** Serves an app. A request that only a gateway in it sees is handed to that gateway. @internal */
export class Listener {
  readonly log: Log;
  readonly access: NonNullable<ListenerOptions['access']>;
  served: ServedGateway;
  activeRequests = 0;
  /** Whether requests that end unfinished are logged with the failure `shutdown`: the gateway ends them, not the client. */
  isCuttingOff = false;
  cutOffCount = 0;
  /** Found at the first request: Hono refuses more routes from then on. */
  #direct: GatewayMount | null | undefined;

  constructor(app: ServedApp, options: ListenerOptions = {}) {
    const { log = silentLog } = options;
    this.log = log;
    // Loggers add their own time.
    this.access = options.access ?? (({ time: _, ...entry }) => log.info(entry, 'request'));
    this.served = new ServedGateway(app);
  }

  /** Serves another gateway and its app from the next request on. Requests in flight go on as they are. */
  replace(served: ServedGateway): void {
    this.served = served;
    this.#direct = undefined;
  }

  readonly handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.rawHeaders.length > 2 * MAX_HEADER_LINES) {
      refuseHead(incoming, outgoing, PROBLEMS.headersTooLarge, 'too many header lines', this.log);
      return;
    }
    // Node parses the rest of what has arrived.
    if (incoming.socket.destroyed) return;
    if (!KNOWN_VERSIONS.has(incoming.httpVersion)) {
      refuseHead(incoming, outgoing, PROBLEMS.badRequest, 'unknown version', this.log);
      return;
    }
    new MessageExchange(this, incoming, outgoing, toRequestHead(incoming)).respond();
  };

  /** Finds the gateway that gets a request which nothing else in the app sees; `null` if the app has to decide. */
  findMount({ headers, method, target }: IncomingRequestHead): GatewayMount | null {
    if (this.#direct === undefined) this.#direct = this.served.findDirect();
    const mount = this.#direct ?? this.served.find(method, target);
    if (mount !== null || isValidHostField(fieldValue(headers, 'host') || 'localhost')) return mount;
    // The app doesn't see it: the gateway refuses it.
    return this.served.mount;
  }
}

class MessageExchange {
  readonly #listener: Listener;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #head: IncomingRequestHead;
  readonly #started = performance.now();
  /** The gateway that alone sees the request; `null` if the app decides. */
  readonly #mount: GatewayMount | null;
  #prepared: PreparedRequest | null;
  /** Outcome of the response of a site, or of the app; `undefined` until it begins. */
  #response: ResponseOutcome | undefined;
  /** The request as the app gets it; `null` if it does not. */
  #ofApp: ServerExchange | null = null;

  constructor(
    listener: Listener,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    head: IncomingRequestHead,
  ) {
    this.#listener = listener;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#head = head;
    const mount = listener.findMount(head);
    this.#mount = mount;
    this.#prepared =
      mount === null
        ? null
        : handleHead(mount.gateway.context, mount.prefix === '' ? head : withoutPrefix(head, mount.prefix));
    listener.activeRequests += 1;
    // 'close' is emitted once, and `once` would allocate a wrapper.
    outgoing.on('close', () => this.#end());
  }

  /** Responds around the app to a request for a site and to one that is refused, and otherwise with the app. */
  respond(): void {
    const prepared = this.#prepared;
    const mount = this.#mount;
    if (mount !== null && prepared?.kind === 'site') {
      const writer = new ResponseWriter(prepared, this.#outgoing, this.#listener.log);
      this.#response = writer;
      writer.respond(this.#incoming, mount.gateway.context);
    } else if (prepared?.kind === 'own' && prepared.problem !== undefined)
      writeOwnProblem(prepared, this.#incoming, this.#outgoing);
    else this.#runApp();
  }

  #runApp(): void {
    const incoming = this.#incoming;
    const outgoing = this.#outgoing;
    const { log, served } = this.#listener;
    const { app } = served;
    const exchange = new ServerExchange(this.#head, {
      incoming,
      outgoing,
      callApp: (request, environment) => app.fetch(request, environment),
    });
    this.#ofApp = exchange;
    if (this.#mount !== null) exchange.begin(this.#mount.gateway.context, this.#prepared);
    makeReadable(incoming);
    const errorHandler = (err: unknown): Response => {
      log.error({ err }, FAULT);
      return problemResponse(PROBLEMS.internalError);
    };
    void getRequestListener(
      async (request, environment) => {
        exchange.request = request;
        const response = await app.fetch(request, { ...environment, [EXCHANGE]: exchange });
        if (typeof response !== 'object') throw new TypeError('a handler returned no Response');
        return exchange.finish(response);
        // A middleware can copy the request with `new Request(…)`, which only a replaced global object can.
      },
      { ...LOCAL_REQUESTS, overrideGlobalObjects: this.#mount === null, errorHandler },
    )(incoming, outgoing);
  }

  #end(): void {
    const listener = this.#listener;
    const head = this.#head;
    const { headersSent, statusCode, writableFinished } = this.#outgoing;
    listener.activeRequests -= 1;
    const duration = performance.now() - this.#started;
    const ofApp = this.#ofApp;
    const response = ofApp === null ? this.#response : ofApp.outcome;
    const prepared = ofApp?.prepared ?? this.#prepared;
    const context = this.#mount?.gateway.context ?? ofApp?.context;
    const isWritten = writableFinished || response?.isWritten === true;
    const isCutOff = listener.isCuttingOff && !isWritten && response?.failure === undefined;
    if (isCutOff) listener.cutOffCount += 1;
    const failure = isCutOff ? CUT_OFF : response?.failure;
    // If the site broke off the response, the gateway closed the connection, not the client.
    const broken = FAILURE_RESPONSES[failure?.kind ?? 'client-gone'];
    const status = isWritten ? statusCode : broken.status;
    if (prepared?.kind === 'site') {
      const { traffic } = prepared.site.recorder;
      traffic.sentBytes += response?.bytes ?? 0;
      if (!isWritten && !isCutOff && headersSent)
        traffic.addCount('broken', failure === undefined ? 'client' : 'site');
    }
    if (!isWritten) response?.abort();
    // The app records the responses of the gateway's own, but for refusals.
    if (context != null && (prepared?.kind === 'site' || prepared?.problem !== undefined)) {
      if (prepared.recordResponse === undefined) {
        context.parts.durations.countUnresolved(head.method, status, duration);
        if (prepared.kind === 'own') prepared.recordUnresolved?.();
      } else prepared.recordResponse(status, response?.cacheStatus, duration);
    }
    const sent = headersSent ? statusCode : isCutOff ? broken.status : null;
    const end = isWritten ? 'complete' : isCutOff ? 'shutdown' : failure === undefined ? 'client' : 'site';
    const outcome = { status, sent, end, duration } as const;
    listener.access(toAccessLogEntry(head, prepared, response, failure, outcome));
  }
}

/** Node's parser takes 0.9 and 2.0 too. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

const CUT_OFF: UpstreamFailure = { kind: 'shutdown' };

/** HTTP/1.0 has no `Host`; the gateway reads that of the header section. @internal */
export const LOCAL_REQUESTS = { overrideGlobalObjects: false, hostname: 'localhost' };

/** Maximum header lines of a request. A site or a library behind the gateway can drop more without a word. */
const MAX_HEADER_LINES = 2000;

function refuseHead(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  problem: Problem,
  cause: string,
  log: Log,
): void {
  const { status } = problem;
  log.info({ client: incoming.socket.remoteAddress ?? '', status, cause }, 'invalid request');
  writeProblem(outgoing, problem, { connection: 'close' });
}

/** Converts Node's request to the head that the gateway plans by. Header lists are not copied. @internal */
export function toRequestHead(
  incoming: Pick<IncomingMessage, 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>,
): IncomingRequestHead {
  const { httpVersion, rawHeaders, socket } = incoming;
  return toOriginForm({
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peerAddress: socket.remoteAddress ?? '',
    protocol: 'http',
    httpVersion,
  });
}

function withoutPrefix(head: IncomingRequestHead, prefix: string): IncomingRequestHead {
  const rest = head.target.slice(prefix.length);
  return { ...head, target: rest.startsWith('/') ? rest : `/${rest}`, prefix };
}

/** Adds a `Host` from the local address: HTTP/1.0 requests can have none, and URL rewriting needs one. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}
