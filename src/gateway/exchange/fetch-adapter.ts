import type { ConnInfo } from 'hono/conninfo';
import type { Dispatch, Timeouts } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { fetchAsSend } from '../../upstream/fetch-as-send.ts';
import { collectFetchOutcome } from '../../upstream/fetch-outcome-sink.ts';
import type { FetchTransport } from '../../upstream/fetch-transport.ts';
import type { ForwardPlan, Plan } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import { executePlan } from './execute-plan.ts';
import { createWebRequestBody } from './web-request-body.ts';

/** How a site is asked: made once for each origin. */
export type TransportFactory = (origin: string, timeouts: Timeouts) => FetchTransport;

/** Carries plans out with what every platform has: `Request`, `Response`, web streams. */
export function createFetchAdapter(
  source: TransportFactory,
): (plan: Plan, request: Request) => Promise<Response> {
  const transports = new Map<string, Dispatch<ReadableStream<Uint8Array>>>();
  const transportTo = ({ origin, timeouts }: ForwardPlan): Dispatch<ReadableStream<Uint8Array>> => {
    const transport = transports.get(origin) ?? fetchAsSend(source(origin, timeouts));
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
export function headOf(request: Request, connection?: ConnInfo): IncomingRequestHead {
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
  plan: ForwardPlan,
  request: Request,
  send: Dispatch<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const body = plan.request.hasBody && request.body !== null ? createWebRequestBody(request.body) : null;
  const outcome = await collectFetchOutcome(
    (sink) => executePlan(plan, body, send, sink),
    request.method === 'HEAD',
    request.signal,
  );
  if (outcome.kind === 'failure') return problemResponse(plan.failure(outcome.failure));
  const { headers, reason, status } = outcome.head;
  const fields = new Headers();
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? '', headers[at + 1] ?? '');
  return new Response(outcome.body, { status, statusText: reason, headers: fields });
}
