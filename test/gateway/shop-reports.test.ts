import { expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../src/base/option-types.ts';
import { type Answer, runAnswering, sendRaw } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';

/**
 * Public reports about page caches beside shops with WP Rocket, LiteSpeed Cache, Cloudflare, or a plugin for currencies or languages. The
 * site of each row behaves as its report says. A visitor asks for an address three times; what the last response is counts, so that the
 * first request for an address can be its client's only.
 */
type Visit = readonly [path: string, headers: Record<string, string>, seen: string];
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
];

test.each(ROWS.map(([sentence, settings, site, ...visits]) => ({ sentence, settings, site, visits })))(
  '$sentence',
  async ({ settings, site, visits }) => {
    const { origin } = await runAnswering(site, { cache: { pages: 60, ...settings } });
    for (const [path, headers, expected] of visits) {
      const responses = [];
      for (const _time of [1, 2, 3]) responses.push(await sendRaw(origin, path, { headers }));
      const { body = '', headers: fields } = responses.at(-1) ?? {};
      const outcome = /; hit/.test(String(fields?.['cache-status'])) ? 'hit ' : '';
      const seen = body.replace(/<\/?(?:!DOCTYPE html|html|body|p)>/g, '');
      expect(`${outcome}${seen}`, `${path} ${JSON.stringify(headers)}`).toBe(expected);
    }
  },
  20_000,
);
