import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../src/config/option-types.ts';
import type { UpstreamFailure } from '../../../src/http/exchange.ts';
import { AJAX, useWritingSite } from './writing-site.ts';

/** What writes purge, of a site with plugins and pages: by the rows of `writes.json`, else everything, or of a visitor nothing. */

/** One read of each group of responses. */
const READS = {
  post: '/wp-json/wp/v2/posts/1',
  plugin: '/wp-json/shop/v1/products',
  page: '/about/',
  file: '/wp-content/themes/a/style.css',
} as const;
type Read = keyof typeof READS;

const EVERYTHING: readonly Read[] = ['post', 'plugin', 'page', 'file'];
const NOTHING: readonly Read[] = [];

const FILE_FIELDS = {
  'Content-Type': 'text/css',
  'Cache-Control': 'max-age=600',
  'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
  ETag: '"67748580-2"',
};

interface WriteCase {
  readonly path: string;
  readonly method?: string;
  readonly form?: string;
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly response?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Failure of the transport in place of a response. */
  readonly failure?: UpstreamFailure;
}
type Rest = Omit<WriteCase, 'path'>;

const listPurged = useWritingSite({
  routes: {
    '/batch/v1': 'POST',
    '/wp/v2/posts': 'GET POST',
    '/wp/v2/posts/(?P<id>[\\d]+)': 'GET POST PUT DELETE',
    '/wp/v2/posts/(?P<id>[\\d]+)/autosaves': 'GET POST',
    '/wp/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)': 'GET DELETE',
    '/wp/v2/users/me': 'GET POST DELETE',
    '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords': 'GET POST',
    '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords/(?P<uuid>[\\w\\-]+)': 'DELETE',
    '/wp/v2/comments': 'GET POST',
    '/shop/v1/products': 'GET POST',
    '/shop/v1/products/(?P<id>[\\d]+)': 'GET PUT DELETE',
    '/wc/store/v1/cart/add-item': 'POST',
    '/wc/store/v1/cart/extensions': 'POST',
    '/wc/store/v1/checkout': 'POST',
  },
  reads: Object.values(READS),
  cache: {
    rules: [
      { match: '/about*', ttl: 600 },
      { match: 'shop/v1', ttl: 600 },
    ],
  },
  respondToRead({ route, url }, response) {
    if (url === READS.file) response.writeHead(200, FILE_FIELDS).end('a{}');
    else if (route === undefined) response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Us</p>');
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1}');
  },
});

async function purgedBy(
  { form, json, path, response, responseHeaders, status, ...write }: WriteCase,
  cache: SiteCacheOptions = {},
): Promise<readonly Read[]> {
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = form ?? json;
  const fields = body === undefined ? {} : { 'content-type': type };
  const outcome = { status: status ?? 200, headers: responseHeaders ?? {}, body: response ?? '' };
  const headers = { ...fields, ...write.headers };
  const sent = { ...write, path, headers, response: outcome, ...(body === undefined ? {} : { body }) };
  const purged = new Set(await listPurged(sent, cache));
  return EVERYTHING.filter((name) => purged.has(READS[name]));
}

const SESSION = { headers: { cookie: 'wordpress_logged_in_1=editor' } };
const AUTHORIZED = { headers: { authorization: 'Basic YTpi' } };
const POST_1 = '/wp-json/wp/v2/posts/1';
const BATCH = '/wp-json/batch/v1';

const sent = (path: string, more: Rest = {}): WriteCase => ({ path, ...more });
const form = (path: string, body: string, more: Rest = {}): WriteCase => ({ path, form: body, ...more });
const json = (path: string, body: object, more: Rest = {}): WriteCase => ({
  path,
  json: JSON.stringify(body),
  ...more,
});
const get = (path: string): WriteCase => ({ path, method: 'GET' });
/** Responses of routes, which WordPress links to its root index. */
const answer = (status: number, body: unknown, headers: WriteCase['responseHeaders'] = {}): Rest => ({
  status,
  response: typeof body === 'string' ? body : JSON.stringify(body),
  responseHeaders: {
    'Content-Type': 'application/json',
    Link: '<https://example.com/wp-json/>; rel="https://api.w.org/"',
    ...headers,
  },
});
const error = (status: number, code: string, headers: WriteCase['responseHeaders'] = {}, data = {}): Rest =>
  answer(status, { code, message: 'No.', data: { status, ...data } }, headers);
