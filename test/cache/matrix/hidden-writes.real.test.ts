import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WriteRule } from '../../../generated/option-types.d.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { waitUntil } from '../../support/wait.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';

/**
 * Writes to a real WordPress that look as if they wrote nothing, with plugins that write all the same. After each, every stored response of the gateway is compared with
 * the site's own. `hidden-writes/hidden-writes.php` is the plugin that writes.
 */
const site = useWordPress({
  title: 'Hidden writes',
  muPlugins: new URL('hidden-writes', import.meta.url).pathname,
});

const ROUTES = [
  '/wp/v2/posts?per_page=20',
  '/wp/v2/posts/10',
  '/wp/v2/posts/11',
  '/wp/v2/posts?sticky=true',
  '/wp/v2/categories?per_page=100',
  '/wp/v2/search?search=post&per_page=5',
  '/wp/v2/comments?post=12',
  '/wp/v2/tags?post=12',
  '/wp/v2/posts?author=2&per_page=3',
];
const PAGES = ['/?p=10', '/?cat=1'];

let running: RunningGateway;
let cautious: RunningGateway;
let authorization: string;
let count = 0;

beforeAll(async () => {
  const start = (writes: readonly WriteRule[]) =>
    startNodeGateway({
      sites: [
        {
          url: site().url,
          passthrough: true,
          cache: { pages: 3600, writes, rules: [{ match: ['wp/*'], ttl: 3600 }] },
        },
      ],
      cache: 'memory',
    });
  [running, cautious] = await Promise.all([start([]), start([{ match: '*', purges: 'everything' }])]);
  authorization = basicAuth(site().users.administrator);
}, 60_000);
afterAll(async () => {
  await running.stop();
  await cautious.stop();
});

