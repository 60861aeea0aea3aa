import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type JsonObject, toJsonObject } from '../../../src/base/json.ts';
import { startMock } from '../../../src/cli/local-sites.ts';
import { createMock } from '../../../src/create-mock.ts';
import { discover, readRecordedSite } from '../../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import boardIndex from '../../../src/sites/example/boards/index.json' with { type: 'json' };
import { boardSite } from '../../../src/sites/example/index.ts';
import { runCommand } from '../../cli/run-command.ts';
import { recordedDocument } from '../../generator/types/documents.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';
import { generateFor } from '../../support/site.ts';
import { createRequest, type Mock } from './mock-client.ts';

let document: JsonObject;
let mock: Mock;
beforeAll(() => {
  document = recordedDocument();
}, 60_000);
beforeEach(() => {
  mock = createMock(document);
});

const request = createRequest(() => mock);

describe('a mock of WordPress', () => {
  test('responds the same every time', async () => {
    const first = await request('/wp/v2/posts/3');
    mock = createMock(document);
    expect((await request('/wp/v2/posts/3')).body).toEqual(first.body);
  });

  test('pages lists, whose items resolve by their ids', async () => {
    const { body: list, headers } = await request('/wp/v2/posts?per_page=4&page=7');
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages'), list.length]).toEqual(['25', '7', 1]);
    for (const page of ['8', '9999999999', '1e3']) {
      const { outcome } = await request(`/wp/v2/posts?per_page=4&page=${page}`);
      expect(outcome).toBe('400 rest_post_invalid_page_number');
    }
    // Only lists of posts refuse the page: WP_REST_Users_Controller and WP_REST_Terms_Controller have no such error.
    for (const list of ['users?', 'tags?', 'posts?search=nothing-has-this&'])
      expect(await request(`/wp/v2/${list}page=99`)).toMatchObject({ status: 200, body: [] });
    const [post] = (await request('/wp/v2/posts?per_page=1')).body;
    expect((await request(`/wp/v2/posts/${post?.['id']}`)).body).toEqual(post);
  });

  test('links items: the author and the categories of a post exist, and can be embedded', async () => {
    const { body: post } = await request('/wp/v2/posts/3?_embed=author');
    expect((await request(`/wp/v2/users/${post.author}`)).status).toBe(200);
    for (const id of post.categories) expect((await request(`/wp/v2/categories/${id}`)).status).toBe(200);
    expect(post).toMatchObject({ _embedded: { author: [{ id: post.author }] } });
  });

  test('answers the preflight request of a browser, and describes a route', async () => {
    const response = await mock.app.request('/wp-json/wp/v2/posts', {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    });
    expect(await response.json()).toEqual({ namespace: 'wp/v2', methods: ['GET', 'POST'] });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: 'GET, POST',
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('Content-Type'),
    });
    expect(await request('OPTIONS /nope')).toMatchObject({ status: 200, body: [] });
  });

  test('shows the context and the fields that a request chose', async () => {
    const { body: item } = await request('/wp/v2/posts/3?context=edit&_fields=id,title.raw');
    expect(item).toEqual({ id: 3, title: { raw: expect.any(String) } });
    const { body: view } = await request('/wp/v2/posts/3?_fields=title');
    expect(view).toEqual({ title: { rendered: Object.values(item.title)[0] } });
  });

  test('lists what was created first, with what was written and changed', async () => {
    const fields = { title: 'Hello, Wörld!', sticky: true, status: 'publish' };
    const { body: post, status } = await request('POST /wp/v2/posts', fields);
    const comment = { post: 1, content: 'Hi', author_name: 'Ann', author_email: 'ann@example.com' };
    expect((await request('POST /wp/v2/comments', comment)).body).toMatchObject({ status: 'approved' });
    expect((await request('POST /wp/v2/posts', { title: 'A' })).body).toMatchObject({ status: 'draft' });
    expect(status).toBe(201);
    expect(post).toMatchObject({
      ...{ id: 26, status: 'publish', type: 'post', slug: 'hello-world', sticky: true },
      ...{ title: { raw: 'Hello, Wörld!', rendered: 'Hello, Wörld!' }, content: { raw: '' } },
      ...{ excerpt: { rendered: '' }, featured_media: 0, format: 'standard', categories: [1], tags: [] },
      ...{ password: '', comment_status: 'open', ping_status: 'open', link: expect.stringContaining('26') },
    });
    expect(post.date > (await request('/wp/v2/posts/25')).body.date).toBe(true);
    await request('POST /wp/v2/posts/26', { title: { raw: 'Changed' } });
    const { body: list } = await request('/wp/v2/posts?_fields=id,title');
    expect(list[0]).toEqual({ id: 26, title: { rendered: 'Changed' } });
    expect((await request('/wp/v2/posts?search=changed')).body.length).toBe(1);
    expect((await request('/wp/v2/posts?search=localhost')).body).toEqual([]);
    const { body: tag } = await request('POST /wp/v2/tags', { name: 'Blue Sky' });
    expect(tag).toMatchObject({ name: 'Blue Sky', slug: 'blue-sky', count: 0, taxonomy: 'post_tag' });
    mock = createMock(document);
    expect((await request('POST /wp/v2/posts', fields)).body).toEqual(post);
  });

  test('has the types, statuses and dates of WordPress, the newest first', async () => {
    const { body: post } = await request('/wp/v2/posts/3');
    expect(post).toMatchObject({ type: 'post', status: 'publish', date: post.modified, date_gmt: post.date });
    expect((await request('/wp/v2/media/3')).body).toMatchObject({ type: 'attachment' });
    const { body: list } = await request('/wp/v2/posts?per_page=25&_fields=date');
    const dates = list.map(({ date }: { readonly date: string }) => date);
    expect(dates).toEqual(dates.toSorted().reverse());
  });

  test('runs batches, of which one can require that all are valid', async () => {
    const create = { method: 'POST', path: '/wp/v2/tags', body: { name: 'Batched' } };
    const invalid = { ...create, body: {} };
    const read = { method: 'PUT', path: '/wp/v2/settings', body: { title: 'x' } };
    const send = async (requests: JsonObject[], validation = 'normal') =>
      (await request('POST /batch/v1', { requests, validation })).body;
    const refused = { status: 400, body: { code: 'rest_missing_callback_param' } };
    const all = await send([create, invalid], 'require-all-validate');
    expect(all).toMatchObject({ failed: 'validation', responses: [null, refused] });
    const created = { status: 201, body: { id: 26, name: 'Batched' } };
    const unknown = { status: 400, body: { code: 'rest_batch_not_allowed' } };
    expect((await send([create, invalid, read])).responses).toMatchObject([created, refused, unknown]);
    expect((await request('/wp/v2/tags/26')).body.name).toBe('Batched');
    const change = { method: 'POST', path: '/wp/v2/tags/27', body: { name: 'Later' } };
    const other = { ...create, body: { name: 'Earlier' } };
    expect((await send([other, change])).responses[1]).toMatchObject({ body: { id: 27, name: 'Later' } });
  });

  test.each([
    ['publish', 'missing', [400, 'rest_invalid_param']],
    ['publish', '3', [201, undefined]],
  ])('validates the fields of an upload: status %s, post %s', async (status, post, expected) => {
    const body = new FormData();
    body.set('file', new File(['x'], 'Harbour at night.png', { type: 'image/png' }));
    body.set('status', status);
    body.set('post', post);
    const response = await mock.app.request('/wp-json/wp/v2/media', { method: 'POST', body });
    const { code, title } = await response.json();
    expect([response.status, code]).toEqual(expected);
    if (response.ok) expect(title.rendered).toBe('Harbour at night');
  });

  test('has items whose names have slashes, at routes that share a path with a list', async () => {
    expect((await request('/wp/v2/icons/item-5/item-5')).status).toBe(200);
    expect((await request('/wp/v2/icons/item-5')).body).toHaveLength(5);
  });

  test('deletes with or without a trash', async () => {
    const trashed = await request('DELETE /wp/v2/posts/3');
    expect([trashed.status, trashed.body.status]).toEqual([200, 'trash']);
    expect((await request('/wp/v2/posts/3')).status).toBe(404);
    const deleted = await request('DELETE /wp/v2/posts/4?force=true');
    expect(deleted.body).toMatchObject({ deleted: true, previous: { id: 4 } });
    expect((await request('DELETE /wp/v2/tags/3')).body).toMatchObject({ code: 'rest_trash_not_supported' });
  });

  test('shows no drafts in public, no term twice, and pictures without a request', async () => {
    const { body: draft } = await request('POST /wp/v2/posts', { title: 'Draft' });
    expect(draft.status).toBe('draft');
    expect((await request(`/wp/v2/posts?include=${draft.id}`)).body).toEqual([]);
    expect((await request(`/wp/v2/posts?include=${draft.id}&status=draft`)).body).toHaveLength(1);
    await request(`POST /wp/v2/posts/${draft.id}`, { status: 'publish' });
    expect((await request(`/wp/v2/posts?include=${draft.id}`)).body).toHaveLength(1);
    const { body: tag } = await request('POST /wp/v2/tags', { name: 'Blue' });
    const { body: twice } = await request('POST /wp/v2/tags', { name: 'Blue' });
    expect(twice).toMatchObject({ code: 'term_exists', data: { status: 400, term_id: tag.id } });
    const { body: picture } = await request('/wp/v2/media/3');
    expect(await (await fetch(picture.source_url)).text()).toContain('<svg');
  });

  const toObject = (name: string): string => `/wp/v2/posts?${name}[toString]=x&${name}[valueOf]=x`;
  test.each([
    ['/wp/v2/posts/999', '404 rest_post_invalid_id'],
    ['/wp/v2/posts/999/revisions', '404 rest_'],
    ['/wp/v2/users/999/application-passwords', '404 rest_'],
    ['DELETE /wp/v2/comments/999?force=true', '404 rest_'],
    ['/wp/v2/posts?per_page=101', '400 rest_invalid_param'],
    ['POST /wp/v2/tags', '400 rest_missing_callback_param'],
    ['/wp/v2/nothing', '404 rest_no_route'],
    [toObject('_embed'), '200'],
    [toObject('status'), '200'],
    [toObject('search'), '400 rest_invalid_param'],
    [toObject('include'), '400 rest_invalid_param'],
  ])('answers %s with %s', async (operation, beginning) => {
    const { outcome } = await request(operation, operation.startsWith('POST') ? {} : undefined);
    expect(outcome.slice(0, beginning.endsWith('_') ? 9 : undefined)).toBe(beginning);
  });

  test('wraps an error in an envelope', async () => {
    const { body } = await request('/wp/v2/posts/999?_envelope&_fields=id');
    expect(body).toMatchObject({ status: 404, body: { code: 'rest_post_invalid_id' } });
  });

  test('serves the document, the name of the site, and keeps settings', async () => {
    expect((await mock.app.request('/openapi.json')).status).toBe(200);
    expect((await request('/?_fields=name')).body).toEqual({ name: 'Site A' });
    await request('POST /wp/v2/settings', { title: 'My site' });
    expect((await request('/wp/v2/settings')).body.title).toBe('My site');
  });

  test('writes its links with the address that its client uses, and never with that of the document', async () => {
    const app = new Hono().route('/api', createMock(document).app);
    const root = 'https://gateway.example/api/wp-json/wp/v2';
    const post = await app.request(`${root}/posts/3?_embed`);
    const text = await post.text();
    expect(text).not.toContain('https://example.com/wp-json');
    const { author, ...item } = toJsonObject(JSON.parse(text));
    expect(item).toMatchObject({
      link: 'https://gateway.example/api/3',
      guid: { rendered: 'https://gateway.example/api/?p=3' },
      _links: { self: [{ href: `${root}/posts/3` }], author: [{ href: `${root}/users/${author}` }] },
      _embedded: { author: [{ id: author }] },
    });
    const list = await app.request(`${root}/posts?per_page=1`);
    expect(list.headers.get('link')).toBe(`<${root}/posts?per_page=1&page=2>; rel="next"`);
    const body = JSON.stringify({ name: 'Blue' });
    const headers = { 'content-type': 'application/json' };
    const created = await app.request(`${root}/tags`, { method: 'POST', headers, body });
    expect(created.headers.get('location')).toBe(`${root}/tags/26`);
  });
});

