import { expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../src/base/option-types.ts';
import { type Answer, createMovableClock, runAnswering, sendRaw } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';

/**
 * Public reports about page caches beside shops with WP Rocket, LiteSpeed Cache, Cloudflare, or a plugin for currencies or languages. The
 * site of each row behaves as its report says. A visitor asks for an address three times; what the last response is counts, so that the
 * first request for an address can be its client's only.
 */
type Visit =
  | readonly [path: string, headers: Record<string, string>, ...seen: string[]]
  | { readonly wait: number };
type Row = readonly [
  sentence: string,
  settings: SiteCacheOptions,
  site: (request: StubRequest, count: number) => Answer,
  ...visits: Visit[],
];

const html = (text: string): string => `<!DOCTYPE html><html><body><p>${text}</p></body></html>`;
const page = (text: string, headers: Answer['headers'] = {}): Answer => ({ headers, body: html(text) });
const cookieOf = ({ headers }: StubRequest, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? '';
const shows =
  (name: string, preset: string): Row[2] =>
  (request) =>
    page(cookieOf(request, name) || preset);
const of = (cookie: string): Record<string, string> => ({ cookie });

const ROWS: readonly Row[] = [
  [
    'prices of WooPayments are stored by currency (Automattic/woocommerce-payments#8534)',
    {},
    shows('wcpay_currency', 'USD'),
    ['/product/a/', {}, 'hit USD'],
    ['/product/a/', of('wcpay_currency=EUR'), 'hit EUR'],
    ['/product/a/', of('_ga=1; wcpay_currency=USD'), 'hit USD'],
  ],
  [
    'taxes by a country that a script sets later are right from then on (wp-media/wp-rocket#4749)',
    {},
    (request) =>
      page(['US', 'CA'].includes(cookieOf(request, 'aelia_customer_country')) ? 'without VAT' : 'with VAT'),
    ['/product/a/', {}, 'hit with VAT'],
    ['/product/a/', of('aelia_customer_country=US'), 'hit without VAT'],
    ['/product/a/', of('aelia_customer_country=DE'), 'hit with VAT'],
  ],
  [
    'a currency by a cookie that nobody knows is the visitor’s own, and stored if it is named (vcode-sh/fchub-plugins#72)',
    { keyCookies: ['fchub_currency'] },
    shows('fchub_currency', 'USD'),
    ['/shop/', {}, 'hit USD'],
    ['/shop/', of('fchub_currency=EUR'), 'hit EUR'],
    ['/shop/', of('fchub_currency=<i>'), '<i>'],
  ],
  [
    'a page that sets the cookie of the language keeps no other visitor from hits (pantheon-systems/documentation#8882)',
    {},
    (request) =>
      cookieOf(request, 'pll_language') === ''
        ? page('en', { 'set-cookie': 'pll_language=en; path=/' })
        : page(cookieOf(request, 'pll_language')),
    ['/hello/', of('pll_language=en'), 'hit en'],
    ['/hello/', {}, 'en'],
    ['/hello/', of('pll_language=en'), 'hit en'],
  ],
  [
    'languages in the query are stored if the parameter is named (wp-media/wp-rocket#3760)',
    { queries: ['lang'] },
    ({ query }) => page(query.get('lang') ?? 'de'),
    ['/hello/?lang=en', {}, 'hit en'],
    ['/hello/', {}, 'hit de'],
  ],
  [
    'max-age=0 of .htaccess is for browsers (wp-media/wp-rocket#2005)',
    {},
    () => page('a', { 'cache-control': 'max-age=0', expires: new Date().toUTCString() }),
    ['/hello/', {}, 'hit a'],
  ],
  [
    'a REST read that forbids it is not stored, whatever else it says (litespeedtech/lscache_wp#413)',
    {},
    (_, count) => ({
      headers: {
        'cache-control': 'no-cache, no-store, must-revalidate, max-age=0',
        'x-litespeed-cache-control': 'public,max-age=604800',
      },
      body: String(count),
    }),
    ['/wp-json/wp/v2/types', {}, 'own'],
  ],
  [
    'a page that SiteGround’s optimizer leaves out has its own token (Arsenal21/stripe-payments#180)',
    {},
    (_, count) => page(`token ${count}`, { 'x-cache-enabled': 'False' }),
    ['/buy/', {}, 'own'],
  ],
  [
    'a cookie of a session on each page leaves it to one client (woocommerce/woocommerce-gateway-stripe#556)',
    {},
    (_, count) =>
      page(String(count), { 'set-cookie': `wp_woocommerce_session_1=${count}; path=/; HttpOnly` }),
    ['/product/a/', {}, 'own'],
  ],
  [
    'an address in a checkout is its customer’s, though no cookie is set (woocommerce/woocommerce-gateway-stripe#2392)',
    {},
    (request) => page(cookieOf(request, 'wp_woocommerce_session_1') || 'nobody'),
    ['/kasse/', of('wp_woocommerce_session_1=ann'), 'ann'],
    ['/kasse/', {}, 'hit nobody'],
    ['/kasse/', of('wp_woocommerce_session_1=bob'), 'bob'],
  ],
  [
    'a mini cart is never somebody else’s (woocommerce/woocommerce#30329)',
    {},
    (request) =>
      page(`${cookieOf(request, 'woocommerce_items_in_cart') || 0} items`, {
        'cache-control': 's-maxage=604800, max-age=60',
      }),
    ['/shop/', of('woocommerce_items_in_cart=3; woocommerce_cart_hash=a'), '3 items'],
    ['/shop/', {}, 'hit 0 items'],
    ['/shop/', of('woocommerce_items_in_cart=3; woocommerce_cart_hash=a'), '3 items'],
  ],
  [
    'products that a visitor has seen are that visitor’s (wp-media/wp-rocket#5069)',
    {},
    shows('woocommerce_recently_viewed', 'none'),
    ['/shop/', of('woocommerce_recently_viewed=5%7C7'), '5%7C7'],
    ['/shop/', {}, 'hit none'],
  ],
  [
    'a visit that is counted once keeps nobody from hits (strangerstudios/paid-memberships-pro#1158)',
    { ignoreCookies: ['pmpro_visit'] },
    (request) =>
      page('a', cookieOf(request, 'pmpro_visit') === '' ? { 'set-cookie': 'pmpro_visit=1; path=/' } : {}),
    ['/hello/', {}, 'hit a'],
    ['/hello/', of('pmpro_visit=1'), 'hit a'],
  ],
  [
    'an empty cart that each response deletes keeps nobody from hits, if it is named (awesomemotive/easy-digital-downloads#3289)',
    { ignoreCookies: ['edd_items_in_cart'] },
    () =>
      page('a', { 'set-cookie': 'edd_items_in_cart=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; path=/' }),
    ['/downloads/', {}, 'hit a'],
  ],
  [
    'the origin of an order, which WooCommerce 8.5 notes, keeps nobody from hits (woocommerce/woocommerce#43413)',
    {},
    shows('sbjs_first', 'a'),
    [
      '/shop/',
      of(
        'sbjs_migrations=1418474375998%3D1; sbjs_first=typ%3Dtypein%7C%7C%7Csrc%3D%28direct%29; sbjs_session=pgs%3D1',
      ),
      'hit a',
    ],
  ],
  [
    'a prefetch of Chrome is a hit, and the next navigation too (WordPress/performance#1157, WICG/nav-speculation#102)',
    {},
    ({ headers }) => page(String(headers['sec-purpose'] ?? 'a')),
    ['/hello/', { 'sec-purpose': 'prefetch', 'sec-speculation-tags': 'null', purpose: 'prefetch' }, 'hit a'],
    ['/hello/', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'hit a'],
  ],
  [
    'a nonce is valid while its page is a hit, though Cloudflare keeps it for a year (wp-media/wp-rocket#7969, cabrerahector/wordpress-popular-posts#347, wp-media/wp-rocket#2760)',
    {},
    (_, count) => page(`nonce ${count}`, { 'cache-control': 's-maxage=31536000, max-age=60' }),
    ['/shop/', {}, 'hit', 'kept'],
    { wait: 5 * 3_600 },
    ['/shop/', {}, 'hit', 'kept'],
    { wait: 2 * 3_600 },
    ['/shop/', {}, 'hit', 'new'],
  ],
];

test.each(ROWS.map(([sentence, settings, site, ...visits]) => ({ sentence, settings, site, visits })))(
  '$sentence',
  async ({ settings, site, visits }) => {
    const clock = createMovableClock();
    const { origin } = await runAnswering(
      (request, count) => {
        const answer = site(request, count);
        return { ...answer, headers: { date: new Date(clock.now()).toUTCString(), ...answer.headers } };
      },
      { cache: { pages: 60, ...settings } },
      { clock },
    );
    let last = '';
    for (const visit of visits) {
      if ('wait' in visit) {
        clock.move(visit.wait);
        continue;
      }
      const [path, headers, expected, change] = visit;
      const responses = [];
      for (const _time of [1, 2, 3]) responses.push(await sendRaw(origin, path, { headers }));
      const bodies = responses.map(({ body }) =>
        body.replace(/<\/?(?:!DOCTYPE html|html|body|p|urlset)>/g, ''),
      );
      const isHit = responses.map((each) => /; hit/.test(String(each.headers['cache-status'])));
      const seen = bodies.at(-1) ?? '';
      const before = last;
      last = seen;
      if (expected === 'own') {
        expect([isHit, new Set(bodies).size], path).toEqual([[false, false, false], 3]);
        continue;
      }
      if (change !== undefined) {
        expect([isHit.at(-1), before === '' || (change === 'kept') === (before === seen)]).toEqual([
          true,
          true,
        ]);
        continue;
      }
      expect(`${isHit.at(-1) ? 'hit ' : ''}${seen}`, `${path} ${JSON.stringify(headers)}`).toBe(expected);
    }
  },
  20_000,
);
