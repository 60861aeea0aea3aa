import { describe, expect, test } from 'vitest';
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type SiteOptions,
} from '../../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../../src/node/index.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { findFreePort, startServer } from '../../support/server.ts';
import { startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

interface Started {
  readonly gateway: Gateway;
  readonly server: RunningServer;
  readonly loops: string[];
}

async function start(
  sites: readonly SiteOptions[],
  port = 0,
  options: Partial<GatewayOptions> = {},
): Promise<Started> {
  const loops: string[] = [];
  const gateway = createGateway({ sites, onLoop: ({ message }) => loops.push(message), ...options });
  const server = await serve(gateway, { port, shutdownGrace: 100 });
  closeAfterTest(server.stop);
  return { gateway, server, loops };
}

/** A proxy that serves a server below a path, and removes or keeps the path. */
async function startProxy(origin: () => string, prefix: string, keepsPrefix: boolean): Promise<string> {
  const proxy = await startServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith(prefix)) return void outgoing.writeHead(404).end();
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && name !== 'connection' ? [[name, value]] : [],
    );
    void fetch(origin() + (keepsPrefix ? path : path.slice(prefix.length) || '/'), {
      headers: headers.filter(([name]) => name !== 'host'),
      redirect: 'manual',
    }).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    });
  });
  closeAfterTest(proxy.close);
  return proxy.origin + prefix;
}

describe('a site whose URL leads back to the gateway is an error', () => {
  test.each([{}, { passthrough: true }])('at its own address: %j', async (site) => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const { gateway, loops } = await start([{ url, ...site }], port);
    await waitUntil(() => loops.length > 0);
    expect(loops[0]).toMatch(/^sites\[0\]\.url: http:\/\/127\.0\.0\.1:\d+\/ leads back to this gateway\. /);
    expect(gateway.isReady()).toBe(false);
    const ready = await fetch(`${url}-/ready`);
    expect([ready.status, (await ready.json()).message]).toEqual([
      503,
      expect.stringContaining('The URL of the site leads back to the gateway (508).'),
    ]);
  });

  test('at another name, and as a site with a name', async () => {
    const port = await findFreePort();
    const { loops } = await start([{ name: 'blog', url: `http://localhost:${port}/blog` }], port, {});
    await waitUntil(() => loops.length > 0);
  });

  test.each([
    ['removes', false],
    ['keeps', true],
  ])('behind a proxy that %s the path', async (_, keepsPrefix) => {
    let origin = '';
    const url = await startProxy(() => origin, '/blog', keepsPrefix);
    const name = keepsPrefix ? { name: 'blog' } : {};
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    const { loops } = await start([{ ...name, url, passthrough: true }], port);
    await waitUntil(() => loops.length > 0);
  });

  test('behind another gateway', async () => {
    const port = await findFreePort();
    const other = await start([{ url: `http://127.0.0.1:${port}`, passthrough: true }]);
    const { loops } = await start([{ url: other.server.url, passthrough: true }], port);
    await waitUntil(() => loops.length > 0);
    expect(loops[0]).toContain(other.server.url);
  });
});

describe('a chain is no loop:', () => {
  test('of two gateways', async () => {
    const site = await startStubSite();
    closeAfterTest(site.close);
    const inner = await start([{ url: site.url, passthrough: true }]);
    const outer = await start([{ url: inner.server.url, passthrough: true }]);
    await waitUntil(() => outer.gateway.isReady());
    await outer.gateway.rediscover();
    expect([...inner.loops, ...outer.loops]).toEqual([]);
    expect((await fetch(`${outer.server.url}/openapi.json`)).status).toBe(200);
  });

  test('of two sites of one gateway', async () => {
    const site = await startStubSite();
    closeAfterTest(site.close);
    const port = await findFreePort();
    const sites = [
      { name: 'inner', url: site.url },
      { name: 'outer', url: `http://127.0.0.1:${port}/inner` },
    ];
    const { gateway, loops, server } = await start(sites, port);
    await gateway.rediscover();
    await gateway.rediscover();
    expect(loops).toEqual([]);
    expect((await fetch(`${server.url}/outer/openapi.json`)).status).toBe(200);
  });

  test('of a gateway whose site has a loop of its own', async () => {
    const port = await findFreePort();
    const looping = await start([{ url: `http://127.0.0.1:${port}`, passthrough: true }], port);
    const outer = await start([{ url: looping.server.url, passthrough: true }]);
    await waitUntil(() => looping.loops.length > 0);
    await outer.gateway.rediscover();
    expect(outer.loops).toEqual([]);
  });
});

test('a loop that comes later is no error of the configuration', async () => {
  let isLoop = false;
  let port = 0;
  const site = await startServer((incoming, outgoing) => {
    if (!isLoop) return void outgoing.writeHead(401).end();
    const probe = String(incoming.headers['x-waygate-probe']);
    void fetch(`http://127.0.0.1:${port}${incoming.url}`, { headers: { 'x-waygate-probe': probe } }).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(await response.text());
      },
    );
  });
  closeAfterTest(site.close);
  port = await findFreePort();
  const { gateway, loops } = await start([{ url: site.origin, passthrough: true }], port);
  await waitUntil(() => gateway.isReady());
  isLoop = true;
  // A discovery that is repeated by itself may have begun before.
  await waitUntil(async () => {
    await gateway.rediscover();
    return !gateway.isReady();
  });
  expect(loops).toEqual([]);
});

test('after the first discovery the site is asked without a nonce, and requests are not looked at', async () => {
  const site = await startStubSite();
  closeAfterTest(site.close);
  const { gateway, server } = await start([{ url: site.url, passthrough: true }]);
  await waitUntil(() => gateway.isReady());
  const nonce = site.requests[0]?.headers['x-waygate-probe'];
  expect(nonce).toMatch(/^\w+-\w+-\w+-\w+$/);
  const before = site.requests.length;
  await gateway.rediscover();
  for (const { headers } of site.requests.slice(before)) expect(headers['x-waygate-probe']).toBeUndefined();
  const response = await fetch(`${server.url}/a/page/`, { headers: { 'x-waygate-probe': String(nonce) } });
  expect(response.status).toBe(200);
});
