import { expect, test } from 'vitest';
import { contentSite } from '../../../src/example/index.ts';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
const content = contentSite();
const EMBED = '/?rest_route=/oembed/1.0/embed';
const PROXY = '/?rest_route=/oembed/1.0/proxy';
const PAGE = encodeURIComponent('http://localhost/books/3/');

test('a page of the site is embedded as a frame', async () => {
  const response = await site.request(`${EMBED}&url=${PAGE}`);
  expect(await response.json()).toEqual({
    version: '1.0',
    provider_name: 'The Library',
    provider_url: 'http://localhost',
    author_name: 'Ada',
    author_url: 'http://localhost/authors/ada/',
    title: 'Book 3',
    type: 'rich',
    width: 600,
    height: 338,
    html: expect.stringContaining('<iframe '),
  });
});

test('a page names its data, for those who have its address alone', async () => {
  const [post] = await (await content.request('/?rest_route=/core/v2/posts&per_page=1')).json();
  const page = await (await content.request(post.link)).text();
  const links = Array.from(page.matchAll(/type="(.*)\+oembed" href="([^"]*)"/g));
  const types = await Promise.all(
    links.map(async ([, , href = '']) => {
      const response = await content.request(href.replaceAll('&amp;', '&'));
      return [response.status, response.headers.get('content-type')];
    }),
  );
  expect(types).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'text/xml; charset=UTF-8'],
  ]);
  expect(await (await content.request('/no-such-page/')).text()).not.toContain('oembed');
});

test.each([
  ['300', 300, 200],
  ['50', 200, 200],
  ['5000', 600, 338],
  ['-400', 400, 225],
  ['x', 200, 200],
])('the width is limited: maxwidth=%s', async (maxWidth, width, height) => {
  const response = await site.request(`${EMBED}&url=${PAGE}&maxwidth=${maxWidth}`);
  expect(await response.json()).toMatchObject({ width, height });
});

test('data and errors are also available as XML', async () => {
  const response = await site.request(`${EMBED}&format=xml&url=${PAGE}`);
  expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8');
  expect(await response.text()).toMatch(
    /^<\?xml version="1.0"\?>\n<oembed><version>1.0<\/version>.*<title>Book 3<\/title>/,
  );
  const missing = await site.request(`${EMBED}&format=xml&url=http://localhost/books/99/`);
  expect([missing.status, await missing.text()]).toEqual([
    404,
    '<?xml version="1.0"?>\n<oembed><code>oembed_invalid_url</code><message>Not Found</message><data><status>404</status></data></oembed>\n',
  ]);
});

test.each([
  ['no URL', '', 400, 'rest_missing_callback_param'],
  ['another site', '&url=https://example.com/books/3/', 404, 'oembed_invalid_url'],
  ['a missing page', '&url=http://localhost/books/99/', 404, 'oembed_invalid_url'],
  ['an invalid URL', '&url=::', 404, 'oembed_invalid_url'],
])('%s is rejected', async (_name, query, status, code) => {
  const response = await site.request(`${EMBED}${query}`);
  expect([response.status, await response.json()]).toMatchObject([status, { code }]);
});

test('the proxy is for editors', async () => {
  const requestProxy = async (headers: HeadersInit, query = `&url=${PAGE}`): Promise<[number, unknown]> => {
    const response = await site.request(`${PROXY}${query}`, { headers });
    return [response.status, await response.json()];
  };
  const refusal = 'Sorry, you are not allowed to make proxied oEmbed requests.';
  expect(await requestProxy({})).toMatchObject([401, { code: 'rest_forbidden', message: refusal }]);
  expect(await requestProxy(as('subscriber'))).toMatchObject([403, { code: 'rest_forbidden' }]);
  expect(await requestProxy(as('editor'))).toMatchObject([200, { title: 'Book 3' }]);
  expect(await requestProxy({}, `&url=${PAGE}&format=yaml&discover=maybe`)).toMatchObject([
    400,
    {
      data: {
        params: {
          format: 'format is not one of json and xml.',
          discover: 'discover is not of type boolean.',
        },
      },
    },
  ]);
});
