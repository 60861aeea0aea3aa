import { type APIGatewayProxyResult, handle as onLambda } from 'hono/aws-lambda';
import { handle as onVercel } from 'hono/vercel';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';
import { createMock } from '../../src/mock/index.ts';
import { recordedDocument } from '../types/documents.ts';

/** A gateway in front of a site in memory, without a transport or a server of Node. */
const gateway = createMock(recordedDocument());

/** The event of a function URL, as API Gateway sends it in version 2.0. */
function eventOf(rawQueryString: string) {
  const rawPath = '/wp-json/wp/v2/posts';
  const client = { sourceIp: '192.0.2.1', userAgent: 'curl' };
  const http = { method: 'GET', path: rawPath, protocol: 'HTTP/1.1', ...client };
  const account = { accountId: 'a', apiId: 'b', authentication: null, authorizer: {} };
  const domain = { domainName: 'app.example', domainPrefix: 'app' };
  return {
    ...{ version: '2.0', routeKey: '$default', rawPath, rawQueryString, body: null, isBase64Encoded: false },
    headers: { host: 'app.example', accept: 'application/json' },
    requestContext: {
      ...{ ...account, ...domain, http, requestId: 'r' },
      ...{ routeKey: '$default', stage: '$default', time: '', timeEpoch: 0 },
    },
  };
}

test.each([
  ['_fields=id&per_page=1', 200, '[{"id":'],
  ['per_page=101', 400, 'rest_invalid_param'],
])('a gateway is a function of AWS Lambda and of Vercel: %s', async (query, status, text) => {
  const { body, statusCode } = (await onLambda(gateway)(eventOf(query))) as APIGatewayProxyResult;
  expect([statusCode, body]).toEqual([status, expect.stringContaining(text)]);
  const response = await onVercel(gateway)(new Request(`https://app.example/wp-json/wp/v2/posts?${query}`));
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
});

test('a function reads the site with its first request, and has the response of the second in its memory', async () => {
  const ofSite = createGateway({
    sites: [{ url: 'http://site.example/' }],
    cache: 'memory',
    fetch: async (input, init) => gateway.fetch(new Request(input, init)),
  });
  onTestFinished(() => ofSite.stop());
  const handle = onLambda(ofSite);
  for (const outcome of [/fwd=uri-miss/, /hit/]) {
    const { headers, statusCode } = (await handle(eventOf('per_page=1'))) as APIGatewayProxyResult;
    expect([statusCode, headers?.['cache-status']]).toEqual([200, expect.stringMatching(outcome)]);
  }
  const refused = await onVercel(ofSite)(new Request('https://app.example/wp-json/wp/v2/posts?per_page=101'));
  expect(refused.status).toBe(400);
});

/** Creates the context of a request to a Worker, and collects what outlasts the response. */
function createContext() {
  const kept: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => kept.push(work),
    passThroughOnException() {},
    props: {},
  };
  return { context, kept };
}

test('a gateway of Workers does nothing outside of a request, and what it begins in one outlasts the response', async () => {
  const refuse = (): never => {
    throw new Error('Disallowed operation called within global scope.');
  };
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const name of ['AbortController', 'Response', 'fetch', 'setTimeout']) {
    vi.stubGlobal(name, vi.fn(refuse));
  }
  vi.stubGlobal('crypto', { subtle: crypto.subtle, randomUUID: refuse });
  const worker = createGateway({
    sites: [{ url: 'https://example.com' }],
    cache: 'memory',
    fetch: async () => Response.json({}, { status: 500 }),
  });
  vi.unstubAllGlobals();
  const { context, kept } = createContext();
  const read = async (): Promise<unknown> =>
    (await worker.fetch(new Request('https://app.example/-/ready'), {}, context)).json();
  expect(await read()).toMatchObject({ detail: expect.stringContaining('has not been read yet') });
  expect(kept).toHaveLength(1);
  await Promise.all(kept);
  expect(await read()).toMatchObject({ detail: expect.stringContaining('fails with a server error') });
  expect(kept).toHaveLength(1);
  await worker.stop();
});

test('work that outlasts a response is that of its own request, and not the stream of another one', async () => {
  const stream = new ReadableStream({ pull: () => new Promise(() => {}) });
  const worker = createGateway({
    sites: [{ url: 'https://example.com', discovery: 'off', passthrough: true }],
    fetch: async (url) => (String(url).endsWith('/events') ? new Response(stream) : new Response('page')),
  });
  onTestFinished(() => worker.stop());
  const { context, kept } = createContext();
  const events = await worker.fetch(new Request('https://app.example/events'), {}, context);
  expect(kept).toHaveLength(1);
  const page = await worker.fetch(new Request('https://app.example/page'), {}, context);
  expect(await page.text()).toBe('page');
  const [ofEvents, ...ofPage] = kept;
  await Promise.all(ofPage);
  await events.body?.cancel();
  await ofEvents;
});
