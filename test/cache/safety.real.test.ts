import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

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

const POSTS = '/wp-json/wp/v2/posts';

/** A request of one user, and a later request of another. */
const CASES: Readonly<Record<string, readonly [first: TestRequest, then: TestRequest]>> = {
  'a list for an application password, then for anyone': pair(POSTS, 'administrator', 'anonymous'),
  'a list for anyone, then for an application password': pair(POSTS, 'anonymous', 'administrator'),
  'a list for an editor, then for a subscriber': pair(`${POSTS}?per_page=5`, 'editor', 'subscriber'),
  'a draft': pair(`${POSTS}/5`, 'editor', 'anonymous'),
  'a draft refused to an anonymous user, then for its editor': pair(`${POSTS}/5`, 'anonymous', 'editor'),
  'a private post': pair(`${POSTS}/7`, 'administrator', 'anonymous'),
  'a private post, then for a subscriber': pair(`${POSTS}/7`, 'administrator', 'subscriber'),
  'a scheduled post': pair(`${POSTS}/13`, 'editor', 'anonymous'),
  'a protected post with its password': [
    { path: `${POSTS}/9?password=open%20sesame` },
    { path: `${POSTS}/9` },
  ],
  'a protected post with another password': [
    { path: `${POSTS}/9?password=open%20sesame` },
    { path: `${POSTS}/9?password=open` },
  ],
  'a protected post for its editor': pair(`${POSTS}/9`, 'editor', 'anonymous'),
  'fields of the edit context': pair(`${POSTS}/3?context=edit`, 'editor', 'anonymous'),
  'fields of the edit context refused to an anonymous user': pair(
    `${POSTS}/3?context=edit`,
    'anonymous',
    'editor',
  ),
  'drafts in a list': pair(`${POSTS}?status=draft`, 'editor', 'anonymous'),
  'drafts in a list refused to an anonymous user': pair(`${POSTS}?status=draft`, 'anonymous', 'editor'),
  'posts of any status': pair(`${POSTS}?status=any&per_page=30`, 'administrator', 'subscriber'),
  'the current user, then anonymous': pair('/wp-json/wp/v2/users/me', 'editor', 'anonymous'),
  'the current user, then another': pair('/wp-json/wp/v2/users/me', 'editor', 'administrator'),
  'the current user, after an anonymous request was refused': pair(
    '/wp-json/wp/v2/users/me',
    'anonymous',
    'subscriber',
  ),
  'the front page of an editor, then for anyone': [
    { path: '/', headers: { cookie: '{cookie}' } },
    { path: '/' },
  ],
  'the front page for anyone, then of an editor': [
    { path: '/' },
    { path: '/', headers: { cookie: '{cookie}' } },
  ],
  'the page of a private post': [{ path: '/?p=7', headers: { cookie: '{cookie}' } }, { path: '/?p=7' }],
  'the page of a draft': [
    { path: '/?p=5&preview=true', headers: { cookie: '{cookie}' } },
    { path: '/?p=5&preview=true' },
  ],
  'the page of a protected post': [
    { path: '/?p=9', headers: { cookie: 'wp-postpass_1=open' } },
    { path: '/?p=9' },
  ],
  'a page for the author of a comment': [
    { path: '/?s=post', headers: { cookie: 'comment_author_1=Ann; comment_author_email_1=ann@example.com' } },
    { path: '/?s=post' },
  ],
  'a page that is missing': pair('/missing-page/', 'anonymous', 'anonymous'),
  'all users with their e-mail addresses': pair(
    '/wp-json/wp/v2/users?context=edit',
    'administrator',
    'anonymous',
  ),
  'users without posts': pair('/wp-json/wp/v2/users', 'administrator', 'anonymous'),
  'users by role': pair('/wp-json/wp/v2/users?roles=subscriber', 'administrator', 'anonymous'),
  'the settings': pair('/wp-json/wp/v2/settings', 'administrator', 'anonymous'),
  'comments awaiting moderation': pair('/wp-json/wp/v2/comments?status=hold', 'editor', 'anonymous'),
  'a comment awaiting moderation': pair('/wp-json/wp/v2/comments/4', 'editor', 'anonymous'),
  "a comment with its author's e-mail address": pair(
    '/wp-json/wp/v2/comments/1?context=edit',
    'editor',
    'anonymous',
  ),
  revisions: pair(`${POSTS}/3/revisions`, 'editor', 'anonymous'),
  'block types': pair('/wp-json/wp/v2/block-types', 'editor', 'anonymous'),
  templates: pair('/wp-json/wp/v2/templates', 'administrator', 'anonymous'),
  'Allow for a user, then with fewer permissions': pair(`${POSTS}/3`, 'editor', 'anonymous'),
  'Allow for a user, then with more permissions': pair(`${POSTS}/3`, 'anonymous', 'editor'),
  'a cookie and a nonce': [
    { path: `${POSTS}?status=draft`, headers: { cookie: '{cookie}', 'x-wp-nonce': '{nonce}' } },
    { path: `${POSTS}?status=draft` },
  ],
  'a cookie and a nonce in the query': [
    { path: `${POSTS}?status=draft&_wpnonce={nonce}`, headers: { cookie: '{cookie}' } },
    { path: `${POSTS}?status=draft&_wpnonce={nonce}` },
  ],
  'a cookie without a nonce': [{ path: POSTS, headers: { cookie: '{cookie}' } }, { path: POSTS }],
  'a nonce without a cookie': [
    { path: `${POSTS}/3`, headers: { 'x-wp-nonce': 'stale' } },
    { path: `${POSTS}/3` },
  ],
  'a wrong application password': [
    { path: `${POSTS}/4`, headers: { authorization: 'Basic ZWRpdG9yOndyb25n' } },
    { path: `${POSTS}/4` },
  ],
  'an unknown token': [
    { path: `${POSTS}/4`, headers: { authorization: 'Bearer unknown' } },
    { path: `${POSTS}/4` },
  ],
  'a cookie of a commenter': [{ path: POSTS, headers: { cookie: 'comment_author_abc=me' } }, { path: POSTS }],
  '_method in the query': [{ path: `${POSTS}/3?_method=OPTIONS` }, { path: `${POSTS}/3` }],
  '_method in lower case': [{ path: `${POSTS}/4?_method=options` }, { path: `${POSTS}/4` }],
  'X-HTTP-Method-Override': [
    { path: `${POSTS}/3`, headers: { 'x-http-method-override': 'OPTIONS' } },
    { path: `${POSTS}/3` },
  ],
  'a DELETE by X-HTTP-Method-Override, which is refused': [
    { path: `${POSTS}/3`, headers: { 'x-http-method-override': 'DELETE' } },
    { path: `${POSTS}/3` },
  ],
  'a GET sent as POST': [
    { path: `${POSTS}?_method=GET`, method: 'POST', body: { per_page: 1 } },
    { path: POSTS },
  ],
  'HEAD, then GET': [{ path: `${POSTS}/6`, method: 'HEAD' }, { path: `${POSTS}/6` }],
  'GET, then HEAD': [{ path: `${POSTS}/6` }, { path: `${POSTS}/6`, method: 'HEAD' }],
  'with an envelope, then without': [{ path: `${POSTS}/5?_envelope` }, { path: `${POSTS}/5` }],
  'without an envelope, then with': [{ path: `${POSTS}/6` }, { path: `${POSTS}/6?_envelope=1` }],
  "an envelope of an editor's response": pair(`${POSTS}/5?_envelope=1`, 'editor', 'anonymous'),
  JSONP: [{ path: `${POSTS}/6?_jsonp=call` }, { path: `${POSTS}/6` }],
  'rest_route that overrides the path': [{ path: `${POSTS}?rest_route=/wp/v2/pages` }, { path: POSTS }],
  'a draft by its plain spelling': [
    { path: '/?rest_route=/wp/v2/posts/5', as: 'editor' },
    { path: `${POSTS}/5` },
  ],
  'a draft, then requested by its plain spelling': [
    { path: `${POSTS}/5`, as: 'editor' },
    { path: '/index.php?rest_route=/wp/v2/posts/5' },
  ],
  'two spellings of one list': [
    { path: `${POSTS}?include[]=3&include[]=4` },
    { path: '/?include=3,4&rest_route=%2Fwp%2Fv2%2Fposts' },
  ],
  'similar lists with different values': [
    { path: `${POSTS}?per_page=1&per_page=2` },
    { path: `${POSTS}?per_page=2&per_page=1` },
  ],
  'parameter names that differ in case': [{ path: `${POSTS}?Per_Page=1` }, { path: `${POSTS}?per_page=1` }],
  'a number that overflows': [
    { path: `${POSTS}?include=9007199254740993` },
    { path: `${POSTS}?include=9007199254740992` },
  ],
  'an error, then a valid request': [{ path: `${POSTS}?per_page=1000` }, { path: `${POSTS}?per_page=10` }],
  '_fields, then all fields': [{ path: `${POSTS}?_fields=id` }, { path: POSTS }],
  '_embed, then without it': [{ path: `${POSTS}/6?_embed` }, { path: `${POSTS}/6` }],
  'one origin, then another': [
    { path: `${POSTS}/8`, headers: { origin: 'https://one.example.com' } },
    { path: `${POSTS}/8`, headers: { origin: 'https://other.example.com' } },
  ],
  'no origin, then an origin': [
    { path: `${POSTS}/8` },
    { path: `${POSTS}/8`, headers: { origin: 'https://one.example.com' } },
  ],
  'an origin, then no origin': [
    { path: `${POSTS}/10`, headers: { origin: 'https://one.example.com' } },
    { path: `${POSTS}/10` },
  ],
  'a preflight, then the request': [
    {
      path: `${POSTS}/10`,
      method: 'OPTIONS',
      headers: { origin: 'https://one.example.com', 'access-control-request-method': 'GET' },
    },
    { path: `${POSTS}/10`, headers: { origin: 'https://one.example.com' } },
  ],
  'the totals of a list': pair(`${POSTS}?per_page=3&page=2`, 'anonymous', 'anonymous'),
  'the language of a profile': pair('/wp-json/wp/v2/types?_locale=user', 'editor', 'anonymous'),
};

