import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGateway, createSuccessor, getGatewayInternals } from '../../src/gateway/gateway.ts';
import { ProcessLoad } from '../../src/gateway/limiting/process-load.ts';
import type { ServeOptions } from '../../src/node/index.ts';
import { LoadMonitor } from '../../src/node/load-monitor.ts';
import { writeCertificate } from '../support/certificates.ts';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { waitUntil } from '../support/wait.ts';
import { sendBytes, useProxies } from './serve-proxy.ts';

const TOKEN = 'the-token-of-the-tests';
let site: EchoSite;
let release = (): void => {};

beforeAll(async () => {
  site = await startEchoSite(({ url }, response) => {
    if (url === '/held') release = () => response.end('held');
    else if (url === '/stored') response.writeHead(200, { 'cache-control': 'max-age=600' }).end('stored');
    else return false;
    return true;
  });
});
afterAll(() => site.close());
afterEach(() => void vi.useRealTimers());

const { closing, serveApp, start: startProxy } = useProxies(() => site.origin);
const start = (overload: object, more: object = {}): ReturnType<typeof startProxy> =>
  startProxy({ admin: { token: TOKEN }, cache: 'memory', overload, ...more });

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/-/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return response.text();
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('past a limit, what is stored is served, and the rest gets 503 with Retry-After', () => {
  /** A gateway with a stored response; then a request that holds. */
  async function startBusy(overload: object): ReturnType<typeof start> {
    const proxy = await start(overload);
    await (await fetch(`${proxy.url}/stored`)).text();
    return proxy;
  }

  async function expectOverload(url: string, reason: string): Promise<void> {
    const refused = await fetch(`${url}/x`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'gateway_overloaded' });
    const hit = await fetch(`${url}/stored`);
    expect([hit.status, await hit.text()]).toEqual([200, 'stored']);
    expect(await readMetrics(url)).toContain(`waygate_overload_refused_total{reason="${reason}"} 1\n`);
    expect(await (await fetch(`${url}/-/ready`)).json()).toMatchObject({
      status: 'ready',
      details: [{ state: 'overloaded' }],
    });
  }

  test('of requests in flight', async () => {
    const { lines, url } = await startBusy({ maxRequestsInFlight: 1 });
    const count = site.received.length;
    const held = fetch(`${url}/held`);
    await waitUntil(() => site.received.length > count);
    const refused = await fetch(`${url}/x`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await (await fetch(`${url}/stored`)).text()).toBe('stored');
    expect(await readMetrics(url)).toContain('waygate_overload_refused_total{reason="requests"} 1\n');
    release();
    expect((await held).status).toBe(200);
    expect((await fetch(`${url}/x`)).status).toBe(200);
    await waitUntil(() => lines.some(({ failure }) => failure === 'overloaded'));
    expect(lines.find(({ failure }) => failure === 'overloaded')).toMatchObject({
      status: 503,
      cause: 'this process is overloaded: requests',
    });
  });

  test('of memory', async () => {
    const { lines, url } = await startBusy({ maxMemory: 1 });
    await waitUntil(() => lines.some(({ msg }) => String(msg).startsWith('overloaded')));
    await expectOverload(url, 'memory');
    expect(lines.find(({ msg }) => String(msg).startsWith('overloaded'))).toMatchObject({ reason: 'memory' });
  });

  test('of the delay of the event loop, until it is on time again', async () => {
    const { lines, url } = await startBusy({ maxEventLoopDelay: 50 });
    const has = (text: string): boolean => lines.some(({ msg }) => String(msg).startsWith(text));
    let isBusy = true;
    const block = (): void => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
      if (isBusy) setTimeout(block, 0);
    };
    block();
    await waitUntil(() => has('overloaded'));
    await expectOverload(url, 'event-loop');
    isBusy = false;
    await waitUntil(() => has('no longer overloaded'));
    expect((await fetch(`${url}/x`)).status).toBe(200);
  });
});

