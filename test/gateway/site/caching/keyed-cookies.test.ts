import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { createGateway } from '../../../../src/index.ts';
import { type Answer, startGateway } from '../../../support/gateway.ts';
import type { StubRequest } from '../../../support/stub-site.ts';

/** Cookies and request fields that everybody's browser sends: part of the key, or without effect. */

type Fields = Readonly<Record<string, string>>;

/** The site shows the cookies that it gets. */
const showCookies = ({ headers }: StubRequest): Answer => ({ body: `<p>${headers.cookie ?? 'none'}</p>` });

async function start(cache: SiteCacheOptions = {}, answer = showCookies) {
  const { read } = await startGateway({ cache: { pages: 60, ...cache } }, answer);
  /** Requests an address three times. @returns the last body without tags, after `hit` if it was stored */
  const settle = async (path: string, headers: Fields = {}): Promise<string> => {
    for (const _time of [1, 2]) await read(path, headers);
    const [body, status] = await read(path, headers);
    return `${status.startsWith('hit') ? 'hit ' : ''}${body.replace(/<[^>]*>/g, '')}`;
  };
  return { read, settle };
}

describe('cookies by which plugins choose a language or a currency', () => {
  test.each([
    ['pll_language', 'de', 'pt-br', 'x'],
    ['wp-wpml_current_language', 'de', 'zh-hant', '../a'],
    ['trp_language', 'de_DE', 'pt_PT_ao90', 'de<b>'],
    ['woocs_currency', 'EUR', 'USD', 'EURO'],
    ['wcml_client_currency', 'EUR', 'USD', '1'],
    ['wcpay_currency', 'EUR', 'USD', ''],
    ['aelia_cs_selected_currency', 'EUR', 'USD', 'a'],
    ['aelia_customer_country', 'DE', 'US', 'DEU'],
    ['yay_currency_widget', '618495', '618496', 'EUR'],
  ])('%s is part of the key, if it is one of few values', async (name, one, other, invented) => {
    const { read, settle } = await start();
    for (const value of [one, other])
      expect(await settle('/a/', { cookie: `_ga=1; ${name}=${value}` })).toBe(`hit ${name}=${value}`);
    expect(await settle('/a/')).toBe('hit none');
    const [body, status] = await read('/a/', { cookie: `${name}=${invented}` });
    expect([body, status]).toEqual([`<p>${name}=${invented}</p>`, 'fwd=bypass; detail=cookie']);
  });
});

// Automattic/woocommerce-payments#8534
describe('a site that sets its currency in each response', () => {
  const answer = (rest: string) => {
    return ({ headers }: StubRequest): Answer => ({
      headers: { 'set-cookie': `${headers.cookie ?? 'wcpay_currency=USD'}${rest}` },
      body: `<p>${headers.cookie ?? 'none'}</p>`,
    });
  };

  test('is stored by currency, for all who have chosen one', async () => {
    const { read, settle } = await start({}, answer('; Path=/; Max-Age=3600'));
    for (const cookie of ['wcpay_currency=EUR', 'wcpay_currency=CHF'])
      expect(await settle('/a/', { cookie: `_ga=1; ${cookie}` })).toBe(`hit ${cookie}`);
    expect(await settle('/a/')).toBe('none');
    expect((await read('/a/', { cookie: 'wcpay_currency=EUR' }))[0]).toBe('<p>wcpay_currency=EUR</p>');
  });

  test.each([
    ['another value', (cookie: string) => `${cookie}O`],
    ['another cookie', (cookie: string) => `a${cookie}`],
    ['an end', (cookie: string) => `${cookie}; Max-Age=0`],
  ])('is not stored if it sets %s', async (_, change) => {
    const { settle } = await start({}, ({ headers }) => ({
      headers: { 'set-cookie': change(headers.cookie ?? '') },
      body: '<p>a</p>',
    }));
    expect(await settle('/a/', { cookie: 'wcpay_currency=EUR' })).toBe('a');
  });
});

