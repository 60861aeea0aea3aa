import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../../../src/generator/client/runtime/error.ts';
import { paginateItems } from '../../../../src/generator/client/runtime/paginate.ts';
import { retry } from '../../../../src/generator/client/runtime/retry.ts';
import { cutAfterHead, type StubReply, useStubApi } from './stub.ts';

const api = useStubApi();

/** Calls with one reply. */
async function read(reply: StubReply, method: 'GET' | 'POST' = 'GET') {
  api.respond(() => reply);
  return api.client()[method]('/wp/v2/posts');
}

const html = { 'Content-Type': 'text/html; charset=UTF-8' };
const json = { 'Content-Type': 'application/json' };
const plain = { 'Content-Type': 'text/plain' };

describe('data', () => {
  test('is the JSON of the response, with the totals of a list', async () => {
    const result = await read({ headers: { 'X-WP-Total': '12', 'X-WP-TotalPages': '2' }, body: [{ id: 1 }] });
    expect(result).toMatchObject({ data: [{ id: 1 }], total: 12, totalPages: 2 });
    expect(result.error).toBeUndefined();
    expect(result.response?.headers.get('x-wp-total')).toBe('12');
  });

  test('has no totals without their header fields, or with senseless ones', async () => {
    expect(await read({ body: [] })).not.toHaveProperty('total');
    const senseless = { 'X-WP-Total': '-1e9', 'X-WP-TotalPages': '' };
    expect(await read({ headers: senseless, body: [] })).not.toHaveProperty('totalPages');
  });

  test.each<[string, StubReply, unknown]>([
    ['of 204', { status: 204 }, null],
    // WordPress sends null as no content.
    ['of 200 without content', { status: 200, headers: json, body: '' }, null],
    ['with a byte order mark', { headers: json, body: '\ufeff{"a":1}' }, { a: 1 }],
    ['as HAL', { headers: { 'Content-Type': 'application/hal+json' }, body: '{"a":1}' }, { a: 1 }],
    ['as JSON that the web server calls HTML', { headers: html, body: '[1]' }, [1]],
    ['as JSON without a media type', { body: '[1]' }, [1]],
    ['as text', { headers: plain, body: '12' }, '12'],
    ['as XML', { headers: { 'Content-Type': 'text/xml; charset=UTF-8' }, body: '<oembed/>' }, '<oembed/>'],
  ])('%s', async (_, reply, data) => {
    expect((await read(reply)).data).toEqual(data);
  });

  test('of another media type is a Blob', async () => {
    const { data } = await read({ headers: { 'Content-Type': 'application/zip' }, body: 'PK' });
    expect(data).toBeInstanceOf(Blob);
    expect(await (data as Blob).text()).toBe('PK');
  });
});

describe('an error of the site', () => {
  test('has its code, message and data', async () => {
    const details = { per_page: { code: 'rest_out_of_bounds' } };
    const data = { status: 400, params: { per_page: 'too many' }, details };
    const stated = { code: 'rest_invalid_param', message: 'Invalid', data };
    const { error, data: none } = await read({ status: 400, body: stated });
    expect(none).toBeUndefined();
    expect(error).toEqual({ source: 'site', status: 400, ...stated });
  });

  test.each<[string, unknown, object]>([
    ['an object without status', { a: 1 }, { a: 1 }],
    ['an object with a status that is no number', { status: 'declined' }, {}],
    ['missing', undefined, {}],
  ])('with data that is %s has an object with the status and params', async (_, data, expected) => {
    const { error } = await read({ status: 404, body: { code: 'x', message: 'm', data } });
    expect(error?.data).toEqual({ status: 404, params: {}, ...expected });
  });

  test.each<[string, unknown, unknown]>([
    ['rest_invalid_param', { a: 'b' }, { a: 'b' }],
    ['rest_invalid_param', [], {}],
    ['rest_missing_callback_param', ['a'], { a: 'The parameter is missing.' }],
    ['rest_missing_callback_param', { 1: 'a' }, { a: 'The parameter is missing.' }],
    ['other', { a: { b: 1 } }, {}],
    ['other', { a: { code: 'c1', message: 'real' } }, { a: 'real' }],
  ])('%s with params %j gives %j', async (code, params, expected) => {
    const { error } = await read({ status: 400, body: { code, message: '', data: { params } } });
    expect(error?.data['params']).toEqual(expected);
  });

  test('has the additional errors', async () => {
    const additional_errors = [{ code: 7, message: 'm', data: { a: 1 } }, 'senseless', { data: null }];
    const { error } = await read({ status: 400, body: { code: 'x', message: 'y', additional_errors } });
    expect(error?.additional_errors).toEqual([
      { code: '7', message: 'm', data: { a: 1 } },
      { code: '', message: '', data: null },
    ]);
  });
});