describe('a mock of a recorded index', () => {
  test('serves the index with the address of its client, so that the site is discovered', async () => {
    const index = readRecorded('wordpress-7.1-index-help.json');
    const { app } = createMock(index);
    const root = 'https://mock.example/wp-json/';
    const fetch = async (input: URL | RequestInfo, init?: RequestInit) => app.fetch(new Request(input, init));
    const read = async (path: string, method = 'GET') => (await app.request(root + path, { method })).json();
    const { document } = toOpenApi(await discover(root, { fetch }));
    expect(document.paths).toEqual(toOpenApi(readRecordedSite(index, {})).document.paths);
    expect(await read('?_fields=home')).toEqual({ home: 'https://mock.example' });
    const { routes } = await read('oembed/1.0');
    expect(Object.keys(routes)).toEqual(['/oembed/1.0', '/oembed/1.0/embed', '/oembed/1.0/proxy']);
    const { _links } = await read('oembed/1.0/embed', 'OPTIONS');
    expect(_links).toMatchObject({ self: [{ href: `${root}oembed/1.0/embed` }] });
  });

  test.each([
    ['a.example:81', 'https', '/$&', 'https://a.example:81/$&'],
    ['a"b', 'https', '', 'https://boards.example.com'],
    ['a.example', 'ftp', '', 'https://boards.example.com'],
    ['a.example', 'https', '/"', 'https://boards.example.com'],
  ])('takes the forwarded address %s, %s, %s for %s', async (host, protocol, prefix, home) => {
    const response = await boardSite().request('https://boards.example.com/wp-json/', {
      headers: { 'x-forwarded-host': host, 'x-forwarded-proto': protocol, 'x-forwarded-prefix': prefix },
    });
    expect(await response.json()).toMatchObject({ home });
  });

  test.each(['GET', 'OPTIONS'])('answers %s of a list without writing the whole index', async (method) => {
    const site = boardSite();
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      await site.request('/wp-json/boards/v2/projects', { method });
      const lengths = stringify.mock.results.map(({ value }) => String(value).length);
      expect(Math.max(...lengths)).toBeLessThan(JSON.stringify(boardIndex).length / 10);
    } finally {
      stringify.mockRestore();
    }
  });

  test('refuses a body that is too large', async () => {
    const response = await boardSite().request('/wp-json/boards/v2/projects/1', {
      method: 'PUT',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: new Uint8Array(32 * 1024 * 1024 + 1),
    });
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'rest_content_too_large' }]);
  });
});

