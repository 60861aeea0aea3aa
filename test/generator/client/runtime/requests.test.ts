import { describe, expect, test } from 'vitest';
import type { ReceivedRequest } from '../../../support/echo-site.ts';
import { echoOf, useStubApi } from './stub.ts';

const api = useStubApi();

describe('a request', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)('is sent by %s', async (method) => {
    const options = { path: { id: 5 }, query: { force: true } };
    const { data, error } = await api.client()[method]('/wp/v2/posts/{id}', options);
    expect(error).toBeUndefined();
    expect(echoOf(data)).toMatchObject({ method, url: '/wp-json/wp/v2/posts/5?force=1', body: '' });
  });

  test('accepts JSON, and has the header fields of the client and of the call', async () => {
    const client = api.client({ headers: { 'X-One': 'client', 'X-Two': 'client' } });
    const headers = new Headers({ 'x-two': 'call', accept: 'application/json' });
    for (const options of [{}, { headers }, { headers: [['X-Two', 'list']] as [string, string][] }])
      await client.GET('/a', options);
    const fields = api.requests.map(({ headers }) => [headers['accept'], headers['x-one'], headers['x-two']]);
    expect(fields).toEqual([
      ['application/json, */*;q=0.1', 'client', 'client'],
      ['application/json', 'client', 'call'],
      ['application/json, */*;q=0.1', 'client', 'list'],
    ]);
  });

  test('to a parameter with slashes keeps them where the generator says so', async () => {
    const client = api.client({}, { slashes: ['/templates/', '/c/{id}/{part} id'] });
    const path = { id: 'theme//my home', part: 'a/b' };
    for (const route of ['/templates/{id}/{part}', '/c/{id}/{part}', '/posts/{id}'] as const)
      await client.GET(route, { path });
    expect(api.requests.map(({ url }) => url)).toEqual([
      '/wp-json/templates/theme//my%20home/a%2Fb',
      '/wp-json/c/theme//my%20home/a%2Fb',
      '/wp-json/posts/theme%2F%2Fmy%20home',
    ]);
    const route = client.route('/templates/{id}', { path, query: { x: 1 } });
    expect(route).toBe('/templates/theme//my%20home?x=1');
  });

  test.each([
    ['GET', {}, '/a?b=1&lang=de', ''],
    ['DELETE', {}, '/a?b=1&lang=de', ''],
    ['POST', {}, '/a?b=1', '{"lang":"de"}'],
    ['PUT', { body: { c: 2 } }, '/a?b=1', '{"c":2,"lang":"de"}'],
    ['POST', { body: { c: 2 }, bodyType: 'form' }, '/a?b=1', 'c=2&lang=de'],
    ['POST', { body: 'text' }, '/a?b=1&lang=de', 'text'],
  ] as const)('has `extra` in the query or the body: %s %j', async (method, options, target, body) => {
    const { data } = await api.client()[method]('/a', { query: { b: 1 }, extra: { lang: 'de' }, ...options });
    expect(echoOf(data)).toMatchObject({ url: `/wp-json${target}`, body });
  });

  test('separates the items of a list by commas where the generator says so', async () => {
    const client = api.client({}, { commas: ['/products tag', '/products category', '/products sku'] });
    const query = { tag: [50, null, 'sale'], include: [1, 2], category: 15, sku: [] };
    await client.GET('/products', { query });
    await client.GET('/posts', { query: { tag: [50] } });
    expect(api.requests.map(({ url }) => decodeURIComponent(url))).toEqual([
      '/wp-json/products?tag=50,sale&include[0]=1&include[1]=2&category=15',
      '/wp-json/posts?tag[0]=50',
    ]);
    expect(client.route('/products', { query: { tag: ['a', 'b'] } })).toBe('/products?tag=a%2Cb');
  });

  test('that cannot be created rejects and is not sent', async () => {
    await expect(api.client().GET('/posts/{id}', {})).rejects.toThrow('path parameter "id"');
    await expect(api.client().POST('/posts', { headers: { 'bad name': '1' } })).rejects.toThrow(TypeError);
    expect(api.requests).toEqual([]);
  });
});

describe('a body', () => {
  // WooCommerce ignores the zone of a time with milliseconds.
  test('is JSON, with times to the second', async () => {
    const date = new Date(Date.UTC(2026, 4, 1, 12, 0, 0, 5));
    const body = { title: 'ü', meta: { a: null }, tags: [], sticky: false, left: undefined, dates: [date] };
    const { data } = await api.client().POST('/posts', { body });
    expect(echoOf(data).headers['content-type']).toBe('application/json');
    const { left: _, ...sent } = { ...body, dates: ['2026-05-01T12:00:00Z'] };
    expect(echoOf(data).body).toBe(JSON.stringify(sent));
  });

  test('is a form in PHP’s grammar if the call says so', async () => {
    const body = { title: 'ü & b', tags: [1, 2], meta: { a: true }, empty: [], date: null };
    const { data } = await api.client().PUT('/posts/5', { body, bodyType: 'form' });
    expect(echoOf(data).headers['content-type']).toBe('application/x-www-form-urlencoded;charset=UTF-8');
    expect(decodeURIComponent(echoOf(data).body)).toBe('title=ü+&+b&tags[0]=1&tags[1]=2&meta[a]=1&empty=');
  });

  test.each<[string, unknown, string | undefined, Record<string, string>?]>([
    ['a blob', new Blob(['bytes'], { type: 'image/png' }), 'image/png'],
    ['bytes', new TextEncoder().encode('bytes'), undefined],
    ['text', 'bytes', 'text/plain;charset=UTF-8'],
    ['a stream', new Blob(['bytes']).stream(), undefined],
    ['of the media type that the call states', 'bytes', 'text/x', { 'content-type': 'text/x' }],
  ])('is sent as it is: %s', async (_, body, type, headers = {}) => {
    const { data } = await api.client().POST('/media', { body, headers });
    expect(echoOf(data).body).toBe('bytes');
    expect(echoOf(data).headers['content-type']).toBe(type);
  });
});

