import { describe, expect, test, vi } from 'vitest';
import { cookieAuth } from '../../../../src/generator/client/runtime/cookie-auth.ts';
import { wooStore } from '../../../../src/generator/client/runtime/woo-store.ts';
import { startServer } from '../../../support/server.ts';
import { echoOf, type Respond, useStubApi } from './stub.ts';

const api = useStubApi();

describe('an application password', () => {
  const everyAuth = () => [
    { username: 'a', password: 'b' },
    cookieAuth({ nonce: 'n' }),
    (request: Request) => request.headers.set('X-Key', 'k'),
  ];

  test('is sent as UTF-8, without cookies, because WordPress prefers a cookie', async () => {
    const seen: (string | null)[] = [];
    const fetch = async ({ credentials, headers }: Request) =>
      Response.json(seen.push(credentials, headers.get('authorization')));
    await api.client({ fetch, auth: { username: 'zoë', password: 'p 概' } }).GET('/a');
    await api.client({ fetch, auth: cookieAuth({ nonce: 'a' }) }).GET('/a');
    await api.client({ fetch }).GET('/a');
    const sent = `Basic ${Buffer.from('zoë:p 概').toString('base64')}`;
    expect(seen).toEqual(['omit', sent, 'include', null, 'same-origin', null]);
  });

  test('is not sent to another origin, to which a hook leads', async () => {
    const other = 'http://other.example.com';
    const sent: Request[] = [];
    const fetch = async (request: Request) => {
      sent.push(request);
      return Response.json(null);
    };
    const onRequest = ({ request }: { request: Request }) => new Request(`${other}/`, request);
    const middleware = [{ onRequest }];
    for (const auth of everyAuth()) await api.client({ fetch, middleware, auth }).GET('/a');
    expect(sent.map(({ url }) => url)).toEqual([`${other}/`, `${other}/`, `${other}/`]);
    for (const name of ['authorization', 'x-wp-nonce', 'x-key']) {
      expect(sent.map(({ headers }) => headers.get(name))).toEqual([null, null, null]);
    }
  });

  test('is sent to the origin of the site only, also after redirects, and so are the other fields', async () => {
    const received: string[] = [];
    const target = await startServer(({ headers, url }, response) => {
      const names = ['authorization', 'x-wp-nonce', 'x-key', 'x-own', 'cart-token'];
      received.push(...names.filter((name) => headers[name]));
      // Back at the site the fields stay away.
      response.writeHead(302, { Location: `${api.origin}${url}/end` }).end();
    });
    api.respond(({ url }) => {
      if (url === '/wp-json/wc/store/v1/cart') return { status: 302, headers: { Location: '/away' } };
      return url === '/away' ? { status: 302, headers: { Location: `${target.origin}/back` } } : undefined;
    });
    const middleware = [wooStore({ cartToken: 'token' })];
    for (const auth of everyAuth()) {
      const client = api.client({ auth, headers: { 'X-Own': 'o' }, middleware });
      const { headers } = echoOf((await client.GET('/wc/store/v1/cart')).data);
      expect([headers['x-own'], headers['cart-token']]).toEqual([undefined, undefined]);
      expect(headers['accept']).toContain('application/json');
    }
    await target.close();
    expect(received).toEqual([]);
    const away = api.requests.filter(({ url }) => url === '/away');
    expect(away.map(({ headers }) => headers['x-own'])).toEqual(['o', 'o', 'o']);
    expect(away.map(({ headers }) => headers['x-wp-nonce'])).toEqual([undefined, 'n', undefined]);
  });
});

describe('a function', () => {
  test('adds credentials to the request, or returns another request', async () => {
    const adding = api.client({ auth: async (request) => request.headers.set('X-Key', 'k') });
    expect(echoOf((await adding.GET('/a')).data).headers['x-key']).toBe('k');
    const returning = api.client({ auth: (request) => new Request(request, { headers: { 'X-Key': 'r' } }) });
    expect(echoOf((await returning.GET('/a')).data).headers['x-key']).toBe('r');
  });

  test('that fails rejects the call', async () => {
    const auth = () => Promise.reject(new Error('no token'));
    await expect(api.client({ auth }).GET('/a')).rejects.toThrow('no token');
    expect(api.requests).toEqual([]);
  });
});