function pair(path: string, first: ClientUser, then: ClientUser): readonly [TestRequest, TestRequest] {
  return [
    { path, as: first },
    { path, as: then },
  ];
}

const site = useWordPress({ title: 'Waygate safety' });
let running: RunningGateway;
const browser = { cookie: '', nonce: '' };

beforeAll(async () => {
  running = await startNodeGateway({
    sites: [{ url: site().url, passthrough: true, cache: { pages: 60 } }],
    cache: 'memory',
  });
  Object.assign(browser, await logIn());
}, 60_000);
afterAll(() => running.stop());

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

function send(
  base: string,
  { as = 'anonymous', body, headers = {}, method = 'GET', path }: TestRequest,
): Promise<Response> {
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
    text.replaceAll(running.origin, 'http://site').replaceAll(site().url.replace(/\/$/, ''), 'http://site');
  return {
    status: response.status,
    headers: COMPARED_FIELDS.map((name) => {
      const value = plain(response.headers.get(name) ?? '');
      return `${name}: ${name === 'link' ? normalizeLinks(value) : value}`;
    }),
    body: plain(await response.text()),
  };
}

/** Normalizes queries in links: they repeat the first request's order of parameters and explicit defaults. */
function normalizeLinks(links: string): string {
  return links.replace(/\?([^>]*)>/g, (_, query: string) => {
    const pairs = query
      .split('&')
      .filter((pair) => pair !== 'per_page=10' && !pair.startsWith('rest_route='));
    return `?${pairs.sort().join('&')}>`;
  });
}