describe('answers to banners are part of the key, without what is of one client', () => {
  const STAMP = (id: string): string => `{stamp:%27${id}==%27%2Cnecessary:true%2Cpreferences:false`;
  test.each<[name: string, value: (id: string) => string, kept: string]>([
    [
      'CookieConsent',
      (id) =>
        `${STAMP(id)}%2Cstatistics:true%2Cmarketing:false%2Cmethod:%27explicit%27%2Cutc:17${id.length}}`,
      '{necessary:true%2Cpreferences:false%2Cstatistics:true%2Cmarketing:false}',
    ],
    ['CookieConsent', () => '-1', '-1'],
    [
      'cookieyes-consent',
      (id) => `consentid:${id},consent:yes,action:yes,analytics:no`,
      'consent:yes,action:yes,analytics:no',
    ],
    [
      'OptanonConsent',
      (id) =>
        `isGpcEnabled=0&datestamp=Thu+Nov+26&consentId=${id}&groups=C0001%3A1%2CC0004%3A0&geolocation=DE%3BBY`,
      'groups=C0001%3A1%2CC0004%3A0',
    ],
    [
      'borlabs-cookie',
      (id) =>
        `{%22consents%22:{%22essential%22:[%22borlabs-cookie%22]%2C%22marketing%22:[]}%2C%22domainPath%22:%22example.com/%22%2C%22uid%22:%22${id}%22%2C%22version%22:1}`,
      '{%22consents%22:{%22essential%22:[%22borlabs-cookie%22]%2C%22marketing%22:[]}}',
    ],
  ])('%s', async (name, value, kept) => {
    const { read, settle } = await start();
    expect(await settle('/a/', { cookie: `${name}=${value('abc')}` })).toBe(`hit ${name}=${kept}`);
    const [, status] = await read('/a/', { cookie: `${name}=${value('defgh')}` });
    expect(status).toMatch(/^hit/);
    expect(await settle('/a/')).toBe('hit none');
  });

  test('and any other value bypasses the store in linear time', async () => {
    const { read } = await start();
    const parts = ['{%22consents%22:{', 'groups=C:1&', 'stamp:,necessary:true', '%7B%22consents%22:{[', 'a'];
    for (const name of ['CookieConsent', 'OptanonConsent', 'borlabs-cookie', 'cookieyes-consent'])
      for (const part of parts) {
        const cookie = `${name}=${part.repeat(7_000 / part.length)}!`;
        expect((await read('/a/', { cookie }))[1]).toBe('fwd=bypass; detail=cookie');
      }
  });
});

describe('keyCookies', () => {
  test('of a site are part of the key at each address, if their value is a short word', async () => {
    const { read, settle } = await start({ keyCookies: ['shop_region', 'tier_*'] });
    for (const cookie of ['shop_region=north', 'shop_region=de_AT', 'tier_a=12.50'])
      expect(await settle('/a/', { cookie })).toBe(`hit ${cookie}`);
    for (const value of ['a'.repeat(65), '<b>', 'a b'])
      expect((await read('/a/', { cookie: `shop_region=${value}` }))[1]).toBe('fwd=bypass; detail=cookie');
  });

  test("of a rule are part of the key at its addresses beside the site's, and harmless at others", async () => {
    const rules = [{ match: '/shop/*', ttl: 60, keyCookies: ['shop_region'] }];
    const { settle } = await start({ rules, keyCookies: ['tier'] });
    for (const cookie of ['shop_region=north; tier=1', 'shop_region=south; tier=1'])
      expect(await settle('/shop/a/', { cookie })).toBe(`hit ${cookie}`);
    expect(await settle('/about/', { cookie: 'shop_region=north' })).toBe('hit none');
  });

  test('are named in place of `keyHeaders: [Cookie]`, which cannot work', async () => {
    const rules = [{ match: '/*', ttl: '60s', keyHeaders: ['Accept-Language', 'cookie'] }];
    const sites = [{ url: 'http://127.0.0.1:9', cache: { rules } }];
    const problems = [expect.stringMatching(/cache\.rules\[0\]\.keyHeaders\[1\].*keyCookies/)];
    await expect(createGateway({ sites })).rejects.toMatchObject({ problems });
  });
});

test('cookies of scripts and load balancers change nothing', async () => {
  const { settle } = await start();
  const names =
    `sbjs_migrations sbjs_udata __stripe_mid __stripe_sid tk_ai pmpro_visit AWSALB AWSALBCORS SERVERID
    _vwo_uuid _vwo_uuid_v2 FPID crisp-client%2Fsession%2F1 crisp-client/session/1 intercom-id-abc
    intercom-session-abc twk_uuid_1 _scid _scid_r cto_bundle OptanonAlertBoxClosed
    pvc_visits[0] pvc_visits_2[1] _koko_analytics_pages_viewed`.split(/\s+/);
  await settle('/a/');
  for (const name of names)
    expect([name, await settle('/a/', { cookie: `${name}=secret` })]).toEqual([name, 'hit none']);
});

test('fields that every browser or network adds change nothing', async () => {
  const { settle } = await start({}, ({ headers }) => ({ body: `<p>${JSON.stringify(headers)}</p>` }));
  const fields: Fields = {
    'Sec-Speculation-Tags': 'null',
    'Sec-Browsing-Topics': '(1);v=chrome.1:1:2',
    'Sec-Invented-Later': '1',
    'Service-Worker-Navigation-Preload': 'true',
    'Available-Dictionary': ':pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4=:',
    'Attribution-Reporting-Eligible': 'navigation-source',
    'A-IM': 'feed',
    'AMP-Cache-Transform': 'google;v="1..100"',
    'CDN-RequestId': '8fa3a04a7d5709807856b7b33c8ac7fe',
    'X-UA-Device': 'mobile',
  };
  await settle('/a/');
  for (const [name, value] of Object.entries(fields)) {
    const seen = await settle('/a/', { [name]: value });
    expect([name, seen]).toEqual([name, expect.stringMatching(/^hit /)]);
    expect(seen.toLowerCase()).not.toContain(name.toLowerCase());
  }
});

test.each(['Sec-Session-Response', 'Sec-Private-State-Token'])(
  'but %s identifies its client',
  async (name) => {
    const { read } = await start();
    expect((await read('/a/', { [name]: 'a' }))[1]).toMatch(/^fwd=bypass; detail=/);
  },
);