test('a reload changes the limits, also while they are exceeded', async () => {
  const options = {
    sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    cache: 'memory',
  } as const;
  let gateway = createGateway(options);
  const { lines, prepare, url } = await serveApp(gateway, { overload: { maxMemory: 1 } });
  const has = (text: string): boolean => lines.some(({ msg }) => String(msg).startsWith(text));
  const reload = async (overload: ServeOptions['overload'] & object): Promise<void> => {
    gateway = createSuccessor(options, getGatewayInternals(gateway));
    (await prepare(gateway, { overload }))();
  };
  const readStatus = async (): Promise<number> => (await fetch(`${url}/x`)).status;
  await waitUntil(() => has('overloaded'));
  await reload({});
  await waitUntil(() => has('no longer overloaded'));
  expect(await readStatus()).toBe(200);
  const count = site.received.length;
  const held = fetch(`${url}/held`);
  await waitUntil(() => site.received.length > count);
  await reload({ maxRequestsInFlight: 1 });
  // The request that began before counts, and goes on.
  expect(await readStatus()).toBe(503);
  release();
  expect(await (await held).text()).toBe('held');
  expect(await readStatus()).toBe(200);
  await reload({ maxConnections: 0 });
  await waitUntil(async () => (await fetch(`${url}/x`, { headers: { connection: 'close' } })).status === 503);
});

test('a load that comes and goes is logged every ten seconds at most', () => {
  vi.useFakeTimers();
  const messages: string[] = [];
  const note = (_: object, message: string): void => void messages.push(message.replace(/:.*/, ''));
  const load = new ProcessLoad();
  const monitor = new LoadMonitor(
    [load],
    { maxRequestsInFlight: 1 },
    { info: note, warn: note, error: note },
  );
  for (let at = 0; at < 15; at++) {
    load.inFlight = at % 2 === 0 ? 2 : 0;
    vi.advanceTimersByTime(500);
  }
  const once = ['overloaded', 'no longer overloaded'];
  expect(messages).toEqual(once);
  load.inFlight = 2;
  vi.advanceTimersByTime(10_000);
  load.inFlight = 0;
  vi.advanceTimersByTime(500);
  expect(messages).toEqual([...once, ...once]);
  monitor.close();
});

test('connections past the limit get 503 with Retry-After, and are counted and logged', async () => {
  const { lines, port, url } = await start({ maxConnections: 2 });
  const sockets = [await open(port), await open(port)];
  const refused = await sendBytes(port, 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(refused).toContain('gateway_too_many_connections');
  expect(lines).toMatchObject([{ reason: 'limit', limit: 2, refused: 1 }]);
  for (const socket of sockets) socket.destroy();
  await waitUntil(async () =>
    /^waygate_connections_refused_total\{reason="limit"\} \d+$/m.test(await readMetrics(url)),
  );
  expect((await fetch(`${url}/x`)).status).toBe(200);
});

test('a connection of TLS that is refused is not counted as a failed handshake too', async () => {
  const files = await writeCertificate('127.0.0.1');
  closing.push(files.remove);
  const { port, url } = await start({ maxConnections: 1 }, { tls: files });
  const invalid = await open(port);
  invalid.end('no handshake');
  await once(invalid, 'close');
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  closing.push(() => agent.destroy());
  const headers = { authorization: `Bearer ${TOKEN}` };
  const read = async (path: string): Promise<string> => {
    const sent = request(url + path, { agent, headers }).end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    return response === undefined ? '' : text(response);
  };
  await read('/x');
  const refused = connect(port, '127.0.0.1').on('error', () => {});
  await once(refused, 'close');
  const metrics = await read('/-/metrics');
  const counts = metrics.match(/^waygate_connections_refused_total.*/gm);
  expect(counts).toEqual([
    'waygate_connections_refused_total{reason="limit"} 1',
    'waygate_connections_refused_total{reason="descriptors"} 0',
    'waygate_connections_refused_total{reason="handshake"} 1',
  ]);
});
