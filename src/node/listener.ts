import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { executePlan } from '../gateway/exchange/execute-plan.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Plan, ForwardPlan, RequestAttributes } from '../gateway/plan/plan.ts';
import type { UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import type { IncomingRequestHead } from '../http/request-head.ts';
import { type Log, silentLog } from '../ports.ts';
import { createDispatchTransport, type DispatchTransport } from '../upstream/dispatch-transport.ts';
import { createNodeRequestBody } from './request-body.ts';
import { ResponseWriter } from './response-writer.ts';

export interface ListenerOptions {
  /** Hears of what goes wrong, and, where nothing else is given for that, of each request. @default nothing is logged */
  readonly log?: Log;
  /** Hears of each request, when it is over. @default a line of `log` */
  readonly access?: (entry: AccessLogEntry) => void;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly stopwatch?: () => number;
}

/** What an access log says of a request. */
export interface AccessLogEntry extends RequestAttributes {
  /** When it was over, in milliseconds since the epoch. */
  readonly time: number;
  readonly method: string | undefined;
  /** As it came, without the query, which may hold passwords and nonces. */
  readonly path: string;
  /** 499 where the caller left before the answer was whole. */
  readonly status: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Why the site gave no answer, or only a part of one. */
  readonly failure?: UpstreamFailure['kind'];
  /** …in the words of the system, which may name hosts and ports. */
  readonly cause?: string | undefined;
}

export interface NodeListener {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Closes the connections to all sites, once what is under way is done. */
  close(): Promise<void>;
}

/** Sends what goes to a site through undici's `dispatch`, and everything else to the Hono app. */
export function createListener(gateway: Gateway, options: ListenerOptions = {}): NodeListener {
  const { log = silentLog, stopwatch = () => performance.now() } = options;
  // A log has times of its own.
  const { access = ({ time: _, ...entry }: AccessLogEntry) => log.info(entry, 'request') } = options;
  const transports = new Map<string, DispatchTransport>();
  const plans = new WeakMap<object, Plan>();
  const app = getRequestListener(
    (request, { incoming }) => {
      const plan = plans.get(incoming);
      return gateway.fetch(request, plan === undefined ? {} : { plan });
    },
    { overrideGlobalObjects: false },
  );

  function getTransport({ origin, timeouts }: ForwardPlan): DispatchTransport {
    const known = transports.get(origin);
    if (known !== undefined) return known;
    const made = createDispatchTransport({ origin, timeouts });
    transports.set(origin, made);
    return made;
  }

  return {
    handle(incoming, outgoing) {
      const started = stopwatch();
      const plan = gateway.plan(toRequestHead(incoming));
      let writer: ResponseWriter | undefined;
      // It comes once. `once` would wrap it.
      outgoing.on('close', () => {
        writer?.onConnectionClose();
        const failure = writer?.failure;
        if (writer !== undefined) gateway.count(plan.facts.mount, outgoing.statusCode, writer.cacheStatus);
        access(
          toAccessLogEntry(incoming, outgoing, {
            facts: plan.facts,
            failure,
            duration: stopwatch() - started,
          }),
        );
      });
      if (plan.kind === 'proxy') {
        writer = new ResponseWriter(plan, outgoing);
        const body = plan.request.hasBody ? createNodeRequestBody(incoming) : null;
        writer.attach(executePlan(plan, body, getTransport(plan).send, writer));
        return;
      }
      plans.set(incoming, plan);
      void app(incoming, outgoing);
    },
    async close() {
      await Promise.all(Array.from(transports.values(), (transport) => transport.close()));
    },
  };
}

export function toRequestHead(incoming: IncomingMessage): IncomingRequestHead {
  const { httpVersion, rawHeaders, socket } = incoming;
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peer: socket.remoteAddress ?? '',
    protocol: (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
    httpVersion,
  };
}

/** HTTP/1.0 has no `Host`; the site's addresses have to become some address of the gateway all the same. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}

interface RequestOutcome {
  readonly facts: RequestAttributes;
  readonly failure: UpstreamFailure | undefined;
  readonly duration: number;
}

function toAccessLogEntry(
  { method, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { facts, failure, duration }: RequestOutcome,
): AccessLogEntry {
  const { client, mount, operation, requestId, route } = facts;
  const mark = url.indexOf('?');
  const entry = {
    time: Date.now(),
    requestId,
    client,
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    mount,
    route,
    operation,
    // An answer that the site broke off was cut here, not by the caller.
    status: outgoing.writableFinished || failure !== undefined ? outgoing.statusCode : 499,
    duration: Math.round(duration * 10) / 10,
  };
  return failure === undefined ? entry : { ...entry, failure: failure.kind, cause: describeCause(failure) };
}

function describeCause({ cause }: UpstreamFailure): string | undefined {
  return cause instanceof Error ? cause.message : undefined;
}
