import { describe, expect, test } from 'vitest';
import { silentLog, systemClock } from '../../../../src/base/ports.ts';
import { type Answer, type Responder, startGateway } from '../../../support/gateway.ts';

/** HTML pages and files of a WordPress site behind a gateway: what is stored, for whom, and under which key. */

/** The time of the gateway. */
const NOW = Date.parse('2026-01-01T00:00:00Z');
const STOPPED = { gateway: { clock: { ...systemClock, now: () => NOW } } };

const HIT = /^hit; ttl=/;
const counted: Responder = (_, count) => ({ body: `<p>${count}</p>` });

describe('a page', () => {
  test('is stored for visitors without a session for as long as `pages` says', async () => {
    const { read } = await startGateway({}, counted);
    await read('/hello/');
    const [body, status] = await read('/hello/', { cookie: '_ga=GA1.2' });
    expect([body, status]).toEqual(['<p>1</p>', expect.stringMatching(/^hit; ttl=(?:60|59)$/)]);
  });

  test('is not stored without `pages`', async () => {
    const { read } = await startGateway({ isNew: true, cache: {} }, counted);
    for (const count of [1, 2, 3]) expect((await read('/hello/'))[0]).toBe(`<p>${count}</p>`);
  });

  test.each<readonly [boolean, object]>([
    [false, { sie: 3600, swr: 60, override: true, tags: ['prices'] }],
    [true, { ttl: 30 }],
  ])('at a personal path is stored (%s) with the rule %j', async (isStored, rule) => {
    const { read } = await startGateway({ cache: { pages: 60, rules: [{ match: '*', ...rule }] } }, counted);
    await read('/my-account/');
    expect((await read('/my-account/'))[0]).toBe(isStored ? '<p>1</p>' : '<p>2</p>');
  });

  test.each<readonly [string, Answer]>([
    ['sets a cookie', { headers: { 'set-cookie': 'a=1' } }],
    ['has a policy with a nonce', { headers: { 'content-security-policy': "script-src 'nonce-r4nd0m'" } }],
    ['is a redirect', { status: 302, headers: { location: '/other/' } }],
    ['is JSON', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['is of another type', { headers: { 'content-type': 'text/calendar' }, body: 'BEGIN:VCALENDAR' }],
    [
      'has a token in a form',
      { body: '<form><input type="hidden" name="csrf_token" value="a1b2c3d4e5f6"></form>' },
    ],
    [
      'has a token in its metadata',
      { body: '<meta name="csrf-token" content="550e8400-e29b-41d4-a716-446655440000">' },
    ],
    ['has a nonce of a plugin', { body: '<input name="my_nonce" value="Zm9vYmFyYmF6">' }],
    ['is compressed', { headers: { 'content-encoding': 'gzip' }, body: 'not searched' }],
    // A value for one use, by who has met it.
    ...[
      ['Contact Form 7 (really-simple-captcha.php)', '_wpcf7_captcha_challenge_captcha-752', '2662933222'],
      ['Gravity Forms (GF_Field_CAPTCHA)', 'input_captcha_prefix_4', '1127866305'],
      ['hCaptcha/hcaptcha-wordpress-plugin#250', 'hcap_hp_sig', '0a1b2c3d4e'],
      ['WPForms', 'wpforms[token]', '878a34345981edcaa5a5541983911264'],
    ].map(([by, name, value]): readonly [string, Answer] => [
      `has a value for one use of ${by}`,
      { body: `<input type="hidden" name="${name}" value="${value}">` },
    ]),
  ])('that %s is never stored', async (_, page) => {
    const { received, request } = await startGateway({}, () => page);
    for (const attempt of [1, 2]) {
      const response = await request('/hello/', { headers: { 'accept-encoding': 'identity' } });
      await response.arrayBuffer().catch(() => null);
      expect(response.headers.get('cache-status')).not.toContain('hit;');
      expect(received.length).toBeGreaterThanOrEqual(attempt);
    }
  });

  test.each([
    '<input type="hidden" id="_wpnonce" name="_wpnonce" value="3f2b1c4d5e" />',
    '<script>var wpApiSettings = {"root":"https:\\/\\/example.com\\/","nonce":"3f2b1c4d5e"};</script>',
    '<script>var a = {"csrf_token":"Zm9vYmFyYmF6cQ=="};</script>',
    '<input type="password" name="post_password" value="">',
    '<meta name="google-site-verification" content="abc">',
  ])('with %s is stored: every visitor without a session has the same', async (body) => {
    const { read } = await startGateway({}, () => ({ body }));
    await read('/hello/');
    expect(await read('/hello/')).toEqual([body, expect.stringMatching(HIT)]);
  });

  /** What plugins print to every visitor. */
  test.each([
    [
      'GiveWP',
      '{"session_nonce_cookie_name":"wp-give_session_reset_nonce_85c5d7642981bced02ad8b97c392840f"}',
    ],
    ['Tutor LMS', '{"nonce_key":"_tutor_nonce","_tutor_nonce":"fad1b7689a"}'],
    ['LearnPress', '{"nonce":"ea23c1427e","csrf_header":"X-CSRF"}'],
    ['Fluent Forms', '<input type="hidden" name="_fluentform_3_fluentformnonce" value="ea23c1427e">'],
    ['WPForms', '{"nonce_error":"Your session has expired, please reload","token_cache_lifetime":"86400"}'],
    ['Ninja Forms', '{"adminAjax":"\\/wp-admin\\/admin-ajax.php","ajaxNonce":"590cf59449"}'],
    ['Easy Digital Downloads', '<input name="edd-process-checkout-nonce" value="590cf59449" type="hidden">'],
    ['Amelia', "var wpAmeliaNonce = '590cf59449';"],
    ['Elementor', '{"nonces":{"floatingButtonsClickTracking":"92eca0c79b"},"nonce_life":"86400"}'],
    ['Contact Form 7', '<input type="hidden" name="_wpcf7_unit_tag" value="wpcf7-f1234567890-o1">'],
    ['WooCommerce', "{storeApiNonce: '7ec6b5168a', wcStoreApiNonceTimestamp: '1703853906'}"],
    ['bbPress', '{"nonceMessage":"Something went wrong. Refresh your browser and try again."}'],
    ['BuddyPress', '{"nonces":{"activity":"fcd5ecf43e","members":"9af41e8848"},"confirm":"Are you sure?"}'],
    ['Gravity Forms', '{"ajax_submission_nonce":"c4c21f31ee","config_nonce":"1fa8e8e521"}'],
    ['The Events Calendar', '{"_tec_view_rest_nonce_primary":"3e0a7a3144"}'],
  ])('with the nonces of %s is a hit at its third request', async (_, printed) => {
    const { read } = await startGateway({ isNew: true }, () => ({ body: `<script>a = ${printed}</script>` }));
    for (const _time of [1, 2]) await read('/hello/');
    expect((await read('/hello/'))[1]).toMatch(HIT);
  });

  test('with a token of one client is named in the log, and stored if a rule says so', async () => {
    const lines: object[] = [];
    const log = { ...silentLog, warn: (fields: object) => void lines.push(fields) };
    const rules = [{ match: '/known/*', ttl: 60 }];
    const body = '<input name="one_nonce" value="Zm9vYmFyYmF6">';
    const { read } = await startGateway({ cache: { pages: 60, rules }, gateway: { log } }, () => ({ body }));
    for (const path of ['/other/', '/known/', '/known/']) await read(path);
    expect(lines).toContainEqual({ site: 'default', route: 'pages', token: 'one_nonce: Zm9vYm…' });
    expect((await read('/known/'))[1]).toMatch(HIT);
    expect((await read('/other/'))[1]).not.toMatch(HIT);
  });

  test.each([
    '/wp-login.php',
    '/%77p-login.php',
    // EasyEngine/easyengine#799, roots/trellis#772
    ...['/wp/wp-admin/', '/de/wp-admin/network/', '/de/wp-login.php'],
  ])('of the administration is not stored: %s', async (path) => {
    const { read } = await startGateway({ isNew: true }, counted);
    for (const count of [1, 2, 3]) expect((await read(path))[0]).toBe(`<p>${count}</p>`);
  });
});

describe('parameters of campaigns', () => {
  test('are in no key, and the site does not get them', async () => {
    const { read, received } = await startGateway({}, ({ url }) => ({ body: `<a href="${url}">` }));
    await read('/hello/?utm_source=a&fbclid=b&page=2&gclid=c');
    expect(await read('/hello/?page=2&utm_medium=d')).toEqual([
      '<a href="/hello/?page=2">',
      expect.stringMatching(HIT),
    ]);
    expect(received.map(({ url }) => url)).toEqual(['/hello/?page=2']);
  });

  test.each([
    ['/hello/?c=d#top', '/hello/?c=d&utm_source=a&gclid=b#top'],
    ['//example.com/', '//example.com/'],
  ])('of a request stay in a redirect to %s', async (location, expected) => {
    const { request } = await startGateway({}, () => ({ status: 301, headers: { location } }));
    const response = await request('/hello?utm_source=a&gclid=b');
    expect(response.headers.get('location')).toBe(expected);
  });
});

describe('a file', () => {
  const DAY = 86_400;
  const file = (age: number, type = 'text/css'): Answer => ({
    headers: {
      'content-type': type,
      etag: '"1"',
      date: new Date(NOW).toUTCString(),
      'last-modified': new Date(NOW - age * 1000).toUTCString(),
    },
    body: 'body{}',
  });

  test.each([
    ['/wp-includes/css/a.css?ver=6.1', 100 * DAY, /^hit; ttl=(?:86400|8639\d)$/],
    ['/wp-content/themes/a/style.css?ver=1', 1000, /^hit; ttl=(?:100|9\d)$/],
    ['/wp-content/uploads/a.css', 100 * DAY, /^hit; ttl=(?:60|5\d)$/],
  ])('%s that was changed %i seconds ago: %s', async (path, age, status) => {
    const { read } = await startGateway({ ...STOPPED, cache: {} }, () => file(age));
    await read(path);
    expect((await read(path))[1]).toMatch(status);
  });

  test.each([
    ['/wp-content/plugins/a/style.php', file(100 * DAY)],
    ['/wp-content/plugins/a/style.php/a.css', file(100 * DAY)],
    ['/elsewhere/a.css', file(100 * DAY)],
    ['/wp-content/a.css', { headers: { 'content-type': 'text/css' }, body: 'a{}' }],
    ['/wp-content/a.css', file(100 * DAY, 'text/html')],
  ])('has no heuristic lifetime at %s', async (path, page) => {
    const { read } = await startGateway({ ...STOPPED, cache: {} }, () => page);
    await read(path);
    expect((await read(path))[1]).not.toMatch(HIT);
  });
});

describe('a page in place of the response of a route', () => {
  const LIFETIME = { 'cache-control': 'public, max-age=600' };
  const RULES = [{ match: ['/wp/v2/types'], ttl: 600 }];

  test.each<[string, Readonly<Record<string, string>>, rules: typeof RULES, later: string, asked: number]>([
    ['is not stored', {}, [], '"list"', 3],
    ['is not stored although the site states a lifetime', LIFETIME, [], '"list"', 3],
    ['is stored if a rule does', {}, RULES, 'page', 1],
  ])('%s', async (_, fields, rules, later, asked) => {
    let answer: Answer = { headers: { 'content-type': 'text/html', ...fields }, body: 'page' };
    const { read, received } = await startGateway({ cache: { rules } }, () => answer);
    for (const _ of [1, 2]) expect((await read('/wp-json/wp/v2/types'))[0]).toBe('page');
    answer = { body: '"list"' };
    for (const _ of [1, 2]) expect((await read('/wp-json/wp/v2/types'))[0]).toBe(later);
    expect(received).toHaveLength(asked);
  });
});
