import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { sign } from 'hono/jwt';
import { beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../src/create-gateway.ts';
import { serve } from '../../src/gateway/node/index.ts';
import type { GatewayConfig } from '../../src/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useFolder } from '../support/folder.ts';
import { settle } from '../support/gateway.ts';
import { runServer } from '../support/run.ts';
import type { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { ROOT } from './source-files.ts';

const folder = useFolder('file');

/** The site, and what the recipes ask beside it: an issuer of tokens, an authentication service, and a mirror. */
let site: TestServer;
let keys: CryptoKeyPair;
const received: { url: string; headers: IncomingMessage['headers'] }[] = [];
beforeAll(async () => {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  keys = await crypto.subtle.generateKey({ ...algorithm, hash: 'SHA-256' }, true, ['sign', 'verify']);
  const key = { ...(await crypto.subtle.exportKey('jwk', keys.publicKey)), kid: 'one' };
  site = await runServer(async ({ headers, url = '' }, response) => {
    received.push({ url, headers });
    const origin = `http://${headers.host}`;
    if (url === '/verify')
      return headers.cookie === 'session=1'
        ? void response.writeHead(204, { 'x-user': 'ada' }).end()
        : void response.writeHead(302, { location: '/sign-in' }).end();
    if (url === '/broken') return void response.destroy();
    response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
    response.setHeader('content-type', 'application/json');
    if (url === '/.well-known/openid-configuration') response.end(JSON.stringify(describeIssuer(origin)));
    else if (url === '/token') response.end(JSON.stringify(await createTokens()));
    else if (url.startsWith('/authorize?')) {
      const { nonce: given, redirect_uri, state } = Object.fromEntries(new URL(origin + url).searchParams);
      nonce = given;
      response.writeHead(302, { location: `${redirect_uri}?code=one&state=${state}` }).end();
    } else if (url === '/jwks') response.end(JSON.stringify({ keys: [key] }));
    else if (url.includes('context=help')) response.end(JSON.stringify(createIndex(origin)));
    else {
      response.setHeader('cache-control', 'max-age=600');
      response.setHeader('etag', '"whole"');
      response.setHeader('x-powered-by', 'PHP/8');
      response.end(
        JSON.stringify({ url, name: 'Ada', email: 'ada@example.com', variant: headers['x-variant'] }),
      );
    }
  });
});

function describeIssuer(issuer: string): object {
  const endpoints = ['jwks', 'authorize', 'token'].map((name) => `${issuer}/${name}`);
  const [jwks_uri, authorization_endpoint, token_endpoint] = endpoints;
  return { issuer, jwks_uri, authorization_endpoint, token_endpoint, scopes_supported: ['openid', 'email'] };
}

/** Of the last sign-in. */
let nonce: string | undefined;

async function createToken(claims: object): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: site.origin, aud: 'api', iat: now, exp: now + 60, ...claims };
  const key = { ...(await crypto.subtle.exportKey('jwk', keys.privateKey)), kid: 'one' };
  return sign(payload, key, 'RS256');
}

async function createTokens(): Promise<object> {
  const id_token = await createToken({ aud: 'gateway', sub: 'ada', nonce });
  return { access_token: 'access', token_type: 'bearer', refresh_token: 'refresh', id_token };
}

function createIndex(url: string): object {
  const endpoints = [{ methods: ['GET'], args: {} }];
  const names = ['/wp/v2/posts/(?P<id>[\\d]+)', '/wp/v2/people/(?P<id>[\\d]+)', '/wp/v2/users'];
  const routes = names.map((name) => [name, { namespace: 'wp/v2', methods: ['GET'], endpoints }]);
  return {
    ...{ name: 'site', url, home: url, namespaces: ['wp/v2'], authentication: [] },
    routes: Object.fromEntries(routes),
  };
}

type Get = (
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ status: number; text: string; headers: Headers; isHit: boolean }>;

interface Recipe {
  readonly env?: () => Readonly<Record<string, string>>;
  readonly check: (get: Get) => Promise<void>;
}

const POST = '/wp-json/wp/v2/posts/5';
const HTML = { accept: 'text/html' };

