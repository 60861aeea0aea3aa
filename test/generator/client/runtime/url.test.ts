import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type PhpValue, parsePhpQuery } from '../../../../src/base/php/request.ts';
import {
  buildPath,
  buildQuery,
  createRawClient,
  createUrlBuilder,
} from '../../../../src/generator/client/runtime/client.ts';
import { url } from '../../../../src/generator/client/runtime/typed-calls.ts';

describe('path templates', () => {
  test.each([
    ['/wp/v2/posts/{id}', { id: 5 }, '/wp/v2/posts/5'],
    ['/a/{x}/b/{y}', { x: 'one', y: 2 }, '/a/one/b/2'],
    // WordPress does not decode a path, so that characters which a path may contain stay as they are.
    ['/users/{mail}', { mail: 'ada+test@example.com' }, '/users/ada+test@example.com'],
    ['/x/{a}', { a: "k=v;w:1,2&$!'()*~" }, "/x/k=v;w:1,2&$!'()*~"],
    ['/x/{a}', { a: 'a b?c#d%2F\\"' }, '/x/a%20b%3Fc%23d%252F%5C%22'],
    ['/x/{a}', { a: 'größe' }, '/x/gr%C3%B6%C3%9Fe'],
    // A slash would lead to another route.
    ['/wp/v2/posts/{id}', { id: '5/revisions' }, '/wp/v2/posts/5%2Frevisions'],
  ])('%s %j → %s', (template, values, path) => {
    expect(buildPath(template, values)).toBe(path);
  });

  test.each([
    ['id', { id: '' }],
    ['id', { id: null }],
    ['constructor', {}],
  ])('refuse the missing value of %s in %j', (name, values) => {
    const message = `path parameter "${name}" of /posts/{${name}} is missing`;
    expect(() => buildPath(`/posts/{${name}}`, values)).toThrow(message);
  });

  test.each(['.', '..', 'a/../../users', '../users'])('refuse %j, another route', (id) => {
    expect(() => buildPath('/files/{id}', { id }, ['/files/'])).toThrow('must not be "." or ".."');
  });
});

describe('queries', () => {
  test.each([
    [{ per_page: 10, search: 'a b&c=d' }, 'per_page=10&search=a+b%26c%3Dd'],
    [{ include: [3, 1] }, 'include[0]=3&include[1]=1'],
    [{ terms: ['a,b', 'c d'] }, 'terms[0]=a,b&terms[1]=c+d'],
    [{ filter: { price: { min: 1 }, tags: ['x'] } }, 'filter[price][min]=1&filter[tags][0]=x'],
    [{ force: true, sticky: false }, 'force=1&sticky=0'],
    // WordPress would embed and envelope, because it looks for the parameter and not for its value.
    [{ _embed: false, _envelope: false, _fields: ['id'] }, '_fields[0]=id'],
    [{ _fields: ['title.rendered', 'title.raw', 'a.b.c'] }, '_fields[0]=title&_fields[1]=title&_fields[2]=a'],
    [{ _fields: 'id, title.rendered,content.rendered' }, '_fields=id,+title,content'],
    [{ a: null, b: undefined, c: 0, d: '' }, 'c=0&d='],
    [{ include: [], meta: {} }, ''],
    [{ after: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) }, 'after=2026-01-02T03:04:05Z'],
    [{}, ''],
  ])('%j → %s', (values, query) => {
    expect(buildQuery(values)).toBe(query.replace(/[[\],:]/g, encodeURIComponent));
  });

  test('are read by PHP as the values that were given', () => {
    const values = { a: ['x', 'y & z'], b: { c: { d: '1' } }, e: [{ f: 'g' }, { f: '[h]=+' }] };
    const toObject = (value: PhpValue): unknown =>
      typeof value === 'string'
        ? value
        : Object.fromEntries([...value].map(([key, item]) => [key, toObject(item)]));
    expect(toObject(parsePhpQuery(buildQuery(values)))).toEqual({
      a: { 0: 'x', 1: 'y & z' },
      b: { c: { d: '1' } },
      e: { 0: { f: 'g' }, 1: { f: '[h]=+' } },
    });
  });
});

