import type { ConnInfo } from 'hono/conninfo';
import type { Send, Timeouts } from '../http/exchange.ts';
import type { FetchTransport } from '../upstream/fetch.ts';
import { pumped } from '../upstream/pump.ts';
import { outcomeOf } from '../upstream/web-sink.ts';
import { perform } from './perform.ts';
import type { Plan, ProxyPlan, RequestHead } from './plan.ts';
import { problemResponse } from './problem.ts';
import { webBody } from './web-body.ts';

/** How a site is asked: made once for each origin. */
export type TransportSource = (origin: string, timeouts: Timeouts) => FetchTransport;

/** Carries plans out with what every platform has: `Request`, `Response`, web streams. */
export function createCarrier(source: TransportSource): (plan: Plan, request: Request) => Promise<Response> {
  const transports = new Map<string, Send<ReadableStream<Uint8Array>>>();
  const transportTo = ({ origin, timeouts }: ProxyPlan): Send<ReadableStream<Uint8Array>> => {
    const transport = transports.get(origin) ?? pumped(source(origin, timeouts));
    transports.set(origin, transport);
    return transport;
  };
  return async (plan, request) => {
    const response = await (plan.kind === 'proxy'
      ? relay(plan, request, transportTo(plan))
      : plan.respond(request));
    response.headers.set('x-request-id', plan.facts.requestId);
    return response;
  };
}

/** The head of a web request. Its URL has been normalised by whoever made it; nothing more is done to it here. */
export function headOf(request: Request, connection?: ConnInfo): RequestHead {
  const origin = /^(https?):\/\/[^/?#]*/i.exec(request.url);
  const headers: string[] = [];
  for (const [name, value] of request.headers) headers.push(name, value);
  // `fetch` gives a body of unknown length no framing header of its own.
  const unframed = request.body !== null && !request.headers.has('content-length');
  if (unframed && !request.headers.has('transfer-encoding')) headers.push('transfer-encoding', 'chunked');
  if (!request.headers.has('host')) headers.push('host', new URL(request.url).host);
  const target = request.url.slice(origin?.[0].length ?? 0).split('#', 1)[0] ?? '';
  return {
    method: request.method,
    target: target.startsWith('/') ? target : `/${target}`,
    headers,
    peer: connection?.remote.address ?? '',
    protocol: origin?.[1]?.toLowerCase() === 'https' ? 'https' : 'http',
    httpVersion: '1.1',
  };
}

async function relay(
  plan: ProxyPlan,
  request: Request,
  send: Send<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const body = plan.request.hasBody && request.body !== null ? webBody(request.body) : null;
  const outcome = await outcomeOf(
    (sink) => perform(plan, body, send, sink),
    request.method === 'HEAD',
    request.signal,
  );
  if (outcome.kind === 'failure') return problemResponse(plan.failure(outcome.failure));
  const { headers, reason, status } = outcome.head;
  const fields = new Headers();
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? '', headers[at + 1] ?? '');
  return new Response(outcome.body, { status, statusText: reason, headers: fields });
}