const INVALID = error(400, 'rest_invalid_param', {}, { details: { id: { code: 'rest_invalid_type' } } });
/** A write to a plugin, whose handler ends as `outcome` says. */
const plugin = (outcome: Rest): WriteCase =>
  json('/wp-json/shop/v1/products/1', { title: 'A' }, { method: 'PUT', ...AUTHORIZED, ...outcome });
const post = (outcome: Rest): WriteCase => json(POST_1, { title: 'A' }, { ...AUTHORIZED, ...outcome });
const batch = (path: string, outcome: unknown, body: object = {}): WriteCase =>
  json(BATCH, { requests: [{ method: 'POST', path, body }] }, { ...AUTHORIZED, ...answer(207, outcome) });

/** What the browser of an editor sends, e.g. `POST /wp-json/wp/v2/posts`. */
const edit = (line: string, body: object | null, status: number, response: object): WriteCase => {
  const [method = '', path = ''] = line.split(' ');
  const sent = body === null ? {} : { json: JSON.stringify(body) };
  return { path, method, ...sent, ...AUTHORIZED, ...answer(status, response) };
};
const POSTS = '/wp-json/wp/v2/posts';
const REVISION = `${POSTS}/7/revisions/99?force=true`;
const ME = '/wp-json/wp/v2/users/me';
const postOf = (status: string, slug = 'a') => ({ id: 9, status, slug });
const DRAFT = postOf('draft', '');
const SAVED = { id: 99, parent: 7 };
const SCHEDULE = { status: 'future', date: '2098-01-01T00:00:00' };
const REFUSED = { code: 'rest_cannot_edit', message: 'no', data: { status: 401 } };
const PREFERENCES = { persisted_preferences: {} };

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
const xmlrpc = (response: string): WriteCase => sent('/xmlrpc.php', { response });
const LOGIN_FAULT = fault(403, 'Incorrect username or password.');
const ERROR_PAGE =
  '<!DOCTYPE html><html><head></head>\n<body id="error-page"><p>Error</p><a href="javascript:history.back()">Back</a></body></html>';
const COMMENT = 'author=A&email=a%40example.com&comment=Yes&comment_post_ID=1&comment_parent=0&submit=Post';
const comment = (more: Rest, fields: string = COMMENT): WriteCase =>
  form('/wp-comments-post.php', fields, more);
const redirect = (location: string): Rest => ({ status: 302, responseHeaders: { Location: location } });

const OK = [{ status: 200, headers: {}, body: { id: 1 } }];
const TO_CONTACT = form('/contact/', 'text=Hello');

/** What writes purge, by name of the write. */
const TABLE: Readonly<
  Record<string, readonly [purged: readonly Read[], Readonly<Record<string, WriteCase>>]>