const split = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Spellings of addresses, by what they are to servers and PHP. */
const SPELLINGS = {
  login:
    split(`/wp-login.php //wp-login.php /WP-LOGIN.PHP /wp-login.php/ /wp-login.php/x /wp-login.php/%E2%80%A8
    /wp-login.php/%0A /wp%2Dlogin.php /%77p-login.php?action=x /wp-login%2Ephp /blog/wp-login.php /wp-login.php%0A
    /x.php/wp-login.php`),
  admin:
    split(`/wp-admin /wp-admin/ //wp-admin/ /wp-admin%2f /WP-Admin/users.php /wp-admin/?a=1 /wp-admin/users.php/x
    /wp%2dadmin/a.php /index.php/wp-admin/ /x.php/wp-admin/users.php /wp-admin%0A`),
  xmlrpc:
    split(`/xmlrpc.php //xmlrpc.php /XMLRPC.php /xmlrpc.php/x /%78mlrpc.php /blog/xmlrpc.php /x.php/xmlrpc.php
    /xmlrpc.php/wp-cron.php /xmlrpc.php%0A`),
  users: split(`/wp-json/wp/v2/users /wp-json/wp/v2/users/1 /wp-json/WP/V2/USERS //wp-json/wp/v2/users
    /wp-json/?rest_route=/wp/v2/users /wp-json/x?rest_route=/wp/v2/users /?rest_route=/wp/v2/users
    /?rest.route=/wp/v2/users /index.php?rest_route=%2Fwp%2Fv2%2Fusers /wp%2Djson/wp/v2/users
    /de/?rest_route=/wp/v2/users /de/wp-json/wp/v2/users /de/index.php/wp-json/wp/v2/users`),
  author: split('/?author=1 /index.php/?author=1 /index.php?author[]=1 //?author=1'),
  interface: split('/wp-json/ //wp-json/ /?rest_route=/ /wp-json/wp/v2/posts/5'),
  members: split('/members /members/x //members/x /MEMBERS/x /index.php/members/x /members%2Fx'),
  open: split(
    `/ /about /memberships /?page_id=2 /wp-admin/admin-ajax.php /wp-admin//admin-post.php /wp/v2/posts`,
  ),
} as const;
type Spelling = keyof typeof SPELLINGS;

/** @param refused status by what an address is; others get 200 */
async function checkSpellings(
  get: Get,
  refused: Partial<Record<Spelling, number>>,
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  const statuses: Record<string, number> = {};
  const expected: Record<string, number> = {};
  for (const [kind, paths] of Object.entries(SPELLINGS)) {
    for (const path of paths) {
      statuses[path] = (await get(path, headers)).status;
      expected[path] = new Map(Object.entries(refused)).get(kind) ?? 200;
    }
  }
  expect(statuses).toEqual(expected);
}

