import { problemResponse } from '../exchange/problem.ts';
import type { BodyMemory } from '../exchange/request-body-validator.ts';
import { createWebRequestBody, ENCODED } from '../exchange/web-request.ts';
import { transformChunks } from '../http/chunks.ts';
import type { Dispatch, ResponseHead } from '../http/exchange.ts';
import { toFieldPairs } from '../http/fields.ts';
import { createPullStream, readChunks } from '../http/web-streams.ts';
import type { TransportFactory } from '../site/options/gateway-options.ts';
import { collectFetchOutcome } from '../upstream/fetch-outcome-sink.ts';
import { TransportMap } from '../upstream/site-connections.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { GatewayUpstream } from './gateway-upstream.ts';
import { type Platform, respondFromSite } from './handle.ts';

type ByteStream = ReadableStream<Uint8Array>;

/** The exchanges with sites. */
interface Exchanges {
  /** The number of the last one. */
  last: number;
  /** The ends of those that have not ended, by their numbers. */
  readonly open: Map<number, Promise<void>>;
}

/** Creates the platform of `Request`, `Response` and web streams, which runs anywhere. */
export function createFetchPlatform(
  createTransport: TransportFactory,
  bodyMemory: BodyMemory,
): Platform<ByteStream> & { readonly exchanges: Readonly<Exchanges> } {
  const exchanges: Exchanges = { last: 0, open: new Map() };
  const transports = new TransportMap<Dispatch<ByteStream>>(({ origin, timeouts, tls }) =>
    keepOpen(createTransport(origin, timeouts, tls), exchanges),
  );
  return { upstream: new GatewayUpstream((target) => transports.get(target)), bodyMemory, exchanges };
}

/** Keeps a promise for each exchange until the exchange has ended. */
function keepOpen(transport: Dispatch<ByteStream>, exchanges: Exchanges): Dispatch<ByteStream> {
  return (request, sink) => {
    let settle = (): void => {};
    const ended = new Promise<void>((resolve) => {
      settle = resolve;
    });
    exchanges.last += 1;
    const { last: number, open } = exchanges;
    open.set(number, ended);
    void ended.then(() => open.delete(number));
    const exchange = transport(request, {
      interim: (head) => sink.interim?.(head),
      head: (head) => sink.head(head),
      write: (chunk) => sink.write(chunk),
      end(trailers) {
        sink.end(trailers);
        settle();
      },
      fail(failure) {
        sink.fail(failure);
        settle();
      },
    });
    return {
      resume: () => exchange.resume(),
      abort() {
        exchange.abort();
        settle();
      },
    };
  };
}

/** Responds to a request for a site with a `Response`. */
export async function fetchFromSite(
  handled: GatewayRequest,
  request: Request,
  platform: Platform<ByteStream>,
): Promise<Response> {
  const rewriter = handled.createBodyRewriter();
  // The rewriter comes first: everything else reads what the site gets.
  const rewrite = (stream: ByteStream): ByteStream =>
    rewriter === undefined
      ? stream
      : createPullStream(transformChunks(readChunks(stream), rewriter.write, rewriter.end));
  const hasBody = handled.hasBody && request.body !== null;
  const body = hasBody ? createWebRequestBody(rewrite(request.body)) : null;
  const outcome = await collectFetchOutcome(
    (sink) => respondFromSite(handled, body, platform, sink),
    request.method === 'HEAD',
    request.signal,
  );
  if (outcome.kind === 'failure') return problemResponse(handled.recordFailure(outcome.failure));
  return toWebResponse(outcome.head, outcome.body);
}

/** Creates the `Response` of a site. It has no status above 599: those count as one of the class 5xx (RFC 9110 §15). */
export function toWebResponse({ headers, reason, status }: ResponseHead, body: ByteStream | null): Response {
  const init = { status: status > 599 ? 500 : status, statusText: reason, headers: toFieldPairs(headers) };
  return new Response(body, { ...init, ...ENCODED });
}
