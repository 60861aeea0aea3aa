import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { PROBLEMS, type Problem, problemResponse } from '../exchange/problem.ts';
import type { RequestBody } from '../exchange/request-body-validator.ts';
import type { GatewayRequest } from '../gateway/gateway-request.ts';
import { GatewayUpstream } from '../gateway/gateway-upstream.ts';
import { handleHead, type Platform, respondFromSite } from '../gateway/handle.ts';
import type { Gateway, RequestAttributes } from '../gateway/index.ts';
import type { OwnResponse } from '../gateway/own-response.ts';
import { EXCHANGE, type PreparedRequest } from '../gateway/server-exchange.ts';
import type {
  Exchange,
  IncomingRequestHead,
  RepeatedResponse,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, toFieldPairs, withoutFields } from '../http/fields.ts';
import type { RequestTrace } from '../http/request-trace.ts';
import { type Log, silentLog } from '../ports.ts';
import { toOriginForm } from '../router/target.ts';
import { CACHE_OUTCOMES, type CacheOutcome, readCacheOutcome } from '../site/traffic/traffic-counters.ts';
import type { DispatchTransport } from '../upstream/dispatch-transport.ts';
import { describeFailureCause, FAILURE_RESPONSES } from '../upstream/failures.ts';
import { isValidHostField } from '../upstream/forwarded.ts';
import { TransportMap } from '../upstream/site-connections.ts';
import { AppExchange, type ResponseOutcome } from './app-exchange.ts';
import { writeInterim } from './interim-responses.ts';
import { createNodeTransport } from './platform.ts';
import { writeProblem } from './problems.ts';
import { type BodyRate, NodeRequestBody, watchBodyRate } from './request-body.ts';
import type { ServedApp } from './served-app.ts';
import { type Mount, makeReadable, ServedGateways } from './served-gateways.ts';
import { writeStored } from './stored-response.ts';
import { type OpenTelemetry, SpanTrace } from './tracing.ts';

/** Logging of a Node listener. */
export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a request is complete, with its header section, a flat list name, value. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry, headers: readonly string[]) => void;
  /** Rate at which request bodies must arrive. A slower request gets a 408. */
  readonly bodyRate?: BodyRate;
}

export interface AccessLogEntry extends RequestAttributes {
  /** Time of completion, in milliseconds since the epoch. */
  readonly time: number;
  readonly method: string | undefined;
  /** Raw path, without the query, which can contain passwords and nonces. */
  readonly path: string;
  /** Raw query with its question mark. It can contain passwords and nonces. @default none */
  readonly query?: string;
  /** Status of the response; of the failure if the site broke it off, and 499 if the client left before it was complete. */
  readonly status: number;
  /** Status that the client got; `null` if it got none. */
  readonly sent: number | null;
  /** How the response ended: as it should, or broken off by one side, or by the stop of the gateway. */
  readonly end: 'complete' | 'client' | 'site' | 'shutdown';
  /** Milliseconds from the request head to completion. */
  readonly duration: number;
  /** Value of `Host`, as received. */
  readonly host: string;
  /** Value of `User-Agent`, as received; `undefined` without the field. */
  readonly userAgent: string | undefined;
  /** Value of `Referer` without the query, which can contain passwords and nonces; `undefined` without the field. */
  readonly referer?: string | undefined;
  /** Request header fields that the setting `log.fields` names. @default none */
  readonly fields?: Readonly<Record<string, string>>;
  readonly httpVersion: string;
  /** Trace of the request (W3C Trace Context). */
  readonly traceId?: string | undefined;
  readonly cache: CacheOutcome;
  /** The response's `Cache-Status`, which says why. */
  readonly cacheStatus?: string | undefined;
  /** Bytes of the content that was sent; `null` if the gateway did not count them: in documents and pages of its own. */
  readonly bytes: number | null;
  /** How the request was validated; absent if it was not. */
  readonly validation?: 'valid' | 'invalid' | undefined;
  /** Code of the problem with which the gateway refused the request. */
  readonly refusal?: string | undefined;
  /** Milliseconds to the head of the site's response; `undefined` if the site was not asked. */
  readonly siteDuration: number | undefined;
  /** Why the site's response is missing or incomplete. */
  readonly failure?: UpstreamFailure['kind'];
  /** Message of the underlying error; can name hosts and ports. */
  readonly cause?: string | undefined;
}

