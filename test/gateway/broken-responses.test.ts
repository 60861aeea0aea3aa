import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, startStubSite } from '../support/stub-site.ts';

/** Responses with status 200 that are errors are not stored, and do not take the place of a stored one. */

const HTML = 'text/html; charset=UTF-8';
const JSON_TYPE = 'application/json';
const PAGE = `<!DOCTYPE html><html><head><title>A</title></head><body>${'<p>Hello</p>'.repeat(2000)}</body></html>`;
const LIST = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, title: 'Post' })));
const WP_DIE =
  '<!DOCTYPE html><html><head><title>Error</title></head><body id="error-page"><p>Error</p></body></html>';

interface Sent {
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function start(path: string) {
  let now = Date.now();
  let sent: Sent = { body: '' };
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept({ url }, response) {
      if (url !== path) return false;
      const type = path.startsWith('/wp-json') ? JSON_TYPE : HTML;
      response.writeHead(200, { 'Content-Type': sent.type ?? type, ...sent.headers }).end(sent.body);
      return true;
    },
  });
  const { request, stop } = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, cache: { pages: 60 } }],
    cache: 'memory',
    clock: { ...systemClock, now: () => now },
  });
  closeAfterTest(site.close, stop);
  return async (seconds: number, next: Sent): Promise<{ body: string; status: string }> => {
    now += seconds * 1000;
    sent = next;
    const response = await request(path);
    return { body: await response.text(), status: response.headers.get('cache-status') ?? '' };
  };
}

const ROUTE = '/wp-json/wp/v2/types';
const ADDRESS = '/hello/';
const fatal =
  '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function a() in /srv/b.php:3\nStack trace:\n#0 {main}\n  thrown in <b>/srv/b.php</b> on line <b>3</b><br />';

const BROKEN: readonly (readonly [name: string, report: string, path: string, sent: Sent])[] = [
  ['an empty page', 'statamic/v2-hub#1382', ADDRESS, { body: '' }],
  ['a page of white space', 'G8', ADDRESS, { body: ' \n\t\r\n' }],
  [
    'a page of nothing but the comment of a cache',
    'rtCamp/nginx-helper#329',
    ADDRESS,
    { body: '\n<!--Cached using Nginx-Helper on 2024-02-27.-->\n<!--Visit the page of the plugin-->' },
  ],
  [
    'a page that ends with its head',
    'wpsharks/comet-cache#438',
    ADDRESS,
    { body: PAGE.slice(0, PAGE.indexOf('<body')) },
  ],
  ['a page that stops', 'wp-media/wp-rocket#2776', ADDRESS, { body: PAGE.slice(0, 20_000) }],
  ['an empty feed', 'G8', ADDRESS, { body: '', type: 'application/rss+xml' }],
  ['a fatal error of PHP', 'wpsharks/comet-cache#89', ADDRESS, { body: fatal }],
  ['the same within a page', 'wpsharks/comet-cache#89', ADDRESS, { body: PAGE.slice(0, 20_000) + fatal }],
  [
    'the same without html_errors',
    'G8',
    ADDRESS,
    { body: '\nParse error: syntax error, unexpected end of file in /srv/b.php on line 9\n' },
  ],
  ['wp_die()', 'Automattic/wp-super-cache#1015', ADDRESS, { body: WP_DIE }],
  [
    'no database',
    'wpsharks/comet-cache#175',
    ADDRESS,
    { body: '<h1>Error establishing a database connection</h1>' },
  ],
  [
    'a critical error',
    'Automattic/jetpack#35297',
    ADDRESS,
    { body: '<p>There has been a critical error on this website.</p>' },
  ],
  [
    'the same after a page',
    'pluginkollektiv/cachify#266',
    ADDRESS,
    { body: `${PAGE}<p>There has been a critical error on this website.</p>` },
  ],
  [
    'a fatal error after a page',
    'wpsharks/comet-cache#523',
    ADDRESS,
    { body: `${PAGE}\nFatal error: Maximum execution time of 30 seconds exceeded in /srv/b.php on line 3` },
  ],
  [
    'no database, with a page of its own',
    'wpsharks/comet-cache#175',
    ADDRESS,
    { body: '<html><body>\n  <h1>Error establishing a database connection</h1>\n</body></html>' },
  ],
  [
    "Cloudflare's challenge",
    'openrightsgroup/blocked-org-uk#326',
    ADDRESS,
    { body: '<html><title>Just a moment...</title></html>' },
  ],
  [
    'a challenge by a field',
    'cf-mitigated',
    ADDRESS,
    { body: PAGE, headers: { 'CF-Mitigated': 'challenge' } },
  ],
  [
    "SiteGround's challenge",
    'sgcaptcha',
    ADDRESS,
    { body: '<html><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></html>' },
  ],
  [
    "Sucuri's challenge",
    'sucuri_cloudproxy_js',
    ADDRESS,
    { body: "<html><script>var sucuri_cloudproxy_js='';</script></html>" },
  ],
  [
    'the same with a lifetime',
    'host',
    ADDRESS,
    { body: WP_DIE, headers: { 'Cache-Control': 'max-age=300' } },
  ],
  ['empty JSON', 'G8', ROUTE, { body: '' }],
  ['JSON that is cut off', 'G8', ROUTE, { body: '[{"id":1},{"id"' }],
  ['a long JSON that is cut off', 'G8', ROUTE, { body: LIST.slice(0, 30_000) }],
  ['JSON after a warning', 'G8', ROUTE, { body: `<br />\n<b>Warning</b>: a in b on line 3<br />\n${LIST}` }],
  ['JSON before a fatal error', 'G8', ROUTE, { body: LIST + fatal }],
  ['a page in place of JSON', 'G8', ROUTE, { body: PAGE, type: HTML }],
  [
    'the same with a lifetime',
    'host',
    ROUTE,
    { body: PAGE, type: HTML, headers: { 'Cache-Control': 'max-age=300' } },
  ],
];

