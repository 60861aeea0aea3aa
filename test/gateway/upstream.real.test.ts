import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport } from '../../src/node/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { type RawResponse, sendRaw } from '../support/run.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

const PUBLIC = 'https://www.example.com';
const HOST = 'www.example.com';
const site = useWordPress({ title: 'A public site' });

/** Line of the guide's `wp-config.php` by which WordPress knows that clients use https. */
const [HTTPS = ''] = /^if .*'HTTPS'.*$/m.exec(readFileSync('docs/operators/whole-site.md', 'utf8')) ?? [];

/** Plugin of a site behind a proxy: its settings and content have the public address. */
const MU_PLUGIN = `<?php
${HTTPS}
add_action('init', function () {
  global $wpdb;
  $old = untrailingslashit(get_option('home'));
  if ($old === '${PUBLIC}') return;
  $wpdb->query($wpdb->prepare(
    "UPDATE $wpdb->posts SET guid = REPLACE(guid, %s, %s), post_content = REPLACE(post_content, %s, %s)",
    $old, '${PUBLIC}', $old, '${PUBLIC}'
  ));
  update_option('home', '${PUBLIC}');
  update_option('siteurl', '${PUBLIC}');
});
`;

beforeAll(async () => {
  const folder = join(site().folder, 'wp-content/mu-plugins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'public-address.php'), MU_PLUGIN);
  await (await fetch(`${site().url}?rest_route=/`)).text();
  const posts = await (await fetch(`${site().url}?rest_route=/wp/v2/posts&per_page=1`)).json();
  const [{ link }] = posts as [{ readonly link: string }];
  postPath = new URL(link).pathname;
});
/** Path of a post. It contains the date. */
let postPath = '';

const startRunning = (
  options: Partial<SiteOptions>,
  gateway: Partial<GatewayOptions> = {},
): Promise<RunningGateway> =>
  startNodeGateway({
    sites: [{ url: site().url, passthrough: true, ...options }],
    transport: nodeTransport,
    ...gateway,
  });

async function start(...options: Parameters<typeof startRunning>): Promise<RunningGateway> {
  const running = await startRunning(...options);
  closeAfterTest(running.stop);
  return running;
}

/** Sends a request with the public name as Host, and follows no redirect. */
const send = (
  server: RunningGateway,
  path: string,
  { headers = {}, ...init }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawResponse> => sendRaw(server.origin, path, { headers: { Host: HOST, ...headers }, ...init });

/** Counts the addresses of this machine in a response, in any encoding. */
function countOriginAddresses({ body, headers }: RawResponse): number {
  return `${JSON.stringify(headers)}\n${body}`.split('127.0.0.1').length - 1;
}

describe('www → gateway → an internal address, with upstream.host and without rewriting of bodies', () => {
  const upstream = { host: HOST };
  const gateway = { publicUrl: PUBLIC };
  let server: RunningGateway;
  beforeAll(async () => {
    server = await startRunning({ upstream }, gateway);
  });
  afterAll(() => server?.stop());

  test.each([
    ['the front page', '/', 200],
    ['a post', '{post}', 200],
    ['a redirect of the site', '/?p=1', 301],
    ['the feed', '/feed/', 200],
    ['the sitemap', '/wp-sitemap.xml', 200],
    ['a part of the sitemap', '/wp-sitemap-posts-post-1.xml', 200],
    ['robots.txt', '/robots.txt', 200],
    ['the login', '/wp-login.php', 200],
    ['the redirect to the login', '/wp-admin/', 302],
    ['the description of the blog APIs', '/xmlrpc.php?rsd', 200],
    ['the index', '/wp-json/', 200],
    ['a list', '/wp-json/wp/v2/posts', 200],
    ['an embed', `/wp-json/oembed/1.0/embed?url=${encodeURIComponent(PUBLIC)}{post}`, 200],
  ])('%s has no address of the origin', async (_, path, status) => {
    const response = await send(server, path.replace('{post}', postPath));
    expect(response.status).toBe(status);
    expect(countOriginAddresses(response)).toBe(0);
    expect(`${response.headers.location} ${response.body.replaceAll('\\/', '/')}`).toContain(PUBLIC);
  });

  test('a login and the administration have none, and the cookies are of the public name', async () => {
    const { loginPassword, user } = site().users.administrator;
    const form = new URLSearchParams({ log: user, pwd: loginPassword, redirect_to: `${PUBLIC}/wp-admin/` });
    const login = await send(server, '/wp-login.php', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: 'wordpress_test_cookie=WP%20Cookie%20check',
      },
      body: form.toString(),
    });
    expect(login.status).toBe(302);
    expect(login.headers.location).toBe(`${PUBLIC}/wp-admin/`);
    expect(countOriginAddresses(login)).toBe(0);
    const cookies = login.headers['set-cookie'] ?? [];
    expect(cookies.filter((cookie) => /domain=(?!www\.example\.com)/i.test(cookie))).toEqual([]);
    expect(cookies.some((cookie) => cookie.includes('secure'))).toBe(true);
    const Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    const admin = await send(server, '/wp-admin/', { headers: { Cookie } });
    expect(admin.status).toBe(200);
    expect(countOriginAddresses(admin)).toBe(0);
  });
});

describe('rewriteBodies, at an address that the site does not know', () => {
  test('content that is read and saved keeps the addresses of the site in the database', async () => {
    const server = await start({ upstream: { host: HOST }, rewriteBodies: true });
    const gatewayHost = new URL(server.origin).host;
    const headers = {
      Host: gatewayHost,
      Authorization: basicAuth(site().users.editor),
      'Content-Type': 'application/json',
    };
    const original = `<p><a href="${PUBLIC}/hello-world/?a=1&amp;b=2">é</a> <img src="//${HOST}/x.png"></p>`;
    const create = await send(server, '/wp-json/wp/v2/posts', {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Rewritten', status: 'publish', content: original }),
    });
    expect(create.status).toBe(201);
    const { id } = JSON.parse(create.body) as { id: number };
    const path = `/wp-json/wp/v2/posts/${id}?context=edit`;
    const read = async (): Promise<string> =>
      (JSON.parse((await send(server, path, { headers })).body) as { content: { raw: string } }).content.raw;
    const shown = await read();
    expect(shown).toContain(`http://${gatewayHost}/hello-world/`);
    const save = await send(server, path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content: shown }),
    });
    expect(save.status).toBe(200);
    const direct = await start({ upstream: { host: HOST } }, { publicUrl: PUBLIC });
    const stored = await send(direct, path, { headers: { ...headers, Host: HOST } });
    expect((JSON.parse(stored.body) as { content: { raw: string } }).content.raw).toBe(original);
    expect(await read()).toBe(shown);
  });
});