const follow = { redirect: 'manual', headers: { 'accept-encoding': 'identity' } } as const;
const normalize = (text: string, ...origins: readonly string[]): string =>
  origins
    .flatMap((origin) => [origin, origin.replaceAll('/', '\\/')])
    .reduce((replaced, url) => replaced.replaceAll(url, 'site'), text)
    .replace(/(?:data-secret=\\?"|#\?secret=)\w+/g, 'secret');

/** Lists the stored responses of a gateway that differ from those of the site. */
async function listStale(gateway: RunningGateway, paths: readonly string[]): Promise<readonly string[]> {
  const origin = site().url.slice(0, -1);
  const stale: string[] = [];
  for (const path of paths) {
    const stored = await gateway.request(path, follow);
    const text = await stored.text();
    if (!/;\s*hit/.test(stored.headers.get('cache-status') ?? '')) continue;
    const current = await fetch(origin + path, follow);
    const [one, other] = [
      `${stored.status} ${normalize(text, gateway.origin, origin)}`,
      `${current.status} ${normalize(await current.text(), origin)}`,
    ];
    const at = [...one].findIndex((character, index) => character !== other[index]);
    if (one !== other)
      stale.push(`${path}: ${one.slice(at - 40, at + 40)} | ${other.slice(at - 40, at + 40)}`);
  }
  return stale;
}

async function warm(gateway: RunningGateway, paths: readonly string[]): Promise<void> {
  for (const path of [...paths, ...paths]) await (await gateway.request(path, follow)).text();
}

const routes = ROUTES.map((route) => `/wp-json${route}`);
type Write = (gateway: RunningGateway) => Promise<Response>;

/** @param gateways those that ignore what is known of WordPress, or all */
async function expectNothingStale(
  write: Write,
  status: number,
  gateways = [running, cautious],
): Promise<void> {
  const paths = [...routes, ...PAGES];
  for (const gateway of gateways) {
    await warm(gateway, paths);
    // Most of what is read is stored, or the comparison would prove nothing.
    const hits = await Promise.all(
      paths.map(async (path) => (await gateway.request(path, follow)).headers.get('cache-status') ?? ''),
    );
    expect(hits.filter((value) => /;\s*hit/.test(value)).length).toBeGreaterThan(paths.length - 2);
    count += 1;
    const response = await write(gateway);
    await response.text();
    expect(response.status).toBe(status);
    expect(await listStale(gateway, paths)).toEqual([]);
  }
}

const form =
  (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Write =>
  (gateway) =>
    gateway.request(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
const json =
  (path: string, body: () => object): Write =>
  (gateway) =>
    gateway.request(path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body()),
    });

describe('nothing is stale after', () => {
  const AJAX = '/wp-admin/admin-ajax.php';

  test('a refusal of a plugin for its own member, after the post was written', async () => {
    const write = (code: string) =>
      json('/wp-json/wp/v2/posts/10', () => ({ title: `Written ${count}`, hidden_price: code }));
    await expectNothingStale(write('rest_forbidden'), 403);
    await expectNothingStale(write('rest_post_invalid_id'), 404);
  });

  test('the same in a batch', async () => {
    const requests = () => [
      {
        method: 'POST',
        path: '/wp/v2/posts/10',
        body: { title: `Batch ${count}`, hidden_price: 'rest_forbidden' },
      },
    ];
    await expectNothingStale(
      json('/wp-json/batch/v1', () => ({ requests: requests() })),
      207,
    );
  });

  test('a route that the index hides and that answers as if there were none', async () => {
    await expectNothingStale(
      json('/wp-json/hidden/v1/save', () => ({ text: `${count}` })),
      404,
    );
    await expectNothingStale(
      (gateway) => form('/wp-json/hidden/v1/save', { text: `${count}` })(gateway),
      404,
    );
  });

  test('a heartbeat, a failed login and a refused action, with a rule', async () => {
    await expectNothingStale(form(AJAX, { action: 'heartbeat', interval: '60' }), 200, [cautious]);
    await expectNothingStale(form('/wp-login.php', { log: 'nobody', pwd: 'wrong' }), 200, [cautious]);
    await expectNothingStale(form(AJAX, { action: 'hidden_refusal' }), 403, [cautious]);
  });

  test('a form that is sent to a read of the interface', async () => {
    await expectNothingStale(
      (gateway) => form('/wp-json/wp/v2/posts?_method=GET', { hidden_form: `${count}` })(gateway),
      200,
    );
  });

  test('a form of a client with a session that is answered with 405', async () => {
    const cookie = { cookie: 'wordpress_logged_in_x=1' };
    const fields = () => ({ hidden_form: `${count}`, hidden_status: '405' });
    await expectNothingStale((gateway) => form('/', fields(), cookie)(gateway), 405);
  });

  test('a fault of XML-RPC that follows a write', async () => {
    const { password, user } = site().users.administrator;
    const string = (value: string): string => `<value><string>${value}</string></value>`;
    const call = (): string => `<?xml version="1.0"?><methodCall><methodName>wp.editPost</methodName><params>
      <param><value><int>1</int></value></param><param>${string(user)}</param><param>${string(password)}</param>
      <param><value><int>12</int></value></param><param><value><struct>
        <member><name>sticky</name><value><boolean>${count % 2}</boolean></value></member>
        <member><name>terms_names</name><value><struct><member><name>category</name><value><array><data>
          ${string(`Created ${count}`)}</data></array></value></member></struct></value></member>
        <member><name>terms</name><value><struct><member><name>category</name><value><array><data>
          <value><int>999999</int></value></data></array></value></member></struct></value></member>
      </struct></value></param></params></methodCall>`;
    const write: Write = (gateway) =>
      gateway.request('/xmlrpc.php', {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body: call(),
      });
    await expectNothingStale(write, 200);
  });

  test('the deletion of a post that arguments name', async () => {
    await expectNothingStale(
      json('/wp-json/wp/v2/posts/12', () => ({ status: count % 2 === 0 ? 'private' : 'draft' })),
      200,
    );
    await warm(running, routes);
    const init = { method: 'DELETE', headers: { authorization } };
    expect((await running.request('/wp-json/wp/v2/posts/12?force=true', init)).status).toBe(200);
    expect(await listStale(running, routes)).toEqual([]);
  });
});

test('a scheduled post, which appears without a write, is shown by the second read after the lifetime', async () => {
  const gateway = await startNodeGateway({
    sites: [{ url: site().url, passthrough: true, cache: { pages: 1 } }],
    cache: 'memory',
  });
  const read = async (): Promise<string> => (await gateway.request('/', follow)).text();
  const origin = site().url.slice(0, -1);
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Its time has come', date: '2098-01-01T00:00:00', status: 'future' });
  const created = await fetch(`${origin}/wp-json/wp/v2/posts`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { readonly id: number };
  expect(await read()).not.toContain('Its time has come');
  await fetch(`${origin}/`, { method: 'POST', body: new URLSearchParams({ hidden_time: `${id}` }) });
  expect(await (await fetch(`${origin}/`)).text()).toContain('Its time has come');
  await sleep(1_000);
  await read();
  await waitUntil(async () => (await read()).includes('Its time has come'));
  await gateway.stop();
});
