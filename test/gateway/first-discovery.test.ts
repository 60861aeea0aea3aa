import { describe, expect, test } from 'vitest';
import { Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { type AccessLogEntry, serve } from '../../src/node/index.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { runStubSite } from '../support/run.ts';

/** Milliseconds that the site takes for each request until its index is read. */
const DELAY = 150;

/** Creates a gateway in front of a site whose index is slow, or never comes. */
async function create(isHanging = false, options: Partial<GatewayOptions> = {}) {
  const { url } = await runStubSite({
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
  const gateway = new Gateway({ sites: [{ url }], ...options });
  closeAfterTest(() => gateway.stop());
  return gateway;
}

describe('a read that comes before the site was read', () => {
  test.each(['/openapi.json', '/wp/v2/posts', '/docs/'])('waits for it: %s', async (path) => {
    expect((await (await create()).app.request(path)).status).toBe(200);
  });

  test('waits at a server too, and a write does not', async () => {
    const entries: AccessLogEntry[] = [];
    const gateway = await create(false, { cache: 'memory' });
    const server = await serve({ gateway, port: 0, access: (entry) => entries.push(entry) });
    const url = `${server.url}/wp/v2/posts`;
    const inits = [{}, { method: 'HEAD' }, { method: 'POST', body: '{}' }];
    const [read, head, write] = await Promise.all(inits.map((init) => fetch(url, init)));
    expect([read?.status, head?.status, write?.status]).toEqual([200, 200, 503]);
    expect(await read?.json()).toEqual([]);
    expect(await write?.json()).toMatchObject({ code: 'gateway_not_ready' });
    await server.stop();
    // As for a read that need not wait.
    expect(entries.find(({ status, method }) => status === 200 && method === 'GET')).toMatchObject({
      ...{ route: '/wp/v2/posts', operation: expect.any(String), cache: 'miss', bytes: 2 },
      requestId: read?.headers.get('x-request-id'),
    });
  });

  test('waits for ten seconds', async () => {
    // Ten times as fast.
    const clock: Clock = {
      now: () => systemClock.now() * 10,
      after: (milliseconds, run) => systemClock.after(milliseconds / 10, run),
    };
    const gateway = await create(true, { clock });
    const waits: number[] = [];
    for (const _time of [1, 2]) {
      const began = clock.now();
      expect((await gateway.app.request('/openapi.json')).status).toBe(503);
      waits.push(clock.now() - began);
    }
    expect(waits[0]).toBeGreaterThan(9_000);
    expect(waits[1]).toBeLessThan(9_000);
  });
});