const good = (path: string): Sent => ({ body: path === ROUTE ? LIST : PAGE });

describe.each(BROKEN)('%s (%s)', (_, __, path, broken) => {
  test('is not stored, and the good response is when it comes', async () => {
    const read = await start(path);
    for (const each of [1, 2]) {
      const { body, status } = await read(each, broken);
      expect([body, status]).toEqual([broken.body, expect.not.stringMatching(/hit;|stored/)]);
    }
    expect((await read(0, good(path))).body).toBe(good(path).body);
    expect((await read(0, broken)).status).toMatch(/^waygate; hit; ttl/);
  });

  test('does not take the place of a good response while that may be used', async () => {
    const read = await start(path);
    await read(0, good(path));
    // In the window of stale-while-revalidate, and after it in that of stale-if-error.
    for (const seconds of [100, 5, 2000, 5]) {
      expect((await read(seconds, broken)).body).toBe(good(path).body);
    }
    const fresh = { body: path === ROUTE ? '[]' : PAGE.replace('Hello', 'Hi') };
    expect((await read(3600, fresh)).body).toBe(fresh.body);
  });
});

test.each<[string, string, Sent]>([
  ['a fragment of HTML', ADDRESS, { body: '<p>Hello</p>' }],
  [
    'a page about an error',
    ADDRESS,
    {
      body: '<html><title>Fix a fatal error: how to</title><p>Error establishing a database connection</p></html>',
    },
  ],
  ...[
    '<h1>Error establishing a database connection</h1><p>How to fix it</p>',
    '<p>There has been a critical error on this website. What now?</p>',
    '<p>I get this:<br />\nFatal error: Uncaught Error in a.php on line 3</p>',
    '<pre><code>Fatal error: Uncaught Error in a.php on line 3\n</code></pre>',
  ].map((text): [string, string, Sent] => [
    `a page with ${text}`,
    ADDRESS,
    { body: PAGE.replace('<p>Hello</p>', `<main>${text}</main>`) },
  ]),
  // GoogleChrome/web.dev#10218, kangax/html-minifier#1020, tdewolff/minify#194, getzola/zola#2036
  ['a minified page', ADDRESS, { body: '<!doctype html><html lang=en><title>A</title><p>Hello' }],
  ['long JSON between empty lines', ROUTE, { body: `${'\n'.repeat(200)}${LIST}${'\n'.repeat(200)}` }],
  ['a page with a long tail', ADDRESS, { body: `${PAGE}<!-- ${'a'.repeat(9000)} -->` }],
  [
    'an empty style',
    '/wp-content/a.css',
    { body: '', type: 'text/css', headers: { 'Cache-Control': 'max-age=60' } },
  ],
  [
    'an empty script',
    '/wp-content/a.js',
    { body: '', type: 'text/javascript', headers: { 'Cache-Control': 'max-age=60' } },
  ],
  [
    'an empty robots.txt',
    '/robots.txt',
    { body: '', type: 'text/plain', headers: { 'Cache-Control': 'max-age=60' } },
  ],
  ['null', ROUTE, { body: 'null' }],
  ['a number', ROUTE, { body: '7\n' }],
  ['a text with UTF-8', ROUTE, { body: '{"a":"Grüße 😀 \u2028"}' }],
  ['JSON after a byte order mark', ROUTE, { body: '\ufeff{"a":1}' }],
])('%s is stored', async (_, path, sent) => {
  const read = await start(path);
  await read(0, sent);
  expect((await read(0, sent)).status).toMatch(/^waygate; hit/);
});