describe('an upload', () => {
  const readForm = ({ body, headers }: ReceivedRequest): Promise<FormData> =>
    new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const content = new TextEncoder().encode('bytes');

  test('is a form with the fields of the body and the file, and states its length', async () => {
    const file = { name: 'a.png', content, type: 'image/png' };
    const { data } = await api.client().POST('/media', { file, body: { title: 'ü', meta: { alt: ['x'] } } });
    const { headers, body } = echoOf(data);
    const type = headers['content-type'] ?? '';
    const boundary = /^multipart\/form-data; boundary=(form-\d{16,48})$/.exec(type)?.[1];
    const parts = [
      'name="title"\r\n\r\nü',
      'name="meta[alt][0]"\r\n\r\nx',
      'name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes',
    ].map((part) => `\r\nContent-Disposition: form-data; ${part}\r\n`);
    expect(body.split(`--${boundary}`)).toEqual(['', ...parts, '--\r\n']);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  test.each([
    ['überblick 概要.png', 'überblick 概要.png'],
    ['a "quoted" name.png', "a 'quoted' name.png"],
    ['a\\b.png', 'a_b.png'],
    ['a\r\nX-Injected: 1\r\n\r\n.png', 'a__X-Injected: 1____.png'],
    ["it's; a=b.png", "it's; a=b.png"],
  ])('of a file named %j is read as %j by PHP and by fetch', async (name, read) => {
    const { data } = await api.client().POST('/media', { file: { name, content } });
    const line = /Content-Disposition: (.*)\r\n/.exec(echoOf(data).body)?.[1] ?? '';
    expect(line).toBe(`form-data; name="file"; filename="${read}"`);
    const form = await readForm(echoOf(data));
    expect(form.get('file')).toMatchObject({ name: read, type: 'application/octet-stream' });
  });

  const png = new Blob(['x'], { type: 'image/png' });
  test.each([
    ['that of the Blob', { content: png }, 'image/png'],
    ['the stated one', { content: png, type: 'image/webp' }, 'image/webp'],
    ['none', { content: new Blob(['x']), type: '' }, 'application/octet-stream'],
    ['that of bytes', { content }, 'application/octet-stream'],
    ['hostile', { content, type: 'image/png\r\nX-A: 1' }, 'image/pngX-A: 1'],
    ['with a parameter', { content: new Blob([], { type: 'text/csv;a=b' }) }, 'text/csv;a=b'],
  ])('has the media type of its file: %s', async (_, file, type) => {
    const { body } = echoOf((await api.client().POST('/media', { file: { name: 'a', ...file } })).data);
    expect(/Content-Type: (.*)\r\n/.exec(body)?.[1]).toBe(type);
  });

  const csv = new File(['bytes'], 'a.csv', { type: 'text/csv' });
  const [CSV, BYTES] = ['a.csv text/csv bytes', 'blob application/octet-stream bytes'];
  test.each<[string, Parameters<ReturnType<typeof api.client>['POST']>[1], readonly string[]]>([
    ['a File', { body: { upload: csv } }, [`upload ${CSV}`]],
    ['a Blob', { body: { upload: new Blob(['bytes']) } }, [`upload ${BYTES}`]],
    ['bytes', { body: { upload: content, b: 1 } }, [`upload ${BYTES}`, 'b = 1']],
    ['a buffer', { body: { upload: content.buffer } }, [`upload ${BYTES}`]],
    ['in a form', { body: { upload: csv, a: [true] }, bodyType: 'form' }, [`upload ${CSV}`, 'a[0] = 1']],
    ['a list', { body: { files: [csv, csv] } }, [`files[0] ${CSV}`, `files[1] ${CSV}`]],
    ['beside another', { body: { meta: { a: csv } }, file: csv }, [`meta[a] ${CSV}`, `file ${CSV}`]],
    ['in extra', { body: { a: 'b' }, extra: { upload: csv } }, ['a = b', `upload ${CSV}`]],
  ])('sends each file argument as a part of its name: %s', async (_, options, parts) => {
    const form = await readForm(echoOf((await api.client().POST('/import', options)).data));
    const show = async (value: File | string) =>
      typeof value === 'string' ? `= ${value}` : `${value.name} ${value.type} ${await value.text()}`;
    const sent = [...form].map(async ([name, value]) => `${name} ${await show(value)}`);
    expect(await Promise.all(sent)).toEqual(parts);
  });

  test('is no part of a query', () => {
    expect(api.client().route('/a', { query: { a: csv, b: 1 } })).toBe('/a?b=1');
  });
});
