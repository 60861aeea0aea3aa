import { describe, expect, test, vi } from 'vitest';
import { createUrlBuilder } from '../../../../src/generator/client/runtime/client.ts';
import { retry } from '../../../../src/generator/client/runtime/retry.ts';
import { wooStore } from '../../../../src/generator/client/runtime/woo-store.ts';
import { stubReactNative } from './react-native.ts';
import { useStubApi } from './stub.ts';

const api = useStubApi();

test('a call needs nothing that React Native lacks, and sends no cookies beside a password', async () => {
  const native = stubReactNative();
  const toUrl = createUrlBuilder('https://example.com/index.php?rest_route=/&lang=de#top');
  expect(toUrl('/wp/v2?a=1')).toBe('https://example.com/index.php?rest_route=%2Fwp%2Fv2&lang=de&a=1');
  const client = api.client({ auth: { username: 'ada', password: 'secret' } });
  await client.GET('/wp/v2/posts', { query: { search: 'a b&c', include: [1, 2] } });
  await client.POST('/x/v1/form', { body: { text: 'a b' }, bodyType: 'form' });
  await client.POST('/wp/v2/media', { file: { name: 'a.txt', content: new Blob(['abc']) } });
  const [read, form, upload] = api.requests;
  expect(read?.url).toBe('/wp-json/wp/v2/posts?search=a+b%26c&include%5B0%5D=1&include%5B1%5D=2');
  expect(read?.headers['authorization']).toMatch(/^Basic /);
  expect(form?.body).toBe('text=a+b');
  expect(form?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(upload?.body).toContain('abc');
  expect(native.credentials).toEqual(['omit', 'omit', 'omit']);
});

describe('a write that was redirected', () => {
  const redirectTo = (location: string) =>
    api.respond(({ url }) =>
      url.startsWith('/old') ? { status: 301, headers: { location } } : { body: [] },
    );

  test.each(['/old/wp-json', '/old?rest_route=/'])(
    'to another address is an error, because the native side sent it as GET: %s',
    async (root) => {
      stubReactNative();
      redirectTo('/wp-json/wp/v2/posts');
      const client = api.client({ baseUrl: api.origin + root });
      const { error } = await client.POST('/wp/v2/posts', { body: { title: 'A' } });
      expect(error).toMatchObject({ source: 'client', code: 'client_redirected' });
      expect(error?.data.excerpt).toBe(`${api.origin}/wp-json/wp/v2/posts`);
      expect(api.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );

  test('is not suspected if the native side spells its address otherwise, or a read was redirected', async () => {
    stubReactNative();
    redirectTo('/wp-json/wp/v2/posts');
    expect((await api.client({ baseUrl: `${api.origin}/old` }).GET('/wp/v2/posts')).error).toBeUndefined();
    for (const baseUrl of [`${api.origin}/größe`, `${api.origin}?a=b`])
      expect((await api.client({ baseUrl }).POST('/it’s', { query: { a: "o'b" } })).error).toBeUndefined();
  });

  test('to another route in the query is an error', async () => {
    stubReactNative();
    api.respond(({ url }) =>
      /old/.test(url) ? { status: 301, headers: { location: '/?rest_route=/wp/v2/new' } } : { body: [] },
    );
    const client = api.client({ baseUrl: `${api.origin}/?rest_route=/` });
    expect((await client.POST('/wp/v2/old')).error).toMatchObject({ code: 'client_redirected' });
    expect((await client.POST('/wp/v2/it’s', { query: { a: "o'b" } })).error).toBeUndefined();
  });

  test('is a success on Android with 0.82, which reports the first address', async () => {
    stubReactNative({ reportsUrl: false });
    redirectTo('/wp-json/wp/v2/posts');
    expect((await api.client({ baseUrl: `${api.origin}/old` }).POST('/wp/v2/posts')).data).toEqual([]);
  });
});

describe('the option timeout', () => {
  test.each([{ timeout: 500 }, {}])('ends each attempt of a call: %j', async (own) => {
    stubReactNative();
    api.respond(() => (api.requests.length === 1 ? 'hang' : { body: 'later' }));
    const retries = retry(1, { random: () => 0 });
    const { data } = await api.client({ timeout: 500 }).GET('/a', { ...own, retries });
    expect(data).toBe('later');
    api.respond(() => 'hang');
    const { error } = await api.client({ timeout: 60_000 }).POST('/a', { timeout: 20 });
    expect(error).toMatchObject({ source: 'network', code: 'network_timeout' });
  });

  test('leaves an abort by the program as it is', async () => {
    stubReactNative();
    api.respond(() => 'hang');
    const abort = new AbortController();
    const result = api.client({ timeout: 60_000 }).GET('/a', { signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('a signal with the reason of a timeout gives a timeout, whatever fetch throws', async () => {
  stubReactNative();
  api.respond(() => 'hang');
  const abort = new AbortController();
  const reason = Object.assign(new Error('late'), { name: 'TimeoutError' });
  setTimeout(() => {
    Object.assign(abort.signal, { reason });
    abort.abort();
  }, 20);
  const { error } = await api.client().GET('/a', { signal: abort.signal });
  expect(error).toMatchObject({ code: 'network_timeout', cause: reason });
});

test.each([
  ['image/jpeg', 'image/jpeg'],
  // Android refuses a file without a type.
  [undefined, 'application/octet-stream'],
])('a file of the device with the type %s is a part of a form', async (type, sent) => {
  const native = stubReactNative();
  const file = { uri: 'file:///photos/1.jpg', name: '1.jpg', type };
  await api.client().POST('/wp/v2/media', { body: { title: 'A' }, file });
  expect(native.parts).toEqual([
    ['title', 'A'],
    ['file', { ...file, type: sent }],
  ]);
});

test('the cart of a shop needs no `URL.origin`', async () => {
  stubReactNative();
  vi.stubGlobal('location', { href: `${api.origin}/` });
  api.respond(() => ({ body: {}, headers: { 'Cart-Token': 'a.b.c' } }));
  const tokens: string[] = [];
  const client = api.client({ middleware: [wooStore({ onCartToken: (token) => tokens.push(token) })] });
  await client.POST('/wc/store/v1/cart/add-item', { body: { id: 1 } });
  expect(tokens).toEqual(['a.b.c']);
});