describe('the REST root', () => {
  test.each([
    ['https://example.com/wp-json', 'https://example.com/wp-json/wp/v2/posts?page=2'],
    ['https://example.com/wp-json?lang=de', 'https://example.com/wp-json/wp/v2/posts?lang=de&page=2'],
    ['https://example.com', 'https://example.com/wp/v2/posts?page=2'],
    ['https://example.com/?rest_route=/', 'https://example.com/?rest_route=%2Fwp%2Fv2%2Fposts&page=2'],
    [
      'https://example.com/blog/index.php?rest_route=/&lang=de',
      'https://example.com/blog/index.php?rest_route=%2Fwp%2Fv2%2Fposts&lang=de&page=2',
    ],
  ])('%s → %s', (baseUrl, url) => {
    expect(createUrlBuilder(baseUrl)('/wp/v2/posts?page=2')).toBe(url);
  });

  test.each([
    ...['127.0.0.1:8084/wp-json', '', 'localhost:8084/wp-json', 'example.com', 'https://', 'file:///wp-json'],
    ...['https://ada:secret@example.com/a', 'https://ada@example.com', 'ada:secret@example.com/a'],
    undefined as unknown as string,
  ])('%j is refused by the first call, with no password in the message', async (baseUrl) => {
    const message = 'baseUrl must be an http(s) URL without a password';
    await expect(createRawClient({ baseUrl }).GET('/wp/v2')).rejects.toThrow(new TypeError(message));
  });

  test('may be relative to the page in a browser, but neither empty nor a host without a scheme', async () => {
    onTestFinished(() => void vi.unstubAllGlobals());
    // A module that a server and a browser share creates its client on both.
    const shared = createRawClient({ baseUrl: '/wp-json' });
    const message = '/wp-json is for browsers: on a server baseUrl must be an http(s) URL';
    await expect(shared.GET('/wp/v2')).rejects.toThrow(message);
    vi.stubGlobal('location', { href: 'https://example.com/shop/page' });
    expect(createUrlBuilder('/wp-json')('/wp/v2')).toBe('https://example.com/wp-json/wp/v2');
    for (const baseUrl of ['', '127.0.0.1:8084/wp-json', 'localhost:8084/wp-json'])
      await expect(createRawClient({ baseUrl }).GET('/wp/v2')).rejects.toThrow('baseUrl must be');
    expect(createRawClient({ baseUrl: '/wp-json/@a' }).route('/a')).toBe('/a');
  });
});

describe('url()', () => {
  const values = ['5', 'größe 🐝', 'a/b', 'a?b#c&d=é', '%2e%2e', "o'hara+1", '.', '..', '../users', 'a/../b'];
  test.each([...values, '', undefined, null, 0, '\ud800'])(
    'is what the call requests, and refuses what the call refuses: %j',
    async (id) => {
      const options = { path: { id }, query: { search: String(id), include: [1, 2] }, extra: { lang: 'ü&' } };
      for (const baseUrl of ['https://example.com/wp-json?key=1', 'https://example.com/?rest_route=/']) {
        const requested: string[] = [];
        const send = async (request: Request) => {
          requested.push(request.url);
          return Response.json(null);
        };
        for (const slashes of [[], ['/x/'], ['/x/{id} id']]) {
          const client = createRawClient({ baseUrl, fetch: send }, { slashes });
          const outcome = await client.GET('/x/{id}', options).then(
            () => requested.at(-1),
            (error: unknown) => error,
          );
          const build = () => new URL(url(client, '/x/{id}', options)).href;
          if (outcome instanceof Error) expect(build).toThrow(outcome.message);
          else expect(build()).toBe(outcome);
        }
      }
    },
  );
});
