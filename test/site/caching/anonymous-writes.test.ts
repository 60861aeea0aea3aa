import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { StubResponse } from '../../support/stub-site.ts';
import { AJAX, form, json, SESSION, type Sent, useWritingSite } from './writing-site.ts';

/** What a client without a session, a credential or a nonce can purge: its own address, and what a row of `writes.json` says. */

const POST = '/wp-json/wp/v2/posts/7';
const POSTS = '/wp-json/wp/v2/posts';
const COMMENTS = '/wp-json/wp/v2/comments';
const PRODUCTS = '/wp-json/wc/store/v1/products';
const PAGES = Array.from({ length: 9 }, (_, at) => `/page-${at + 1}/`);
const READS = ['/', '/?s=x', '/hello/', '/hello/?replytocom=3', '/shop/', ...PAGES];
const PATHS = [...READS, POST, POSTS, COMMENTS, PRODUCTS];

type Outcome = NonNullable<Sent['response']>;

const page = (body: string): StubResponse => ({ body });
const LINK = { link: `</wp-json/wp/v2/posts/7>; rel="alternate"; type="application/json"` };

function createBody(route: string, host = ''): unknown {
  const self = [{ href: `http://${host}/wp-json/wp/v2/posts/7` }];
  const post = { id: 7, _links: { self } };
  return route === '/wp/v2/posts/7' ? post : [route === '/wp/v2/posts' ? post : { id: 1 }];
}

const purgedBy = useWritingSite({
  routes: {
    '/batch/v1': 'POST',
    '/wp/v2/posts': 'GET POST',
    '/wp/v2/posts/(?P<id>[\\d]+)': 'GET POST DELETE',
    '/wp/v2/comments': 'GET POST',
    '/wc/store/v1/batch': 'POST',
    '/wc/store/v1/products': 'GET',
    '/wc/store/v1/checkout': 'POST PUT',
  },
  reads: PATHS,
  cache: { pages: 600 },
  respondToRead({ headers, route, url }, response) {
    const type = route === undefined ? 'text/html' : 'application/json';
    response.writeHead(200, { 'content-type': type, ...(url.startsWith('/hello/') ? LINK : {}) });
    const text = url === '/shop/' ? '<li class="product type-product">' : '<p>Hello</p>';
    response.end(route === undefined ? text : JSON.stringify(createBody(route, headers.host)));
  },
});

const xml = (name: string, params = '', response: Outcome = {}): Sent => ({
  ...{ path: '/xmlrpc.php', response },
  headers: { 'content-type': 'text/xml' },
  body: `<?xml version="1.0"?><methodCall><methodName>${name}</methodName><params>${params}</params></methodCall>`,
});
const LOGIN = '<param><value><string>admin</string></value></param><param><value>1234</value></param>';
const FAULT =
  '<?xml version="1.0"?><methodResponse><fault><value><struct><member><name>faultCode</name><value><int>403</int></value></member><member><name>faultString</name><value><string>{}</string>';
const callOf = (name: string): string =>
  `<param><value><array><data><value><struct><member><name>methodName</name><value><string>${name}</string></value></member></struct></value></data></array></value></param>`;
const multipart = (path: string, fields: Record<string, string>): Sent => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { path, body };
};
const refusal = (status: number, code: string): StubResponse => ({
  ...{ status },
  body: { code, message: 'No.', data: { status } },
});
const batch = (path: string, requests: readonly object[], status: number, body: unknown): Sent =>
  json(path, { requests }, { status, body });

const COMMENT = 'author=A&email=a%40example.com&comment=Yes&comment_post_ID=7&akismet_comment_nonce=1a2b';
const comment = (response: Outcome, more = ''): Sent =>
  form('/wp-comments-post.php', COMMENT + more, response);
const to = (location: string, status = 302): Outcome => ({ status, headers: { location } });
const STORE_BATCH = '/wp-json/wc/store/v1/batch';
const ADD = { method: 'POST', path: '/wc/store/v1/cart/add-item', body: { id: 1 } };
const CHECKOUT = '/wp-json/wc/store/v1/checkout';
const HELLO = ['/hello/', '/hello/?replytocom=3'];
const SHOP = ['/shop/', PRODUCTS];

