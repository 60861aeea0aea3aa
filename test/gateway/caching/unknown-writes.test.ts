import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../generated/option-types.d.ts';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import type { UpstreamFailure } from '../../../src/http/exchange.ts';
import { nodeTransport } from '../../../src/node/index.ts';
import { type StubResponse, type StubSite, startStubSite } from '../../support/stub-site.ts';

/** What is purged by writes whose effect is unknown, of a site with a plugin and pages: the table of `docs/caching.md`. */

const route = (namespace: string, ...methods: readonly string[]) => ({
  namespace,
  methods,
  endpoints: methods.map((method) => ({ methods: [method], args: { id: { type: 'integer' } } })),
});

const INDEX = {
  name: 'A site',
  namespaces: ['wp/v2', 'shop/v1', 'wc/store/v1', 'buddypress/v2'],
  routes: {
    '/': route('', 'GET'),
    '/batch/v1': route('', 'POST'),
    '/wp/v2/types': route('wp/v2', 'GET'),
    '/wp/v2/posts': route('wp/v2', 'GET', 'POST'),
    '/wp/v2/posts/(?P<id>[\\d]+)': route('wp/v2', 'GET', 'POST', 'DELETE'),
    '/wp/v2/comments': route('wp/v2', 'GET', 'POST'),
    '/wp/v2/comments/(?P<id>[\\d]+)': route('wp/v2', 'GET', 'POST'),
    '/wp/v2/media': route('wp/v2', 'GET', 'POST'),
    '/wp/v2/media/(?P<id>[\\d]+)': route('wp/v2', 'GET', 'POST'),
    '/shop/v1/products': route('shop/v1', 'GET', 'POST'),
    '/wc/store/v1/products': route('wc/store/v1', 'GET'),
    '/wc/store/v1/cart/add-item': route('wc/store/v1', 'POST'),
    '/wc/store/v1/cart/extensions': route('wc/store/v1', 'POST'),
    '/wc/store/v1/checkout': route('wc/store/v1', 'POST'),
    '/buddypress/v2/members': route('buddypress/v2', 'GET'),
    '/buddypress/v2/friends': route('buddypress/v2', 'POST'),
    '/buddypress/v2/activity': route('buddypress/v2', 'POST'),
  },
};

/** One read of each group of responses. */
const READS = {
  core: '/wp-json/wp/v2/types',
  text: '/wp-json/wp/v2/posts/1',
  plugin: '/wp-json/shop/v1/products',
  page: '/about/',
  file: '/wp-content/themes/a/style.css',
  store: '/wp-json/wc/store/v1/products',
  members: '/wp-json/buddypress/v2/members',
} as const;
type Read = keyof typeof READS;

const PLUGIN_READS: readonly Read[] = ['text', 'plugin', 'store', 'members'];
const PLUGIN_AND_PAGES: readonly Read[] = ['text', 'plugin', 'page', 'store', 'members'];
/** Without the files of the web server. */
const EVERYTHING: readonly Read[] = ['core', 'text', 'plugin', 'page', 'store', 'members'];
const FILES_TOO: readonly Read[] = ['core', 'text', 'plugin', 'page', 'file', 'store', 'members'];
const NOTHING: readonly Read[] = [];

const BODIES: Readonly<Record<string, unknown>> = {
  '/wp/v2/types': { post: { name: 'Posts', slug: 'post' } },
  '/wp/v2/posts/1': { id: 1, title: { rendered: 'A title' } },
  '/shop/v1/products': [{ name: 'A cup' }],
  '/wc/store/v1/products': [{ id: 120, name: 'A cup' }],
  '/buddypress/v2/members': [{ name: 'A member' }],
};

const FILE_FIELDS = {
  'Content-Type': 'text/css',
  'Cache-Control': 'max-age=600',
  'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
  ETag: '"67748580-2"',
};
let fileFields: Readonly<Record<string, string>> = FILE_FIELDS;