/** What other mocks did wrong, by the names of the public reports. */
describe('reports', () => {
  test.each<[report: string, query: string, ids: readonly number[]]>([
    ['typicode/json-server#1528', 'after=2026-01-18T09:00:00', [25]],
    ['typicode/json-server#1528', 'before=2026-01-02T09:00:00', [1]],
    ['typicode/json-server#1528', 'modified_after=2026-01-18T09:00:00', [25]],
    ['typicode/json-server#1528', `include=3&author_exclude=${[...Array(26).keys()]}`, []],
    ['typicode/json-server#1498', 'orderby=relevance&search=a&per_page=1', [25]],
    ['typicode/json-server#1498', 'orderby=id&order=asc&include=9,10', [9, 10]],
  ])('%s: %s', async (_, query, ids) => {
    expect((await request(`/wp/v2/posts?${query}&_fields=id`)).body).toEqual(ids.map((id) => ({ id })));
  });

  test('typicode/json-server#412: a flag selects', async () => {
    const { body } = await request('/wp/v2/posts?sticky=1&per_page=1&_fields=sticky');
    expect(body).toEqual([{ sticky: true }]);
  });

  test('typicode/json-server#1498: a list that is ordered has the order that the document states', async () => {
    const { body: users } = await request('/wp/v2/users?orderby=slug&_fields=slug');
    const slugs: readonly string[] = users.map(({ slug }: JsonObject) => slug);
    expect(new Set(slugs).size).toBeGreaterThan(1);
    expect(slugs).toEqual(slugs.toSorted());
  });

  test('typicode/json-server#905, #473: the site gives the id, and says where the item is', async () => {
    const { body, headers } = await request('POST /wp/v2/tags', { id: 99, name: 'A', count: 7 });
    expect(body).toMatchObject({ id: 26, name: 'A', count: 0 });
    expect(headers.get('location')).toMatch(/\/wp-json\/wp\/v2\/tags\/26$/);
    expect((await request('PUT /wp/v2/tags/3', { id: 5 })).body.id).toBe(3);
  });

  test('stoplightio/prism#2271: an example of another type is not sent, a right one is', async () => {
    const size = { type: 'integer', example: 'large' };
    const properties = { size, name: { type: 'string', example: 'Rex' } };
    const schemas = { '/p/v1/thing': { title: 'thing', type: 'object', properties } };
    mock = createMock(generateFor({ '/p/v1/thing': 'GET' }, { schemas }).document);
    expect((await request('/p/v1/thing')).body).toMatchObject({ size: expect.any(Number), name: 'Rex' });
  });

  test('mockoon/mockoon#1593: a browser may read the responses and the totals', async () => {
    const headers = { origin: 'https://app.example' };
    const response = await mock.app.request('/wp-json/wp/v2/posts', { headers });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-WP-Total');
  });
});

test('waygate mock serves a document from a file', async () => {
  const file = join(tmpdir(), `waygate-mock-${process.pid}.json`);
  await writeFile(file, JSON.stringify(document));
  const running = await startMock({ document: file, port: 0, host: '127.0.0.1' });
  try {
    const response = await fetch(`${running.url}/wp-json/wp/v2/posts?per_page=2`);
    expect([response.status, response.headers.get('x-wp-total')]).toEqual([200, '25']);
    expect(await response.json()).toHaveLength(2);
    expect(running.greeting).toContain(`${running.url}/docs`);
    // A browser opens connections ahead, which must not delay the end.
    const unused = connect(Number(new URL(running.url).port), '127.0.0.1');
    await once(unused, 'connect');
    await Promise.all([once(unused, 'close'), running.stop()]);
  } finally {
    await running.stop();
  }
});

test('waygate mock reads a relative path in the folder of the command', async () => {
  const { err } = await runCommand(['mock', '--document', 'none.json'], { cwd: join(tmpdir(), 'site') });
  expect(err).toContain(join(tmpdir(), 'site', 'none.json'));
});