describe('an error of the gateway', () => {
  const problem = { 'Content-Type': 'application/problem+json' };

  test('is told apart and has the members of a WordPress error', async () => {
    const error = { code: 'rest_invalid_param', message: 'm', data: { status: 400, params: { a: 'b' } } };
    const body = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'd', ...error };
    const { error: shown } = await read({ status: 400, headers: problem, body });
    expect(shown).toEqual({ source: 'gateway', status: 400, ...error });
  });

  test('without these members has the members of the problem document', async () => {
    const body = { type: 'https://example.com/full', title: 'Full', status: 503, detail: 'Try later' };
    const { error } = await read({ status: 503, headers: problem, body });
    const expected = { source: 'gateway', code: 'problem', message: 'Try later', status: 503, data: body };
    expect(error).toMatchObject(expected);
  });
});

describe('a response that is none of a REST interface is an error of the client', () => {
  const page = '<!DOCTYPE html><title>Maintenance</title>';
  const notice = '<br />\n<b>Notice</b>: Undefined index in plugin.php\n{"id":1}';
  test.each<[string, StubReply, string]>([
    ['an HTML page with status 200', { headers: html, body: page }, 'client_html_response'],
    ['an HTML page with an error status', { status: 500, headers: html, body: page }, 'client_html_response'],
    ['a PHP notice before the JSON', { headers: json, body: notice }, 'client_invalid_json'],
    ['a PHP notice as HTML', { headers: html, body: notice }, 'client_html_response'],
    ['an error status without a body', { status: 502 }, 'client_empty_response'],
    // WordPress sends null as JSON.
    ['nothing, as HTML', { headers: html, body: '' }, 'client_empty_response'],
  ])('%s', async (_, reply, code) => {
    const { error, data, response } = await read(reply);
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ source: 'client', code, status: reply.status ?? 200 });
    expect(error?.message).toContain(String(reply.status ?? 200));
    expect(response?.status).toBe(reply.status ?? 200);
  });

  const none = 'Status 422';
  test.each<[unknown, unknown, object]>([
    [{ message: 'No query results' }, 'No query results', {}],
    [{ success: false, data: { message: 'Nope' } }, 'Nope', {}],
    [{ success: false, data: 'Nope' }, 'Nope', {}],
    [{ success: false, data: [{ code: 'x', message: 'Of a WP_Error' }] }, 'Of a WP_Error', {}],
    [{ success: false, status: 'fail' }, none, {}],
    [{ status: 'fail', data: { id: 'x' } }, none, {}],
    [{ ok: false, reason: 'quota' }, none, {}],
    [{ error: 'no' }, 'no', {}],
    [{ error: { code: 'card_declined', message: 'Declined' } }, 'Declined', {}],
    [{ error: { code: 'card_declined' } }, none, {}],
    [{ errors: [{ detail: 'Too many.' }] }, 'Too many.', {}],
    [{ errors: { 0: 'Something broke' } }, none, {}],
    [{ title: { required: 'A title is needed.' } }, 'A title is needed.', { title: 'A title is needed.' }],
    [
      { title: 'No title.', slug: 'It is taken.' },
      'No title. It is taken.',
      { title: 'No title.', slug: 'It is taken.' },
    ],
    [{ message: 'Invalid.', errors: { title: ['Too long.'], id: 1 } }, 'Invalid.', { title: 'Too long.' }],
    [['a'], 'a', {}],
    [[1], none, {}],
    ['Too many', 'Too many', {}],
  ])('an error without a code keeps its body: %j', async (body, message, params) => {
    const { error } = await read({ status: 422, headers: json, body: JSON.stringify(body) });
    expect(error).toMatchObject({ source: 'client', code: 'client_unknown_error', message, body });
    expect(error?.data.params).toEqual(params);
  });

  test.each<[string, StubReply, string]>([
    ['quotes a text', { status: 429, headers: json, body: '"Too many requests."' }, 'Too many requests.'],
    ['quotes a plain text', { status: 500, headers: plain, body: 'timed out' }, 'timed out'],
    ['asks for the baseUrl', { status: 404, headers: html, body: page }, 'does the baseUrl end in /wp-json?'],
  ])('its message %s', async (_, reply, message) => {
    expect((await read(reply)).error?.message).toContain(message);
  });

  test('quotes a bounded part of the body', async () => {
    const long = `<html>${' \n'.repeat(500_000)}${'x'.repeat(1_000_000)}`;
    const { error } = await read({ status: 500, headers: html, body: long });
    expect(String(error?.data['excerpt']).length).toBeLessThanOrEqual(300);
    const { error: short } = await read({ status: 500, headers: html, body: ' <p>\n\n  short </p> ' });
    expect(short?.data).toEqual({ status: 500, params: {}, excerpt: '<p> short </p>' });
  });
});

