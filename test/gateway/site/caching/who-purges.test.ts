import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UpstreamFailure } from '../../../../src/base/http/exchange.ts';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { DispatchTransport } from '../../../../src/gateway/upstream/dispatch-transport.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { toAddress } from '../../../support/run.ts';
import { listStored } from '../../../support/stored-responses.ts';
import {
  EDITOR,
  MEMBER,
  type StubResponse,
  type StubSite,
  startStubSite,
} from '../../../support/stub-site.ts';

/** Who may edit purges everything, and anyone else their own address and the page that they sent it from. Rows of `writes.json` are the exceptions. */

const POST = '/wp-json/wp/v2/posts/7';
const POSTS = '/wp-json/wp/v2/posts';
const COMMENTS = '/wp-json/wp/v2/comments';
const PRODUCTS = '/wp-json/wc/store/v1/products';
const PAGES = ['/', '/page-1/', '/page-3/comment-page-2/', '/page-2/', '/page-3/', '/readme.html'];
const HELLO = ['/hello/', '/hello/?replytocom=3'];
const SHOP = ['/shop/', PRODUCTS];
const PATHS = [...PAGES, ...HELLO, ...SHOP, POST, POSTS, COMMENTS];

type Outcome = Partial<StubResponse>;

/** A write and the site's response to it. */
interface Sent extends RequestInit {
  readonly path: string;
  readonly response?: Outcome;
  /** Failure of the transport in place of a response. */
  readonly failure?: UpstreamFailure;
}

const LINK = { link: `</wp-json/wp/v2/posts/7>; rel="alternate"; type="application/json"` };

function createBody(route: string, host = ''): unknown {
  const self = [{ href: `http://${host}/wp-json/wp/v2/posts/7` }];
  const post = { id: 7, _links: { self } };
  return route === '/wp/v2/posts/7' ? post : [route === '/wp/v2/posts' ? post : { id: 1 }];
}

const ROUTES = {
  '/batch/v1': 'POST',
  '/wp/v2/posts': 'GET POST',
  '/wp/v2/posts/(?P<id>[\\d]+)': 'GET POST PUT DELETE',
  '/wp/v2/comments': 'GET POST',
  '/shop/v1/products/(?P<id>[\\d]+)': 'GET PUT DELETE',
  '/wc/v3/products/(?P<id>[\\d]+)': 'GET PUT',
  '/wc/v3/acme/webhook': 'POST',
  '/wp-abilities/v1/abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run': 'GET POST DELETE',
  '/wc/store/v1/batch': 'POST',
  '/wc/store/v1/products': 'GET',
  '/wc/store/v1/cart/add-item': 'POST',
  '/wc/store/v1/checkout': 'POST PUT',
};

let site: StubSite;
let written: Sent = { path: '/' };
/** By their options. */
const gateways = new Map<string, Gateway>();
const clock = new GatewayClock();

beforeAll(async () => {
  site = await startStubSite({
    index: createRoutesIndex(ROUTES),
    intercept({ headers, method, route, url }, response) {
      if (route === '/') return false;
      // The clock is ahead of that of Node.
      response.sendDate = false;
      const {
        body = '',
        headers: fields = {},
        status = 200,
      } = method === 'GET' && PATHS.includes(url)
        ? respondToRead(url, route, headers.host)
        : (written.response ?? {});
      const isText = typeof body === 'string';
      const type = isText ? 'text/html; charset=UTF-8' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...fields });
      response.end(isText ? body : JSON.stringify(body));
      return true;
    },
  });
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
  await site.close();
});

function respondToRead(url: string, route: string | undefined, host: string | undefined): Outcome {
  if (route !== undefined) return { body: createBody(route, host) };
  const headers = url.startsWith('/hello/') ? LINK : {};
  return { headers, body: url === '/shop/' ? '<li class="product type-product">' : '<p>Hello</p>' };
}

async function start(more: SiteCacheOptions): Promise<Gateway> {
  const gateway = createSettledGateway({
    sites: [{ url: site.url, passthrough: true, cache: { pages: 36_000, ...more } }],
    cache: 'memory',
    // What is purged again later would be so in another case.
    clock: { now: clock.now, after: (delay, run) => (delay < 1_000 ? clock.after(delay, run) : () => {}) },
    transport: ({ origin }) => {
      const transport = new DispatchTransport({ origin });
      return {
        send(request, sink) {
          const { failure } = written;
          if (failure === undefined || request.method === 'GET') return transport.send(request, sink);
          sink.fail(failure);
          return { resume() {}, abort() {} };
        },
        close: () => transport.close(),
        destroy: () => transport.destroy(),
      };
    },
  });
  await gateway.rediscover();
  gateways.set(JSON.stringify(more), gateway);
  return gateway;
}

