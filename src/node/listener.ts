import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { problemBody, problemHeaders } from '../gateway/exchange/problem.ts';
import { getGatewayInternals } from '../gateway/gateway.ts';
import type { GatewayRequest } from '../gateway/gateway-request.ts';
import { type Platform, respondFromSite } from '../gateway/handle.ts';
import type { Gateway, RequestAttributes } from '../gateway/index.ts';
import type { UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import type { IncomingRequestHead } from '../http/request-head.ts';
import { type Log, silentLog } from '../ports.ts';
import { describeFailureCause } from '../upstream/failures.ts';
import { TransportMap } from '../upstream/transport-map.ts';
import { BODY_TOO_SLOW, type BodyRate, watchBodyRate } from './body-rate.ts';
import { HEADERS_TOO_LARGE } from './client-errors.ts';
import { createNodeTransport } from './platform.ts';
import { createNodeRequestBody } from './request-body.ts';
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
  const { bodyMemory, countResponse, handleHead, respondLocally } = getGatewayInternals(gateway);
  const transports = new TransportMap(createNodeTransport);
  const platform: Platform<Readable> = { getDispatch: (target) => transports.get(target).send, bodyMemory };

  /** Relays the response to a request for a site, and counts it. */
  function relay(
    request: GatewayRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): ResponseWriter {
    const writer = new ResponseWriter(request, outgoing);
    const body = request.hasBody ? createNodeRequestBody(incoming, request.createBodyRewriter()) : null;
    if (body !== null) watchBodyRate(incoming, bodyRate, () => writer.reject(BODY_TOO_SLOW));
    writer.attach(respondFromSite(request, body, platform, writer));
    return writer;
  }

  return {
    handle(incoming, outgoing) {
      if (incoming.rawHeaders.length > 2 * MAX_HEADER_LINES) {
        refuseHead(incoming, outgoing, log);
        return;
      }
      const started = monotonicNow();
      const request = handleHead(toRequestHead(incoming));
      let writer: ResponseWriter | undefined;
      // 'close' is emitted once, and `once` would allocate a wrapper.
      outgoing.on('close', () => {
        const duration = monotonicNow() - started;
        if (writer !== undefined) {
          writer.onConnectionClose();
          countResponse(request, outgoing.statusCode, writer.cacheStatus, duration);
        }
        access(toAccessLogEntry(incoming, outgoing, request, writer?.failure, duration));
      });
      if (request.kind === 'site') {
        writer = relay(request, incoming, outgoing);
        return;
      }
      watchBodyRate(incoming, bodyRate, () => incoming.destroy());
      void getRequestListener((webRequest) => respondLocally(request, webRequest), {
        overrideGlobalObjects: false,
      })(incoming, outgoing);
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

function toAccessLogEntry(
  { method, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { client, mount, operation, requestId, route }: RequestAttributes,
  failure: UpstreamFailure | undefined,
  duration: number,
): AccessLogEntry {
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