/** A request listener for `node:http` and `node:https`. */
export interface NodeListener {
  /** Gateways of the app, each once. */
  readonly gateways: readonly Gateway[];
  readonly activeRequests: number;
  /** Serves another app from the next request on. Requests in flight go on as they are. */
  replace(app: ServedApp, options: Pick<ListenerOptions, 'bodyRate'>): void;
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Requests that end unfinished from now on are logged with the failure `shutdown`: the gateway ends them, not the client. */
  beginCutOff(): void;
  countCutOff(): number;
  /** Closes the connections to all sites after the requests in flight. @param grace milliseconds that these can take */
  close(grace: number): Promise<void>;
}

/**
 * Creates a listener that serves an app. A request that only a gateway in it sees is handed to that gateway, which forwards it through
 * undici's `dispatch`.
 *
 * @throws {ConfigurationError} when the app contains no gateway
 */
export function createListener(
  firstApp: ServedApp,
  options: ListenerOptions = {},
  openTelemetry: OpenTelemetry | null = null,
): NodeListener {
  const { log = silentLog } = options;
  let app = firstApp;
  let { bodyRate = {} } = options;
  // Loggers add their own time.
  const { access = ({ time: _, ...entry }: AccessLogEntry) => log.info(entry, 'request') } = options;
  const transports = new TransportMap(createNodeTransport);
  const upstream = new GatewayUpstream<Readable>((target) => transports.get(target).send);
  let served = new ServedGateways(app, upstream);
  /** Transports of the configuration before. */
  const retired = new Set<DispatchTransport>();
  /** Found at the first request: Hono refuses more routes from then on. */
  let direct: Mount | null | undefined;
  let isCuttingOff = false;
  let cutOffCount = 0;
  let activeRequests = 0;

  const errorHandler = (err: unknown): Response => {
    log.error({ err }, FAULT);
    return problemResponse(PROBLEMS.internalError);
  };
  const runApp = (
    exchange: AppExchange,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    isSeen: boolean,
  ): void => {
    makeReadable(incoming);
    void getRequestListener(
      async (request, environment) => {
        exchange.request = request;
        const response = await app.fetch(request, { ...environment, [EXCHANGE]: exchange });
        if (typeof response !== 'object') throw new TypeError('a handler returned no Response');
        return exchange.finish(response);
        // A middleware can copy the request with `new Request(…)`, which only a replaced global object can.
      },
      { ...LOCAL_REQUESTS, overrideGlobalObjects: isSeen, errorHandler },
    )(incoming, outgoing);
  };

  return {
    get gateways() {
      return served.gateways;
    },
    get activeRequests() {
      return activeRequests;
    },
    replace(next, replaced) {
      served = new ServedGateways(next, upstream);
      app = next;
      direct = undefined;
      bodyRate = replaced.bodyRate ?? {};
      for (const transport of transports.clear()) {
        retired.add(transport);
        const close = () =>
          transport.close().then(
            () => retired.delete(transport),
            // The listener has ended meanwhile, and with it the transport.
            () => {},
          );
        // A request in flight can still be repeated on another connection.
        setTimeout(close, RETIRE_DELAY).unref();
      }
    },
    handle(incoming, outgoing) {
      if (incoming.rawHeaders.length > 2 * MAX_HEADER_LINES) {
        refuseHead(incoming, outgoing, PROBLEMS.headersTooLarge, 'too many header lines', log);
        return;
      }
      // Node parses the rest of what has arrived.
      if (incoming.socket.destroyed) return;
      if (!KNOWN_VERSIONS.has(incoming.httpVersion)) {
        refuseHead(incoming, outgoing, PROBLEMS.badRequest, 'unknown version', log);
        return;
      }
      const started = performance.now();
      const received = toRequestHead(incoming);
      const tracer = openTelemetry?.trace.getTracerProvider().getDelegateTracer('waygate');
      const trace =
        openTelemetry === null || tracer === undefined
          ? undefined
          : new SpanTrace(openTelemetry, tracer, received);
      const head = trace === undefined ? received : { ...received, trace };
      if (direct === undefined) direct = served.findDirect();
      let mount = direct;
      mount ??= served.find(head.method, head.target);
      // The app doesn't see it: any gateway refuses it.
      if (mount === null && !isValidHostField(fieldValue(head.headers, 'host') || 'localhost'))
        mount = served.findAny();
      const request =
        mount === null
          ? null
          : handleHead(
              mount.internals.context,
              mount.prefix === '' ? head : withoutPrefix(head, mount.prefix),
            );
      const writer = request?.kind === 'site' ? new ResponseWriter(request, outgoing, log) : undefined;
      const exchange =
        request === null || (request.kind === 'own' && request.problem === undefined)
          ? new AppExchange(head, {
              incoming,
              outgoing,
              bodyRate,
              served,
              write: (siteRequest, platform) => {
                const created = new ResponseWriter(siteRequest, outgoing, log);
                created.respond(incoming, bodyRate, platform);
                return created;
              },
            })
          : undefined;
      activeRequests += 1;
      // 'close' is emitted once, and `once` would allocate a wrapper.
      outgoing.on('close', () => {
        activeRequests -= 1;
        const duration = performance.now() - started;
        const { statusCode } = outgoing;
        const response = writer ?? exchange?.response;
        const prepared = exchange?.prepared ?? request;
        const context = mount?.internals.context ?? exchange?.gateway?.context;
        const isWritten = outgoing.writableFinished || response?.isWritten === true;
        const isCutOff = isCuttingOff && !isWritten && response?.failure === undefined;
        if (isCutOff) cutOffCount += 1;
        const failure = isCutOff ? CUT_OFF : response?.failure;
        // If the site broke off the response, the gateway closed the connection, not the client.
        const broken = FAILURE_RESPONSES[failure?.kind ?? 'client-gone'];
        const status = isWritten ? statusCode : broken.status;
        if (prepared?.kind === 'site') {
          const { traffic } = prepared.site.recorder;
          traffic.sentBytes += response?.bytes ?? 0;
          if (!isWritten && !isCutOff && outgoing.headersSent)
            traffic.addCount('broken', failure === undefined ? 'client' : 'site');
        }
        if (!isWritten) response?.abort();
        // The app records the responses of the gateway's own, but for refusals, which are written here.
        if (context !== undefined && (prepared?.kind === 'site' || prepared?.problem !== undefined)) {
          if (prepared.recordResponse === undefined) {
            context.durations.countUnresolved(head.method, status, duration);
            if (prepared.kind === 'own') prepared.recordUnresolved?.();
          } else prepared.recordResponse(status, response?.cacheStatus, duration);
        }
        const sent = outgoing.headersSent ? statusCode : isCutOff ? broken.status : null;
        if (trace !== undefined) endTrace(trace, prepared, status, response);
        const end = isWritten
          ? 'complete'
          : isCutOff
            ? 'shutdown'
            : failure === undefined
              ? 'client'
              : 'site';
        access(
          toAccessLogEntry(head, prepared, response, failure, { status, sent, end, duration }),
          head.headers,
        );
      });
      if (exchange !== undefined) {
        if (mount !== null) exchange.begin(mount.internals, request);
        runApp(exchange, incoming, outgoing, mount === null);
      } else if (request?.kind === 'own') writeOwnProblem(request, incoming, outgoing);
      else if (mount !== null) writer?.respond(incoming, bodyRate, mount.platform);
    },
    beginCutOff() {
      isCuttingOff = true;
    },
    countCutOff: () => cutOffCount,
    async close(grace) {
      const all = [...transports.values(), ...retired];
      const closed = Promise.all(all.map((transport) => transport.close()));
      const isLate = await Promise.race([closed, sleep(grace, true, { ref: false })]);
      // Refreshes in the background, for which no client waits.
      if (isLate === true) await Promise.all(all.map((transport) => transport.destroy()));
    },
  };
}

