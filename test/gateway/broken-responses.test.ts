import { expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { type Answer, startGateway } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { readSmallIndex } from '../support/stub-site.ts';

/** Responses with status 200 that are errors are not stored, and do not take the place of a stored one. */

const HTML = { 'content-type': 'text/html; charset=UTF-8' };
const PAGE = `<!DOCTYPE html><html><head><title>A</title></head><body>${'<p>Hello</p>'.repeat(2000)}</body></html>`;
const LIST = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, title: 'Post' })));
const WP_DIE =
  '<!DOCTYPE html><html><head><title>Error</title></head><body id="error-page"><p>Error</p></body></html>';
const FATAL =
  '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function a() in /srv/b.php:3\nStack trace:\n#0 {main}\n  thrown in <b>/srv/b.php</b> on line <b>3</b><br />';
const ROUTE = '/wp-json/wp/v2/types';
const ADDRESS = '/hello/';
const LIFETIME = { 'cache-control': 'max-age=300' };

const start = startOnce(async () => {
  let sent: Answer = {};
  const clock = new GatewayClock();
  const { read } = await startGateway({ gateway: { clock } }, () => {
    const headers = { date: new Date(clock.now()).toUTCString(), ...sent.headers };
    return { ...sent, headers, body: sent.body ?? '' };
  });
  return (path: string) =>
    (seconds: number, next: string | Answer): ReturnType<typeof read> => {
      clock.pass(seconds * 1_000);
      sent = typeof next === 'string' ? { body: next } : next;
      return read(path);
    };
});

const PAGES: readonly (readonly [name: string, sent: string | Answer])[] = [
  ['an empty page (statamic/v2-hub#1382)', ''],
  [
    'a page of nothing but the comment of a cache (rtCamp/nginx-helper#329)',
    '\n<!--Cached using Nginx-Helper on 2024-02-27.-->\n<!--Visit the page of the plugin-->',
  ],
  ['a page that ends with its head (wpsharks/comet-cache#438)', PAGE.slice(0, PAGE.indexOf('<body'))],
  ['a page that stops (wp-media/wp-rocket#2776)', PAGE.slice(0, 20_000)],
  ['an empty feed', { headers: { 'content-type': 'application/rss+xml' } }],
  ['a fatal error of PHP (wpsharks/comet-cache#89)', FATAL],
  ['wp_die() (Automattic/wp-super-cache#1015)', WP_DIE],
  ['no database (wpsharks/comet-cache#175)', '<h1>Error establishing a database connection</h1>'],
  [
    'a fatal error after a page (wpsharks/comet-cache#523)',
    `${PAGE}\nFatal error: Maximum execution time of 30 seconds exceeded in /srv/b.php on line 3`,
  ],
  [
    "Cloudflare's challenge (openrightsgroup/blocked-org-uk#326)",
    '<html><title>Just a moment...</title></html>',
  ],
  ['a challenge by a field', { body: PAGE, headers: { 'CF-Mitigated': 'challenge' } }],
];
const ROUTES: typeof PAGES = [
  ['empty JSON', ''],
  ['a long JSON that is cut off', LIST.slice(0, 30_000)],
  ['JSON after a warning', `<br />\n<b>Warning</b>: a in b on line 3<br />\n${LIST}`],
  ['JSON before a fatal error', LIST + FATAL],
  ['a page in place of JSON, with a lifetime', { body: PAGE, headers: { ...HTML, ...LIFETIME } }],
];

const BROKEN = [
  ...PAGES.map((row) => [...row, ADDRESS] as const),
  ...ROUTES.map((row) => [...row, ROUTE] as const),
].map(([name, broken, path], at) => ({ name, broken, path, at }));

