import { expect, test } from 'vitest';
import { perMinute, startGateway, type TestOptions } from '../../support/gateway.ts';
import { runStubSite } from '../../support/run.ts';
import type { StubSite, StubSiteOptions } from '../../support/stub-site.ts';

/** Starts a site, and a gateway that reads it. */
async function start(site: StubSiteOptions, options: TestOptions = {}) {
  const stub = await runStubSite(site);
  const { request } = await startGateway({ document: undefined, url: stub.url, ...options });
  return { request, stub };
}

const lastWrite = ({ requests }: StubSite): string =>
  requests.findLast(({ method }) => method === 'POST')?.url ?? '';

test('a target is forwarded as it was sent, although only ?rest_route= has answered', async () => {
  const { request, stub } = await start({
    linkHeader: false,
    intercept({ url }, response) {
      if (!url.startsWith('/wp-json')) return false;
      response.writeHead(503).end();
      return true;
    },
  });
  for (const target of ['/wp-json/lp/v1/courses/purchase-course', '/wp-json/wp/v2/posts?a=%2f&b=1']) {
    await request(target, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(lastWrite(stub)).toBe(target);
  }
});

test('a prefix of the site’s own choice is read in every spelling, and forwarded as sent', async () => {
  const { request, stub } = await start(
    { prefix: 'api' },
    { limits: { rules: [{ match: '/wp/v2/types*', client: perMinute(1) }] } },
  );
  expect((await request('/api/wp/v2/types')).status).not.toBe(429);
  for (const target of ['/%61pi/wp/v2/types', '/ap%69/wp/v2/types/post', '/?rest_route=/wp/v2/types'])
    expect((await request(target)).status).toBe(429);
  await request('/%61pi/wp/v2/posts?x=1', { method: 'POST' });
  expect(lastWrite(stub)).toBe('/%61pi/wp/v2/posts?x=1');
});
