import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { type Answer, type RawResponse, runAnswering, sendRaw } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';

/**
 * Public reports about proxies and page caches in front of members' areas, networks, headless front ends and shops. The site of each row
 * behaves as the report says, and the row states what its visitors must get.
 */

type Site = (request: StubRequest, visit: number) => Answer;
/** Path, header fields and, of a POST, the body. */
type Ask = string | readonly [path: string, headers: Record<string, string>, body?: string];
/** A body or `Location`, `hit …` for a stored one, or more. */
type Outcome = string | Partial<Record<keyof RawResponse, unknown>>;
type Row = readonly [
  sentence: string,
  settings: Partial<SiteOptions>,
  site: Site,
  ...exchanges: (readonly [Ask, Outcome])[],
];

const html = (text: string): string => `<!DOCTYPE html><html><body><p>${text}</p></body></html>`;
const page = (text: string | undefined, headers: Answer['headers'] = {}): Answer => ({
  headers,
  body: html(text ?? ''),
});
const ANN = { cookie: 'wordpress_logged_in_1=ann' };
const EDITOR = { cookie: 'wordpress_logged_in_1=editor' };
const at = (host: string): Record<string, string> => ({ host });
const cookieOf = ({ headers }: StubRequest): string => headers.cookie ?? 'nobody';
const PAGES = { pages: 60 } as const;
const NETWORK = {
  hosts: ['example.com', '*.example.com', 'shop.example.org'],
  publicUrl: 'http://example.com',
} as const;

const MEMBERS: readonly Row[] = [
  [
    'a Markdown copy that a member asked for is not the visitors’ (ProgressPlanner/markdown-alternate#27)',
    {},
    (request) => page(cookieOf(request), { 'content-type': 'text/markdown' }),
    [['/lesson.md', ANN], ANN.cookie],
    ['/lesson.md', 'nobody'],
    [['/lesson.md', ANN], ANN.cookie],
  ],
  [
    'a post with a password opens for those who have it, and other posts stay stored (tlovett1/simple-cache#72)',
    {},
    ({ headers, url }) => page(url === '/secret/' && headers.cookie ? 'text' : 'form'),
    ['/secret/', 'form'],
    ['/secret/', 'hit form'],
    [['/secret/', { cookie: 'wp-postpass_1=a' }], 'text'],
    ['/secret/', 'hit form'],
  ],
  [
    'a download that the web server sends in place of PHP stays one client’s (awesomemotive/easy-digital-downloads#6322)',
    {},
    (_, visit) => ({ headers: { 'content-type': 'application/zip' }, body: `file ${visit}` }),
    ['/?eddfile=5%3A1%3A0&ttl=9&file=0&token=a', 'file 1'],
    ['/?eddfile=5%3A1%3A0&ttl=9&file=0&token=a', 'file 2'],
  ],
];

const NETWORKS: readonly Row[] = [
  [
    'a redirect that takes the port off a host is not stored for those without it (spinupwp/wordpress-nginx#30)',
    NETWORK,
    ({ headers }) =>
      headers.host === 'a.example.com:80'
        ? { status: 301, headers: { location: 'http://a.example.com/' } }
        : page('home'),
    [['/home/', at('a.example.com:80')], 'http://a.example.com/'],
    [['/home/', at('a.example.com')], 'home'],
    [['/home/', at('a.example.com')], 'hit home'],
  ],
  [
    'a site without trailing slashes redirects once, whatever campaign led there (wp-media/wp-rocket#5207)',
    {},
    ({ url }) =>
      /^\/sub\/(?:$|\?)/.test(url) ? { status: 301, headers: { location: '/sub' } } : page('sub'),
    ['/sub/?utm_source=a', '/sub?utm_source=a'],
    ['/sub?utm_source=a', 'sub'],
    ['/sub/', '/sub'],
    ['/sub?utm_source=b', 'hit sub'],
  ],
  [
    'an editor at the host of the administration sees the change at the others (rtCamp/nginx-helper#83)',
    NETWORK,
    (_, visit) => page(String(visit)),
    [['/about/', at('shop.example.org')], '1'],
    [['/about/', at('shop.example.org')], 'hit 1'],
    [['/wp-admin/post.php', { ...at('example.com'), ...EDITOR }, 'action=editpost'], '2'],
    [['/about/', at('shop.example.org')], '3'],
  ],
  [
    'a purge of a page at a domain of its own finds it (BoldGrid/w3-total-cache#200, wp-media/wp-rocket#1519)',
    { ...NETWORK, cache: { ...PAGES, purgers: ['127.0.0.0/8'] } },
    (_, visit) => page(String(visit)),
    [['/about/', at('shop.example.org')], '1'],
    [['/about/', at('shop.example.org')], 'hit 1'],
    [['PURGE /about/', at('shop.example.org')], { status: 200 }],
    [['/about/', at('shop.example.org')], '2'],
  ],
];