const sendToGateway = (request: TestRequest): Promise<Response> => send(running.origin, request);
const sendToSite = (request: TestRequest): Promise<Response> => send(site().url.replace(/\/$/, ''), request);

function isHit(response: Response): boolean {
  return /;\s*hit/.test(response.headers.get('cache-status') ?? '');
}

describe('after any earlier request, a client gets the response that the site would send', () => {
  test.each(Object.entries(CASES))('%s', async (_, [first, then]) => {
    for (const request of [first, first]) await (await sendToGateway(request)).text();
    expect(await toComparable(await sendToGateway(then))).toEqual(await toComparable(await sendToSite(then)));
    // Again in the other direction, after responses have been stored.
    expect(await toComparable(await sendToGateway(first))).toEqual(
      await toComparable(await sendToSite(first)),
    );
  });
});

describe('a request with credentials bypasses the cache', () => {
  const CREDENTIALED: Readonly<Record<string, TestRequest>> = {
    'an application password': { path: POSTS, as: 'subscriber' },
    'a login cookie': { path: POSTS, headers: { cookie: '{cookie}' } },
    'an unknown cookie': { path: POSTS, headers: { cookie: 'session_of_a_plugin=1' } },
    'an unknown cookie and harmless cookies': {
      path: POSTS,
      headers: { cookie: '_ga=GA1.1; basket=full; _gid=2' },
    },
    'a nonce': { path: POSTS, headers: { 'x-wp-nonce': '{nonce}' } },
    'a nonce in the query': { path: `${POSTS}?_wpnonce=abc` },
    'an API key of a plugin in the query': { path: `${POSTS}?consumer_key=ck_1&consumer_secret=cs_1` },
    'an API key of a plugin in a header': { path: POSTS, headers: { 'x-api-key': 'abc' } },
    'a password in the query': { path: `${POSTS}/9?password=open%20sesame` },
    'a preflight': { path: POSTS, method: 'OPTIONS', headers: { origin: 'https://one.example.com' } },
    'a method override': { path: `${POSTS}?_method=GET` },
    'an envelope': { path: `${POSTS}?_envelope=1` },
  };

  test.each(Object.entries(CREDENTIALED))('%s', async (_, request) => {
    await (await sendToGateway({ path: POSTS })).text();
    for (const each of [request, request]) {
      const response = await sendToGateway(each);
      await response.text();
      expect(isHit(response)).toBe(false);
      expect(response.headers.get('cache-status')).toMatch(/^waygate; fwd=bypass; detail=/);
    }
  });
});

