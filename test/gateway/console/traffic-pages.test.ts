import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../../support/echo-site.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { ASSETS, type ConsoleTestClient, FORM, readCsrfToken, signIn } from './support/console-client.ts';

const TOKEN = 'a-token-of-the-tests';
const MARKUP = '<img src=x onerror=alert(1)>';

/** The text of a page, without markup. */
const toText = (html: string): string =>
  html
    .replace(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

describe.each(Object.entries(ADAPTERS))('the console of a site on %s', (_, start) => {
  let site: EchoSite;
  let gateway: RunningGateway;
  let client: ConsoleTestClient;

  const read = async (path: string): Promise<string> => {
    const response = await client.get(`/-/console/${path}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  const request = async (path: string, init?: RequestInit): Promise<void> => {
    await (await gateway.request(path, init)).arrayBuffer();
  };

  beforeAll(async () => {
    site = await startEchoSite((received, response) => {
      if (!received.url.includes('/notes/v1/notes/broken')) return false;
      response.statusCode = 500;
      response.end('{}');
      return true;
    });
    gateway = await start({
      sites: [
        { name: 'blog', url: site.origin, validation: { mode: 'strict' } },
        {
          name: 'gone',
          url: await unreachableOrigin(),
          discovery: 'off',
          passthrough: true,
        },
      ],
      cache: 'memory',
      admin: { token: TOKEN },
      docs: () => ASSETS,
    });
    client = await signIn(gateway.request, TOKEN);
    for (const path of [
      '/blog/core/v2/posts',
      '/blog/core/v2/posts',
      '/blog/core/v2/posts/12',
      '/blog/core/v2/posts?page=secret-value',
      `/blog/core/v2/posts?page=${encodeURIComponent(MARKUP)}`,
      '/blog/notes/v1/notes/broken',
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
  afterAll(async () => {
    await gateway.stop();
    await site.close();
  });

  test('counts requests by operation and cache result, and none of the console itself', async () => {
    await expect
      .poll(async () => toText(await read('sites/blog/traffic')))
      .toMatch(/Requests 7 .*Hit ratio 25\.0 %/);
    const html = await read('sites/blog/traffic?sort=5xx&span=10m');
    expect(html).toContain('<title id="plot-requests-title">Requests per 10\u00a0s</title>');
    expect(html).toContain('aria-current="true"');
    const text = toText(html);
    expect(text).toMatch(/GET \/core\/v2\/posts 4 /);
    expect(text).toMatch(/operation .* GET \/notes\/v1\/notes\/\{name\} 1 /);
    const link = /sites\/blog\/traffic\/([^"?]+)\?[^"]*">\/core\/v2\/posts\/\{id\}/.exec(html)?.[1] ?? '';
    const operation = await read(`sites/blog/traffic/${link}`);
    expect(operation).toContain('GET /core/v2/posts/{id}</h1>');
    expect(operation).toContain('../../../../../blog/docs/core/v2/posts#');
    expect((await client.get('/-/console/sites/blog/traffic/unheard-of')).status).toBe(404);
    expect((await client.get('/-/console/sites/unheard-of/traffic')).status).toBe(404);
  });

  test('shows why requests were refused or failed, without their values', async () => {
    const html = await read('sites/blog/problems');
    const text = toText(html);
    expect(text).toMatch(
      /400 GET \/core\/v2\/posts .* refused by the gateway: a parameter is invalid page : the value has the wrong type/,
    );
    expect(text).toMatch(/400 POST \/core\/v2\/posts .* title : the value has the wrong type/);
    expect(text).toMatch(
      /500 GET \/notes\/v1\/notes\/\{name\} .* the site failed: a program of the site has failed/,
    );
    const failures = await read('sites/gone/problems?source=failure');
    expect(toText(failures)).toMatch(/502 GET \/some\/long\/… .* the site failed: it refused the connection/);
    for (const page of [html, failures]) {
      expect(page).not.toContain('secret-value');
      expect(page).not.toContain('secret-path');
      expect(page).not.toContain('onerror');
    }
    expect(toText(await read('sites/blog/problems?source=failure'))).toContain('No such problem');
  });

  test('explains an address, sends nothing and counts nothing', async () => {
    const received = site.received.length;
    const before = toText(await read('sites/blog/traffic'));
    const explain = async (address: string, fields = ''): Promise<string> =>
      toText(await read(`sites/blog/cache?${new URLSearchParams({ address, fields })}`));
    const stored = await explain('/blog/core/v2/posts/12');
    expect(stored).toMatch(/Operation GET \/core\/v2\/posts\/\{id\}/);
    expect(stored).toMatch(/Parameters as the site reads them: id = /);
    expect(stored).toMatch(/Hit: a request gets the stored response\. It is fresh for another \d+.s, until /);
    expect(stored.indexOf('Hit: ')).toBeLessThan(stored.indexOf('Operation GET'));
    expect(stored).toMatch(/Stored yes: status 200, \d+.B of content, \d+.s old/);
    expect(stored).not.toContain('Freshness');
    expect(stored).toContain('Purge this address');
    expect(await explain('/blog/core/v2/posts?page=2')).not.toContain('Purge this address');
    expect(stored).toMatch(/Purged by writes that it depends on: .*DELETE \/core\/v2\/posts\/12/);
    expect(await explain('/blog/wp-json/core/v2/posts?page=2')).toMatch(
      /no stored response for this address.* Stored no/,
    );
    expect(await explain('/blog/core/v2/posts?page=no')).toMatch(
      /Invalid\. The gateway refuses it.*page: the value has the wrong type/,
    );
    expect(await explain('/blog/core/v2/posts', 'X-Unknown: 1')).toContain(
      'Never stored: X-Unknown is a header field',
    );
    expect(await explain('/blog/core/v2/posts', 'Authorization: secret')).toContain(
      'Never stored: a header field authenticates',
    );
    expect(await explain('/blog/docs')).toContain('The gateway responds itself');
    // A route of the site of the page.
    expect(await explain('/core/v2/posts', 'X-Unknown: 1')).toContain(
      'Never stored: X-Unknown is a header field',
    );
    expect(await explain('http://localhost/nothing')).toContain('No site is mounted at this path.');
    expect(await explain('nonsense')).toContain('Type a URL');
    expect(await explain('/blog/core/v2/posts', 'nonsense')).toContain('Write each header field');
    expect(await explain(`${gateway.origin}/blog/core/v2/posts/12`)).toMatch(/Stored yes/);
    // A URL of the site, as a browser or the site's own links have it.
    expect(await explain(`${site.origin}/wp-json/core/v2/posts/12`)).toMatch(
      /Operation GET \/core\/v2\/posts\/\{id\}.* Stored yes/,
    );
    expect(await explain(`http://other.example.com/blog/core/v2/posts/12`)).toMatch(
      /Stored no .*also stored for the addresses of the gateway/,
    );
    expect(site.received.length).toBe(received);
    const numbers = (text: string) => /Requests \d+/.exec(text)?.[0];
    expect(numbers(toText(await read('sites/blog/traffic')))).toBe(numbers(before));
  });

  test('leads from a refusal to its rule, which the operator suspends', async () => {
    const html = await read('sites/blog/problems');
    const [, query = ''] = /sites\/blog\/validation\?([^"]*param=page[^"]*)"/.exec(html) ?? [];
    const path = `sites/blog/validation?${query.replaceAll('&amp;', '&')}`;
    const rules = await read(path);
    expect(toText(rules)).toMatch(/GET \/core\/v2\/posts core\/v2 page : the value has the wrong type/);
    const [, key = ''] = /name="key" value="([^"]*)"/.exec(rules) ?? [];
    const fields = { site: 'blog', key };
    const response = await client.act('decide-rule', { ...fields, decision: 'suspended', query: '' });
    expect(response.status).toBe(303);
    expect(toText(await read(path))).toContain('decided by the operator: suspended');
    expect((await gateway.request('/blog/core/v2/posts?page=x')).status).toBe(200);
    await client.act('decide-rule', { ...fields, decision: '', query: '' });
    expect(toText(await read(path))).not.toContain('decided by the operator');
    const unknown = await client.act('decide-rule', {
      ...fields,
      key: `${key}x`,
      decision: 'confirmed',
    });
    expect(unknown.status).toBe(303);
    expect(toText(await read('sites/blog/validation?state=known&q=unheard-of'))).toContain(
      'No rule with evidence',
    );
  });

  test('shows what is stored, previews a purge, and purges after a confirmation', async () => {
    await request('/blog/core/v2/posts/12');
    await expect
      .poll(async () => toText(await read('sites/blog/cache')))
      .toMatch(/Stored by route .* \/core\/v2\/posts\/\{id\} 1 1 /);
    await request('/blog/core/v2/posts/12?_fields=id,title');
    const page = await read('sites/blog/cache');
    const csrf = readCsrfToken(page);
    const submit = (fields: Readonly<Record<string, string>>): Promise<Response> =>
      gateway.request('/-/console/purge', {
        method: 'POST',
        headers: { cookie: client.cookie, ...FORM },
        body: new URLSearchParams({ _token: csrf, site: 'blog', ...fields }).toString(),
      });
    const fields = { kind: 'route', value: '/core/v2/posts' };
    const preview = await submit(fields);
    expect(preview.status).toBe(200);
    const text = toText(await preview.text());
    expect(text).toMatch(/Removes the route \/core\/v2\/posts: \d responses?, /);
    // The page names the site, and the button what it does.
    expect(text).toMatch(/Overview Echo Cache Purge /);
    expect(text).toMatch(/Purge \d responses/);
    expect(text).toContain('/blog/core/v2/posts/12');
    expect(text).toContain('_fields=id,title');
    expect(
      toText(await read(`sites/blog/cache?address=${encodeURIComponent('/blog/core/v2/posts/12')}`)),
    ).toContain('Stored yes');
    const done = await submit({ ...fields, _confirmed: 'yes' });
    expect(done.status).toBe(303);
    expect(
      toText(await read(`sites/blog/cache?address=${encodeURIComponent('/blog/core/v2/posts/12')}`)),
    ).toContain('Stored no');
    for (const wrong of [
      { kind: 'namespace', value: 'unheard/of' },
      { kind: 'address', value: '/gone/x' },
      { kind: 'route', value: 'x' },
      { kind: 'tag', value: '' },
      { kind: 'nonsense', value: 'x' },
    ]) {
      const refused = await submit(wrong);
      expect(refused.status).toBe(303);
    }
    expect((await submit({ kind: 'site', value: '' })).status).toBe(200);
  });
});
