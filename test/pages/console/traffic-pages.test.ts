import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { SITE_TABS } from '../../../src/pages/console/layout.tsx';
import type { EchoSite } from '../../support/echo-site.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { runEchoSite } from '../../support/run.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { type ConsoleTestClient, signIn, TOKEN, toText } from './support/console-client.ts';

const MARKUP = '<img src=x onerror=alert(1)>';

/** What the site answers to addresses with these parts; the refusal is as WordPress sends it, and contains the value. */
const ANSWERS: readonly (readonly [part: string, status: number, content: object])[] = [
  ['/notes/v1/notes/broken', 500, { code: 'db', message: '<b>Error establishing</b> a connection' }],
  ['unheard/of', 403, { code: 'rest_forbidden_ip', message: 'secret-value' }],
  ['context=edit', 401, { code: 'rest_forbidden', message: 'secret-value' }],
  [
    'status=',
    400,
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): secret-value',
      data: {
        status: 400,
        params: { status: 'secret-value is not one of publish, draft', '<b>x': '' },
        details: { status: { code: 'rest_not_in_enum', message: 'secret-value', data: null } },
      },
    },
  ],
];

describe('the console of a site on a gateway', () => {
  let site: EchoSite;
  let gateway: TestGateway;
  let client: ConsoleTestClient;

  const read = async (path: string): Promise<string> => {
    const response = await client.get(`/-/console/${path}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  const request = async (path: string, init?: RequestInit): Promise<void> => {
    await (await gateway.request(path, init)).arrayBuffer().catch(() => {});
  };

  beforeAll(async () => {
    site = await runEchoSite(({ url }, response) => {
      if (url.includes('/stops')) {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '400' });
        response.write('x'.repeat(100), () => setTimeout(() => response.destroy(), 50));
        return true;
      }
      const [, status, content] = ANSWERS.find(([part]) => url.includes(part)) ?? [];
      if (status === undefined) return false;
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(content));
      return true;
    });
    const sites = [
      { name: 'blog', url: site.origin, validation: { mode: 'strict' } },
      { name: 'observed', url: site.origin, validation: { mode: 'observe' } },
      { name: 'gone', url: await unreachableOrigin(), discovery: 'off', passthrough: true },
    ] as const;
    gateway = await startGateway({ gateway: { sites } });
    client = await signIn(gateway.request, TOKEN);
    for (const path of [
      '/blog/core/v2/posts',
      '/blog/core/v2/posts',
      '/blog/core/v2/posts/12',
      '/blog/core/v2/posts?page=secret-value',
      `/blog/core/v2/posts?page=${encodeURIComponent(MARKUP)}`,
      '/blog/notes/v1/notes/broken',
      '/observed/core/v2/posts?status=secret-value',
      '/observed/core/v2/posts?context=edit',
      '/observed/unheard/of/secret-path',
      '/observed/stops',
      '/gone/some/long/secret-path?password=secret-value',
    ]) {
      await request(path);
    }
    await request('/blog/core/v2/posts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: ['secret-value'] }),
    });
  });

  test.each(SITE_TABS)('has the page %s, and the guide says what for', async (tab, title) => {
    expect(await read(`sites/gone/${tab}`)).toContain(`<title>${title}`);
    const guide = readFileSync(new URL('../../../docs/operators/console.md', import.meta.url), 'utf8');
    expect(guide).toContain(`\n| ${title} | `);
  });

  test('counts requests by operation and cache result, and none of the console itself', async () => {
    await expect
      .poll(async () => toText(await read('sites/blog/traffic')))
      .toMatch(/ all requests 7 25\.0 % 1 3 /);
    const html = await read('sites/blog/traffic?span=10m');
    expect(html).toContain('<figcaption>Requests per minute</figcaption>');
    expect(html).toContain('aria-current="true"');
    const text = toText(html);
    expect(text).toMatch(/4xx 3, 5xx 1 .*GET \/core\/v2\/posts 4 /);
    expect(text).toMatch(/operation .* GET \/notes\/v1\/notes\/\{name\} 1 /);
    expect((await client.get('/-/console/sites/unheard-of/traffic')).status).toBe(404);
  });

  test('shows why requests were refused or failed, without their values', async () => {
    const html = await read('sites/blog/problems');
    const text = toText(html);
    expect(text).toMatch(
      /GET \/core\/v2\/posts 400 refused by the gateway: a parameter is invalid \(rest_invalid_param\) page: the value has the wrong type/,
    );
    expect(text).toMatch(/POST \/core\/v2\/posts 400 .* title: the value has the wrong type 1 127\.0\.0\.1 /);
    expect(text).toMatch(
      /GET \/notes\/v1\/notes\/\{name\} 500 the site failed: 500 "Error establishing a connection" \(application\/json\) 1 /,
    );
    const failures = await read('sites/gone/problems');
    expect(toText(failures)).toMatch(/GET \/some\/long\/… 502 the site failed: it refused the connection/);
    expect(toText(await read('sites/observed/problems'))).toMatch(
      /GET \/stops 502 the site failed: [^(]* \(its body stopped after 100 of 400 bytes and [\d.]+ m?s; /,
    );
    for (const page of [html, failures]) {
      expect(page).not.toContain('secret-value');
      expect(page).not.toContain('secret-path');
      expect(page).not.toContain('onerror');
    }
  });

  test('explains an address, sends nothing and counts nothing', async () => {
    const received = site.received.length;
    const before = toText(await read('sites/blog/traffic'));
    const explain = async (address: string): Promise<string> =>
      toText(await read(`sites/blog/cache?${new URLSearchParams({ address })}`));
    const POSTS = `${gateway.origin}/blog/core/v2/posts`;
    const stored = await explain(`${POSTS}/12`);
    expect(stored.indexOf('Hit: ')).toBeLessThan(stored.indexOf('Meaning GET'));
    expect(stored).not.toContain('Freshness');
    expect(stored).toContain('Purge this address');
    expect(await explain(`${POSTS}?page=2`)).not.toContain('Purge this address');
    const cases: readonly (readonly [address: string, text: RegExp])[] = [
      [`${POSTS}/12`, /Meaning GET \/core\/v2\/posts\/\{id\}/],
      [`${POSTS}/12`, /Hit: a request gets the stored response\. It is fresh for another \d+.s, until /],
      [`${POSTS}/12`, /Stored yes: status 200, \d+.B of content, \d+.s old/],
      [
        `${gateway.origin}/blog/wp-json/core/v2/posts?page=2`,
        /no stored response for this address.* Stored no/,
      ],
      [`${POSTS}?page=no`, /Invalid\. The gateway refuses it.*page: the value has the wrong type/],
      [`${gateway.origin}/blog/docs`, /The gateway responds itself/],
      ['http://localhost/nothing', /No site is served at this address\./],
      ['nonsense', /Type a URL/],
      ['http://other.example.com/blog/core/v2/posts/12', /Stored no /],
      ['/blog/core/v2/posts/12', /Give the whole URL/],
    ];
    for (const [address, text] of cases) expect(await explain(address)).toMatch(text);
    expect(site.received.length).toBe(received);
    const numbers = (text: string) => /all requests \d+/.exec(text)?.[0];
    expect(numbers(toText(await read('sites/blog/traffic')))).toBe(numbers(before));
  });

  test('purges a route, and refuses what selects nothing', async () => {
    await request('/blog/core/v2/posts/12');
    const query = new URLSearchParams({ address: `${gateway.origin}/blog/core/v2/posts/12` });
    const address = `sites/blog/cache?${query}`;
    expect(toText(await read(address))).toContain('Stored yes');
    const purge = async (kind: string, value: string): Promise<string> => {
      expect((await client.act('purge', { site: 'blog', kind, value })).status).toBe(303);
      return toText(await read('sites/blog/cache'));
    };
    expect(await purge('route', '/core/v2/posts')).toMatch(/Purged: \d+ responses?\./);
    expect(toText(await read(address))).toContain('Stored no');
    expect(await purge('url', '/nothing')).toContain('No site is served at this address');
    expect(await purge('', '')).toContain('Type what to purge.');
  });
});
