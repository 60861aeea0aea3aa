import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNodeGateway } from '../../support/gateway.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';
import { createRedisStore } from './stores/shared-gateways.ts';

/**
 * The cache discloses nothing that the site would not. Each test compares the gateway's response with the response of the
 * site itself to the same request, after requests of other users.
 */

type ClientUser = 'anonymous' | 'subscriber' | 'editor' | 'administrator';

interface TestRequest {
  readonly path: string;
  /** With an application password. @default 'anonymous' */
  readonly as?: ClientUser;
  readonly method?: string;
  /** `{cookie}` and `{nonce}` are those of the editor's browser. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const pair = (path: string, first: ClientUser, then: ClientUser) =>
  [`${path} | as: ${first}`, `${path} | as: ${then}`] as const;

/** Parses a method (if it is not `GET`), a path (below WordPress's namespace without a leading slash), a user and fields. */
function parseRequest(text: string): TestRequest {
  const [target = '', ...lines] = text.split(' | ');
  const [path = '', method = 'GET'] = target.split(' ').reverse();
  const { as = 'anonymous', ...headers } = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
  const body = method === 'POST' ? { body: { per_page: 1 } } : {};
  return { path: path.startsWith('/') ? path : `/wp-json/wp/v2/${path}`, as, method, headers, ...body };
}

/** A request of one user, and a later request of another. */
const CASES: Readonly<Record<string, readonly [first: string, then: string]>> = {
  'a draft': pair('posts/5', 'editor', 'anonymous'),
  'a draft refused to an anonymous user, then for its editor': pair('posts/5', 'anonymous', 'editor'),
  'a protected post with its password': ['posts/9?password=open%20sesame', 'posts/9'],
  'the current user, then anonymous': pair('users/me', 'editor', 'anonymous'),
  'the front page of an editor, then for anyone': ['/ | cookie: {cookie}', '/'],
  'the page of a private post': ['/?p=7 | cookie: {cookie}', '/?p=7'],
  'the page of a protected post': ['/?p=9 | cookie: wp-postpass_1=open', '/?p=9'],
  'a page for the author of a comment': [
    '/?s=post | cookie: comment_author_1=Ann; comment_author_email_1=ann@example.com',
    '/?s=post',
  ],
  "a comment with its author's e-mail address": pair('comments/1?context=edit', 'editor', 'anonymous'),
  'Allow for a user, then with fewer permissions': pair('posts/3', 'editor', 'anonymous'),
  'a cookie and a nonce': [
    'posts?status=draft | cookie: {cookie} | x-wp-nonce: {nonce}',
    'posts?status=draft',
  ],
  'a cookie and a nonce in the query': [
    'posts?status=draft&_wpnonce={nonce} | cookie: {cookie}',
    'posts?status=draft&_wpnonce={nonce}',
  ],
  'a nonce without a cookie': ['posts/3 | x-wp-nonce: stale', 'posts/3'],
  '_method in the query': ['posts/3?_method=OPTIONS', 'posts/3'],
  'X-HTTP-Method-Override': ['posts/3 | x-http-method-override: OPTIONS', 'posts/3'],
  'a GET sent as POST': ['POST posts?_method=GET', 'posts'],
  'HEAD, then GET': ['HEAD posts/6', 'posts/6'],
  'GET, then HEAD': ['posts/6', 'HEAD posts/6'],
  "an envelope of an editor's response": pair('posts/5?_envelope=1', 'editor', 'anonymous'),
  JSONP: ['posts/6?_jsonp=call', 'posts/6'],
  'rest_route that overrides the path': ['posts?rest_route=/wp/v2/pages', 'posts'],
  'a draft, then requested by its plain spelling': [
    'posts/5 | as: editor',
    '/index.php?rest_route=/wp/v2/posts/5',
  ],
  'two spellings of one list': [
    'posts?include[]=3&include[]=4',
    '/?include=3,4&rest_route=%2Fwp%2Fv2%2Fposts',
  ],
  'similar lists with different values': ['posts?per_page=1&per_page=2', 'posts?per_page=2&per_page=1'],
  'a number that overflows': ['posts?include=9007199254740993', 'posts?include=9007199254740992'],
  // The short spelling is a page of a whole site.
  'a post, then the page at its short spelling': ['posts/16', '/wp/v2/posts/16'],
  '_fields, then all fields': ['posts?_fields=id', 'posts'],
  'one origin, then another': [
    'posts/8 | origin: https://one.example.com',
    'posts/8 | origin: https://other.example.com',
  ],
  'a preflight, then the request': [
    'OPTIONS posts/10 | origin: https://one.example.com | access-control-request-method: GET',
    'posts/10 | origin: https://one.example.com',
  ],
  'the language of a profile': pair('types?_locale=user', 'editor', 'anonymous'),
};

const site = useWordPress({ title: 'Waygate safety' });
const redis = useRedisServer();
const PUBLIC_URL = 'http://gateway.example.com';
/** Origins of two gateways that share a Redis server. */
const origins: string[] = [];
const browser = { cookie: '', nonce: '' };
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const sites = [{ url: site().url, passthrough: true, cache: { pages: 60 } }];
  const prefix = `${randomUUID()}:`;
  for (const _ of [1, 2]) {
    const cache = createRedisStore({ url: redis().url, prefix });
    await cache.open();
    const gateway = await startNodeGateway({ sites, cache, publicUrl: PUBLIC_URL });
    stops.push(async () => {
      await gateway.stop();
      await cache.close();
    });
    origins.push(gateway.origin);
  }
  Object.assign(browser, await logIn());
}, 60_000);
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Logs in as an editor's browser does. */
async function logIn(): Promise<typeof browser> {
  const { loginPassword, user } = site().users.editor;
  const response = await fetch(`${site().url}wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const nonce = await fetch(`${site().url}wp-admin/admin-ajax.php?action=rest-nonce`, {
    headers: { cookie },
  });
  return { cookie, nonce: await nonce.text() };
}

function fillPlaceholders(text: string): string {
  return text.replace('{cookie}', browser.cookie).replace('{nonce}', browser.nonce);
}

function send(base: string, request: string | TestRequest): Promise<Response> {
  const parsed = typeof request === 'string' ? parseRequest(request) : request;
  const { as = 'anonymous', body, headers = {}, method = 'GET', path } = parsed;
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) all.set(name, fillPlaceholders(value));
  if (as !== 'anonymous') all.set('authorization', basicAuth(site().users[as]));
  if (body !== undefined) all.set('content-type', 'application/json');
  return fetch(base + fillPlaceholders(path), {
    method,
    headers: all,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Header fields that describe the resource and access to it. */
const COMPARED_FIELDS = [
  ...['content-type', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow', 'x-wp-nonce', 'www-authenticate'],
  ...['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers'],
];

async function toComparable(response: Response): Promise<object> {
  const plain = (text: string): string =>
    text.replaceAll(PUBLIC_URL, 'http://site').replaceAll(site().url.replace(/\/$/, ''), 'http://site');
  return {
    status: response.status,
    headers: COMPARED_FIELDS.map((name) => {
      const value = plain(response.headers.get(name) ?? '');
      return `${name}: ${name === 'link' ? normalizeLinks(value) : value}`;
    }),
    body: plain(await response.text()),
  };
}

/** Normalizes queries in links: they repeat the first request's order of parameters, and `rest_route` if it has it. */
function normalizeLinks(links: string): string {
  return links.replace(/\?([^>]*)>/g, (_, query: string) => {
    const pairs = query.split('&').filter((pair) => !pair.startsWith('rest_route='));
    return `?${pairs.sort().join('&')}>`;
  });
}

/** @param at which of the gateways */
const sendToGateway = (request: string | TestRequest, at = 0): Promise<Response> =>
  send(origins[at] ?? '', request);
const sendToSite = (request: string | TestRequest): Promise<Response> =>
  send(site().url.replace(/\/$/, ''), request);

function isHit(response: Response): boolean {
  return /;\s*hit/.test(response.headers.get('cache-status') ?? '');
}

describe('after any earlier request, a client gets the response that the site would send', () => {
  test.each(Object.entries(CASES))('%s', async (_, [first, then]) => {
    for (const request of [first, first]) await (await sendToGateway(request)).text();
    // The other gateway finds what this one has stored.
    expect(await toComparable(await sendToGateway(then, 1))).toEqual(
      await toComparable(await sendToSite(then)),
    );
    // Again in the other direction, after responses have been stored.
    expect(await toComparable(await sendToGateway(first, 1))).toEqual(
      await toComparable(await sendToSite(first)),
    );
  });
});

describe('requests without credentials share a response', () => {
  const SHARED: Readonly<Record<string, readonly [string, string]>> = {
    'the encodings of rest_route': ['/?rest_route=/wp/v2/posts/15', '/?rest_route=%2Fwp%2Fv2%2Fposts%2F15'],
    'the order of parameters': ['posts?per_page=3&page=2&orderby=id', 'posts?orderby=id&page=2&per_page=3'],
    'lists that PHP reads alike': [
      'posts?include[]=15&include[]=16',
      'posts?include%5B0%5D=15&include[1]=%316',
    ],
    'analytics cookies': ['posts/17 | cookie: _ga=GA1.2.3; _fbp=fb.1; wordpress_test_cookie=1', 'posts/17'],
    'advertising parameters': ['posts/18?utm_source=mail&fbclid=abc', 'posts/18'],
  };

  test.each(Object.entries(SHARED))('%s', async (_, [first, then]) => {
    await (await sendToGateway(first)).text();
    expect(isHit(await sendToGateway(then))).toBe(true);
  });

  // PHP reads different values or another path. What a site makes of them is its own matter.
  test.each([
    ['the root and rest_route', 'posts/16', '/index.php?rest_route=/wp/v2/posts/16'],
    ['a list as text', 'posts?include[]=23&include[]=24', 'posts?include=23,%2024'],
    ['explicit default values', 'posts?page=3', 'posts?page=3&per_page=10&order=desc'],
    ['the first page', 'posts?per_page=6', 'posts?per_page=6&page=1'],
    ['an empty value', 'posts?per_page=7', 'posts?per_page=7&search='],
  ])('only with requests from which PHP reads the same: %s', async (_, first, then) => {
    await (await sendToGateway(first)).text();
    const response = await sendToGateway(then);
    expect(isHit(response)).toBe(false);
    const expected = await toComparable(await sendToSite(then));
    expect(await toComparable(response)).toEqual(expected);
    const again = await sendToGateway(then, 1);
    expect(isHit(again)).toBe(true);
    expect(await toComparable(again)).toEqual(expected);
  });

  test('parameters that one client appends do not appear in the links for others', async () => {
    const first = await sendToGateway('posts?per_page=4&utm_term=of-one-client');
    await first.text();
    const then = await sendToGateway('posts?per_page=4');
    expect(first.headers.get('link')).not.toContain('of-one-client');
    expect(isHit(then)).toBe(true);
    expect(then.headers.get('link')).toContain('per_page=4&page=2');
  });
});

describe('reads and writes of any user, in any order and spelling', () => {
  const IDS = [20, 21, 22];
  const USERS: readonly ClientUser[] = ['anonymous', 'subscriber', 'editor', 'administrator'];
  const SPELLINGS: readonly ((route: string, query: string) => string)[] = [
    (route, query) => `/wp-json${route}?${query}`,
    (route, query) => `/?rest_route=${route}&${query}`,
    (route, query) => `/index.php?${query}&rest_route=${encodeURIComponent(route)}`,
  ];

  const reads = fc.record({
    as: fc.constantFrom(...USERS),
    path: fc
      .tuple(
        fc.constantFrom(...SPELLINGS),
        fc.constantFrom('/wp/v2/posts', ...IDS.map((id) => `/wp/v2/posts/${id}`)),
        fc.constantFrom(
          '',
          'context=edit',
          'per_page=5&page=1',
          'page=1&per_page=5',
          '_fields=id,title,status',
          '_embed',
        ),
      )
      .map(([spell, route, query]) => spell(route, query)),
  });
  const writes = fc.record({
    as: fc.constantFrom<ClientUser>('subscriber', 'editor', 'administrator'),
    method: fc.constantFrom('POST', 'PUT', 'PATCH'),
    path: fc
      .tuple(fc.constantFrom(...SPELLINGS), fc.constantFrom(...IDS))
      .map(([spell, id]) => spell(`/wp/v2/posts/${id}`, '')),
    body: fc.oneof(
      fc.record({ title: fc.string({ maxLength: 8 }) }),
      fc.record({ status: fc.constantFrom('publish', 'draft', 'private') }),
      fc.record({ password: fc.constantFrom('', 'sesame') }),
    ),
  });

  test('no response differs from the one that the site would send', async () => {
    const steps = fc.array(fc.oneof({ arbitrary: reads, weight: 3 }, { arbitrary: writes, weight: 1 }), {
      minLength: 8,
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (requests) => {
        for (const request of requests) {
          const response = await toComparable(await sendToGateway(request));
          if (!('body' in request))
            expect(response, JSON.stringify(request)).toEqual(await toComparable(await sendToSite(request)));
        }
      }),
      { numRuns: 7 },
    );
  }, 60_000);
});