/** The addresses of {@link PATHS} whose stored responses a write purges. */
async function purgedBy(write: Sent, more: SiteCacheOptions = {}): Promise<readonly string[]> {
  const { failure: _, path, response: __, ...init } = write;
  const { app } = gateways.get(JSON.stringify(more)) ?? (await start(more));
  // What strangers purge is limited in each minute.
  clock.pass(120_000);
  for (const read of PATHS) {
    clock.tick();
    await (await app.request(toAddress(read))).text();
  }
  clock.tick();
  expect(await listStored(app, PATHS)).toEqual(PATHS);
  written = write;
  await (await app.request(toAddress(path), { method: 'POST', redirect: 'manual', ...init })).text();
  const left = new Set(await listStored(app, PATHS));
  return PATHS.filter((read) => !left.has(read));
}

const form = (path: string, body: string, response: Outcome = {}, headers = {}): Sent => ({
  ...{ path, body, response },
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});

const json = (path: string, body: unknown, response: Outcome = {}, headers = {}): Sent => ({
  ...{ path, response },
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

const AJAX = '/wp-admin/admin-ajax.php';

/** The same, sent by an editor. */
const byEditor = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...Object(sent.headers), cookie: EDITOR.cookie },
});

const xml = (name: string, response: string, more = ''): Sent => ({
  ...{ path: '/xmlrpc.php', response: { body: response } },
  headers: { 'content-type': 'text/xml' },
  body: `<?xml version="1.0"?>\n<methodCall><methodName>${name}</methodName><params/>${more}</methodCall>`,
});
const RESULT = '<?xml version="1.0"?>\n<methodResponse>\n<params>';
const FAULT = '<?xml version="1.0"?><methodResponse><fault><value>';
const refusal = (status: number, code: string): StubResponse => ({
  ...{ status },
  body: { code, message: 'No.', data: { status } },
});
const batch = (path: string, requests: readonly object[], status: number, body: unknown): Sent =>
  json(path, { requests }, { status, body });
const get = (path: string, headers: Record<string, string> = {}, response: Outcome = {}): Sent => ({
  ...{ path, method: 'GET', headers, response },
});
const to = (location: string, status = 302): Outcome => ({ status, headers: { location } });
const LOGIN = to('/wp-login.php?redirect_to=%2Fwp-admin%2F&reauth=1');
const COMMENT = 'author=A&email=a%40example.com&comment=Yes&comment_post_ID=7&akismet_comment_nonce=1a2b';
const comment = (response: Outcome): Sent => form('/wp-comments-post.php', COMMENT, response);
const ADD = { method: 'POST', path: '/wc/store/v1/cart/add-item', body: { id: 1 } };
const ORDER = { method: 'POST', path: '/wc/store/v1/checkout' };
const UNKNOWN = '/wp-json/unknown/v1/a';
const MADE_UP = { cookie: 'wordpress_logged_in_1=made-up' };
/** From a page of the site. */
const FROM = { referer: 'http://localhost/page-1/' };
const MEMBERS = { cookie: MEMBER, ...FROM };

