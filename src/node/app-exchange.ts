import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { PROBLEMS, problemBody, problemResponse } from '../exchange/problem.ts';
import { toWebResponse } from '../gateway/fetch-adapter.ts';
import type { GatewayRequest } from '../gateway/gateway-request.ts';
import { type Platform, respondFromSite } from '../gateway/handle.ts';
import { createSentResponse, ServerExchange } from '../gateway/server-exchange.ts';
import type { IncomingRequestHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import { readChunks } from '../http/web-streams.ts';
import { collectFetchOutcome } from '../upstream/fetch-outcome-sink.ts';
import { writeInterim } from './interim-responses.ts';
import { type BodyRate, NodeRequestBody, watchBodyRate } from './request-body.ts';
import type { ServedGateways } from './served-gateways.ts';

/** Outcome of a site's response. */
export interface ResponseOutcome {
  /** Whether a stored response was written to its end, around Node's message. */
  readonly isWritten: boolean;
  /** Why the response is missing or incomplete. */
  failure: UpstreamFailure | undefined;
  /** The response's `Cache-Status` (RFC 9211). */
  cacheStatus: string | undefined;
  /** Bytes of the content that was written, without codings of the transfer. */
  bytes: number;
  /** The client closed the connection before the end of the response. */
  abort(): void;
}

interface ExchangeParts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly bodyRate: BodyRate;
  readonly served: ServedGateways;
  /** Writes the response of a site to `outgoing`. */
  readonly write: (request: GatewayRequest, platform: Platform<Readable>) => ResponseOutcome;
}

/** A message whose request is handed to the app. */
export class AppExchange extends ServerExchange {
  response: ResponseOutcome | undefined;
  readonly #parts: ExchangeParts;
  #isFetched = false;

  constructor(head: IncomingRequestHead, parts: ExchangeParts) {
    super(head, parts.incoming.rawHeaders);
    this.#parts = parts;
  }

  get #platform(): Platform<Readable> {
    if (this.gateway === null) throw new TypeError('No gateway has prepared the request.');
    return this.#parts.served.toPlatform(this.gateway);
  }

  callApp(request: Request, environment: object): Response | Promise<Response> {
    return this.#parts.served.app.fetch(request, environment);
  }

  watchContent(): void {
    const { bodyRate, incoming } = this.#parts;
    watchBodyRate(incoming, bodyRate, () => incoming.destroy());
  }

  write(request: GatewayRequest): Promise<void> {
    const { outgoing, write } = this.#parts;
    return new Promise((resolve) => {
      outgoing.on('close', resolve);
      this.response = write(request, this.#platform);
    });
  }

  /** Writes the app's response if it is of a site; `@hono/node-server` writes others. */
  async finish(response: Response): Promise<Response> {
    if (!this.#isFetched) return response;
    await writeResponse(response, this.#parts.outgoing);
    return createSentResponse();
  }

  fetch(request: GatewayRequest, received: Request): Promise<Response> {
    const { bodyRate, incoming, outgoing } = this.#parts;
    const left = new AbortController();
    const response: ResponseOutcome = {
      isWritten: false,
      failure: undefined,
      cacheStatus: undefined,
      bytes: 0,
      abort: () => left.abort(),
    };
    this.response = response;
    this.#isFetched = true;
    // Nobody has begun to read the content: the app's request has a stream of its own, which does so.
    const isReceived = received === this.request && incoming.readableFlowing === null;
    const read = (): Readable | null =>
      received.body && Readable.from(readChunks(received.body), { objectMode: false });
    const message = isReceived && request.hasBody ? incoming : null;
    const content = message ?? (request.hasBody && !isReceived ? read() : null);
    const body = content === null ? null : new NodeRequestBody(content, request.createBodyRewriter());
    return new Promise((resolve) => {
      if (message !== null) {
        watchBodyRate(message, bodyRate, () => {
          request.recordRefusal(PROBLEMS.bodyTooSlow);
          resolve(problemResponse({ ...PROBLEMS.bodyTooSlow, headers: { connection: 'close' } }));
          left.abort();
        });
      }
      void collectFetchOutcome(
        (sink) => respondFromSite(request, body, this.#platform, observe(sink, response, outgoing)),
        request.isHead,
        left.signal,
      ).then((outcome) => {
        if (outcome.kind === 'response') resolve(toWebResponse(outcome.head, outcome.body));
        else if (left.signal.aborted) resolve(problemResponse(PROBLEMS.internalError));
        else {
          const problem = request.recordFailure(outcome.failure);
          if (!request.isHead) response.bytes = Buffer.byteLength(problemBody(problem));
          resolve(problemResponse(problem));
        }
      });
    });
  }
}

/**
 * Writes a response as it is. `@hono/node-server` adds a `Content-Type`, encodes a head that it flushes as UTF-8, and prints the error of
 * content whose client has left. Resolves when the message is closed.
 */
function writeResponse({ body, headers, status }: Response, outgoing: ServerResponse): Promise<void> {
  const reader = body?.getReader();
  const pump = async (): Promise<void> => {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      if (!outgoing.write(read.value)) await new Promise<void>((resolve) => outgoing.once('drain', resolve));
    }
    outgoing.end();
  };
  return new Promise((resolve) => {
    outgoing.on('close', () => {
      reader?.cancel().catch(() => {});
      resolve();
    });
    outgoing.writeHead(status, [...headers].flat());
    // A clean end would make an incomplete response look complete (RFC 9112 §8).
    pump().catch(() => outgoing.destroy());
  });
}

/** Notes what the log tells about a response, and forwards interim responses. */
function observe(sink: ResponseSink, response: ResponseOutcome, outgoing: ServerResponse): ResponseSink {
  let hasHead = false;
  return {
    interim: (head) => writeInterim(outgoing, head),
    head(head) {
      hasHead = true;
      response.cacheStatus = fieldValue(head.headers, 'cache-status');
      sink.head(head);
    },
    write(chunk) {
      response.bytes += chunk.byteLength;
      return sink.write(chunk);
    },
    end: (trailers) => sink.end(trailers),
    fail(failure) {
      response.failure = failure;
      response.cacheStatus = failure.cacheStatus ?? response.cacheStatus;
      // A clean end would make an incomplete response look complete (RFC 9112 §8).
      if (hasHead) outgoing.destroy();
      sink.fail(failure);
    },
  };
}
