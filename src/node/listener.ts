import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import type { Gateway } from '../gateway/index.ts';
import type { Plan, ProxyPlan, RequestFacts, RequestHead } from '../gateway/plan.ts';
import { type Log, silentLog } from '../gateway/ports.ts';
import { type DispatchTransport, dispatchTransport } from '../upstream/dispatch.ts';
import { Relay } from './relay.ts';

export interface ListenerOptions {
  /** Gets one line a request, when it is over. @default nothing is logged */
  readonly log?: Log;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly stopwatch?: () => number;
}

export interface Listener {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Closes the connections to all sites, once what is under way is done. */
  close(): Promise<void>;
}

/** Sends what goes to a site through undici's `dispatch`, and everything else to the Hono app. */
export function createListener(gateway: Gateway, options: ListenerOptions = {}): Listener {
  const { log = silentLog, stopwatch = () => performance.now() } = options;
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
      outgoing.once('close', () => {
        relay?.close();
        logRequest(log, incoming, outgoing, plan.facts, stopwatch() - started);
      });
      if (plan.kind === 'proxy') {
        relay = Relay.start(plan, incoming, outgoing, transportTo(plan));
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
  const { socket } = incoming;
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: incoming.rawHeaders,
    peer: socket.remoteAddress ?? '',
    protocol: (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
    httpVersion: incoming.httpVersion,
  };
}

function logRequest(
  log: Log,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  facts: RequestFacts,
  milliseconds: number,
): void {
  const { client, mount, operation, requestId, route } = facts;
  const { method, url = '' } = incoming;
  const mark = url.indexOf('?');
  log.info(
    {
      requestId,
      client,
      method,
      // The query may hold passwords and nonces, so only the path is written down.
      path: mark < 0 ? url : url.slice(0, mark),
      mount,
      route,
      operation,
      status: outgoing.writableFinished ? outgoing.statusCode : 499,
      duration: Math.round(milliseconds * 10) / 10,
    },
    'request',
  );
}
