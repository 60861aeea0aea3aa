import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/json.ts';
import { createMock } from '../../src/mock/index.ts';
import { recordedDocument } from '../types/documents.ts';
import { createRequest } from './mock-client.ts';

let document: JsonObject;
let mock: ReturnType<typeof createMock>;
beforeAll(() => {
  document = recordedDocument();
}, 60_000);
beforeEach(() => {
  mock = createMock(document);
});

const send = createRequest(() => mock);
const request: (...args: Parameters<typeof send>) => Promise<JsonObject> = async (...args) => {
  const { body } = await send(...args);
  return Array.isArray(body) ? { list: body } : body;
};

describe('the indexes of a mock', () => {
  test('are those of the document: its name, its namespaces and its routes', async () => {
    const index = await request('/');
    expect(index).toMatchObject({
      name: 'Site A',
      namespaces: expect.arrayContaining(['wp/v2', 'oembed/1.0']),
      routes: {
        '/wp/v2/posts': {
          namespace: 'wp/v2',
          methods: ['GET', 'POST'],
          endpoints: [
            {
              methods: ['GET'],
              args: {
                per_page: { type: 'integer', required: false },
                include: { type: 'array', items: { type: 'integer' } },
              },
            },
            {},
          ],
        },
      },
    });
    expect(Object.keys(index['routes'] ?? {})).toContain('/wp/v2/posts/(?P<id>[\\d]+)');
    expect(await request('/?_fields=name')).toEqual({ name: 'Site A' });
  });

  test('of a namespace have its routes only', async () => {
    const { namespace, routes } = await request('/oembed/1.0');
    expect(namespace).toBe('oembed/1.0');
    expect(Object.keys(routes ?? {}).every((route) => route.startsWith('/oembed/1.0'))).toBe(true);
  });
});

describe('the items of WordPress', () => {
  test('have its types, statuses and dates, the newest first', async () => {
    const post = await request('/wp/v2/posts/3');
    expect(post).toMatchObject({ type: 'post', status: 'publish', date: post['modified'] });
    expect(post['date_gmt']).toBe(post['date']);
    expect(await request('/wp/v2/media/3')).toMatchObject({ type: 'attachment' });
    const { list } = await request('/wp/v2/posts?per_page=25&_fields=date');
    const dates = (list as readonly { date: string }[]).map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted().reverse());
  });
});

describe('what a request creates', () => {
  test('is a draft without what the request left out, and the newest', async () => {
    const post = await request('POST /wp/v2/posts', { title: 'Hello, Wörld!' });
    expect(post).toMatchObject({
      ...{ id: 26, status: 'draft', type: 'post', slug: 'hello-world' },
      ...{ title: { raw: 'Hello, Wörld!' }, content: { raw: '' }, excerpt: { rendered: '' } },
      ...{ featured_media: 0, sticky: false, format: 'standard', categories: [1], tags: [], password: '' },
      ...{ comment_status: 'open', ping_status: 'open', link: expect.stringContaining('26') },
    });
    expect(String(post['date']) > String((await request('/wp/v2/posts/25'))['date'])).toBe(true);
    mock = createMock(document);
    expect(await request('POST /wp/v2/posts', { title: 'Hello, Wörld!' })).toEqual(post);
  });

  test('has a slug of its name', async () => {
    expect(await request('POST /wp/v2/tags', { name: 'Blue Sky' })).toMatchObject({
      ...{ name: 'Blue Sky', slug: 'blue-sky', count: 0, taxonomy: 'post_tag' },
    });
  });
});

test('a search finds texts, and not addresses', async () => {
  expect(await request('/wp/v2/posts?search=localhost')).toEqual({ list: [] });
});

describe('the examples of a document', () => {
  const withExample = (path: string, content: JsonObject): JsonObject => {
    const copy = structuredClone(document) as {
      paths: Record<string, Record<string, { responses: JsonObject }>>;
    };
    const response = copy.paths[path]?.['get']?.responses['200'];
    const json = isJsonObject(response) && isJsonObject(response['content']) ? response['content'] : {};
    Object.assign(json['application/json'] ?? {}, content);
    return copy as unknown as JsonObject;
  };

  test('are the items of a list, in its order, and can be read', async () => {
    const posts = [
      { id: 70, slug: 'second', author: 4 },
      { id: 40, slug: 'first' },
    ];
    mock = createMock(withExample('/wp/v2/posts', { examples: { some: { value: posts } } }));
    expect((await request('/wp/v2/posts?_fields=id,slug'))['list']).toEqual([
      { id: 70, slug: 'second' },
      { id: 40, slug: 'first' },
    ]);
    expect(await request('/wp/v2/posts/70')).toMatchObject({ slug: 'second', author: 4, type: 'post' });
    expect(await request('/wp/v2/posts/1')).toMatchObject({ code: 'rest_post_invalid_id' });
  });

  test('are the response of a single resource', async () => {
    mock = createMock(withExample('/wp/v2/settings', { example: { title: 'My site' } }));
    expect(await request('/wp/v2/settings')).toMatchObject({ title: 'My site' });
  });
});
