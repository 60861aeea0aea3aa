import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/ports.ts';
import type { SiteOptions } from '../../../../src/gateway/index.ts';
import { startGateway } from '../../../support/gateway.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { runServer, runStubSite } from '../../../support/run.ts';
import { findFreePort } from '../../../support/server.ts';
import { waitUntil } from '../../../support/wait.ts';

/** A clock at which requests do not wait for the first discovery of their site. */
const clock: Clock = {
  now: systemClock.now,
  after: (delay, task) => systemClock.after(delay > 9_000 && delay <= 10_000 ? 0 : delay, task),
};

async function start(sites: readonly SiteOptions[], port = 0) {
  const running = await startGateway({ isUnread: true, gateway: { sites, clock }, server: { port } });
  /** Whether `/-/ready` says that the URL leads back. */
  const saysLoop = async (): Promise<boolean> => {
    const ready = await running.request('/-/ready');
    const { message = '' } = await ready.json();
    return ready.status === 503 && message.includes('The URL of the site leads back to the gateway.');
  };
  return { ...running, saysLoop };
}

/** A proxy that serves a server below a path, which it removes. */
async function startProxy(origin: () => string, prefix: string): Promise<string> {
  const proxy = await runServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith(prefix)) return void outgoing.writeHead(404).end();
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && name !== 'connection' && name !== 'host' ? [[name, value]] : [],
    );
    const address = origin() + (path.slice(prefix.length) || '/');
    void fetch(address, { headers, redirect: 'manual' }).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    });
  });
  return proxy.origin + prefix;
}

const INDEX = createRoutesIndex({ '/wp/v2/posts': 'GET' });

describe('a site whose URL leads back to the gateway is not ready, and says so', () => {
  test.each([{}, { passthrough: true }])('at its own address: %j', async (site) => {
    const port = await findFreePort();
    const { gateway, saysLoop } = await start([{ url: `http://127.0.0.1:${port}/`, ...site }], port);
    await waitUntil(saysLoop);
    expect(gateway.isReady()).toBe(false);
  });

  test('behind a proxy that removes a path', async () => {
    const port = await findFreePort();
    const url = await startProxy(() => `http://127.0.0.1:${port}`, '/blog');
    const { saysLoop } = await start([{ url, passthrough: true }], port);
    await waitUntil(saysLoop);
  });
});

describe('a chain is no loop:', () => {
  test('of two gateways', async () => {
    const site = await runStubSite({ index: INDEX });
    const inner = await start([{ url: site.url, passthrough: true }]);
    const outer = await start([{ url: inner.origin, passthrough: true }]);
    await waitUntil(() => outer.gateway.isReady());
    await outer.gateway.rediscover();
    expect([await inner.saysLoop(), await outer.saysLoop()]).toEqual([false, false]);
    expect((await outer.request('/-/openapi.json')).status).toBe(200);
  });

  test('of two sites of one gateway', async () => {
    const site = await runStubSite({ index: INDEX });
    const port = await findFreePort();
    const sites = [
      { name: 'inner', url: site.url },
      { name: 'outer', url: `http://127.0.0.1:${port}/inner` },
    ];
    const { gateway, request, saysLoop } = await start(sites, port);
    await gateway.rediscover();
    await gateway.rediscover();
    expect(await saysLoop()).toBe(false);
    expect((await request('/outer/openapi.json')).status).toBe(200);
  });
});
