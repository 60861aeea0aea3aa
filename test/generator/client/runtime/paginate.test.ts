import { describe, expect, test } from 'vitest';
import type {
  ClientOptions,
  RawClient,
} from '../../../../src/generator/client/runtime/options-and-results.ts';
import { type PaginateOptions, paginateItems } from '../../../../src/generator/client/runtime/paginate.ts';
import { waitUntil } from '../../../support/wait.ts';
import { type StubReply, useStubApi } from './stub.ts';

const api = useStubApi();

const pageOf = (url: string) => Number(new URL(url, api.origin).searchParams.get('page'));

/** Serves lists of two items. The last page has one. */
function servePages(
  pages: number,
  change: (reply: StubReply, page: number) => StubReply | 'hang' = (reply) => reply,
): void {
  const totals = { 'X-WP-Total': String(pages * 2 - 1), 'X-WP-TotalPages': String(pages) };
  api.respond(({ url }) => {
    const page = pageOf(url);
    if (page > pages) return change(invalidPage, page);
    const body = page === pages ? [`${page}a`] : [`${page}a`, `${page}b`];
    return change({ headers: totals, body }, page);
  });
}

const invalidPage = { status: 400, body: { code: 'rest_post_invalid_page_number', message: 'Too large.' } };

/** A client that ends a loop without end, in which its worker would report nothing. */
function client(options?: Partial<ClientOptions>): RawClient {
  const raw = api.client(options);
  let calls = 0;
  const GET: RawClient['GET'] = (...call) => {
    calls += 1;
    if (calls > 50) throw new Error('paginate requests pages without end');
    return raw.GET(...call);
  };
  return { ...raw, GET };
}

async function collect(options?: PaginateOptions): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of paginateItems(client(), '/posts', options)) items.push(item);
  return items;
}

const pages = () => api.requests.map(({ url }) => pageOf(url));

describe('paginate', () => {
  test.each([0, 1, 10])('yields all items in order with a look-ahead of %i', async (lookAhead) => {
    servePages(4);
    const items = await collect({ query: { per_page: 2, tags: [1] }, lookAhead });
    expect(items.join()).toBe('1a,1b,2a,2b,3a,3b,4a');
    expect(pages().sort()).toEqual([1, 2, 3, 4]);
    expect(api.targets[0]).toBe('GET /wp-json/posts?per_page=2&tags[0]=1&page=1');
  });

  test('yields nothing from an empty list', async () => {
    api.respond(() => ({ headers: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' }, body: [] }));
    expect(await collect()).toEqual([]);
    expect(pages()).toEqual([1]);
  });

  test('with a look-ahead of 3 has requested four pages when the first item comes', async () => {
    servePages(9);
    const items = paginateItems(client(), '/posts', { lookAhead: 3 });
    await items.next();
    await waitUntil(() => api.requests.length >= 4);
    await items.return();
    expect(pages().sort()).toEqual([1, 2, 3, 4]);
  });

  test('aborts the pages that are still requested when the loop is left', async () => {
    servePages(9, (reply, page) => (page === 1 ? reply : 'hang'));
    const signals: AbortSignal[] = [];
    const onRequest = ({ request }: { request: Request }) => void signals.push(request.signal);
    const watched = client({ middleware: [{ onRequest }] });
    for await (const item of paginateItems(watched, '/posts', { lookAhead: 2 })) {
      expect(item).toBe('1a');
      break;
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test('ends with the signal of the caller', async () => {
    servePages(9, (reply, page) => (page === 1 ? reply : 'hang'));
    const abort = new AbortController();
    const items = paginateItems(client(), '/posts', { signal: abort.signal });
    for (const value of ['1a', '1b']) expect(await items.next()).toEqual({ done: false, value });
    abort.abort(new Error('enough'));
    await expect(items.next()).rejects.toThrow('enough');
  });

  test('throws the error of a page, after the items before it', async () => {
    servePages(4, (reply, page) => (page === 3 ? { status: 500, body: { code: 'broken' } } : reply));
    const items = paginateItems(client(), '/posts');
    for (const value of ['1a', '1b', '2a', '2b']) expect(await items.next()).toEqual({ done: false, value });
    await expect(items.next()).rejects.toMatchObject({ name: 'ApiError', code: 'broken', status: 500 });
  });

  test('begins at the page of the query, and throws its error, even a page number that is too large', async () => {
    servePages(3);
    expect(await collect({ query: { page: 2 } })).toEqual(['2a', '2b', '3a']);
    const { code } = invalidPage.body;
    await expect(collect({ query: { page: 7 } })).rejects.toMatchObject({ code });
  });

  test('throws if the response is not a list', async () => {
    api.respond(() => ({ body: { id: 1 } }));
    const error = { name: 'ApiError', source: 'client', code: 'client_not_a_list' };
    await expect(collect()).rejects.toMatchObject(error);
  });

  test('refuses an offset, with which WordPress ignores the page', async () => {
    await expect(collect({ query: { offset: 5 } })).rejects.toThrow('query.offset must be left out');
  });
});

describe('paginate without totals', () => {
  const bare = (reply: StubReply): StubReply => ({ ...reply, headers: {} });

  test('ends at an empty page', async () => {
    servePages(2, (reply) => (reply.status === undefined ? bare(reply) : { body: [] }));
    expect(await collect({ lookAhead: 0 })).toEqual(['1a', '1b', '2a']);
    expect(pages()).toEqual([1, 2, 3]);
  });

  test.each([undefined, ['id', 'slug'], 'slug,id', 'id ,slug'])(
    'ends when the site ignores the page and sends the same list again, with _fields %j',
    async (_fields) => {
      api.respond(() => ({ body: [{ id: 1 }] }));
      expect(await collect({ lookAhead: 0, query: { _fields } })).toEqual([{ id: 1 }]);
      expect(pages()).toEqual([1, 2]);
    },
  );

  test('yields equal pages of members that items share', async () => {
    servePages(3, (reply) => (reply.status === undefined ? { body: [{ status: 'publish' }] } : reply));
    expect(await collect({ query: { _fields: ['status'] } })).toHaveLength(3);
  });

  test('ends at the error of WordPress for a page number that is too large, one page ahead only', async () => {
    servePages(3, bare);
    const asked: unknown[] = [];
    const raw = client();
    const GET: RawClient['GET'] = (path, options) => {
      asked.push(options?.query?.['page']);
      return raw.GET(path, options);
    };
    const items: unknown[] = [];
    const options = { lookAhead: Number.POSITIVE_INFINITY };
    for await (const item of paginateItems({ ...raw, GET }, '/posts', options)) items.push(item);
    expect([items.join(), asked]).toEqual(['1a,1b,2a,2b,3a', [1, 2, 3, 4]]);
  });
});