/** Node's parser takes 0.9 and 2.0 too. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Message of the log for an error of the gateway itself. */
const FAULT = 'the gateway failed to respond';

const CUT_OFF: UpstreamFailure = { kind: 'shutdown' };

/**
 * How a request becomes a `Request`, whose URL has a host. HTTP/1.0 has no such field, and load balancers send their probes so; the
 * gateway reads the host of the header section.
 *
 * @internal
 */
export const LOCAL_REQUESTS = { overrideGlobalObjects: false, hostname: 'localhost' };

/** Writes the response to a request for a site to Node's `ServerResponse`, as it arrives. */
class ResponseWriter implements ResponseSink, ResponseOutcome {
  readonly request: GatewayRequest;
  readonly #outgoing: ServerResponse;
  readonly #log: Log;
  #exchange: Exchange | undefined;
  failure: UpstreamFailure | undefined;
  cacheStatus: string | undefined;
  bytes = 0;
  isWritten = false;
  #head: ResponseHead | undefined;
  #isHeadWritten = false;

  constructor(request: GatewayRequest, outgoing: ServerResponse, log: Log) {
    this.request = request;
    this.#outgoing = outgoing;
    this.#log = log;
  }

  respond(incoming: IncomingMessage, bodyRate: BodyRate, platform: Platform<Readable>): void {
    const { request } = this;
    let body: RequestBody<Readable> | null = null;
    try {
      if (request.hasBody) {
        body = new NodeRequestBody(incoming, request.createBodyRewriter());
        watchBodyRate(incoming, bodyRate, () => this.refuse(PROBLEMS.bodyTooSlow));
      }
      this.#exchange = respondFromSite(request, body, platform, this);
    } catch (cause) {
      this.fail({ kind: 'internal', cause });
    }
  }

