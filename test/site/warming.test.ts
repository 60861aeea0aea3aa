import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createGateway, type SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

const ADDRESSES = ['/first/', '/wp/v2/posts', '/broken/', '/last/?page=2'];
const ADMIN = { headers: { authorization: 'Bearer token' } };

/** Starts a gateway before a site with a page that fails, and with a version that each POST increments. */
async function startWarmed(
  options: Omit<SiteOptions, 'url'> = {},
  start: (typeof ADAPTERS)[string] = startNodeGateway,
): Promise<RunningGateway & { readonly read: string[]; mostAtOnce: number }> {
  const state = { read: [] as string[], version: 1, atOnce: 0, mostAtOnce: 0 };
  const site = await startStubSite({
    intercept(request, response) {
      if (request.method === 'POST') state.version += 1;
      const address = request.url.replace('/wp-json', '').replace('/?rest_route=', '');
      if (!ADDRESSES.includes(address) && request.method === 'GET') return false;
      if (request.method === 'GET') state.read.push(address);
      state.atOnce += 1;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
      const respond = (): void => {
        state.atOnce -= 1;
        const type = request.route === undefined ? 'text/html' : 'application/json';
        const status = address === '/broken/' ? 500 : 200;
        response.writeHead(status, { 'content-type': type }).end(`"${state.version}"`);
      };
      setTimeout(respond, 5);
      return true;
    },
  });
  closeAfterTest(site.close);
  const cache = { warm: ADDRESSES, pages: 600, ...(options.cache === 'off' ? {} : options.cache) };
  const sites = [{ url: site.url, passthrough: true, breaker: false, ...options, cache }];
  const gateway = await start({
    ...{ sites, cache: 'memory', admin: { token: 'token' }, publicUrl: 'http://gateway.example.com' },
  });
  closeAfterTest(gateway.stop);
  gateway.gateway.start();
  return Object.assign(state, gateway);
}

const cacheStatusOf = async (gateway: RunningGateway, path: string): Promise<string> =>
  (await gateway.request(path)).headers.get('cache-status')?.split(';')[1]?.trim() ?? '';

describe.each(Object.entries(ADAPTERS))('%s', (_, start) => {
  test('requests the addresses at its start, one after the other, and each again after a purge', async () => {
    const gateway = await startWarmed({}, start);
    await waitUntil(() => gateway.read.length === 4);
    await waitUntil(async () => (await cacheStatusOf(gateway, '/last/?page=2')) === 'hit');
    expect([gateway.read, gateway.mostAtOnce]).toEqual([ADDRESSES, 1]);
    await gateway.request('/wp/v2/posts', { method: 'POST', body: '{}' });
    await waitUntil(() => gateway.read.length === 8);
    expect(gateway.read.slice(4)).toEqual(ADDRESSES);
    const response = await gateway.request('/first/');
    expect([response.headers.get('cache-status'), await response.text()]).toEqual([
      expect.stringContaining('waygate; hit'),
      '"2"',
    ]);
  });
});

test('what is still stored costs the site nothing, and none of it counts as a read', async () => {
  const gateway = await startWarmed();
  await waitUntil(() => gateway.read.length === 4);
  await sleep(20);
  expect(await cacheStatusOf(gateway, '/last/?page=2')).toBe('hit');
  const body = JSON.stringify({ url: 'http://gateway.example.com/last/?page=2' });
  expect(await (await gateway.request('/-/purge', { method: 'POST', ...ADMIN, body })).json()).toMatchObject({
    purged: 1,
  });
  const last = (): readonly string[] => gateway.read.slice(4);
  await waitUntil(() => last().length === 2);
  expect(last()).toEqual(['/broken/', '/last/?page=2']);
  const metrics = await (await gateway.request('/-/metrics', ADMIN)).text();
  const counts = [
    ...metrics.matchAll(/^http_server_request_duration_seconds_count{site="default",.*} (\d+)$/gm),
  ];
  expect(counts.map(([, count]) => count)).toEqual(['1']);
});

test('neither access lists nor rate limits concern it', async () => {
  const limits = { rules: [{ match: '*', client: '1/h' }] };
  const gateway = await startWarmed({ access: { allow: ['192.0.2.1'] }, limits });
  await waitUntil(() => gateway.read.length === 4);
});

test('ends with the gateway', async () => {
  const gateway = await startWarmed();
  await waitUntil(() => gateway.read.length === 1);
  await gateway.stop();
  const count = gateway.read.length;
  await sleep(60);
  expect(gateway.read.length).toBeLessThanOrEqual(count + 1);
});

test('needs the public URL', () => {
  const sites = [{ url: 'http://example.com', cache: { warm: ['/'] } }];
  expect(() => createGateway({ sites, cache: 'memory' })).toThrow(
    'sites[0].cache.warm needs publicUrl: responses are stored for the URL at which visitors reach the gateway',
  );
});
