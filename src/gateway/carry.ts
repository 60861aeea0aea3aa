import type { ConnInfo } from 'hono/conninfo';
import { BODILESS } from '../http/status.ts';
import type { Timeouts } from '../upstream/exchange.ts';
import type { FetchTransport } from '../upstream/fetch.ts';
import type { BodyRewriter } from '../upstream/rewrite.ts';
import type { Plan, ProxyPlan, RequestHead } from './plan.ts';
import { problemResponse } from './problem.ts';

/** How a site is asked: made once for each origin. */
export type TransportSource = (origin: string, timeouts: Timeouts) => FetchTransport;

/** Carries plans out with what every platform has: `Request`, `Response`, web streams. */
export function createCarrier(source: TransportSource): (plan: Plan, request: Request) => Promise<Response> {
  const transports = new Map<string, FetchTransport>();
  const transportTo = ({ origin, timeouts }: ProxyPlan): FetchTransport => {
    const transport = transports.get(origin) ?? source(origin, timeouts);
    transports.set(origin, transport);
    return transport;
  };
  return async (plan, request) => {
    if (plan.kind === 'proxy') return relay(plan, request, transportTo(plan));
    const response = await plan.respond();
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

async function relay(plan: ProxyPlan, request: Request, transport: FetchTransport): Promise<Response> {
  const { hasBody, ...sent } = plan.request;
  const outcome = await transport.send({ ...sent, body: hasBody ? request.body : null }, request.signal);
  if (outcome.kind === 'failure') return problemResponse(plan.failure(outcome.failure));
  const { headers, rewrite } = plan.answer(outcome.head);
  const fields = new Headers();
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? '', headers[at + 1] ?? '');
  const { status, reason } = outcome.head;
  const body =
    outcome.body === null || rewrite === undefined
      ? outcome.body
      : outcome.body.pipeThrough(through(rewrite));
  return new Response(BODILESS.has(status) ? null : body, { status, statusText: reason, headers: fields });
}

function through(rewrite: BodyRewriter): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      const changed = rewrite.write(chunk);
      if (changed.byteLength > 0) controller.enqueue(changed);
    },
    flush(controller) {
      const rest = rewrite.end();
      if (rest.byteLength > 0) controller.enqueue(rest);
    },
  });
}