/** Requests by their name; a name of a public report is that of its thread. */
const OWN_ADDRESS: Readonly<Record<string, readonly [sent: Sent, purged?: readonly string[]]>> = {
  'a form to the front page': [{ path: '/' }, ['/']],
  'DELETE of a page': [{ path: '/page-1/', method: 'DELETE' }, ['/page-1/']],
  'a forgotten password': [form('/wp-login.php?action=lostpassword', 'user_login=a', to('/wp-login.php'))],
  'the password of a post': [form('/wp-login.php?action=postpass', 'post_password=a', to('/hello/'))],
  'a trackback that is off': [form('/wp-trackback.php', 'url=a', { status: 404 })],
  'a query of GraphQL': [json('/graphql', { query: '{ posts { nodes { title } } }' })],
  'a batch of the store': [batch(STORE_BATCH, [ADD], 207, { responses: [{ status: 201, body: {} }] })],
  'an empty batch': [batch('/wp-json/batch/v1', [], 207, { responses: [] })],
  'a refused batch': [batch('/wp-json/batch/v1', [ADD], 400, { code: 'rest_invalid_param' })],
  'a batch of which one part is invalid': [
    batch('/wp-json/batch/v1', [{ path: '/wp/v2/posts' }], 207, { failed: 'validation', responses: [null] }),
  ],
  'a batch that is refused in each part': [
    batch('/wp-json/batch/v1', [{ path: '/wp/v2/posts' }], 207, { responses: [{ status: 401, body: {} }] }),
  ],
  'a report of a policy': [
    {
      path: '/csp-report',
      body: '{"csp-report":{"original-policy":"script-src \'nonce-1a2b\'"}}',
      headers: { 'content-type': 'application/csp-report' },
      response: { status: 204 },
    },
  ],
  'the schedule': [{ path: '/wp-cron.php', method: 'GET' }],
  'posts by mail': [{ path: '/wp-mail.php', method: 'GET' }],
  'a form with a file': [multipart('/page-2/', { text: 'a' }), ['/page-2/']],
  'a field that nobody knows': [form('/page-2/', 'a=1', {}, { 'x-client': 'app' }), ['/page-2/']],
  'cookies of a visitor': [
    form('/page-2/', 'a=1', {}, { cookie: 'comment_author_1=A; woocommerce_items_in_cart=1' }),
    ['/page-2/'],
  ],
  'a method in the query': [{ path: `${POST}?_method=DELETE`, response: refusal(401, 'rest_cannot_delete') }],
  'an envelope': [{ path: '/wp-json/unknown/v1/a?_envelope' }],
  'a compressed body': [
    { path: '/page-3/', headers: { 'content-encoding': 'gzip' }, body: gzipSync('a=1') },
    ['/page-3/'],
  ],
  'a method of WebDAV': [{ path: '/', method: 'PROPFIND' }],
  'a login for a token': [
    json('/wp-json/jwt-auth/v1/token', { username: 'a', password: 'b' }, refusal(403, 'invalid_username')),
  ],
  'a refused checkout': [
    form('/?wc-ajax=checkout', 'woocommerce-process-checkout-nonce=1', page('{"result":"failure"}')),
  ],
  // wp-media/wp-rocket#7205
  'the way from the cart to the checkout': [
    { ...json(CHECKOUT, { billing_address: {} }, { body: { order_id: 5 } }, { nonce: '1a' }), method: 'PUT' },
  ],
  'guessed passwords, many at once': [xml('system.multicall', callOf('wp.getCategories'))],
  'a guessed password, on a site in another language': [
    xml('wp.newPost', LOGIN, page(FAULT.replace('{}', 'Benutzername oder Passwort falsch.'))),
  ],
  'a method of XML-RPC that does not exist': [
    xml('wp.unknown', '', page(FAULT.replace('403', '-32601').replace('{}', 'No such method.'))),
  ],
  'a call that is not XML': [
    {
      ...xml('a'),
      body: '<',
      response: page(FAULT.replace('403', '-32700').replace('{}', 'Not well formed.')),
    },
  ],
  'a pingback': [xml('pingback.ping', '<param><value>a</value></param>')],
  // ProjectNami/projectnami-blob-cache#15
  'Contact Form 7': [json('/wp-json/contact-form-7/v1/contact-forms/3/feedback', { _wpnonce: '1a2b' })],
  MailPoet: [form(AJAX, 'action=mailpoet&token=1a&endpoint=subscribers&mailpoet_method=subscribe')],
  'MailPoet, with a session': [form(AJAX, 'action=mailpoet&endpoint=subscribers', {}, SESSION)],
  'a query of GraphQL, with a session': [json('/graphql', { query: '{ posts { id } }' }, {}, SESSION)],
  'an administration that asks to log in, with a made-up nonce': [
    {
      ...{ path: '/wp-admin/?_wpnonce=1', method: 'GET' },
      response: to('/wp-login.php?redirect_to=%2Fwp-admin%2F&reauth=1'),
    },
  ],
  WPForms: [form(AJAX, 'action=wpforms_submit&wpforms%5Bid%5D=5&wpforms%5Btoken%5D=1a2b')],
};

