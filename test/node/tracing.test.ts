import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../../src/gateway/index.ts';
import { type AccessLogEntry, type RunningServer, serve } from '../../src/node/index.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { waitUntil } from '../support/wait.ts';

/** The used part of the SDK, whose types a checkout without `npm ci` lacks. */
interface Sdk {
  readonly NodeTracerProvider: new (options: object) => { register(): void; shutdown(): Promise<void> };
  readonly SimpleSpanProcessor: new (exporter: object) => object;
  readonly InMemorySpanExporter: new () => { getFinishedSpans(): readonly Span[]; reset(): void };
}
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
  readonly parentSpanContext?: { readonly spanId: string };
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = { traceparent: `00-${TRACE}-${PARENT}-01`, baggage: 'user=alice' };
const load = <Module>(name: string): Promise<Module> => import(name);
const sdk = await load<Sdk>('@opentelemetry/sdk-trace-node');
const api =
  await load<Readonly<Record<'trace' | 'context' | 'propagation', { disable(): void }>>>(
    '@opentelemetry/api',
  );
const exporter = new sdk.InMemorySpanExporter();
const provider = new sdk.NodeTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)] });

let isAsked = false;
const site = useEchoSite(({ url }, response) => {
  isAsked = url.includes('silent');
  if (!/broken|silent/.test(url)) return false;
  if (!isAsked) response.destroy();
  return true;
});
let server: RunningServer;
const entries: AccessLogEntry[] = [];
beforeAll(async () => {
  const gateway = new Gateway({
    sites: [{ url: site.origin, passthrough: true, validation: { mode: 'strict' } }],
    cache: 'memory',
  });
  await gateway.rediscover();
  server = await serve({ gateway, port: 0, access: (entry) => entries.push(entry) });
});
afterEach(() => {
  exporter.reset();
  entries.length = 0;
});
afterAll(async () => {
  await server.stop();
  await provider.shutdown();
  // Other files run in the same process.
  for (const name of ['trace', 'context', 'propagation'] as const) api[name].disable();
});

/** Sends a request. @returns what the site has received, if the response is of it, and the spans */
async function send(
  path: string,
  init?: RequestInit,
): Promise<readonly [text: string, spans: readonly Span[]]> {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  await waitUntil(() => entries.length > 0);
  return [text, exporter.getFinishedSpans()];
}

test('without a registered SDK the trace context is handed on as it is, and nothing is recorded', async () => {
  const [text, spans] = await send('/wp-json/core/v2/posts?page=7', { headers: TRACEPARENT });
  expect(JSON.parse(text).headers.traceparent).toBe(TRACEPARENT.traceparent);
  expect(spans).toEqual([]);
  expect(entries[0]?.traceId).toBe(TRACE);
});

test('a miss has a span of the request and one at the site, which continue the trace there', async () => {
  provider.register();
  const [text, spans] = await send('/wp-json/core/v2/posts?page=8&search=secret', { headers: TRACEPARENT });
  expect(spans.map(({ kind, name }) => `${name} ${kind}`)).toEqual(['GET 2', 'GET /core/v2/posts 1']);
  const [ofSite, request] = spans;
  expect(request?.parentSpanContext?.spanId).toBe(PARENT);
  expect(ofSite?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(ofSite?.spanContext().traceId).toBe(TRACE);
  const { headers } = JSON.parse(text);
  expect(headers.traceparent).toBe(`00-${TRACE}-${ofSite?.spanContext().spanId}-01`);
  // Other clients may get this response.
  expect(headers.baggage).toBeUndefined();
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/core/v2/posts',
    'http.response.status_code': 200,
    'url.path': '/wp-json/core/v2/posts',
    'waygate.cache': 'miss',
    'waygate.request_id': entries[0]?.requestId,
  });
  expect(ofSite?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('secret');
});

test('a hit sends nothing to the site, and begins a trace if the client has none', async () => {
  await send('/wp-json/core/v2/posts?page=9');
  exporter.reset();
  entries.length = 0;
  const [, spans] = await send('/wp-json/core/v2/posts?page=9');
  expect(spans.map(({ name }) => name)).toEqual(['GET /core/v2/posts']);
  expect(spans[0]?.attributes).toMatchObject({ 'waygate.cache': 'hit' });
  expect(entries[0]?.traceId).toBe(spans[0]?.spanContext().traceId);
});

test('a write has both spans, and a refusal reaches no site', async () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"x"}' };
  const [, written] = await send('/wp-json/core/v2/posts', init);
  expect(written.map(({ name }) => name)).toEqual(['POST', 'POST /core/v2/posts']);
  exporter.reset();
  entries.length = 0;
  const [, refused] = await send('/wp-json/core/v2/posts?page=x');
  expect(refused.map(({ name }) => name)).toEqual(['GET']);
  expect(refused[0]?.attributes['http.response.status_code']).toBe(400);
});

test('a failure of the site is an error in both spans', async () => {
  const [, spans] = await send('/broken');
  const [ofSite, request] = spans.slice(-2);
  expect([ofSite?.kind, ofSite?.status.code]).toEqual([2, 2]);
  expect(ofSite?.attributes['http.response.status_code']).toBeUndefined();
  expect(request?.attributes).toMatchObject({
    'http.response.status_code': 502,
    'error.type': 'connection-broken',
  });
});

test('a hostile traceparent begins a trace of its own, and a client that leaves ends its spans', async () => {
  const [, spans] = await send('/wp-json/core/v2/posts?page=9', {
    headers: { traceparent: '00-zz-__proto__-01' },
  });
  expect(spans.at(-1)?.parentSpanContext).toBeUndefined();
  exporter.reset();
  entries.length = 0;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /silent HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitUntil(() => isAsked);
  socket.destroy();
  await waitUntil(() => entries.length > 0);
  expect(exporter.getFinishedSpans().at(-1)?.attributes['http.response.status_code']).toBe(499);
});