/** What each recipe must show. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  jwt: {
    env: () => ({ ISSUER: site.origin }),
    async check(get) {
      const authorize = async (claims: object) => ({ authorization: `Bearer ${await createToken(claims)}` });
      const [ada, eve] = [await authorize({ sub: 'ada' }), await authorize({ sub: 'eve' })];
      expect((await get(POST, ada)).status).toBe(200);
      expect(received.at(-1)?.headers.authorization).toBeUndefined();
      expect((await get(POST, eve)).isHit).toBe(true);
      expect(received.filter(({ url }) => url === '/jwks')).toHaveLength(1);
      for (const claims of [{ aud: 'other' }, { iss: 'https://other.example' }, { exp: 1 }])
        expect((await get(POST, await authorize(claims))).status, JSON.stringify(claims)).toBe(401);
      for (const path of [POST, '/wp/v2/posts/5', '/?rest_route=/wp/v2/posts/5'])
        expect((await get(path)).status, path).toBe(401);
    },
  },
  oidc: {
    env: () => ({
      ...{ OIDC_ISSUER: site.origin, OIDC_CLIENT_ID: 'gateway', OIDC_CLIENT_SECRET: 'secret' },
      ...{ OIDC_AUTH_SECRET: 'a secret of at least 32 characters', PUBLIC_URL: 'https://www.example.com' },
    }),
    async check(get) {
      await checkSpellings(get, { login: 302, admin: 302 });
      for (const path of ['/wp-login.php', '/-/docs'])
        expect((await get(path, { cookie: 'oidc-auth=forged' })).status, path).toBe(302);
      expect((await get(POST)).isHit).toBe(true);

      const readCookie = ({ headers }: { readonly headers: Headers }): string =>
        headers
          .getSetCookie()
          .filter((field) => !field.includes('Max-Age=0'))
          .map((field) => field.split(';', 1)[0])
          .join('; ');
      const refused = await get('/wp-admin/users.php?a=1');
      const pending = readCookie(refused);
      const issued = await fetch(refused.headers.get('location') ?? '', { redirect: 'manual' });
      const [, back = ''] =
        /^https:\/\/www\.example\.com(.*)$/.exec(issued.headers.get('location') ?? '') ?? [];
      expect(back).toMatch(/^\/oidc\/callback\?/);
      expect((await get(back)).status).toBe(500);
      const signedIn = await get(back, { cookie: pending });
      const continued = signedIn.headers.get('location');
      expect([signedIn.status, continued]).toEqual([302, 'https://www.example.com/wp-admin/users.php?a=1']);
      const cookie = readCookie(signedIn);
      for (const path of ['/wp-admin/users.php?a=1', '/wp-login.php', '/-/docs'])
        expect((await get(path, { cookie })).status, path).toBe(200);
      expect((await get(POST, { cookie })).isHit).toBe(true);
    },
  },
  'api-keys': {
    env: () => ({ QUOTA: '3' }),
    async check(get) {
      expect((await get(POST)).status).toBe(401);
      const shop = { 'x-api-key': 'key-of-the-shop' };
      const statuses: number[] = [];
      for (let at = 0; at < 4; at++) statuses.push((await get(POST, shop)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const app = await get(POST, { 'x-api-key': 'key-of-the-app' });
      expect([app.status, app.isHit, app.headers.get('ratelimit')]).toEqual([
        ...[200, true, expect.stringMatching(/^"minute";r=2;t=\d+$/)],
      ]);
    },
  },
  'basic-auth': {
    env: () => ({ LOGIN_PASSWORD: 'a long password' }),
    async check(get) {
      await checkSpellings(get, { login: 401, admin: 401 });
      const authorization = `Basic ${btoa('editors:a long password')}`;
      expect((await get('/wp-login.php', { authorization })).status).toBe(200);
      expect(received.at(-1)?.headers.authorization).toBeUndefined();
    },
  },
  'ip-restriction': {
    async check(get) {
      const from = (address: string) => ({ 'x-forwarded-for': `192.0.2.1, ${address}` });
      expect((await get('/wp-admin/', from('192.0.2.9'))).status).toBe(200);
      await checkSpellings(get, { admin: 403 }, from('203.0.113.9'));
      await checkSpellings(get, { admin: 403, users: 403, interface: 403 }, from('198.51.100.7'));
    },
  },
  block: {
    async check(get) {
      await checkSpellings(get, { xmlrpc: 403, users: 404, author: 404 });
      await checkSpellings(get, { xmlrpc: 403 }, { authorization: 'Basic YTpi' });
      for (const query of ['_embed=author', '_embed', '.embed[]=author', '%5Fembed=1&_embed%00=author']) {
        const url = `${POST}?a=1&_embed=wp%3Afeaturedmedia%2Cwp%3Aterm`;
        expect(JSON.parse((await get(`${POST}?a=1&${query}`)).text), query).toMatchObject({ url });
      }
      await get(`${POST}?_embed=author`, { authorization: 'Basic YTpi' });
      expect(received.at(-1)?.url).toBe(`${POST}?_embed=author`);
    },
  },
  headers: {
    async check(get) {
      const page = await get('/blog/a');
      expect(page.headers.get('x-served-by')).toBe('edge');
      expect(page.headers.get('x-powered-by')).toBe(null);
      expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect((await get('/blog/a', { 'cache-control': 'no-cache' })).isHit).toBe(true);
      await get('/blog/a', { authorization: 'Basic YTpi' });
      expect(received.at(-1)?.headers).toMatchObject({ 'x-edge': '1' });
      expect((await get('/about')).headers.get('x-powered-by')).toBe('PHP/8');
    },
  },
  redirects: {
    async check(get) {
      for (const path of ['/news/a', '//news/a', '/NEWS/a', '/index.php/news/a'])
        expect((await get(path)).headers.get('location'), path).toBe('/blog/a');
      const moved = await get('/news/a%20b');
      expect([moved.status, moved.headers.get('location')]).toEqual([301, '/blog/a%20b']);
      const first = await get('/api/posts/5?context=view');
      expect(JSON.parse(first.text)).toMatchObject({ url: `${POST}?context=view` });
      expect((await get(`${POST}?context=view`)).isHit).toBe(true);
    },
  },
  'change-body': {
    async check(get) {
      const path = '/wp-json/wp/v2/people/7';
      const whole = await get(path, { authorization: 'Basic YTpi' });
      expect(JSON.parse(whole.text)).toHaveProperty('email');
      const changed = await get(path);
      expect(JSON.parse(changed.text)).toMatchObject({ name: 'Ada' });
      expect(changed.text).not.toContain('ada@');
      const again = await get(path, { 'accept-encoding': 'gzip' });
      expect([again.isHit, again.text]).toEqual([true, changed.text]);
      const etag = changed.headers.get('etag') ?? '';
      expect(etag).not.toBe('"whole"');
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
      // A tag of the whole body is no tag of the changed one.
      expect((await get(path, { 'if-none-match': '"whole"' })).status).toBe(200);
      expect((await get(POST)).headers.get('etag')).toBe('"whole"');
    },
  },
  'error-pages': {
    env: () => ({ MAINTENANCE: join(folder(), 'maintenance') }),
    async check(get) {
      const page = await get('/broken', HTML);
      expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<h1>Error 502</h1>');
      expect((await get('/broken')).headers.get('content-type')).toBe('application/problem+json');
      expect((await get('/about', HTML)).headers.get('content-type')).toBe('application/json');
      const file = join(folder(), 'maintenance');
      await writeFile(file, '');
      await waitUntil(async () => (await get('/about', HTML)).text.includes('Back soon'));
      const refused = await get('/about');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '600']);
      await rm(file);
      await waitUntil(async () => (await get('/about', HTML)).status === 200);
    },
  },
  'forward-auth': {
    env: () => ({ AUTH_URL: `${site.origin}/verify` }),
    async check(get) {
      await checkSpellings(get, { members: 302 }, { 'x-user': 'admin' });
      expect(received.filter(({ headers }) => headers['x-user'] !== undefined)).toEqual([]);
      const refused = await get('/members/a', { cookie: 'session=2', 'x-user': 'root' });
      expect([refused.status, refused.headers.get('location')]).toEqual([302, '/sign-in']);
      expect((await get('/members/a', { cookie: 'session=1', 'x-user': 'root' })).status).toBe(200);
      expect(received.at(-1)?.headers['x-user']).toBe('ada');
      expect((await get('/members/a', { cookie: 'session=1' })).isHit).toBe(false);
      expect((await get('/about')).status).toBe(200);
    },
  },
  mirror: {
    env: () => ({ MIRROR_URL: `${site.origin}/mirror`, SHARE: '0.5' }),
    async check(get) {
      const count = (): number => received.filter(({ url }) => url === `/mirror${POST}`).length;
      await get(POST);
      for (let at = 0; at < 60; at++) expect((await get(POST, { 'x-trace-id': 'a' })).status).toBe(200);
      await waitUntil(() => count() > 5);
      expect(count()).toBeLessThan(60);
      expect(received.find(({ url }) => url.startsWith('/mirror'))?.headers['x-trace-id']).toBeUndefined();
    },
  },
  'ab-test': {
    async check(get) {
      const read = async (variant: string) => get('/landing/', { cookie: `variant=${variant}` });
      for (const variant of ['a', 'b']) {
        expect(JSON.parse((await read(variant)).text)).toMatchObject({ variant });
        const hit = await read(variant);
        expect([hit.isHit, JSON.parse(hit.text).variant]).toEqual([true, variant]);
        expect(hit.headers.get('set-cookie')).toBe(null);
      }
      const first = await get('/landing/');
      expect(first.isHit).toBe(true);
      expect(first.headers.get('set-cookie')).toMatch(`variant=${JSON.parse(first.text).variant};`);
    },
  },
};

test('each recipe has a test', () => {
  const names = readdirSync(join(ROOT, 'examples/hono')).flatMap(
    (name) => /^(.*)\.config\.ts$/.exec(name)?.[1] ?? [],
  );
  expect(names.sort()).toEqual(Object.keys(RECIPES).sort());
});

/** Runs the configuration of a recipe with its variables. @returns a function that sends a request */
async function run(name: string, changes: Partial<GatewayConfig> = {}): Promise<Get> {
  received.length = 0;
  Object.assign(process.env, { SITE_URL: site.origin, ...RECIPES[name]?.env?.() });
  const recipe: { default: GatewayConfig } = await import(`../../examples/hono/${name}.config.ts`);
  const gateway = settle(await createGateway({ ...recipe.default, ...changes }));
  await gateway.rediscover();
  const { stop, url } = await serve({ gateway, port: 0, settings: { idleGrace: 0, shutdownGrace: 500 } });
  closeAfterTest(stop);
  return async (path, headers = {}) => {
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    const isHit = / hit/.test(response.headers.get('cache-status') ?? '');
    return { status: response.status, text: await response.text(), headers: response.headers, isHit };
  };
}

test.each(Object.entries(RECIPES))('examples/hono/%s.config.ts', async (name, { check }) => {
  await check(await run(name));
});

test.each([
  [true, ['/-/docs', '/-/docs.md', '/-/docs/search?q=a', '/-/openapi.json', '/-/mcp']],
  [false, ['/docs', '/docs.md', '/docs/search?q=a', '/openapi.json', '/mcp']],
])(
  'the recipe oidc closes what the gateway shows of a site, with passthrough: %s',
  async (passthrough, paths) => {
    const get = await run('oidc', { sites: [{ url: site.origin, passthrough, mcp: true }] });
    for (const path of paths) expect((await get(path)).status, path).toBe(302);
    for (const path of ['/-/ready', POST]) expect((await get(path)).status, path).toBe(200);
  },
);