describe('requests without credentials share a response', () => {
  const SHARED: Readonly<Record<string, readonly [TestRequest, TestRequest]>> = {
    'the encodings of rest_route': [
      { path: '/?rest_route=/wp/v2/posts/15' },
      { path: '/?rest_route=%2Fwp%2Fv2%2Fposts%2F15' },
    ],
    'the short spelling of the gateway': [{ path: `${POSTS}/16` }, { path: '/wp/v2/posts/16' }],
    'the order of parameters': [
      { path: `${POSTS}?per_page=3&page=2&orderby=id` },
      { path: `${POSTS}?orderby=id&page=2&per_page=3` },
    ],
    'lists in three spellings': [
      { path: `${POSTS}?include[]=15&include[]=16` },
      { path: `${POSTS}?include=15,%2016` },
    ],
    'explicit default values': [
      { path: `${POSTS}?page=3` },
      { path: `${POSTS}?page=3&per_page=10&order=desc` },
    ],
    'analytics cookies': [
      { path: `${POSTS}/17`, headers: { cookie: '_ga=GA1.2.3; _fbp=fb.1; wordpress_test_cookie=1' } },
      { path: `${POSTS}/17` },
    ],
    'advertising parameters': [{ path: `${POSTS}/18?utm_source=mail&fbclid=abc` }, { path: `${POSTS}/18` }],
  };

  test.each(Object.entries(SHARED))('%s', async (_, [first, then]) => {
    await (await sendToGateway(first)).text();
    expect(isHit(await sendToGateway(then))).toBe(true);
  });

  test('parameters that one client appends do not appear in the links for others', async () => {
    const first = await sendToGateway({ path: `${POSTS}?per_page=4&utm_term=of-one-client` });
    await first.text();
    const then = await sendToGateway({ path: `${POSTS}?per_page=4` });
    expect(first.headers.get('link')).not.toContain('of-one-client');
    expect(isHit(then)).toBe(true);
    expect(then.headers.get('link')).toContain('per_page=4&page=2');
  });

  test('the fields of a list are stored with it', async () => {
    await (await sendToGateway({ path: `${POSTS}?per_page=7` })).text();
    const hit = await sendToGateway({ path: `${POSTS}?per_page=7` });
    expect(isHit(hit)).toBe(true);
    for (const name of ['x-wp-total', 'x-wp-totalpages', 'link', 'allow']) {
      expect(hit.headers.get(name), name).not.toBeNull();
    }
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