describe('redirects', () => {
  test('of reads are followed', async () => {
    api.respond(({ url }) =>
      url === '/wp-json/a' ? { status: 301, headers: { Location: '/wp-json/b' } } : { body: url },
    );
    expect((await api.client().GET('/a')).data).toBe('/wp-json/b');
  });

  test('of reads in a circle, or to a file, are an error', async () => {
    api.respond(({ url }) => ({ status: 302, headers: { Location: url } }));
    expect((await api.client().GET('/a')).error?.code).toBe('client_redirected');
    expect(api.requests).toHaveLength(21);
    api.respond(() => ({ status: 302, headers: { Location: 'file:///etc/hostname' } }));
    expect((await api.client().GET('/a')).error?.code).toBe('client_redirected');
  });

  test('of reads are followed by browsers, which show none of them to a program', async () => {
    Object.assign(globalThis, { location: new URL('https://example.com/') });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'location'));
    const seen: RequestRedirect[] = [];
    const client = api.client({ fetch: async ({ redirect }) => Response.json(seen.push(redirect)) });
    await client.GET('/a');
    await client.POST('/a');
    expect(seen).toEqual(['follow', 'manual']);
  });

  test.each([301, 302, 307, 308])(
    '%i of writes are an error: fetch could make a GET of it',
    async (status) => {
      const Location = 'https://example.com/wp-json/wp/v2/posts';
      const { error } = await read({ status, headers: { Location } }, 'POST');
      expect(error).toMatchObject({ source: 'client', code: 'client_redirected' });
      expect(error?.data['excerpt']).toBe(Location);
      expect(api.requests).toHaveLength(1);
    },
  );
});

describe('with the option throw', () => {
  const data = { status: 404, params: {} };
  const stated = { code: 'rest_post_invalid_id', message: 'Invalid post ID.', data };
  const reply = { status: 404, headers: { 'X-WP-Nonce': 'secret' }, body: stated };

  test('an ApiError is thrown, which keeps message, code and status as JSON, as its cause and in a log', async () => {
    api.respond(() => reply);
    const call = api.client({ throw: true }).GET('/a');
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof ApiError)) throw new Error('no ApiError was thrown');
    const expected = { source: 'site', status: 404, ...stated };
    expect(error).toMatchObject({ name: 'ApiError', response: { status: 404 }, ...expected });
    expect(JSON.parse(JSON.stringify(error))).toEqual(expected);
    expect(error.cause).toEqual(expected);
    expect(inspect(error)).toBe('ApiError: Invalid post ID.\n    at rest_post_invalid_id, status 404');
  });

  test('of the call that of the client is replaced', async () => {
    api.respond(() => reply);
    await expect(api.client().GET('/a', { throw: true })).rejects.toThrow('Invalid post ID.');
    const { error } = await api.client({ throw: true }).GET('/a', { throw: false });
    expect(error?.code).toBe('rest_post_invalid_id');
  });
});

