import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { getGatewayInternals } from '../gateway/app/gateway-internals.ts';
import { executePlan } from '../gateway/exchange/execute-plan.ts';
import type { Gateway } from '../gateway/index.ts';
import type { RequestAttributes, RequestPlan } from '../gateway/plan/plan.ts';
import { problemBody, problemHeaders } from '../gateway/plan/problem.ts';
import type { UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import type { IncomingRequestHead } from '../http/request-head.ts';
import { type Log, silentLog } from '../ports.ts';
import { describeFailureCause } from '../upstream/failures.ts';
import { TransportMap } from '../upstream/transport-map.ts';
import { BODY_TOO_SLOW, type BodyRate, watchBodyRate } from './body-rate.ts';
import { HEADERS_TOO_LARGE } from './client-errors.ts';
import { createNodeTransport } from './platform.ts';
import { createNodeRequestBody, rewriteNodeStream } from './request-body.ts';
import { ResponseWriter } from './response-writer.ts';

/** Logging and time measurement of a Node listener. */
export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a request is complete. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry) => void;
  /** Returns the milliseconds of a monotonic clock. @default performance.now */
  readonly monotonicNow?: () => number;
  /** Rate at which request bodies must arrive. A slower request gets a 408. */
  readonly bodyRate?: BodyRate;
}

/** One line of the access log. */
export interface AccessLogEntry extends RequestAttributes {
  /** Time of completion, in milliseconds since the epoch. */
  readonly time: number;
  readonly method: string | undefined;
  /** Raw path, without the query, which may contain passwords and nonces. */
  readonly path: string;
  /** 499 if the client left before the response was complete. */
  readonly status: number;
  /** Milliseconds from the request head to completion. */
  readonly duration: number;
  /** Why the site's response is missing or incomplete. */
  readonly failure?: UpstreamFailure['kind'];
  /** Message of the underlying error; may name hosts and ports. */
  readonly cause?: string | undefined;
}

/** A request listener for `node:http`. */
export interface NodeListener {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Closes the connections to all sites after the requests in flight. */
  close(): Promise<void>;
}

/** Creates a listener that forwards proxied requests through undici's `dispatch`. The Hono app handles all others. */
export function createListener(gateway: Gateway, options: ListenerOptions = {}): NodeListener {
  const { bodyRate = {}, log = silentLog, monotonicNow = () => performance.now() } = options;
  // Loggers add their own time.
  const { access = ({ time: _, ...entry }: AccessLogEntry) => log.info(entry, 'request') } = options;
  const { bodyMemory, countResponse, fetchPlanned, planRequest } = getGatewayInternals(gateway);
  const transports = new TransportMap(createNodeTransport);
  const plans = new WeakMap<object, RequestPlan>();
  const app = getRequestListener(
    (request, { incoming }) => {
      const plan = plans.get(incoming);
      return plan === undefined ? gateway.fetch(request) : fetchPlanned(request, plan);
    },
    { overrideGlobalObjects: false },
  );

  return {
    handle(incoming, outgoing) {
      if (incoming.rawHeaders.length > 2 * MAX_HEADER_LINES) {
        refuseHead(incoming, outgoing, log);
        return;
      }
      const started = monotonicNow();
      const plan = planRequest(toRequestHead(incoming));
      let writer: ResponseWriter | undefined;
      // 'close' is emitted once, and `once` would allocate a wrapper.
      outgoing.on('close', () => {
        writer?.onConnectionClose();
        const failure = writer?.failure;
        const duration = monotonicNow() - started;
        if (writer !== undefined) countResponse(plan, outgoing.statusCode, writer.cacheStatus, duration);
        access(toAccessLogEntry(incoming, outgoing, { attributes: plan.attributes, failure, duration }));
      });
      if (plan.kind === 'forward') {
        writer = new ResponseWriter(plan, outgoing);
        const rewriter = plan.createRequestBodyRewriter?.();
        const source = rewriter === undefined ? incoming : rewriteNodeStream(incoming, rewriter);
        const { hasBody } = plan.upstreamRequest;
        const body = hasBody ? createNodeRequestBody(source) : null;
        if (hasBody) watchBodyRate(incoming, bodyRate, () => writer?.reject(BODY_TOO_SLOW));
        writer.attach(executePlan(plan, body, { dispatch: transports.get(plan).send, bodyMemory }, writer));
        return;
      }
      plans.set(incoming, plan);
      watchBodyRate(incoming, bodyRate, () => incoming.destroy());
      void app(incoming, outgoing);
    },
    async close() {
      await Promise.all(transports.values().map((transport) => transport.close()));
    },
  };
}

/** Maximum header lines of a request. A site or a library behind the gateway may drop more without a word. */
const MAX_HEADER_LINES = 2000;

/** Responds to a request whose head is refused before it is read. */
function refuseHead({ socket }: IncomingMessage, outgoing: ServerResponse, log: Log): void {
  const { status } = HEADERS_TOO_LARGE;
  log.info({ client: socket.remoteAddress ?? '', status, cause: 'too many header lines' }, 'invalid request');
  const body = problemBody(HEADERS_TOO_LARGE);
  const fields = { 'content-length': Buffer.byteLength(body), connection: 'close' };
  outgoing.writeHead(status, { ...problemHeaders(HEADERS_TOO_LARGE), ...fields }).end(body);
}

/** Converts Node's request to the head that the gateway plans by. Header lists are not copied. */
export function toRequestHead(
  incoming: Pick<IncomingMessage, 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>,
): IncomingRequestHead {
  const { httpVersion, rawHeaders, socket } = incoming;
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peerAddress: socket.remoteAddress ?? '',
    protocol: (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
    httpVersion,
  };
}

/** Adds a `Host` from the local address: HTTP/1.0 requests may have none, and URL rewriting needs one. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}

interface RequestOutcome {
  readonly attributes: RequestAttributes;
  readonly failure: UpstreamFailure | undefined;
  readonly duration: number;
}

function toAccessLogEntry(
  { method, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { attributes, failure, duration }: RequestOutcome,
): AccessLogEntry {
  const { client, mount, operation, requestId, route } = attributes;
  const questionMark = url.indexOf('?');
  const entry = {
    time: Date.now(),
    requestId,
    client,
    method,
    path: questionMark < 0 ? url : url.slice(0, questionMark),
    mount,
    route,
    operation,
    // If the site broke off the response, the gateway closed the connection, not the client.
    status: outgoing.writableFinished || failure !== undefined ? outgoing.statusCode : 499,
    duration: Math.round(duration * 10) / 10,
  };
  return failure === undefined
    ? entry
    : { ...entry, failure: failure.kind, cause: describeFailureCause(failure) };
}