> = {
  'everything: a script of WordPress itself refuses': [
    EVERYTHING,
    {
      'the administration': sent('/wp-admin/options.php', { status: 404 }),
      'a path below a script': sent('/wp-trackback.php/more', { status: 404 }),
    },
  ],
  'everything: a write of unknown effect': [
    EVERYTHING,
    {
      'a write to a plugin': plugin(answer(200, { id: 1 })),
      'an unknown route': sent('/wp-json/unknown/v1/things'),
      'an action of a plugin': sent(`${AJAX}?action=shop_save`),
      'the batch route, with an unreadable body': sent(BATCH),
      'a form that is sent to a read': form('/wp-json/wp/v2/posts?_method=GET', 'shop_save=1'),
    },
  ],
  'everything: a handler of a plugin ends with': [
    EVERYTHING,
    {
      'a failure': plugin(error(500, 'internal_server_error')),
      'an error of its own': plugin(error(400, 'busy')),
      'not allowed': plugin(error(403, 'rest_forbidden')),
      unknown: plugin(error(404, 'rest_no_route')),
      'invalid parameters': plugin(error(400, 'rest_invalid_param')),
    },
  ],
  'nothing: refused before any handler': [
    NOTHING,
    {
      'what the site does not allow, as `Allow` shows': plugin(
        error(401, 'rest_forbidden', { allow: 'GET' }),
      ),
      'parameters, by WordPress': post(INVALID),
      'not allowed, by WordPress': post(error(401, 'rest_forbidden')),
      'an unknown session, by WordPress': post(error(403, 'rest_cookie_invalid_nonce')),
      'no connection in time': {
        ...TO_CONTACT,
        failure: {
          kind: 'timeout',
          cause: Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
        },
      },
      'a body that ended before it was sent': {
        ...TO_CONTACT,
        failure: { kind: 'client-gone', isUnsent: true },
      },
    },
  ],
  'everything: no outcome': [
    EVERYTHING,
    {
      'a timeout': { ...TO_CONTACT, failure: { kind: 'timeout' } },
      'a body that ended': { ...TO_CONTACT, failure: { kind: 'client-gone' } },
      'a broken connection': { ...plugin({}), failure: { kind: 'connection-broken' } },
      'an error of a field, after WordPress wrote the post': json(
        POST_1,
        { title: 'A', meta: { a: 1 } },
        error(403, 'rest_cannot_update'),
      ),
      // `_insert_post()` makes a post sticky, and creates terms, before it finds that another term is invalid.
      'a fault of XML-RPC after the login': xmlrpc(fault(404, 'Invalid term ID.')),
      'the same with the code of a login, in another language': form(
        '/xmlrpc.php',
        '<methodCall><methodName>wp.editPost</methodName><name>terms</name></methodCall>',
        { response: fault(403, 'Ungültige Begriffs-ID.') },
      ),
      'a hidden route that answers as if there were none': sent(
        '/wp-json/hidden/v1/save',
        error(404, 'rest_no_route', { Allow: 'POST' }),
      ),
      'a hidden route, called by a client with a session': sent('/wp-json/hidden/v1/save', {
        ...error(404, 'rest_no_route'),
        ...SESSION,
      }),
    },
  ],
  'everything: WordPress': [
    EVERYTHING,
    { 'a write': post(answer(200, { id: 1 })), 'a batch': batch('/wp/v2/posts/1', { responses: OK }) },
  ],
  'nothing: WordPress itself writes nothing': [
    NOTHING,
    {
      'a heartbeat': form(AJAX, 'action=heartbeat&interval=60', SESSION),
      'a failed login': form('/wp-login.php', 'log=a&pwd=b&wp-submit=Log+In&testcookie=1'),
      'a login': form('/wp-login.php', 'log=a&pwd=b', { status: 302 }),
      'an unknown action': form(AJAX, 'action=save', { status: 400, response: '0' }),
      'an action with an invalid nonce': form(AJAX, 'action=save', { status: 403, response: '-1' }),
      'a failed login of XML-RPC': xmlrpc(LOGIN_FAULT),
      'XML-RPC that is turned off': xmlrpc(fault(405, 'XML-RPC services are disabled on this site.')),
      'a refused comment with a field of a plugin': comment({ response: ERROR_PAGE }, `${COMMENT}&rating=5`),
      'a route that nobody knows': sent('/wp-json/unknown/v1/things', error(404, 'rest_no_route')),
      'a read in a `POST`, without a form': json('/wp-json/wp/v2/posts?_method=GET', {}),
    },
  ],
  'nothing: a comment that is held for moderation': [
    NOTHING,
    { held: comment(redirect('/about/?unapproved=5&moderation-hash=0123456789abcdef#comment-5')) },
  ],
  'nothing: WordPress refuses a comment': [
    NOTHING,
    {
      'without its text': comment({ response: ERROR_PAGE }),
    },
  ],
  'everything: a comment that may have been written': [
    EVERYTHING,
    {
      written: comment(redirect('/about/')),
      'sent by a plugin without a redirect': comment({ response: '<li>Yes</li>' }),
      'answered with an error page of a plugin': comment({
        response: '<body id="error-page"><p>Thank you</p></body>',
      }),
      'answered with no content, although it has a text': comment({}),
      'answered with an address of the client that looks as if it were held': comment(
        redirect('/about/?unapproved=5&moderation-hash=1#comment-9'),
        `${COMMENT}&redirect_to=%2Fabout%2F%3Funapproved%3D5%26moderation-hash%3D1`,
      ),
    },
  ],
  'everything: a page that may have written': [
    EVERYTHING,
    {
      'an action that fails': form(AJAX, 'action=save', { status: 400, response: '{"success":false}' }),
      'an action in the query of JSON': json(`${AJAX}?action=save`, { action: 'heartbeat' }),
      'an action in the query of PUT': form(`${AJAX}?action=save`, 'action=heartbeat', { method: 'PUT' }),
      'an action in a form': form(`${AJAX}?action=heartbeat`, 'action=save'),
      'a script with path information': form('/save.php/wp-login.php', 'log=a&pwd=b'),
    },
  ],
  'nothing: a page that wrote nothing': [
    NOTHING,
    {
      'a harmless action': form(`${AJAX}?action=save`, 'action=find_posts'),
      'a harmless action with a nonce': get(`${AJAX}?action=find_posts&_nonce=1`),
      'a page of the administration': get('/wp-admin/edit.php?post_type=page'),
    },
  ],
  'everything: a form or a link with a nonce': [
    EVERYTHING,
    {
      'a form of a visitor with a nonce': form('/contact/', 'a=1&_wpnonce=2'),
      'a link with an encoded nonce': get('/wp-admin/post.php?action=trash&%5Fwpnonce=1'),
      'a link of a plugin': get('/wp-admin/admin-post.php?action=save&nonce=1'),
      'an action with a nonce': get(`${AJAX}?action=save&_ajax_nonce=1`),
      'a call of XML-RPC': sent('/xmlrpc.php'),
      'a fault within a successful call': xmlrpc(`<methodResponse><params>${LOGIN_FAULT}`),
    },
  ],
  'nothing: a write of a plugin that the table knows': [
    NOTHING,
    {
      'an item in the cart': form('/?wc-ajax=add_to_cart', 'product_id=120&quantity=1'),
      'a form of a product': form('/product/cup/?add-to-cart=120', 'quantity=1&attribute_size=M'),
      'an item in the cart, by the interface': json('/wp-json/wc/store/v1/cart/add-item', { id: 120 }),
    },
  ],
  'everything: a write that only resembles those of the table': [
    EVERYTHING,
    {
      'a field of another handler': form('/?wc-ajax=add_to_cart', 'contact=1'),
      'in a form, which WooCommerce does not read': form('/', 'wc-ajax=add_to_cart'),
      'a form of a product with a field of another handler': form('/?add-to-cart=120', 'contact=1'),
      'a script, which writes by itself': form('/wp-trackback.php?add-to-cart=120', 'quantity=1'),
      'a body that is no form': json('/?add-to-cart=120', { write: 'a post' }),
      'an extension of the cart': json('/wp-json/wc/store/v1/cart/extensions', { id: 120 }),
    },
  ],
  'nothing: an editor is at work, of which visitors see nothing': [
    NOTHING,
    {
      // BoldGrid/w3-total-cache#1297, tlovett1/simple-cache#40
      'a new draft': edit(`POST ${POSTS}`, { title: 'a', status: 'draft' }, 201, DRAFT),
      // wp-media/wp-rocket#7950
      'a new post that is scheduled': edit(`POST ${POSTS}`, SCHEDULE, 201, postOf('future')),
      'a draft that is saved again': edit(
        `POST ${POSTS}/9?_locale=user`,
        { id: 9, content: 'b', status: 'draft', categories: [1], meta: { a: 1 } },
        200,
        DRAFT,
      ),
      // WordPress/gutenberg#10084
      'an autosave': edit(`POST ${POSTS}/7/autosaves`, { id: 7, title: 'a', excerpt: '' }, 200, SAVED),
      'an autosave of a draft': edit(`POST ${POSTS}/9/autosaves`, { id: 9, status: 'draft' }, 200, SAVED),
      'the deletion of a revision': edit(`DELETE ${REVISION}`, null, 200, { deleted: true, previous: {} }),
      'an autosave that is refused': edit(`POST ${POSTS}/7/autosaves`, { title: 'a' }, 401, REFUSED),
      'preferences of the editor': edit(`POST ${ME}?_locale=user`, { meta: PREFERENCES }, 200, { id: 2 }),
      'a password for an application': edit(`POST ${ME}/application-passwords`, { name: 'a' }, 201, {}),
    },
  ],
  'everything: an editor changes what visitors see, or may': [
    EVERYTHING,
    {
      'a new post': edit(`POST ${POSTS}`, { status: 'publish' }, 201, postOf('publish')),
      'a draft that is published': edit(`POST ${POSTS}/9`, { status: 'publish' }, 200, postOf('publish')),
      // Automattic/jetpack#39698
      'a post that becomes a draft': edit(`POST ${POSTS}/7`, { status: 'draft' }, 200, postOf('draft')),
      'a post that becomes a draft and loses its slug': edit(
        `POST ${POSTS}/7`,
        { status: 'draft', slug: '' },
        200,
        DRAFT,
      ),
      'a post that an edit puts under review': edit(
        `POST ${POSTS}/7`,
        { title: 'b' },
        200,
        postOf('pending'),
      ),
      'a draft with a field of a plugin': edit(`POST ${POSTS}/9`, { title: 'b', price: 5 }, 200, DRAFT),
      'a draft whose answer is unknown': edit(`POST ${POSTS}/9?_fields=id`, { title: 'b' }, 200, { id: 9 }),
      'an autosave that publishes': edit(`POST ${POSTS}/9/autosaves`, { status: 'publish' }, 200, SAVED),
      'an autosave with a field of a plugin that is refused': edit(
        `POST ${POSTS}/7/autosaves`,
        { title: 'a', price: 5 },
        401,
        REFUSED,
      ),
      'the name of a user': edit(`POST ${ME}`, { name: 'A' }, 200, { id: 2 }),
      'another field of a user': edit(`POST ${ME}`, { meta: { ...PREFERENCES, badge: 1 } }, 200, {}),
      'a user that is deleted': edit(`DELETE ${ME}?force=true&reassign=1`, null, 200, { deleted: true }),
    },
  ],
};