/** What a client sends whom the site does not know. A name of a public report is that of its thread. */
const STRANGERS: Readonly<Record<string, readonly [sent: Sent, purged?: readonly string[]]>> = {
  'a form to a page': [form('/page-2/', 'a=1'), ['/page-2/']],
  'a form from another page': [form('/page-2/', 'a=1', {}, FROM), ['/page-1/', '/page-2/']],
  'a form from another site': [
    form('/page-2/', 'a=1', {}, { referer: 'https://a.example.com/page-1/' }),
    ['/page-2/'],
  ],
  'the last seat, by script': [form(AJAX, 'action=mep_book', {}, FROM), ['/page-1/']],
  'a vote by a plugin’s route': [
    json(UNKNOWN, {}, {}, { referer: `${FROM.referer}?utm_source=a` }),
    ['/page-1/'],
  ],
  'a refused vote': [form(AJAX, 'action=vote', { status: 403, body: '-1' }, FROM)],
  'a beacon': [form(AJAX, 'action=view', {}, { ...FROM, 'sec-fetch-mode': 'no-cors' })],
  'a counter of page views': [form(AJAX, 'action=rocket_beacon', {}, FROM)],
  'a product for the cart': [
    form('/?wc-ajax=add_to_cart', 'product_id=1', {}, { referer: 'http://localhost/shop/' }),
  ],
  'a reply of a member': [
    form('/page-2/', 'bbp_reply_content=a', to('/page-2/#post-5'), MEMBERS),
    ['/page-1/', '/page-2/'],
  ],
  'a member’s own profile': [
    json(
      '/wp-json/wp/v2/users/me',
      { description: 'a' },
      { body: { id: 5 } },
      { cookie: MEMBER, 'x-wp-nonce': '1' },
    ),
  ],
  'a member’s own profile by XML-RPC': [xml('wp.editProfile', RESULT)],
  'a compressed body': [
    { path: '/page-3/', headers: { 'content-encoding': 'gzip' }, body: gzipSync('a=1') },
    ['/page-3/'],
  ],
  'a made-up login cookie': [form('/page-1/', 'a=1', {}, MADE_UP), ['/page-1/']],
  'made-up credentials': [{ path: '/?z=1', headers: { authorization: 'Basic YTpi' } }],
  'an open webhook of a plugin below WooCommerce’s namespace': [
    json('/wp-json/wc/v3/acme/webhook', {}, { body: { ok: true } }, MADE_UP),
  ],
  'an ability of a plugin that anyone may run': [
    json('/wp-json/wp-abilities/v1/abilities/acme/vote/run', { input: 1 }, { body: { ok: true } }, MADE_UP),
  ],
  'a file of the administration with a nonce': [get('/wp-admin/css/x.css?nonce=1', EDITOR)],
  'a file': [{ path: '/readme.html', headers: { cookie: 'foo=1' }, response: { status: 405 } }],
  'a method of WebDAV': [{ path: '/', method: 'PROPFIND', headers: { cookie: 'a=1' } }],
  'a link of the administration': [get('/wp-admin/?_wpnonce=1', MADE_UP, LOGIN)],
  // WP Job Manager, BuddyPress
  'a member’s link in the front end': [get('/jobs/?action=mark_filled&_wpnonce=1', MEMBERS), ['/page-1/']],
  'a visitor’s link with a nonce': [get('/?_wpnonce=1', FROM)],
  'a write to WordPress that is refused': [json(POST, { title: 'A' }, refusal(401, 'rest_cannot_edit'))],
  'a write to WordPress in whose place a firewall answers': [
    json(POST, { title: 'A' }, { body: '<title>Just a moment...</title>' }, { authorization: 'Basic YTpi' }),
    [POST],
  ],
  'a write to WordPress that only reads': [{ path: `${POST}?_method=GET` }],
  'an error in an envelope': [{ path: `${POST}?_envelope`, response: { body: { status: 401, body: {} } } }],
  'a write that fails': [form('/page-1/', 'a=1', { status: 500 })],
  'a form for logging in': [form('/wp-login.php', 'log=a&pwd=b')],
  'a refused batch': [batch('/wp-json/batch/v1', [ADD], 400, { code: 'rest_invalid_param' })],
  'a batch of the store': [
    batch('/wp-json/wc/store/v1/batch', [ADD], 207, { responses: [{ status: 201, body: {} }] }),
  ],
  'a mutation of GraphQL': [json('/graphql', { query: 'mutation { a(password: "b") }' })],
  'a guessed password': [xml('wp.newPost', FAULT)],
  'a call of XML-RPC with another name behind': [
    xml('wp.newPost', RESULT, '<methodName>demo.sayHello</methodName>'),
  ],
  'a call of XML-RPC that hides another name': [
    {
      ...xml('wp.newPost', RESULT),
      // WordPress removes a declaration of fewer than 100 bytes.
      body: '<?xml version="1.0" encoding="UTF-7"                                                                  ?><methodCall><methodName>wp.newPost</methodName>+ADw-methodName+AD4-demo.sayHello+ADw-/methodName+AD4-</methodCall>',
    },
  ],
  'many calls of XML-RPC': [xml('system.multicall', RESULT)],
  'Koko Analytics': [form('/', 'action=koko_analytics_collect&pa=%2Fhello%2F&po=7&m=c')],
  // wpsharks/comet-cache#75
  'an approved comment: the page that shows it, if the site links no page to its post': [
    comment(to('/page-3/comment-page-2/#comment-5')),
    ['/page-3/', '/page-3/comment-page-2/', POST, POSTS, COMMENTS, ...HELLO],
  ],
  // woocommerce/woocommerce#26182
  'an order by the form': [
    form('/?wc-ajax=checkout', 'woocommerce-process-checkout-nonce=1', { body: { result: 'success' } }),
    SHOP,
  ],
  'an order in a batch': [
    batch('/wp-json/wc/store/v1/batch', [ADD, ORDER], 207, {
      responses: [
        { status: 201, body: {} },
        { status: 200, body: { order_id: 5 } },
      ],
    }),
    SHOP,
  ],
};

describe('a client who is not proved to edit purges at most its own address and the page that it came from:', () => {
  test.each(Object.entries(STRANGERS))('%s', async (_, [sent, purged = []]) => {
    expect(new Set(await purgedBy(sent))).toEqual(new Set(purged));
  });
});

