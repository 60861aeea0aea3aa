import { MAX_BODY_BYTES } from '../../../gateway/admin/admin-app.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../../gateway/exchange/problem.ts';
import type { AdminHandler, Log } from '../../../gateway/index.ts';
import type { IncomingRequestHead } from '../../../http/exchange.ts';
import { readAll } from '../../../http/web-streams.ts';
import type {
  Channel,
  ForwardedFields,
  ForwardedRequest,
  ForwardedResponse,
  PrimaryExchanges,
  WorkerExchanges,
} from './messages.ts';

const BODY_TOO_LARGE: Problem = {
  status: 413,
  code: 'gateway_body_too_large',
  message: 'The body of a request below /-/ may have at most 1 MiB.',
};

/** Lets the primary process respond to a request below `/-/` that a worker has received. */
export async function forwardRequest(
  channel: Channel<WorkerExchanges, PrimaryExchanges>,
  request: Request,
  head: IncomingRequestHead,
): Promise<Response> {
  const body = request.body === null ? null : await readAll(request.body, MAX_BODY_BYTES);
  if (request.body !== null && body === null) return problemResponse(BODY_TOO_LARGE, request.method);
  const { headers, method, url } = request;
  const response = await channel.call('request', { method, url, headers: [...headers], body, head });
  if (response === undefined) return problemResponse(PROBLEMS.internalError, request.method);
  const { content, status } = response;
  return new Response(content && new Uint8Array(content), { status, headers: toFields(response.headers) });
}

/** Responds in the primary process to a request that a worker has forwarded. The content is in memory as a whole anyway. */
export async function respondToForwarded(
  { body, head, headers, method, url }: ForwardedRequest,
  respond: AdminHandler,
  log: Log,
): Promise<ForwardedResponse> {
  const request = new Request(url, {
    method,
    headers: toFields(headers),
    body: body === null ? null : new Uint8Array(body),
  });
  try {
    return await toForwarded(await respond(request, head));
  } catch (error) {
    log.error({ err: error }, 'the gateway failed to respond');
    return toForwarded(problemResponse(PROBLEMS.internalError, method));
  }
}

async function toForwarded(response: Response): Promise<ForwardedResponse> {
  const content = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: [...response.headers], content };
}

function toFields(headers: ForwardedFields): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}