/** The same write of a client with a session. */
const byUser = (write: WriteCase): WriteCase => ({
  ...write,
  headers: { ...SESSION.headers, ...write.headers },
});

describe.each(Object.entries(TABLE))('purges %s', (_, [purged, writes]) => {
  test.each(Object.entries(writes))('%s', async (_name, write) => {
    expect(await purgedBy(purged === EVERYTHING ? byUser(write) : write)).toEqual(purged);
  });
});

describe('cache.writes', () => {
  test('selects writes to pages by path and query, and by the action of a form', async () => {
    const purges = 'nothing';
    const writes = [
      { match: '/?wc-ajax=*', purges },
      { match: `POST ${AJAX}?action=shop_*`, purges },
    ] as const;
    expect(await purgedBy(sent('/?wc-ajax=other'), { writes })).toEqual(NOTHING);
    expect(await purgedBy(byUser(sent('/?other=1')), { writes })).toEqual(EVERYTHING);
    expect(await purgedBy(form(AJAX, 'action=shop_view'), { writes })).toEqual(NOTHING);
    expect(await purgedBy(byUser(form(AJAX, 'action=save')), { writes })).toEqual(EVERYTHING);
  });

  test('comes before what the gateway knows, and may name a page', async () => {
    const login = form('/wp-login.php', 'log=a&pwd=b');
    expect(await purgedBy(login, { writes: [{ match: '*', purges: 'everything' }] })).toEqual(EVERYTHING);
    expect(await purgedBy(login, { writes: [{ match: '/wp-login.php', purges: ['/about'] }] })).toEqual([
      'page',
    ]);
  });
});

test.each<[number, string]>([
  [401, 'rest_forbidden'],
  [403, 'rest_cannot_edit'],
  [404, 'rest_post_invalid_id'],
])('%i %s of WordPress purges everything after a plugin could write its own member', async (status, code) => {
  const refusal = error(status, code);
  const own = json(POST_1, { title: 'A' }, { ...SESSION, ...refusal });
  const extended = json(POST_1, { title: 'A', shop_price: 5 }, { ...SESSION, ...refusal });
  expect(await purgedBy(own)).toEqual(NOTHING);
  expect(await purgedBy(extended)).toEqual(EVERYTHING);
  // Some servers decode the body, and others do not.
  expect(await purgedBy({ ...own, headers: { ...SESSION.headers, 'content-encoding': 'gzip' } })).toEqual(
    EVERYTHING,
  );
  expect(await purgedBy({ ...own, path: `${POST_1}?shop_price=5` })).toEqual(EVERYTHING);
});
