import { describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../src/exchange/problem.ts';
import type { RequestBody, RequestBodyValidator } from '../../src/exchange/request-body-validator.ts';
import { BodyMemory, ValidatedExchange } from '../../src/exchange/request-body-validator.ts';
import {
  type RelayedRequest,
  type ResponseObserver,
  ResponseRelay,
} from '../../src/exchange/response-relay.ts';
import { createWebRequestBody } from '../../src/exchange/web-request.ts';
import type { Dispatch, Exchange, ResponseSink } from '../../src/http/exchange.ts';
import { NodeRequestBody } from '../../src/node/request-body.ts';
import { systemClock } from '../../src/ports.ts';
import { DispatchTransport } from '../../src/upstream/dispatch-transport.ts';
import { SiteConcurrency } from '../../src/upstream/site-connections.ts';
import { startServer } from '../support/server.ts';
import { CollectingSink, type TestResponse } from '../upstream/support/test-transports.ts';

const REFUSED: Problem = { status: 400, code: 'rest_invalid_param', message: 'no' };
const TOO_LONG: Problem = { status: 413, code: 'too_long', message: 'no' };

/** Functions that send a body through a Node request or a web stream. */
const BODIES = {
  'a Node request': sendThroughNode,
  'a web stream': (chunks: readonly Uint8Array[], changes: Changes) => sendThroughWebStream(chunks, changes),
};

interface Changes {
  readonly bodyValidator?: RequestBodyValidator;
  readonly bodyMemory?: BodyMemory;
  readonly observers?: readonly ResponseObserver[];
}

/** The response that the client received, and the number of requests that reached the echo site. */
interface TestExchange {
  readonly response: TestResponse;
  readonly requestCount: number;
}

async function echoSite(): Promise<{ readonly origin: string; requestCount(): number }> {
  let requestCount = 0;
  const { close, origin } = await startServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requestCount += 1;
      response.end(Buffer.concat(chunks));
    });
  });
  onTestFinished(close);
  return { origin, requestCount: () => requestCount };
}

const REQUEST: RelayedRequest = {
  isHead: false,
  client: '192.0.2.1',
  now: Date.now,
  toRelayedHead: ({ headers }) => ({ headers: [...headers] }),
  recordUpstream() {},
  recordUpstreamFailure() {},
};

/** Forwards a request with a body that may be validated. */
function exchange<Stream>(
  body: RequestBody<Stream>,
  { bodyValidator, bodyMemory = new BodyMemory(), observers = [] }: Changes,
  dispatch: Dispatch<Stream>,
  sink: ResponseSink,
): void {
  const forward = (sent: Stream | Uint8Array, releasing: readonly ResponseObserver[]): Exchange => {
    const all = [...observers, ...releasing];
    const relay = new ResponseRelay<Stream>(REQUEST, all, undefined, sink);
    const request = { method: 'POST', target: '/', headers: [], body: sent, retryable: false };
    relay.start(undefined, new SiteConcurrency({}, systemClock), true, dispatch, request);
    return relay;
  };
  if (bodyValidator === undefined) forward(body.stream, []);
  else {
    const request = { client: '', recordRefusal: (problem: Problem) => problem };
    new ValidatedExchange<Stream>(request, bodyMemory, sink, (sent, releasing) =>
      forward(sent, [releasing]),
    ).start(bodyValidator, body);
  }
}

async function sendThroughNode(chunks: readonly Uint8Array[], changes: Changes): Promise<TestExchange> {
  const site = await echoSite();
  const transport = new DispatchTransport({ origin: site.origin });
  onTestFinished(() => transport.destroy());
  let response: TestResponse | undefined;
  const { close, origin } = await startServer((incoming, outgoing) => {
    const sink = new CollectingSink(
      () => undefined,
      (all) => {
        response = all;
        outgoing.end();
      },
    );
    exchange(new NodeRequestBody(incoming), changes, transport.send, sink);
  });
  onTestFinished(close);
  await fetch(origin, { method: 'POST', body: createChunkStream(chunks), ...HALF_DUPLEX });
  if (response === undefined) throw new Error('the exchange has no response');
  return { response, requestCount: site.requestCount() };
}

