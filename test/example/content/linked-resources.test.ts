import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, jsonItems, toJsonObject } from '../../../src/json.ts';
import { createContentClient } from '../support/site-client.ts';

const client = createContentClient();

/** All URLs in the `_links` of an item. */
function linksOf(item: Json): readonly string[] {
  return Object.values(toJsonObject(toJsonObject(item)['_links'])).flatMap((targets) =>
    jsonItems(targets).flatMap((each) => {
      const { href, templated } = toJsonObject(each);
      return templated === true ? [] : [String(href)];
    }),
  );
}

describe('the links of the content site', () => {
  test.each(['posts', 'pages', 'media', 'comments', 'users', 'categories', 'tags'])(
    'of %s lead to responses, and their `link` to a page',
    async (name) => {
      const { body } = await client.call('editor', `GET /core/v2/${name}?per_page=30`);
      const items = jsonItems(body);
      expect(items.length).toBeGreaterThan(0);
      const pages = items.map((item) => String(toJsonObject(item)['link']));
      for (const url of new Set([...items.flatMap(linksOf), ...(name === 'media' ? [] : pages)])) {
        const { authorization } = { authorization: `Basic ${btoa('editor:demo-editor-password')}` };
        const response = await client.site.request(url, { headers: { authorization } });
        expect([url, response.status]).toEqual([url, 200]);
      }
    },
  );

  test('give the names of authors and terms, and comments, with `_embed`', async () => {
    const { comments } = client.site.state();
    const [first] = comments.values();
    const { body } = await client.call(null, `GET /core/v2/posts/${first?.post}?_embed`);
    expect(body._embedded.author[0]).toMatchObject({ name: expect.any(String), slug: expect.any(String) });
    const [categories] = body._embedded['wp:term'];
    expect(categories[0]).toMatchObject({ taxonomy: 'category', name: expect.any(String) });
    expect(body._embedded.replies[0][0]).toMatchObject({ post: first?.post, type: 'comment' });
    expect(
      Object.values(body._embedded)
        .flat()
        .some((each) => isJsonObject(each) && 'code' in each),
    ).toBe(false);
  });

  test('are not in the index, and the routes take nothing but reading', async () => {
    const { body } = await client.call(null, 'GET /');
    expect(Object.keys(body.routes).filter((route) => /users|comments|types|tags/.test(route))).toEqual([]);
    const written = await client.call('admin', 'POST /core/v2/users', {});
    expect(written.outcome).toBe('404 rest_no_route');
  });

  test('hide comments on what a client cannot read', async () => {
    const { comments, entries } = client.site.state();
    const [first] = comments.values();
    const post = entries.get(first?.post ?? 0);
    if (post === undefined) throw new Error('no post has comments');
    const count = async () => (await client.call(null, `GET /core/v2/comments?post=${post.id}`)).body.length;
    expect(await count()).toBeGreaterThan(0);
    entries.set(post.id, { ...post, status: 'private' });
    expect(await count()).toBe(0);
    entries.set(post.id, { ...post, password: 'secret' });
    expect(await count()).toBe(0);
    client.site.reset();
  });
});

test.each(['image', 'audio', 'video', 'application', 'text'])(
  'there is media of the type %s',
  async (type) => {
    const { body } = await client.call(null, `GET /core/v2/media?media_type=${type}`);
    expect(body.length).toBeGreaterThan(0);
    const response = await client.site.request(body[0].source_url);
    expect(response.headers.get('content-type')).toBe(body[0].mime_type);
    expect((await response.arrayBuffer()).byteLength).toBe(body[0].media_details.filesize);
  },
);

test('some media are attached to posts that show them', async () => {
  const { entries } = client.site.state();
  const attached = [...entries.values()].filter(({ kind, parent }) => kind === 'attachment' && parent !== 0);
  expect(attached.length).toBeGreaterThan(3);
  for (const { id, parent } of attached) expect(entries.get(parent)?.featuredMedia).toBe(id);
});
