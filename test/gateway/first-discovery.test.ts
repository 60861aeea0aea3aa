import { describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';
import { type AccessLogEntry, nodeTransport, serve } from '../../src/node/index.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { readSmallIndex, type StubSite, startStubSite } from '../support/stub-site.ts';

/** A request that comes before the first discovery of its site has ended. */

/** Milliseconds that the site takes for each request until its index is read. */
const DELAY = 150;

/** Starts a site whose index is slow, or never comes. */
async function startSite(isHanging = false): Promise<StubSite> {
  const index = readSmallIndex();
  const site = await startStubSite({
    index,
    respond: ({ route }) => (route === '/wp/v2/posts' ? { body: [] } : undefined),
    intercept({ headers, method }, response) {
      if (headers['user-agent']?.includes('waygate') !== true || method === 'OPTIONS') return undefined;
      if (isHanging) return true;
      const end = response.end.bind(response);
      response.end = (...sent: unknown[]) => {
        setTimeout(() => Reflect.apply(end, response, sent), DELAY);
        return response;
      };
      return undefined;
    },
  });
  closeAfterTest(site.close);
  return site;
}

describe('a read that comes before the site was read', () => {
  test.each(['/openapi.json', '/wp/v2/posts', '/docs/'])('waits for it: %s', async (path) => {
    const site = await startSite();
    const gateway = createGateway({ sites: [{ url: site.url }], transport: nodeTransport });
    const response = await gateway.request(path);
    expect(response.status).toBe(200);
    await response.text();
    await gateway.stop();
  });

  test('waits at a server too, and a write does not', async () => {
    const site = await startSite();
    const gateway = createGateway({ sites: [{ url: site.url }], cache: 'memory' });
    const entries: AccessLogEntry[] = [];
    const server = await serve(gateway, { port: 0, access: (entry) => entries.push(entry) });
    const [read, head, write] = await Promise.all([
      fetch(`${server.url}/wp/v2/posts`),
      fetch(`${server.url}/wp/v2/posts`, { method: 'HEAD' }),
      fetch(`${server.url}/wp/v2/posts`, { method: 'POST', body: '{}' }),
    ]);
    expect([read.status, head.status, write.status]).toEqual([200, 200, 503]);
    expect(await read.json()).toEqual([]);
    expect(await write.json()).toMatchObject({ code: 'gateway_not_ready' });
    await server.stop();
    // As for a read that need not wait.
    expect(entries.find(({ status, method }) => status === 200 && method === 'GET')).toMatchObject({
      ...{ route: '/wp/v2/posts', operation: expect.any(String), cache: 'miss', bytes: 2 },
      requestId: read.headers.get('x-request-id'),
    });
  });

  test('waits for ten seconds', async () => {
    // Ten times as fast.
    const clock: Clock = {
      now: () => systemClock.now() * 10,
      after: (milliseconds, run) => systemClock.after(milliseconds / 10, run),
    };
    const site = await startSite(true);
    const gateway = createGateway({ sites: [{ url: site.url }], clock });
    const began = clock.now();
    expect((await gateway.request('/openapi.json')).status).toBe(503);
    expect(clock.now() - began).toBeGreaterThan(9_000);
    const then = clock.now();
    expect((await gateway.request('/openapi.json')).status).toBe(503);
    expect(clock.now() - then).toBeLessThan(9_000);
    await gateway.stop();
  });
});