  abort(): void {
    try {
      this.#exchange?.abort();
    } catch (err) {
      this.#log.error({ err, requestId: this.request.requestId }, FAULT);
    }
  }

  interim(head: ResponseHead): void {
    if (this.#head === undefined) writeInterim(this.#outgoing, head);
  }

  /** The head is written with the first bytes of the body, as Node does, so that until then a failure gets a response. */
  head(head: ResponseHead): void {
    this.request.head.trace?.leave();
    this.#head = head;
    this.cacheStatus = fieldValue(head.headers, 'cache-status');
  }

  #writeHead(): void {
    if (this.#head === undefined || this.#isHeadWritten) return;
    this.#isHeadWritten = true;
    const { headers, status } = this.#head;
    const { head, limitFields, requestId, site } = this.request;
    const fields =
      site.cors === null ? headers : site.cors.replace(headers, fieldValue(head.headers, 'origin'));
    // Spread, as for a hit.
    this.#outgoing.writeHead(status, [...toNodeOrder(fields), 'X-Request-Id', requestId, ...limitFields]);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.#writeHead();
    if (!this.request.isHead) this.bytes = body.byteLength;
    this.#outgoing.end(body);
  }

  completeStored(status: number, response: RepeatedResponse, added: readonly string[]): boolean {
    const { head, limitFields, requestId, site } = this.request;
    if (site.cors !== null || limitFields.length > 0) return false;
    // Spread, since V8's `concat` takes a tenth of the time of a hit.
    const fields = [...added, 'X-Request-Id', requestId];
    if (!writeStored(this, this.#outgoing, head.httpVersion, status, response, fields)) return false;
    this.#isHeadWritten = true;
    head.trace?.leave();
    this.bytes = response.body.byteLength;
    this.cacheStatus = fieldValue(added, 'cache-status');
    return true;
  }

  write(chunk: Uint8Array): boolean {
    this.#writeHead();
    this.bytes += chunk.byteLength;
    const hasCapacity = this.#outgoing.write(chunk);
    if (!hasCapacity) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return hasCapacity;
  }

  end(): void {
    this.#writeHead();
    this.#outgoing.end();
  }

  fail(failure: UpstreamFailure): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    this.cacheStatus = failure.cacheStatus ?? this.cacheStatus;
    const { requestId } = this.request;
    if (failure.kind === 'internal') this.#log.error({ err: failure.cause, requestId }, FAULT);
    // A clean end would make an incomplete response look complete (RFC 9112 §8).
    if (this.#isHeadWritten) this.#outgoing.destroy();
    else {
      try {
        this.#writeProblem(this.request.recordFailure(failure), {});
      } catch (err) {
        this.#log.error({ err, requestId }, FAULT);
        this.#outgoing.destroy();
      }
    }
  }

  /** Ends the exchange, and the connection: the client can still be sending its request. */
  refuse(problem: Problem): void {
    this.#exchange?.abort();
    const shown = this.request.recordRefusal(problem);
    if (this.#isHeadWritten) this.#outgoing.destroy();
    else this.#writeProblem(shown, { connection: 'close' });
  }

  #writeProblem(problem: Problem, fields: Readonly<Record<string, string>>): void {
    this.#isHeadWritten = true;
    this.#head = undefined;
    const { head, site } = this.request;
    const shown = site.cors?.replaceInProblem(problem, fieldValue(head.headers, 'origin')) ?? problem;
    const bytes = writeProblem(this.#outgoing, shown, { ...fields, ...toAddedFields(this.request) });
    if (!this.request.isHead) this.bytes = bytes;
  }
}

/**
 * Moves `Content-Length` behind `Content-Disposition`. Node decodes a disposition that follows a length from UTF-8, so it sends other bytes
 * or throws (nodejs/node#46528).
 */
function toNodeOrder(fields: readonly string[]): readonly string[] {
  const length = firstFieldValue(fields, 'content-length');
  if (length === undefined || !hasField(fields, 'content-disposition')) return fields;
  return [...withoutFields(fields, LENGTH_FIELD), 'Content-Length', length];
}

const LENGTH_FIELD: ReadonlySet<string> = new Set(['content-length']);

/** Writes the problem that a request is refused with, at less cost than through the app: floods are refused so. */
function writeOwnProblem(
  request: OwnResponse,
  { rawHeaders }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { cors, problem } = request;
  if (problem === undefined) return;
  const origin = cors === undefined ? undefined : fieldValue(rawHeaders, 'origin');
  writeProblem(outgoing, cors?.replaceInProblem(problem, origin) ?? problem, toAddedFields(request));
}

/** The fields of each response of the gateway. */
function toAddedFields({
  limitFields = [],
  requestId,
}: GatewayRequest | OwnResponse): Record<string, string> {
  return { 'x-request-id': requestId, ...Object.fromEntries(toFieldPairs(limitFields)) };
}

/** Milliseconds for which the connections to sites stay open after another configuration was read. */
const RETIRE_DELAY = 30_000;

/** Maximum header lines of a request. A site or a library behind the gateway can drop more without a word. */
const MAX_HEADER_LINES = 2000;

/** Responds to a request whose head is refused before it is read. */
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

/** Converts Node's request to the head that the gateway plans by. Header lists are not copied. */
export function toRequestHead(
  incoming: Pick<IncomingMessage, 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>,
): IncomingRequestHead {
  const { httpVersion, rawHeaders, socket } = incoming;
  return toOriginForm({
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peerAddress: socket.remoteAddress ?? '',
    protocol: (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
    httpVersion,
  });
}

/** @param prefix the target begins with it */
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

const NO_ATTRIBUTES = { mount: '', operation: null, requestId: '', route: null };

function endTrace(
  trace: RequestTrace,
  prepared: PreparedRequest | null,
  status: number,
  response: ResponseOutcome | undefined,
): void {
  const match =
    prepared?.kind === 'site' && prepared.resolved.kind === 'route' ? prepared.resolved.match : null;
  const attributes = {
    'client.address': prepared?.client,
    'waygate.request_id': prepared?.requestId,
    'waygate.site': prepared?.mount,
    'waygate.operation': prepared?.operation,
    'waygate.cache': CACHE_OUTCOMES[readCacheOutcome(response?.cacheStatus)],
    'error.type': response?.failure?.kind,
  };
  trace.end(match?.kind === 'found' ? match.operation.path : null, { status, attributes });
}

/** W3C Trace Context: version, trace, parent and flags. */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

function toAccessLogEntry(
  { headers, httpVersion, method, peerAddress, target, trace }: IncomingRequestHead,
  prepared: PreparedRequest | null,
  response: ResponseOutcome | undefined,
  failure: UpstreamFailure | undefined,
  outcome: Pick<AccessLogEntry, 'status' | 'sent' | 'end' | 'duration'>,
): AccessLogEntry {
  // A route that another part of the app responds to.
  const { client, mount, operation, requestId, route } = prepared ?? {
    ...NO_ATTRIBUTES,
    client: peerAddress,
  };
  const request = prepared?.kind === 'site' ? prepared : undefined;
  const questionMark = target.indexOf('?');
  const traceparent = fieldValue(headers, 'traceparent');
  const cacheStatus = response?.cacheStatus;
  const entry = {
    time: Date.now(),
    requestId,
    client,
    method,
    path: questionMark < 0 ? target : target.slice(0, questionMark),
    query: questionMark < 0 ? '' : target.slice(questionMark),
    mount,
    route,
    operation,
    status: outcome.status,
    sent: outcome.sent,
    end: outcome.end,
    duration: Math.round(outcome.duration * 10) / 10,
    host: fieldValue(headers, 'host') ?? '',
    userAgent: fieldValue(headers, 'user-agent'),
    referer: fieldValue(headers, 'referer')?.split(/[?#]/, 1)[0],
    httpVersion,
    traceId: trace?.traceId ?? (traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1]),
    cache: CACHE_OUTCOMES[readCacheOutcome(cacheStatus)] ?? 'none',
    cacheStatus,
    bytes: response?.bytes ?? null,
    validation: request?.validation?.outcome,
    refusal: prepared?.kind === 'own' ? prepared.problem?.code : undefined,
    siteDuration: request?.siteDuration,
  };
  if (failure === undefined) return entry;
  return { ...entry, failure: failure.kind, cause: describeFailureCause(failure) };
}