interface WriteCase {
  readonly path: string;
  readonly method?: string;
  readonly form?: string;
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly response?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

let site: StubSite;
let outcome: WriteCase = { path: '/' };

const respondToWrite = (response: ServerResponse): void => {
  response.removeHeader('Link');
  const { response: body = '', responseHeaders = {}, status = 200 } = outcome;
  response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', ...responseHeaders }).end(body);
};

beforeAll(async () => {
  site = await startStubSite({
    index: INDEX,
    respond: ({ route: path = '' }): StubResponse | undefined =>
      BODIES[path] === undefined ? undefined : { body: BODIES[path] },
    intercept: ({ method, url }, response) => {
      if (method !== 'GET') respondToWrite(response);
      else if (!url.includes('/wp-content/')) return false;
      else {
        response.removeHeader('Link');
        response.writeHead(200, fileFields).end('a{}');
      }
      return true;
    },
  });
});
afterAll(() => site.close());

async function purgedBy(
  write: WriteCase,
  cache: SiteCacheOptions = {},
  failure?: UpstreamFailure,
): Promise<readonly Read[]> {
  const rules = [{ match: '/about*', ttl: 600 }];
  const gateway = createGateway({
    sites: [
      {
        url: site.url,
        cache: { rules, ...cache },
        passthrough: true,
        breaker: false,
      },
    ],
    cache: 'memory',
    transport: (...target) => {
      const { send } = nodeTransport(...target);
      return {
        send: async (request, signal) =>
          failure !== undefined && request.method !== 'GET'
            ? { kind: 'failure', failure }
            : send(request, signal),
      };
    },
  });
  await gateway.rediscover();
  try {
    const names = Object.keys(READS) as readonly Read[];
    for (const name of names) await read(gateway, name);
    for (const name of names) expect([name, await isStored(gateway, name)]).toEqual([name, true]);
    outcome = write;
    const { form, headers = {}, json, method = 'POST', path } = write;
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const body = form ?? json;
    const sent = body === undefined ? { headers } : { headers: { 'content-type': type, ...headers }, body };
    await (await gateway.request(path, { method, redirect: 'manual', ...sent })).text();
    const purged: Read[] = [];
    for (const name of names) if (!(await isStored(gateway, name))) purged.push(name);
    return purged;
  } finally {
    await gateway.stop();
  }
}

async function read(gateway: Gateway, name: Read): Promise<void> {
  await (await gateway.request(READS[name])).text();
}

async function isStored(gateway: Gateway, name: Read): Promise<boolean> {
  const response = await gateway.request(READS[name], { headers: { 'cache-control': 'only-if-cached' } });
  await response.text();
  return response.status === 200;
}

const SESSION = { cookie: 'wordpress_logged_in_1=editor' };
const AJAX = '/wp-admin/admin-ajax.php';
const fault = (code: number, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<methodResponse>
  <fault>
    <value>
      <struct>
        <member>
          <name>faultCode</name>
          <value><int>${code}</int></value>
        </member>
        <member>
          <name>faultString</name>
          <value><string>${message}</string></value>
        </member>
      </struct>
    </value>
  </fault>
</methodResponse>`;
const LOGIN_FAULT = fault(403, 'Incorrect username or password.');
const wordpressError = (code: string, status: number): string =>
  JSON.stringify({ code, message: 'No.', data: { status } });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ERROR_PAGE =
  '<!DOCTYPE html><html><head></head>\n<body id="error-page"><p>Error</p><a href="javascript:history.back()">Back</a></body></html>';
const COMMENT = 'author=A&email=a%40example.com&comment=Yes&comment_post_ID=1&comment_parent=0&submit=Post';

describe('a page', () => {
  const REFUSALS = [404, 405, 410, 411, 413, 414, 415, 417, 421, 429, 431];

  test.each(REFUSALS)('that refuses a client without a session with %i purges nothing', async (status) => {
    expect(await purgedBy({ path: '/.env', status })).toEqual(NOTHING);
  });

  test.each(REFUSALS)(
    'that refuses a client with a session with %i purges responses of plugins',
    async (status) => {
      expect(await purgedBy({ path: '/form/', status, headers: SESSION })).toEqual(PLUGIN_READS);
    },
  );

  test.each(['/wp-cron.php', '/wp-admin/options.php', '/wp-trackback.php/more', '/%77p-admin/x'])(
    'of WordPress itself that refuses purges responses of plugins: %s',
    async (path) => {
      expect(await purgedBy({ path, status: 404 })).toEqual(PLUGIN_READS);
    },
  );

  test.each([200, 302, 400, 401, 403, 422, 500])('with status %i purges everything', async (status) => {
    expect(await purgedBy({ path: '/contact/', form: 'text=Hello', status })).toEqual(EVERYTHING);
  });

  test.each([
    ['web server, with 413', { path: '/form/', status: 413 }, PLUGIN_AND_PAGES],
    [
      'script, with 413',
      { path: '/form/', status: 413, responseHeaders: { 'x-powered-by': 'PHP' } },
      FILES_TOO,
    ],
    ['script, with 404', { path: '/.env', status: 404 }, FILES_TOO],
  ] as const)('purges more with `cautious`: refused by a %s', async (_, write, purged) => {
    expect(await purgedBy(write, { unknownWrites: 'cautious' })).toEqual(purged);
  });
});

describe('WordPress itself writes nothing, and plugins may, by', () => {
  test.each<[string, WriteCase]>([
    ['a heartbeat', { path: AJAX, form: 'action=heartbeat&interval=60', headers: SESSION }],
    ['a failed login', { path: '/wp-login.php', form: 'log=a&pwd=b&wp-submit=Log+In&testcookie=1' }],
    ['a login', { path: '/wp-login.php', form: 'log=a&pwd=b', status: 302 }],
    ['an unknown action', { path: AJAX, form: 'action=save', status: 400, response: '0' }],
    ['an action with an invalid nonce', { path: AJAX, form: 'action=save', status: 403, response: '-1' }],
    ['a failed login of XML-RPC', { path: '/xmlrpc.php', response: LOGIN_FAULT }],
    ['a blocked call of XML-RPC', { path: '/xmlrpc.php', status: 403, response: 'Forbidden' }],
    [
      'XML-RPC that is turned off',
      { path: '/xmlrpc.php', response: fault(405, 'XML-RPC services are disabled on this site.') },
    ],
    [
      'a refused comment of a client with a session',
      { path: '/wp-comments-post.php', form: COMMENT, headers: SESSION, response: ERROR_PAGE },
    ],
    [
      'a refused comment with a field of a plugin',
      { path: '/wp-comments-post.php', form: `${COMMENT}&rating=5`, response: ERROR_PAGE },
    ],
    [
      'a request for a route that nobody knows',
      {
        path: '/wp-json/unknown/v1/things',
        status: 404,
        responseHeaders: JSON_TYPE,
        response: wordpressError('rest_no_route', 404),
      },
    ],
    ['a read in a `POST`, without a form', { path: '/wp-json/wp/v2/posts?_method=GET', json: '{}' }],
  ])('%s', async (_, write) => {
    expect(await purgedBy(write)).toEqual(PLUGIN_READS);
    expect(await purgedBy(write, { unknownWrites: 'cautious' })).toEqual(PLUGIN_AND_PAGES);
  });
});

describe('nothing is purged by', () => {
  const cause = Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  test.each<[string, UpstreamFailure, readonly Read[]]>([
    ['a write that found no connection in time', { kind: 'timeout', cause }, NOTHING],
    ['a write whose body ended before it was sent', { kind: 'client-gone', isUnsent: true }, NOTHING],
    ['(everything is) a write that timed out', { kind: 'timeout' }, EVERYTHING],
    ['(everything is) a write whose body ended', { kind: 'client-gone' }, EVERYTHING],
  ])('%s', async (_, failure, purged) => {
    expect(await purgedBy({ path: '/contact/', form: 'text=Hello' }, {}, failure)).toEqual(purged);
  });

  test.each<[string, WriteCase]>([
    ['an empty comment form', { path: '/wp-comments-post.php', form: '', response: '' }],
    ['a comment without its text', { path: '/wp-comments-post.php', form: COMMENT, response: ERROR_PAGE }],
    [
      'a comment that comes too fast',
      { path: '/wp-comments-post.php', form: COMMENT, status: 429, response: ERROR_PAGE },
    ],
  ])('%s', async (_, write) => {
    expect(await purgedBy(write)).toEqual(NOTHING);
  });
});

describe('everything is purged by', () => {
  test.each<[string, WriteCase]>([
    // `_insert_post()` makes a post sticky, and creates terms, before it finds that another term is invalid.
    ['a fault of XML-RPC after the login', { path: '/xmlrpc.php', response: fault(404, 'Invalid term ID.') }],
    [
      'a fault with the code of a failed login',
      { path: '/xmlrpc.php', response: fault(403, 'Invalid term ID.') },
    ],
    [
      'a fault within a successful call',
      { path: '/xmlrpc.php', response: `<methodResponse><params>${LOGIN_FAULT}` },
    ],
    ['a form that is sent to a read', { path: '/wp-json/wp/v2/posts?_method=GET', form: 'shop_save=1' }],
    [
      'a hidden route that answers as if there were none',
      {
        path: '/wp-json/hidden/v1/save',
        status: 404,
        responseHeaders: { ...JSON_TYPE, Allow: 'POST' },
        response: wordpressError('rest_no_route', 404),
      },
    ],
    [
      'a hidden route, called by a client with a session',
      {
        path: '/wp-json/hidden/v1/save',
        status: 404,
        headers: SESSION,
        responseHeaders: JSON_TYPE,
        response: wordpressError('rest_no_route', 404),
      },
    ],
    [
      'an action that a plugin refuses',
      { path: AJAX, form: 'action=save', status: 404, response: '{"success":false}' },
    ],
  ])('%s', async (_, write) => {
    expect(await purgedBy(write)).toEqual(EVERYTHING);
  });

  const CODES: readonly (readonly [number, string])[] = [
    [401, 'rest_forbidden'],
    [403, 'rest_cannot_edit'],
    [404, 'rest_post_invalid_id'],
  ];
  test.each(CODES)('%i %s of WordPress after a plugin could write its own member', async (status, code) => {
    const answer = { status, responseHeaders: JSON_TYPE, response: wordpressError(code, status) };
    const own = { path: '/wp-json/wp/v2/posts/1', json: '{"title":"A"}', ...answer };
    expect(await purgedBy(own)).toEqual(NOTHING);
    expect(await purgedBy({ ...own, json: '{"title":"A","shop_price":5}' })).toEqual(EVERYTHING);
    // Some servers decode the body, and others do not.
    expect(await purgedBy({ ...own, headers: { 'content-encoding': 'gzip' } })).toEqual(EVERYTHING);
    expect(await purgedBy({ ...own, path: `${own.path}?shop_price=5` })).toEqual(EVERYTHING);
    // `Allow` shows that WordPress refused the client before any callback.
    const refused = { ...own, json: '{"shop_price":5}', responseHeaders: { ...JSON_TYPE, Allow: 'GET' } };
    expect(await purgedBy(refused)).toEqual(NOTHING);
  });

  test('such an error in a batch', async () => {
    const error = { code: 'rest_forbidden', message: 'No.', data: { status: 403 } };
    const send = (body: object) => ({
      path: '/wp-json/batch/v1',
      json: JSON.stringify({ requests: [{ method: 'POST', path: '/wp/v2/posts/1', body }] }),
      status: 207,
      responseHeaders: JSON_TYPE,
      response: JSON.stringify({ responses: [{ status: 403, headers: {}, body: error }] }),
    });
    expect(await purgedBy(send({ title: 'A' }))).toEqual(NOTHING);
    expect(await purgedBy(send({ title: 'A', shop_price: 5 }))).toEqual(EVERYTHING);
  });
});

describe('a file of the web server', () => {
  test.each<[string, WriteCase, readonly Read[]]>([
    ['a form of a client without a session', { path: '/contact/', form: 'a=1' }, EVERYTHING],
    ['a form of a client with a session', { path: '/contact/', form: 'a=1', headers: SESSION }, EVERYTHING],
    [
      'a form of the administration',
      { path: '/wp-admin/themes.php', form: 'a=1', headers: SESSION },
      FILES_TOO,
    ],
    ['an action of the administration', { path: AJAX, form: 'action=save', headers: SESSION }, FILES_TOO],
    ['the same without a session', { path: AJAX, form: 'action=save' }, EVERYTHING],
    [
      'an upload',
      {
        path: '/wp-json/wp/v2/media',
        json: '{"title":"A"}',
        headers: SESSION,
        status: 201,
        responseHeaders: JSON_TYPE,
        response: '{"id":5}',
      },
      ['text', 'plugin', 'page', 'file', 'store', 'members'],
    ],
    ['a write to itself', { path: '/wp-content/themes/a/style.css', method: 'PUT', form: 'a{}' }, FILES_TOO],
  ])('after %s', async (_, write, purged) => {
    expect(await purgedBy(write)).toEqual(purged);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a field of PHP', { 'X-Powered-By': 'PHP/8.2' }],
    ['a link of WordPress', { Link: '<https://example.com/wp-json/>; rel="https://api.w.org/"' }],
    ['another content type', { 'Content-Type': 'text/html' }],
    ['a validator that is as new as the response', { 'Last-Modified': new Date().toUTCString() }],
  ])('is none with %s', async (_, fields) => {
    fileFields = { ...FILE_FIELDS, ...fields };
    expect(await purgedBy({ path: '/contact/', form: 'a=1' })).toEqual(FILES_TOO);
    fileFields = FILE_FIELDS;
  });
});

describe('a plugin whose writes are in the table', () => {
  const STOCK: readonly Read[] = ['page', 'store'];
  const COMMUNITY: readonly Read[] = ['page', 'members'];
  const json = JSON.stringify({ id: 120, quantity: 1 });
  test.each<[string, WriteCase, readonly Read[]]>([
    ['an item in the cart', { path: '/?wc-ajax=add_to_cart', form: 'product_id=120&quantity=1' }, NOTHING],
    ['the totals of a cart', { path: '/?wc-ajax=get_cart_totals' }, NOTHING],
    ['a checkout', { path: '/?wc-ajax=checkout', form: 'billing_email=a%40example.com' }, STOCK],
    [
      'the same with a field of another handler',
      { path: '/?wc-ajax=add_to_cart', form: 'contact=1' },
      EVERYTHING,
    ],
    [
      'the same in a form, which WooCommerce does not read',
      { path: '/', form: 'wc-ajax=add_to_cart' },
      EVERYTHING,
    ],
    ['a handler that is not in the table', { path: '/?wc-ajax=other' }, EVERYTHING],
    [
      'a form of a product',
      { path: '/product/cup/?add-to-cart=120', form: 'quantity=1&attribute_size=M' },
      NOTHING,
    ],
    [
      'such a form with a field of another handler',
      { path: '/?add-to-cart=120', form: 'contact=1' },
      EVERYTHING,
    ],
    [
      'such an address of a script, which writes by itself',
      { path: '/xmlrpc.php?add-to-cart=120', form: 'quantity=1', response: '<methodResponse/>' },
      EVERYTHING,
    ],
    [
      'such an address of a script of another plugin',
      { path: '/wp-content/plugins/a/write.php?add-to-cart=120', form: 'quantity=1' },
      EVERYTHING,
    ],
    ['such an address of the administration', { path: '/wp-admin/?wc-ajax=get_cart_totals' }, EVERYTHING],
    [
      'such an address with a body that is no form',
      { path: '/?add-to-cart=120', json: '{"write":"a post"}' },
      EVERYTHING,
    ],
    ['an item in the cart, by the interface', { path: '/wp-json/wc/store/v1/cart/add-item', json }, NOTHING],
    ['an extension of the cart', { path: '/wp-json/wc/store/v1/cart/extensions', json }, EVERYTHING],
    ['a checkout by the interface', { path: '/wp-json/wc/store/v1/checkout', json }, STOCK],
    ['a friend', { path: '/wp-json/buddypress/v2/friends', json: '{"friend_id":2}' }, COMMUNITY],
    ['an activity', { path: '/wp-json/buddypress/v2/activity', json: '{"content":"Hello"}' }, COMMUNITY],
  ])('%s', async (_, write, purged) => {
    expect(await purgedBy(write)).toEqual(purged);
  });

  test('is not believed with `cautious`', async () => {
    expect(await purgedBy({ path: '/?wc-ajax=add_to_cart' }, { unknownWrites: 'cautious' })).toEqual(
      FILES_TOO,
    );
  });
});

describe('cache.independent', () => {
  const rule = (...reads: readonly string[]): SiteCacheOptions => ({
    independent: [{ writes: '/contact*', reads }],
  });
  const write: WriteCase = { path: '/contact/', form: 'a=1' };

  test.each<[string, readonly string[], readonly Read[]]>([
    ['* keeps everything', ['*'], NOTHING],
    ['pages keeps pages', ['pages'], ['core', 'text', 'plugin', 'store', 'members']],
    ['the pattern of a page keeps pages like it', ['/{}'], ['core', 'text', 'plugin', 'store', 'members']],
    ['a namespace keeps its routes', ['wp/v2', 'buddypress/*'], ['plugin', 'page', 'store']],
  ])('%s', async (_, reads, purged) => {
    expect(await purgedBy(write, rule(...reads))).toEqual(purged);
  });

  test('files keeps files', async () => {
    const options: SiteCacheOptions = { unknownWrites: 'cautious', ...rule('files') };
    expect(await purgedBy(write, options)).toEqual(EVERYTHING);
  });
});

test.each<[string, Partial<WriteCase>]>([
  ['an error page of a plugin', { response: '<body id="error-page"><p>Thank you</p></body>' }],
  ['no content, although it has a text', { response: '' }],
  [
    'an address of the client that looks as if it were held',
    {
      form: `${COMMENT}&redirect_to=%2Fabout%2F%3Funapproved%3D5%26moderation-hash%3D1`,
      status: 302,
      responseHeaders: { Location: '/about/?unapproved=5&moderation-hash=1#comment-9' },
    },
  ],
])('a comment that is answered with %s may have been written', async (_, more) => {
  const write = { path: '/wp-comments-post.php', form: COMMENT, ...more };
  expect(await purgedBy(write)).toEqual(PLUGIN_AND_PAGES);
});

test('a comment that is held for moderation purges responses of plugins', async () => {
  const location = '/about/?unapproved=5&moderation-hash=0123456789abcdef#comment-5';
  const write = {
    path: '/wp-comments-post.php',
    form: COMMENT,
    status: 302,
    responseHeaders: { Location: location },
  };
  expect(await purgedBy(write)).toEqual(PLUGIN_READS);
});

test('a comment purges what shows comments, and what plugins and pages may show', async () => {
  const write = {
    path: '/wp-comments-post.php',
    form: COMMENT,
    status: 302,
    responseHeaders: { Location: '/about/' },
  };
  expect(await purgedBy(write)).toEqual(PLUGIN_AND_PAGES);
  // A plugin sends the comment without a redirect.
  expect(await purgedBy({ ...write, status: 200, response: '<li>Yes</li>' })).toEqual(PLUGIN_AND_PAGES);
});