test.each(BROKEN)(
  '$name is not stored, nor takes the place of a good response',
  async ({ at, broken, path }) => {
    const good = path === ROUTE ? LIST : PAGE;

    const read = (await start())(`${path}?page=${at}`);
    for (const each of [1, 2]) {
      const body = typeof broken === 'string' ? broken : (broken.body ?? '');
      expect(await read(each, broken)).toEqual([body, expect.not.stringMatching(/hit;|stored/)]);
    }
    expect((await read(601, good))[0]).toBe(good);
    expect((await read(0, broken))[1]).toMatch(/^hit; ttl/);
    // In the window of stale-while-revalidate, and after it in that of stale-if-error.
    for (const seconds of [100, 5, 2000, 5]) expect((await read(seconds, broken))[0]).toBe(good);
    const fresh = path === ROUTE ? '[]' : PAGE.replace('Hello', 'Hi');
    expect((await read(3600, fresh))[0]).toBe(fresh);
  },
);

const page = (text: string): [string, string] => [
  ADDRESS,
  PAGE.replace('<p>Hello</p>', `<main>${text}</main>`),
];
const empty = (path: string, type: string): [string, Answer] => [
  path,
  { headers: { 'content-type': type, 'cache-control': 'max-age=60' } },
];

let wholes = 0;

test.each<[string, string | Answer]>([
  [ADDRESS, '<p>Hello</p>'],
  [
    ADDRESS,
    '<html><title>Fix a fatal error: how to</title><p>Error establishing a database connection</p></html>',
  ],
  page('<h1>Error establishing a database connection</h1><p>How to fix it</p>'),
  page('<p>I get this:<br />\nFatal error: Uncaught Error in a.php on line 3</p>'),
  page('<pre><code>Fatal error: Uncaught Error in a.php on line 3\n</code></pre>'),
  // GoogleChrome/web.dev#10218, kangax/html-minifier#1020, tdewolff/minify#194, getzola/zola#2036
  [ADDRESS, '<!doctype html><html lang=en><title>A</title><p>Hello'],
  [ADDRESS, `${PAGE}<!-- ${'a'.repeat(9000)} -->`],
  empty('/wp-content/a.css', 'text/css'),
  empty('/robots.txt', 'text/plain'),
  [ROUTE, `${'\n'.repeat(200)}${LIST}${'\n'.repeat(200)}`],
  [ROUTE, 'null'],
  [ROUTE, '{"a":"Grüße 😀 \u2028"}'],
  [ROUTE, '\ufeff{"a":1}'],
])('%s is whole, and stored: row %#', async (path, sent) => {
  wholes += 1;
  const read = (await start())(`${path}?page=${100 + wholes}`);
  await read(0, sent);
  expect((await read(0, sent))[1]).toMatch(/^hit/);
});

const LINKED = { link: '<https://example.com/wp-json/>; rel="https://api.w.org/"' };
const AWAY = '<html><head><title>A</title></head><body>Be right back</body></html>';

test.each([
  ['while the index cannot be read, it is an error', true],
  ['while it can, the page is what the site says', false],
])('a page no longer links the index of WordPress: %s', async (_, isAway) => {
  const clock = new GatewayClock();
  let body = PAGE;
  const index = () => (isAway && body === AWAY ? 'away' : readSmallIndex());
  const { read } = await startGateway({ index, gateway: { clock } }, () => {
    const date = new Date(clock.now()).toUTCString();
    return { headers: { ...HTML, date, ...(body === PAGE && LINKED) }, body };
  });
  for (const path of ['/a/', '/a/', '/b/']) await read(path);
  body = AWAY;
  const seen = [];
  for (const path of ['/a/', '/a/', '/new/', '/new/', '/new/', '/a/']) {
    clock.pass(61_000);
    await read(path);
    await new Promise((resolve) => setTimeout(resolve, 50));
    seen.push((await read(path))[0] === AWAY);
  }
  expect(seen.at(-1)).toBe(!isAway);
  const [, status] = await read('/new/');
  if (isAway) expect(status).not.toMatch(/hit/);
  body = PAGE;
  clock.pass(61_000);
  await read('/a/');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await read('/a/'))[0]).toBe(PAGE);
});
