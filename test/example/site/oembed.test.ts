import { expect, test } from 'vitest';
import { createContentClient } from '../support/site-client.ts';

const { call, site } = createContentClient();
const [post] = (await call(null, 'GET /core/v2/posts?per_page=1')).body;
const EMBED = `/oembed/1.0/embed?url=${encodeURIComponent(post.link)}`;

test('a page names its data, for those who have its address alone', async () => {
  const page = await (await site.request(post.link)).text();
  const links = Array.from(page.matchAll(/type="(.*)\+oembed" href="([^"]*)"/g));
  const types = await Promise.all(
    links.map(async ([, , href = '']) => {
      const response = await site.request(href.replaceAll('&amp;', '&'));
      return [response.status, response.headers.get('content-type')];
    }),
  );
  expect(types).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'text/xml; charset=UTF-8'],
  ]);
  expect(await (await site.request('/no-such-page/')).text()).not.toContain('oembed');
});

test.each([
  ['300', 300, 200],
  ['50', 200, 200],
  ['5000', 600, 338],
  ['-400', 400, 225],
  ['x', 200, 200],
])('the width is limited: maxwidth=%s', async (maxWidth, width, height) => {
  expect((await call(null, `GET ${EMBED}&maxwidth=${maxWidth}`)).body).toMatchObject({ width, height });
});