const SHOPS: readonly Row[] = [
  [
    'prices by country are right if a rule names the field of the country (woocommerce/woocommerce#7939, wp-media/wp-rocket#5983)',
    { cache: { ...PAGES, rules: [{ match: '/product/*', ttl: 60, keyHeaders: ['CF-IPCountry'] }] } },
    ({ headers }) => page(String(headers['cf-ipcountry'])),
    ...['DE', 'US', 'DE'].map((country, which): Row[3] => [
      ['/product/a/', { 'cf-ipcountry': country }],
      which === 2 ? 'hit DE' : country,
    ]),
  ],
];

/** What an operator can say against what is built in. */
const CONTRADICTED: readonly Row[] = [
  [
    'a folder of a network is not stored if a rule says so, nor are its scripts (keycdn/cache-enabler#343, wp-media/wp-rocket#5831)',
    { cache: { ...PAGES, rules: [{ match: '/support/*', store: false }] } },
    (request, visit) => page(`${visit} ${cookieOf(request)}`),
    ['/support/', '1 nobody'],
    ['/support/', '2 nobody'],
    [['/support/wp-content/plugins/x/mine.js', ANN], `3 ${ANN.cookie}`],
    [['/support/wp-content/plugins/x/mine.js', ANN], `4 ${ANN.cookie}`],
    ['/home/', '5 nobody'],
    ['/home/', 'hit 5 nobody'],
  ],
  [
    'a parameter of a campaign can select the page (BoldGrid/w3-total-cache#674)',
    { cache: { ...PAGES, ignoreParameters: ['!utm_*'], queries: ['utm_campaign'] } },
    ({ url }) => page(url),
    ['/home/?utm_campaign=spring', '/home/?utm_campaign=spring'],
    ['/home/', '/home/'],
    ['/home/?utm_campaign=spring', 'hit /home/?utm_campaign=spring'],
  ],
  [
    'a field that a theme sends with each read can be taken off the credentials (woocommerce/woocommerce#25437)',
    { cache: { ...PAGES, harmlessHeaders: ['X-WP-Nonce'] } },
    (request) => ({ body: JSON.stringify([cookieOf(request), request.headers['x-wp-nonce']]) }),
    [['/wp-json/wp/v2/posts', { 'x-wp-nonce': 'a' }], '["nobody",null]'],
    [['/wp-json/wp/v2/posts', { 'x-wp-nonce': 'b' }], 'hit ["nobody",null]'],
    [['/wp-json/wp/v2/posts', { ...ANN, 'x-wp-nonce': 'b' }], JSON.stringify([ANN.cookie, 'b'])],
    [['/wp-json/wp/v2/posts', { nonce: 'a' }], '["nobody",null]'],
  ],
];

const rows = [...MEMBERS, ...NETWORKS, ...SHOPS, ...CONTRADICTED].map(
  ([sentence, settings, site, ...exchanges]) => ({ sentence, settings, site, exchanges }),
);
test.each(rows)('$sentence', async ({ exchanges, settings, site }) => {
  const { origin } = await runAnswering(site, settings, { trust: ['127.0.0.1'] });
  for (const [ask, expected] of exchanges) {
    const [target, headers = {}, body] = typeof ask === 'string' ? [ask] : ask;
    const [path = '', verb] = target.split(' ').reverse();
    const method = verb ?? (body === undefined ? 'GET' : 'POST');
    const response = await sendRaw(origin, path, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body }),
    });
    if (typeof expected !== 'string') {
      expect(response, target).toMatchObject(expected);
      continue;
    }
    const isHit = /; hit/.test(String(response.headers['cache-status']));
    const text = response.headers.location ?? response.body.replace(/<[^>]*>/g, '');
    expect(expected.startsWith('hit ') && isHit ? `hit ${text}` : text, target).toBe(expected);
  }
});