async function sendThroughWebStream(chunks: readonly Uint8Array[], changes: Changes): Promise<TestExchange> {
  const site = await echoSite();
  const { createFetchTransport } = await import('../../src/upstream/fetch-transport.ts');
  const response = new Promise<TestResponse>((resolve) => {
    const sink = new CollectingSink(() => undefined, resolve);
    const dispatch = createFetchTransport(site.origin, fetch);
    exchange(createWebRequestBody(createChunkStream(chunks)), changes, dispatch, sink);
  });
  return { response: await response, requestCount: site.requestCount() };
}

function createChunkStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** `fetch` requires this for a streamed request body; its type does not declare it. */
const HALF_DUPLEX = { duplex: 'half' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MANY = Array.from({ length: 300 }, (_, at) => bytes(`${at},`.padEnd(1000, '.')));
const ALL = Buffer.concat(MANY);

describe.each(Object.entries(BODIES))('a rejected body of %s', (_name, sendBody) => {
  it('does not reach the site as a whole, even if an observer outlives the client', async () => {
    const failures: string[] = [];
    const { response, requestCount } = await sendBody(MANY, {
      observers: [
        { outlivesClient: true, head: () => failures.push('head'), fail: () => failures.push('fail') },
      ],
      bodyValidator: {
        kind: 'parts',
        isRequired: true,
        createReader: () => ({ retainedBytes: 0, write: () => null, end: () => REFUSED }),
      },
    });
    expect(response.head?.status).toBe(400);
    await expect.poll(() => failures.length).toBe(1);
    expect([failures, requestCount]).toEqual([['fail'], 0]);
  });
});

/** Validators of a body that must be validated, or of one that is only observed, and that hold `ALL` in memory. */
const VALIDATORS: Readonly<Record<string, (isRequired: boolean) => RequestBodyValidator>> = {
  'that is buffered': (isRequired) => ({
    kind: 'whole',
    maxLength: ALL.length,
    tooLargeProblem: isRequired ? TOO_LONG : null,
    validate: () => null,
  }),
  'whose fields are collected': (isRequired) => ({
    kind: 'parts',
    isRequired,
    createReader: () => {
      let retainedBytes = 0;
      return {
        get retainedBytes() {
          return retainedBytes;
        },
        write: (chunk) => {
          retainedBytes += chunk.byteLength;
          return null;
        },
        end: () => null,
      };
    },
  }),
};

describe.each(Object.entries(BODIES))('the memory for the body of %s', (_name, sendBody) => {
  describe.each(Object.entries(VALIDATORS))('%s', (_kind, createValidator) => {
    it('is reserved until the response is complete', async () => {
      const bodyMemory = new BodyMemory({ total: 2 * ALL.length });
      let reserved = 0;
      const observers = [{ head: () => (reserved = bodyMemory.stats().bytes) }];
      const { response } = await sendBody(MANY, {
        bodyMemory,
        observers,
        bodyValidator: createValidator(true),
      });
      expect(response.body.equals(ALL)).toBe(true);
      expect(reserved).toBe(ALL.length);
      expect(bodyMemory.stats()).toEqual({ bytes: 0, maxBytes: 2 * ALL.length, exceeded: 0 });
    });

    it('is exceeded: the request is refused if it must be validated', async () => {
      const bodyMemory = new BodyMemory({ total: 10_000 });
      const { response, requestCount } = await sendBody(MANY, {
        bodyMemory,
        bodyValidator: createValidator(true),
      });
      expect(response.head?.status).toBe(503);
      expect(response.head?.headers).toContain('retry-after');
      expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'gateway_busy' });
      expect(requestCount).toBe(0);
      expect(bodyMemory.stats()).toEqual({ bytes: 0, maxBytes: 10_000, exceeded: 1 });
    });

    it('is exceeded: the request is forwarded if it is only observed', async () => {
      const bodyMemory = new BodyMemory({ total: 10_000 });
      const { response } = await sendBody(MANY, { bodyMemory, bodyValidator: createValidator(false) });
      expect(response.body.equals(ALL)).toBe(true);
      expect(bodyMemory.stats()).toEqual({ bytes: 0, maxBytes: 10_000, exceeded: 1 });
    });
  });
});