describe('without a response', () => {
  /** What `fetch` of a platform throws, and what the message says about it. */
  const code = { code: 'ECONNREFUSED' };
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), code);
  const nested = (cause: unknown) => new TypeError('fetch failed', { cause });
  test.each<[string, unknown, string]>([
    ['Node', nested(refused), 'connect ECONNREFUSED 127.0.0.1:1'],
    ['Node, of two addresses', nested(Object.assign(new AggregateError([refused]), code)), 'ECONNREFUSED'],
    ['a browser', new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['no error', 'offline', ''],
  ])('the message has method, URL and the cause of %s', async (_, cause, reason) => {
    const client = api.client({ fetch: () => Promise.reject(cause) });
    const query = { consumer_secret: 'cs_1' };
    const { error } = await client.DELETE('/posts/{id}', { path: { id: 5 }, query });
    const url = `${api.origin}/wp-json/posts/5`;
    expect(error?.message).toBe(`The site cannot be reached: DELETE ${url} (${reason})`);
  });

  test.each([
    ['https://example.com/?rest_route=/&key=k', 'https://example.com/?rest_route=%2Fposts'],
    ['https://example.com/index.php?key=k&rest_route=/', 'https://example.com/index.php&rest_route=%2Fposts'],
  ])('the message has no secret of %s', async (baseUrl, url) => {
    // Deno has the whole URL in its message.
    const messageOf = (url: string) => `error sending request for url (${url})`;
    const fetch = ({ url }: Request) => Promise.reject(new TypeError(messageOf(url)));
    const { error } = await api.client({ baseUrl, fetch }).GET('/posts', { query: { token: 't' } });
    expect(error?.message).toBe(`The site cannot be reached: GET ${url} (${messageOf(url)})`);
  });

  test.each([
    ['a field of the head that has two lines', () => new Headers({ 'X-A': 'a\nb' })],
    ['a member of nothing', () => JSON.parse('null').token],
  ])("a mistake in the program's fetch is thrown: %s", async (_, send) => {
    const client = api.client({ fetch: async () => Response.json(send()) });
    await expect(client.POST('/posts', { body: { title: 'A' } })).rejects.toThrow(TypeError);
  });

  test('a field that SvelteKit does not let a page read is named', async () => {
    api.respond(() => ({ body: [] }));
    const client = api.client({
      async fetch(request) {
        const response = await fetch(request);
        response.headers.get = (name) => {
          throw new Error(`Failed to get response header "${name}" — it must be included`);
        };
        return response;
      },
    });
    await expect(client.GET('/posts')).rejects.toThrow('header "content-type"');
  });

  test('a connection that is lost within the body is the same failure', async () => {
    api.respond(() => ({ body: [] }));
    const call = api.client({ fetch: cutAfterHead }).GET('/a');
    expect(await call).toMatchObject({ error: { code: 'network_failure' }, response: undefined });
  });

  test.each([0, 2])('a timeout is a result, with %i retries', async (retries) => {
    api.respond(() => (retries === 0 ? 'hang' : { status: 503, headers: { 'Retry-After': '30' } }));
    const options = { signal: AbortSignal.timeout(50), retries: retry(retries) };
    const { error } = await api.client().GET('/a', options);
    expect(error).toMatchObject({ source: 'network', code: 'network_timeout', status: 0 });
  });

  test.each([Number.POSITIVE_INFINITY, 3e9, -1])('a timeout of %d is no limit', async (timeout) => {
    api.respond(() => ({ body: 'later' }));
    const client = api.client({
      timeout,
      async fetch(request) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return fetch(request);
      },
    });
    expect((await client.GET('/a')).data).toBe('later');
  });

  /** Takes `AbortSignal.any` away for a test. */
  function removeAny(): void {
    const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any');
    if (any === undefined) throw new Error('Node has AbortSignal.any');
    Reflect.deleteProperty(AbortSignal, 'any');
    onTestFinished(() => void Object.defineProperty(AbortSignal, 'any', any));
  }

  test('calls leave no listeners on the signals of the program, without AbortSignal.any', async () => {
    removeAny();
    api.respond(() => ({ body: [] }));
    const [{ signal }, own] = [new AbortController(), new AbortController()];
    const client = api.client({ signal, timeout: 60_000 });
    for (let count = 0; count < 3; count += 1) await client.GET('/a', { signal: own.signal });
    for await (const _ of paginateItems(client, '/a', { signal: own.signal })) break;
    expect([signal, own.signal].map((each) => getEventListeners(each, 'abort'))).toEqual([[], []]);
  });

  test.each([
    ['client', 'with AbortSignal.any'],
    ['call', 'with AbortSignal.any'],
    ['client', 'without it, as in Safari 17.3'],
    ['call', 'without it, as in Safari 17.3'],
  ])('an aborted signal of the %s rejects with its reason, %s', async (owner, platform) => {
    if (platform.startsWith('without')) removeAny();
    const abort = new AbortController();
    api.respond(() => {
      abort.abort(new Error('enough'));
      return 'hang';
    });
    const other = new AbortController();
    const client = api.client({ signal: owner === 'client' ? abort.signal : other.signal });
    const signal = owner === 'client' ? other.signal : abort.signal;
    await expect(client.GET('/a', { signal })).rejects.toThrow('enough');
    // The signal has aborted before the call.
    await expect(client.GET('/a', { signal })).rejects.toThrow('enough');
    await expect(paginateItems(client, '/a', { signal }).next()).rejects.toThrow('enough');
  });
});
