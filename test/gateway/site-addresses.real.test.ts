import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeTransport } from '../../src/node/index.ts';
import { runGateway } from '../support/run.ts';
import { useWordPress } from '../support/wordpress.ts';

const site = useWordPress({ title: 'A site with languages' });

/**
 * Does what language plugins with directories do: the first segment of a path selects a language, which `home_url()` and the root of the
 * REST interface then contain. The arrangement says what else differs.
 */
const MU_PLUGIN = `<?php
$arrangement = json_decode(file_get_contents(__DIR__ . '/arrangement.json'), true);
$language = 'en';
$has_language = ($arrangement['directories'] ?? false)
    && preg_match('#^/(en|de)(?=[/?]|$)#', $_SERVER['REQUEST_URI'], $match);
if ($has_language) {
    $language = $match[1];
    $_SERVER['REQUEST_URI'] = '/' . ltrim(substr($_SERVER['REQUEST_URI'], 3), '/');
}
if ($arrangement['directories'] ?? false) {
    $filter = fn (string $url): string => preg_replace('#^(https?://[^/]+)#', "$1/$language", $url);
    add_filter($arrangement['filters'], $filter);
    add_filter('redirect_canonical', '__return_false');
    if ($arrangement['redirects'] ?? false) add_action('template_redirect', function () use ($has_language, $filter) {
        if (!$has_language && is_front_page()) exit(wp_redirect($filter(get_option('home') . '/')));
    });
}
if (isset($arrangement['prefix'])) add_filter('rest_url_prefix', fn () => $arrangement['prefix']);
add_action('wp_head', fn () => print("<meta name='test-language' content='$language'>"));
`;

const arrange = (arrangement: object): void =>
  writeFileSync(join(site().folder, 'wp-content/mu-plugins/arrangement.json'), JSON.stringify(arrangement));

beforeAll(() => {
  const folder = join(site().folder, 'wp-content/mu-plugins');
  mkdirSync(folder, { recursive: true });
  arrange({});
  writeFileSync(join(folder, 'addresses.php'), MU_PLUGIN);
});

const FILE = '/wp-includes/css/dashicons.min.css';
const LANGUAGES = ['/', '/en/', '/de/', '/de/about/', '/about/', FILE, '/wp-login.php'];
const POSTS = '/wp/v2/posts?per_page=1&_fields=id,link';

interface Arrangement {
  readonly name: string;
  readonly arrangement: object;
  /** Paths whose responses are those of the site itself. */
  readonly same: readonly string[];
  /** The path at the site whose response the short spelling of a route has, where the site is mounted without its pages. */
  readonly short: string;
  /** Server of the root index in the document of a whole site: the root that it announces, or one that responds. */
  readonly server: string;
}

const ARRANGEMENTS: readonly Arrangement[] = [
  {
    name: 'directories in home_url (Polylang, WPML; G1)',
    arrangement: { directories: true, filters: 'home_url' },
    same: [...LANGUAGES, `/en/wp-json${POSTS}`, `/wp-json${POSTS}`, `/de/wp-json${POSTS}`],
    short: `/en/wp-json${POSTS}`,
    server: '/en/wp-json',
  },
  {
    name: 'directories in the REST root only (TranslatePress; G1)',
    arrangement: { directories: true, filters: 'rest_url' },
    same: [...LANGUAGES, `/en/wp-json${POSTS}`, `/?rest_route=/wp/v2/posts&per_page=1`],
    short: `/en/wp-json${POSTS}`,
    server: '/en/wp-json',
  },
  {
    name: 'directories, and a front page that redirects to its language (G2)',
    arrangement: { directories: true, filters: 'home_url', redirects: true },
    same: [...LANGUAGES, `/en/wp-json${POSTS}`, `/index.php?rest_route=/wp/v2/posts&per_page=1`],
    short: `/en/wp-json${POSTS}`,
    server: '/en/wp-json',
  },
  {
    name: 'a renamed prefix',
    arrangement: { prefix: 'api' },
    same: ['/', '/about/', '/about', FILE, '/wp-login.php', `/?rest_route=/wp/v2/posts&per_page=1`],
    short: `/?rest_route=/wp/v2/posts&per_page=1&_fields=id,link`,
    // The stored rewrite rules are older than the prefix: the site itself still has its routes at the usual root only.
    server: '/wp-json',
  },
];

/** What visitors see of a response: status, redirect, and content without values that differ between two responses. */
async function observe(origin: string, path: string): Promise<readonly unknown[]> {
  const response = await fetch(origin + path, { redirect: 'manual' });
  // In any spelling: scripts have `http:\\/\\/`.
  const { host } = new URL(origin);
  const body = (await response.text())
    .replaceAll(/"nonce":"\w+"|value="\w{10}"/g, '')
    .replaceAll(host, '')
    .replaceAll(encodeURIComponent(host), '');
  return [path, response.status, response.headers.get('location')?.replace(origin, '') ?? '', body];
}

describe.each(ARRANGEMENTS)('a WordPress with $name', ({ arrangement, same, server, short }) => {
  test('responds through the gateway as it does itself', async () => {
    arrange(arrangement);
    const own = new URL(site().url).origin;
    const running = await runGateway({ url: site().url, passthrough: true, rewriteBodies: true });
    for (const path of same) expect(await observe(running.origin, path)).toEqual(await observe(own, path));
    // The short spelling is a page of a whole site, and this one has none there.
    const page = await observe(running.origin, POSTS);
    expect(page).toEqual(await observe(own, POSTS));
    expect(page[1]).toBe(404);
    const document = await (await running.request('/-/openapi.json')).json();
    expect(document.paths['/'].servers[0].url).toBe(server);
    const [, ...route] = await observe(running.origin, server + POSTS);
    expect(route).toEqual((await observe(own, short)).slice(1));
    expect(route[0]).toBe(200);
  });

  test('responds to the short spelling of a route where only its routes are mounted', async () => {
    arrange(arrangement);
    const { request } = await runGateway({ url: site().url });
    const [response, expected] = [await request(POSTS), await fetch(new URL(short, site().url))];
    expect([response.status, await response.json()]).toEqual([200, await expected.json()]);
    expect(expected.status).toBe(200);
  });
});

test('a WordPress that calls itself by its own port redirects the public name with that port (O10)', async () => {
  arrange({});
  const warnings: string[] = [];
  const running = await runGateway(
    { url: site().url, passthrough: true, rewriteBodies: true, upstream: { host: 'www.example.com' } },
    {
      publicUrl: 'https://www.example.com',
      transport: nodeTransport,
      log: { info() {}, error() {}, warn: (_, text) => warnings.push(text) },
    },
  );
  const { headers, status } = await running.request('/about/');
  expect([status, headers.get('location')]).toEqual([301, 'https://www.example.com/about/']);
  expect(warnings).toContainEqual(expect.stringContaining('redirects each page to itself'));
});
