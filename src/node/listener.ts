import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import type { Gateway } from '../gateway/index.ts';
import { perform } from '../gateway/perform.ts';
import type { Plan, ProxyPlan, RequestFacts, RequestHead } from '../gateway/plan.ts';
import type { UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import { type Log, silentLog } from '../ports.ts';
import { type DispatchTransport, dispatchTransport } from '../upstream/dispatch.ts';
import { Relay } from './relay.ts';
import { requestBody } from './request-body.ts';

export interface ListenerOptions {
  /** Hears of what goes wrong, and, where nothing else is given for that, of each request. @default nothing is logged */
  readonly log?: Log;
  /** Hears of each request, when it is over. @default a line of `log` */
  readonly access?: (entry: AccessEntry) => void;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly stopwatch?: () => number;
}

/** What an access log says of a request. */
export interface AccessEntry extends RequestFacts {
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

export interface Listener {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Closes the connections to all sites, once what is under way is done. */
  close(): Promise<void>;
}

/** Sends what goes to a site through undici's `dispatch`, and everything else to the Hono app. */
export function createListener(gateway: Gateway, options: ListenerOptions = {}): Listener {
  const { log = silentLog, stopwatch = () => performance.now() } = options;
  // A log has times of its own.
  const { access = ({ time: _, ...entry }: AccessEntry) => log.info(entry, 'request') } = options;
  const transports = new Map<string, DispatchTransport>();
  const plans = new WeakMap<object, Plan>();
  const app = getRequestListener(
    (request, { incoming }) => {
      const plan = plans.get(incoming);
      return gateway.fetch(request, plan === undefined ? {} : { plan });
    },
    { overrideGlobalObjects: false },
  );

  function transportTo({ origin, timeouts }: ProxyPlan): DispatchTransport {
    const known = transports.get(origin);
    if (known !== undefined) return known;
    const made = dispatchTransport({ origin, timeouts });
    transports.set(origin, made);
    return made;
  }

  return {
    handle(incoming, outgoing) {
      const started = stopwatch();
      const plan = gateway.plan(headOf(incoming));
      let relay: Relay | undefined;
      // It comes once. `once` would wrap it.
      outgoing.on('close', () => {
        relay?.close();
        const failure = relay?.failure;
        if (relay !== undefined) gateway.count(plan.facts.mount, outgoing.statusCode, relay.cacheStatus);
        access(entryOf(incoming, outgoing, { facts: plan.facts, failure, duration: stopwatch() - started }));
      });
      if (plan.kind === 'proxy') {
        relay = new Relay(plan, outgoing);
        const body = plan.request.hasBody ? requestBody(incoming) : null;
        relay.begin(perform(plan, body, transportTo(plan).send, relay));
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

export function headOf(incoming: IncomingMessage): RequestHead {
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

interface Outcome {
  readonly facts: RequestFacts;
  readonly failure: UpstreamFailure | undefined;
  readonly duration: number;
}

function entryOf(
  { method, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { facts, failure, duration }: Outcome,
): AccessEntry {
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
  return failure === undefined ? entry : { ...entry, failure: failure.kind, cause: causeOf(failure) };
}

function causeOf({ cause }: UpstreamFailure): string | undefined {
  return cause instanceof Error ? cause.message : undefined;
}