/** What a row says, and what a site that is asked by its own programs changes. */
const ROWS: typeof OWN_ADDRESS = {
  'an approved comment: its post': [
    comment(to('http://example.com/hello/comment-page-2/#comment-5')),
    [...HELLO, POST, POSTS, COMMENTS],
  ],
  'an approved comment whose sender wants to go elsewhere': [
    comment(to('http://example.com/page-8/'), '&redirect_to=%2Fpage-8%2F'),
    [...HELLO, '/page-8/', POST, POSTS, COMMENTS],
  ],
  'an approved comment by the REST API: its post': [
    json(
      COMMENTS,
      { post: 7 },
      { status: 201, body: { status: 'approved', _links: { up: [{ href: `http://example.com${POST}` }] } } },
    ),
    [...HELLO, POST, POSTS, COMMENTS],
  ],
  'an order by the Store API: products and what lists them': [
    json(CHECKOUT, { payment_method: 'cod' }, { body: { order_id: 5 } }, { nonce: '1a2b' }),
    SHOP,
  ],
  // woocommerce/woocommerce#26182
  'an order by the form: products and what lists them': [
    form('/?wc-ajax=checkout', 'woocommerce-process-checkout-nonce=1', page('{"result":"success"}')),
    SHOP,
  ],
  'an order without script: products and what lists them': [
    form('/page-9/', 'woocommerce-process-checkout-nonce=1', to('/order-received/5/?key=wc_order_1a')),
    ['/shop/', '/page-9/', PRODUCTS],
  ],
  'an order in a batch': [
    batch(STORE_BATCH, [ADD, { method: 'POST', path: '/wc/store/v1/checkout' }], 207, {
      responses: [
        { status: 201, body: {} },
        { status: 200, body: { order_id: 5 } },
      ],
    }),
    SHOP,
  ],
};

/** A request that carries a session, a credential or a nonce counts as one of a client that can write. */
const EVERYTHING: Readonly<Record<string, Sent>> = {
  'a session': form('/page-1/', 'a=1', {}, { cookie: 'wordpress_logged_in_1=a' }),
  'an unknown cookie': form('/page-1/', 'a=1', {}, { cookie: 'members=a' }),
  'an application password': form('/page-1/', 'a=1', {}, { authorization: 'Basic YTpi' }),
  'a field that is named like a key': form('/page-1/', 'a=1', {}, { 'x-shop-key': 'a' }),
  'a nonce in the query': { path: '/page-1/?_wpnonce=1a2b' },
  'a nonce in a form': form('/page-1/', 'my_nonce%5Ba%5D=1a2b'),
  'a nonce in JSON': json('/wp-json/unknown/v1/a', { data: { nonce: '1a2b' } }),
  'a password in JSON': json('/wp-json/unknown/v1/a', { user: 'a', password: 'b' }),
  'what can be in a long body': form('/page-1/', `a=${'b'.repeat(300_000)}`),
  'a mutation of GraphQL with a password': json('/graphql', { query: 'mutation { a(password: "b") }' }),
  'a mutation of GraphQL after long variables': json(
    '/graphql',
    { variables: { a: 'b'.repeat(300_000) }, query: 'mutation { a }' },
    {},
    SESSION,
  ),
  'a mutation of GraphQL with an escape': {
    ...json('/graphql', {}, {}, SESSION),
    body: '{"query":"\\u006dutation { a }"}',
  },
  'a mutation of GraphQL in a form, behind an escape': form('/graphql', 'query=%0Amutation{a}', {}, SESSION),
  'a stored mutation of GraphQL': json('/graphql', { queryId: 'save' }, {}, SESSION),
  'a stored mutation of GraphQL by its hash': json(
    '/graphql',
    { query: '', extensions: { persistedQuery: {} } },
    {},
    SESSION,
  ),
  'a form of MailPoet’s administration': form(
    AJAX,
    'action=mailpoet&endpoint=forms&method=saveEditor',
    {},
    SESSION,
  ),
  'a link of the administration with a nonce': { path: '/wp-admin/?_wpnonce=1', method: 'GET' },
  'an action that leads to the form for logging in': {
    ...{ path: '/wp-admin/admin-post.php?_wpnonce=1', method: 'GET' },
    response: to('/wp-login.php?reauth=1'),
  },
  // wp-media/wp-rocket#530
  'a post by XML-RPC': xml('wp.newPost', LOGIN, page('<methodResponse><params>')),
  'a post by XML-RPC in a list of calls': xml('system.multicall', callOf('wp.newPost')),
  'a post by XML-RPC at the end of a long list': xml(
    'system.multicall',
    callOf('wp.getTags').repeat(2_000) + callOf('wp.newPost'),
  ),
  'a method of a plugin by XML-RPC': xml('shop.save', LOGIN),
  'a part of a batch': json('/wp-json/batch/v1', {
    requests: [{ path: '/x/v1/a', headers: { Nonce: '1' } }],
  }),
};

describe('an anonymous request purges at most its own address:', () => {
  test.each(Object.entries(OWN_ADDRESS))('%s', async (_, [sent, purged = []]) => {
    expect(await purgedBy(sent)).toEqual(purged);
  });
});

describe('a row of the table names what is purged:', () => {
  test.each(Object.entries(ROWS))('%s', async (_, [sent, purged = []]) => {
    const names = new Set(await purgedBy(sent));
    expect(names).toEqual(new Set(purged));
  });
});

describe('everything is purged by', () => {
  test.each(Object.entries(EVERYTHING))('%s', async (_, sent) => {
    expect(await purgedBy(sent)).toEqual(PATHS);
  });
});
