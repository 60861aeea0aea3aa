import { describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../../../src/gateway/index.ts';
import { networks, perMinute, startGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { toAddress } from '../../../support/run.ts';

/** Starts a gateway behind a trusted proxy that names the client, by whose address `send` asks. */
async function start(site: Partial<SiteOptions>, gateway: Partial<GatewayOptions> = {}) {
  const clock = new GatewayClock();
  const settings = { clock, trust: networks('127.0.0.0/8', '::1'), cache: 'off', ...gateway } as const;
  const running = await startGateway({ ...site, gateway: settings }, () => ({ body: {} }));
  return {
    ...{ ...running, clock },
    send: (address: string, path: string, init: RequestInit = {}): Promise<Response> =>
      running.request(toAddress(path), { ...init, headers: { ...init.headers, 'x-forwarded-for': address } }),
  };
}

describe('rate limits on a gateway', () => {
  test('a client past its quota gets 429 until the window ends, and others are served', async () => {
    const { clock, lines, readMetrics, received, send } = await start({ limits: { client: perMinute(3) } });
    for (let count = 0; count < 3; count += 1)
      expect((await send('192.0.2.1', '/core/v2/posts')).status).toBe(200);
    clock.pass(20_500);
    const refused = await send('192.0.2.1', '/core/v2/posts');
    const fields = ['content-type', 'retry-after'].map((name) => refused.headers.get(name));
    expect([refused.status, ...fields]).toEqual([429, 'application/problem+json', '40']);
    const data = { status: 429, policies: ['client'] };
    expect(await refused.json()).toMatchObject({ status: 429, code: 'gateway_rate_limited', data });
    expect((await send('192.0.2.2', '/core/v2/posts')).status).toBe(200);
    expect(received).toHaveLength(4);

    // Who is limited, and by what: one line, however many clients there are.
    for (let client = 1; client < 6; client += 1)
      for (let count = 0; count < 4; count += 1) await send(`192.0.2.${client}`, '/core/v2/posts');
    expect(lines.filter((line) => 'policy' in line)).toEqual([
      expect.objectContaining({ policy: 'client', who: '192.0.2.1', msg: 'a rate limit is exceeded' }),
    ]);
    expect(await readMetrics()).toContain(
      '\nwaygate_rate_limited_total{site="default",policy="client"} 10\n',
    );

    clock.pass(40_000);
    expect((await send('192.0.2.1', '/core/v2/posts')).status).toBe(200);
  });

  test('hits of the store and documents of the gateway count, operations below /-/ do not', async () => {
    const { send } = await start({ limits: { client: perMinute(3) } }, { cache: 'memory' });
    expect((await send('192.0.2.1', '/core/v2/posts')).status).toBe(200);
    const hit = await send('192.0.2.1', '/core/v2/posts');
    expect(hit.headers.get('cache-status')).toContain('hit');
    expect((await send('192.0.2.1', '/-/openapi.json')).status).toBe(200);
    expect((await send('192.0.2.1', '/-/openapi.json')).status).toBe(429);
    expect((await send('192.0.2.1', '/core/v2/posts', { method: 'OPTIONS' })).status).toBe(429);
    for (const path of ['/-/health', '/-/ready']) expect((await send('192.0.2.1', path)).status).toBe(200);
  });

  test('a rule replaces the limit', async () => {
    const { send } = await start({
      limits: {
        client: perMinute(1),
        rules: [
          { match: '/wp-login.php', methods: ['POST'], client: perMinute(1) },
          { match: '/notes/v1/*', client: null },
        ],
      },
    });
    const login = { method: 'POST', body: 'log=a' };
    expect((await send('192.0.2.1', '/wp-login.php', login)).status).not.toBe(429);
    // The other spellings of the same page count too.
    for (const path of ['/wp-login.php', '/WP-login.php', '/wp-login%2Ephp']) {
      const refused = await send('192.0.2.1', path, login);
      expect(await refused.json()).toMatchObject({ data: { policies: ['rule-1'] } });
    }
    for (const path of ['/wp-login.php', '/about'])
      expect((await send('192.0.2.1', path)).status === 429).toBe(path === '/about');
    for (const path of ['/notes/v1/notes/a', '/?rest_route=/notes/v1/notes/b'])
      expect((await send('192.0.2.1', path)).status).not.toBe(429);
  });

  test.each([
    '/CORE/V2/Posts',
    '/wp-json/core/v2/posts/',
    '/index.php?rest_route=%2Fcore%2Fv2%2Fposts',
    '/wp-json//core/v2/posts',
  ])('the spelling %s of a route does not evade its rule', async (path) => {
    const rules = [{ match: '/core/v2/posts', client: perMinute(1) }];
    const { send } = await start({ limits: { rules } });
    expect((await send('192.0.2.1', '/core/v2/posts')).status).toBe(200);
    expect((await send('192.0.2.1', path)).status).toBe(429);
  });

  const part = { method: 'POST', path: '/CORE/v2//users?a=1' };
  const form = (body: FormData | URLSearchParams): FormData | URLSearchParams => {
    for (let at = 0; at < 12; at += 1) {
      body.append(`requests[${at}][method]`, part.method);
      body.append(`requests[${at}][path]`, part.path);
    }
    return body;
  };
  test.each<[string, RequestInit, query?: string]>([
    [
      'JSON',
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requests: Array.from({ length: 12 }, () => part) }),
      },
    ],
    ['a form', { body: form(new URLSearchParams()) }],
    ['its query', {}, `?${form(new URLSearchParams())}`],
  ])('each part of a batch in %s counts', async (_, init, query = '') => {
    const rules = [{ match: '/core/v2/users*', methods: ['POST'], client: perMinute(3) }];
    const { received, send } = await start({ limits: { rules } });
    const path = `/wp-json/batch/v1${query}`;
    const refused = await send('192.0.2.1', path, { method: 'POST', ...init });
    expect([refused.status, received.length]).toEqual([429, 0]);
    expect((await send('192.0.2.1', '/wp-json/core/v2/users', { method: 'POST' })).status).toBe(429);
    expect((await send('192.0.2.2', '/wp-json/core/v2/users', { method: 'POST' })).status).not.toBe(429);
  });

  test('a batch in a multipart form, whose parts nobody counts, is refused', async () => {
    const { received, send } = await start({ limits: { client: perMinute(3) } });
    const body = form(new FormData());
    const refused = await send('192.0.2.1', '/wp-json/batch/v1', { method: 'POST', body });
    expect([refused.status, received.length]).toEqual([400, 0]);
  });
});

describe('access lists on a gateway', () => {
  test('refuse the networks that are denied, and all that are not allowed', async () => {
    const { received, send } = await start({
      access: {
        allow: networks('192.0.2.0/24', '2001:db8::/32'),
        deny: networks('192.0.2.66', '2001:db8:bad::/48'),
      },
    });
    for (const [status, addresses] of [
      [200, ['192.0.2.1', '2001:db8::1']],
      [403, ['192.0.2.66', '198.51.100.7', '2001:db8:bad::1', '203.0.113.1']],
    ] as const) {
      for (const address of addresses)
        expect([address, (await send(address, '/core/v2/posts')).status]).toEqual([address, status]);
    }
    expect(received).toHaveLength(2);
    const refused = await send('203.0.113.1', '/-/openapi.json');
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ status: 403, code: 'gateway_access_denied' });
    expect((await send('203.0.113.1', '/-/health')).status).toBe(200);
  });
});