describe('a nonce', () => {
  const expired = {
    status: 403,
    body: { code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed', data: { status: 403 } },
  };
  const html = { 'Content-Type': 'text/html' };
  /** Accepts one nonce only. */
  const accept =
    (nonce: string): Respond =>
    ({ headers }) =>
      headers['x-wp-nonce'] === nonce ? undefined : expired;

  test('is sent, and replaced by that of a response', async () => {
    api.respond(({ headers }) => ({ headers: { 'X-WP-Nonce': `${headers['x-wp-nonce']}+` }, body: null }));
    const client = api.client({ auth: cookieAuth({ nonce: 'n' }) });
    await client.GET('/a');
    await client.GET('/a');
    expect(api.requests.map(({ headers }) => headers['x-wp-nonce'])).toEqual(['n', 'n+']);
  });

  test('that has expired is refreshed, and the call repeated with its body', async () => {
    api.respond(accept('new'));
    const refreshNonce = vi.fn(async () => 'new');
    const client = api.client({ auth: cookieAuth({ nonce: 'old', refreshNonce }) });
    const { data } = await client.POST('/posts', { body: { title: 'A' } });
    expect(echoOf(data)).toMatchObject({ method: 'POST', body: '{"title":"A"}' });
    const file = { name: 'a.txt', content: new Blob(['bytes']) };
    expect(echoOf((await client.POST('/media', { file })).data).body).toContain('bytes');
    expect(api.requests.map(({ headers }) => headers['x-wp-nonce'])).toEqual(['old', 'new', 'new']);
    expect(refreshNonce).toHaveBeenCalledTimes(1);
  });

  test('that has expired is refreshed for the next call, if the body is a stream, which cannot be sent again', async () => {
    api.respond(accept('new'));
    const client = api.client({ auth: cookieAuth({ nonce: 'old', refreshNonce: async () => 'new' }) });
    const { error } = await client.POST('/a', { body: new Blob(['text']).stream() });
    expect(error?.code).toBe('rest_cookie_invalid_nonce');
    expect((await client.GET('/a')).error).toBeUndefined();
    expect(api.requests).toHaveLength(2);
  });

  test('that is refused again is an error after one repetition', async () => {
    api.respond(() => expired);
    let refreshed = 0;
    const refreshNonce = async () => `new-${++refreshed}`;
    const { error } = await api.client({ auth: cookieAuth({ nonce: 'old', refreshNonce }) }).GET('/a');
    expect(error).toMatchObject({ code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed' });
    expect(api.requests.map(({ headers }) => headers['x-wp-nonce'])).toEqual(['old', 'new-1']);
    expect(refreshed).toBe(1);
  });

  test.each([
    ['no function', undefined, expired],
    ['another error', async () => 'new', { status: 403, body: { code: 'rest_forbidden', message: 'No.' } }],
    ['an HTML page', async () => 'new', { status: 403, headers: html, body: '<h1>No</h1>' }],
    ['JSON null', async () => 'new', { status: 403, body: null }],
  ])('is not refreshed with %s', async (_, refreshNonce, reply) => {
    api.respond(() => reply);
    const auth = cookieAuth({ nonce: 'old', refreshNonce });
    expect((await api.client({ auth }).GET('/a')).error?.status).toBe(403);
    expect(api.requests).toHaveLength(1);
  });

  test.each<[string, () => Promise<string>]>([
    ['a page of maintenance', async () => '<!DOCTYPE html><title>Maintenance</title>'],
    ['a page in another script', async () => '保守中'],
    ['nothing', async () => ' \n'],
    ['no text', async () => undefined as unknown as string],
    ['a failure of the network', () => Promise.reject(new TypeError('fetch failed'))],
    ['a failure at once', () => JSON.parse('no JSON')],
  ])(
    'whose refresh gives %s is kept, the call has the error of the site, and the next call refreshes again',
    async (_, failed) => {
      api.respond(accept('new'));
      let isBack = false;
      const refreshNonce = () => (isBack ? Promise.resolve('\n new\n') : failed());
      const client = api.client({ auth: cookieAuth({ nonce: 'old', refreshNonce }) });
      const calls = await Promise.all([client.GET('/a'), client.POST('/a', { body: {} }), client.GET('/b')]);
      const code = 'rest_cookie_invalid_nonce';
      expect(calls.map(({ error }) => error?.code)).toEqual([code, code, code]);
      expect((await client.GET('/a')).error?.code).toBe(code);
      isBack = true;
      expect((await client.GET('/a')).error).toBeUndefined();
      const nonces = api.requests.map(({ headers }) => headers['x-wp-nonce']);
      expect(nonces).toEqual(['old', 'old', 'old', 'old', 'old', 'new']);
    },
  );
});