const AUTHORIZED = { authorization: EDITOR.authorization };
const saved = (status: string, slug = 'a') => ({ id: 9, status, slug });

const EDITORS: Readonly<Record<string, Sent>> = {
  'a form of a page': byEditor(form('/page-1/', 'a=1')),
  'an author’s listing in the front end, with wp-admin closed': byEditor(form(AJAX, 'action=save', {}, FROM)),
  'a link of the administration': byEditor(get('/wp-admin/post.php?action=trash&%5Fwpnonce=1')),
  // bbPress
  'a link in the front end': byEditor(get('/topic/?action=bbp_toggle_topic_trash&_wpnonce=1')),
  'a post in the editor': json(POST, { title: 'A' }, { body: { id: 7 } }, { 'x-wp-nonce': '1' }),
  'a post in an envelope': { path: `${POST}?_envelope`, response: { body: { status: 200, body: {} } } },
  'a plugin’s route, with a nonce': byEditor(json(UNKNOWN, {}, {}, { 'x-wp-nonce': '1' })),
  'a plugin’s route, with a password for applications': json(UNKNOWN, {}, {}, AUTHORIZED),
  'a product, with a key in the query': {
    ...json('/wp-json/wc/v3/products/5?consumer_key=a', {}, { body: { id: 5 } }),
    method: 'PUT',
  },
  // wp-media/wp-rocket#530
  'a post by XML-RPC': xml('wp.newPost', RESULT),
  'a batch': byEditor(
    batch('/wp-json/batch/v1', [{ path: '/x/v1/a' }], 207, { responses: [{ status: 200 }] }),
  ),
  'a mutation of GraphQL with an escape': byEditor({
    ...json('/graphql', {}),
    body: '{"query":"\\u006dutation { a }"}',
  }),
  'a stored mutation of GraphQL': byEditor(json('/graphql', { queryId: 'save' })),
  'a failure': byEditor({ ...json(UNKNOWN, {}), response: { status: 500 } }),
  'an approved comment': byEditor(comment(to('/hello/#comment-5'))),
  'a form to a read': byEditor(form('/wp-json/wp/v2/posts?_method=GET', 'shop_save=1')),
};

describe('everything is purged by an editor:', () => {
  test.each(Object.entries(EDITORS))('%s', async (_, sent) => {
    expect(await purgedBy(sent)).toEqual(PATHS);
  });
});

/** With the addresses that it purges. */
const HARMLESS: Readonly<Record<string, readonly [sent: Sent, purged?: readonly string[]]>> = {
  'a page of the administration': [get('/wp-admin/edit.php?post_type=page')],
  'a link from another site': [get('/wp-admin/?nonce=1', { 'sec-fetch-site': 'cross-site' })],
  'a refused action': [form(AJAX, 'action=save', { status: 403, body: '-1' })],
  'a session that has ended': [form('/wp-admin/post.php', 'a=1', LOGIN)],
  // BoldGrid/w3-total-cache#1297, tlovett1/simple-cache#40
  'a new draft': [json(POSTS, {}, { status: 201, body: saved('draft', '') }), [POSTS]],
  'a write that was not sent': [{ path: '/page-1/', failure: { kind: 'client-gone', isUnsent: true } }],
};

describe('an editor purges what a row says by', () => {
  test.each(Object.entries(HARMLESS))('%s', async (_, [sent, purged = []]) => {
    expect(new Set(await purgedBy(byEditor(sent)))).toEqual(new Set(purged));
  });
});

describe('cache.writes', () => {
  test('selects writes to pages by path and query, and by the action of a form', async () => {
    const purges = 'nothing';
    const writes = [
      { match: '/?wc-ajax=*', purges },
      { match: `POST ${AJAX}?action=shop_*`, purges },
    ] as const;
    expect(await purgedBy(byEditor({ path: '/?wc-ajax=other' }), { writes })).toEqual([]);
    expect(await purgedBy(byEditor({ path: '/?other=1' }), { writes })).toEqual(PATHS);
    expect(await purgedBy(byEditor(form(AJAX, 'action=shop_view')), { writes })).toEqual([]);
    expect(await purgedBy(byEditor(form(AJAX, 'action=save')), { writes })).toEqual(PATHS);
  });

  test('comes before what the gateway knows, whoever writes, and can name a page', async () => {
    const login = form('/wp-login.php', 'log=a&pwd=b');
    expect(await purgedBy(login, { writes: [{ match: '*', purges: 'everything' }] })).toEqual(PATHS);
    expect(await purgedBy(login, { writes: [{ match: '/wp-login.php', purges: ['/page-1'] }] })).toEqual([
      '/page-1/',
    ]);
  });
});
