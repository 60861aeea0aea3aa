import { beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/example/content/model.ts';
import { createContentClient, type Login } from '../support/site-client.ts';

const { call, site } = createContentClient();
const all = () => [...site.state().entries.values()];
const published = () => all().filter(({ kind, status }) => kind === 'post' && status === 'publish');

async function ids(query: string, as: Login = null): Promise<number[]> {
  const { body } = await call(as, `GET /core/v2/posts?per_page=100&_fields=id&${query}`);
  return body.map(({ id }: Entry) => id);
}

describe('a list of posts', () => {
  let tree: { parent: number; child: number };
  beforeAll(() => {
    const child = [...site.state().terms.values()].find(({ parent }) => parent !== 0);
    tree = { parent: child?.parent ?? 0, child: child?.id ?? 0 };
  });

  test.each<readonly [string, (entry: Entry) => boolean]>([
    ['author=2', ({ author }) => author === 2],
    ['author_exclude=1,2,3', ({ author }) => author > 3],
    ['after=2024-10-01T00:00:00', ({ date }) => date > Date.UTC(2024, 9)],
    ['before=2023-10-01T00:00:00Z', ({ date }) => date < Date.UTC(2023, 9)],
    ['modified_after=2024-11-01T00:00:00%2B00:00', ({ modified }) => modified > Date.UTC(2024, 10)],
    ['sticky=true', ({ sticky }) => sticky],
    ['format=gallery,quote', ({ format }) => format === 'gallery' || format === 'quote'],
    [
      'search=lighthouse&search_columns=post_title',
      ({ title }) => title.toLowerCase().includes('lighthouse'),
    ],
    [
      'search=pier%20choir%20-tide&search_columns=post_title',
      ({ title }) => /pier/i.test(title) && /choir/i.test(title) && !/tide/i.test(title),
    ],
    ['categories=3&tags=14', ({ categories, tags }) => categories.includes(3) && tags.includes(14)],
    [
      'categories=3&tags=14&tax_relation=OR',
      ({ categories, tags }) => categories.includes(3) || tags.includes(14),
    ],
    [
      'categories[terms]=3,4&categories[operator]=AND',
      ({ categories }) => categories.includes(3) && categories.includes(4),
    ],
    [
      'categories[terms][]=2&categories[include_children]=1',
      ({ categories }) => categories.some((id) => [2, 3, 4].includes(id)),
    ],
    [
      'categories_exclude[terms]=2&categories_exclude[include_children]=true',
      ({ categories }) => !categories.some((id) => [2, 3, 4].includes(id)),
    ],
    ['tags_exclude=13,14,15', ({ tags }) => !tags.some((id) => id < 16)],
  ])('narrowed by %s', async (query, matches) => {
    const { headers } = await call(null, `GET /core/v2/posts?${query}`);
    // A search skips entries with a password.
    const expected = published().filter(
      (entry) => matches(entry) && !(query.includes('search') && entry.password !== ''),
    );
    expect(Number(headers.get('x-wp-total'))).toBe(expected.length);
    const found = await ids(query);
    expect(found.every((id) => expected.some((entry) => entry.id === id))).toBe(true);
    expect(expected.length).toBeGreaterThan(0);
  });

  test('includes child categories only with `include_children`', async () => {
    const { parent } = tree;
    const [alone, family] = await Promise.all([
      ids(`categories=${parent}`),
      ids(`categories[terms]=${parent}&categories[include_children]=true`),
    ]);
    expect(family.length).toBeGreaterThan(alone.length);
  });

  test.each<readonly [string, (a: Entry, b: Entry) => boolean]>([
    ['orderby=date&order=asc', (a, b) => a.date <= b.date],
    ['orderby=title&order=asc', (a, b) => a.title.toLowerCase() <= b.title.toLowerCase()],
    ['orderby=modified', (a, b) => a.modified >= b.modified],
    ['orderby=author&order=asc', (a, b) => a.author <= b.author],
    ['orderby=slug', (a, b) => a.slug >= b.slug],
    ['orderby=id&order=asc', (a, b) => a.id < b.id],
  ])('in the order of %s', async (query, inOrder) => {
    const entries = (await ids(query)).map((id) => site.state().entries.get(id));
    for (const [index, entry] of entries.entries()) {
      const next = entries[index + 1];
      if (entry !== undefined && next !== undefined) expect(inOrder(entry, next)).toBe(true);
    }
    expect(entries).toHaveLength(100);
  });

  test('can have the order of `include`', async () => {
    const [a, b, c] = published().map(({ id }) => id);
    expect(await ids(`include=${c},${a},${b}&orderby=include`)).toEqual([c, a, b]);
    const slugs = [a, b].map((id) => site.state().entries.get(id ?? 0)?.slug);
    expect(await ids(`slug=${slugs[1]},${slugs[0]}&orderby=include_slugs`)).toEqual([b, a]);
  });

  test('has sticky posts first if `ignore_sticky` is false', async () => {
    const sticky = published()
      .filter((entry) => entry.sticky)
      .map(({ id }) => id);
    expect((await ids('ignore_sticky=false')).slice(0, sticky.length).sort()).toEqual(sticky.sort());
  });

  test('has each post once on all pages together', async () => {
    const seen: number[] = [];
    for (let page = 1; ; page++) {
      const { body, headers } = await call(null, `GET /core/v2/posts?per_page=50&page=${page}`);
      seen.push(...body.map(({ id }: Entry) => id));
      if (page === Number(headers.get('x-wp-totalpages'))) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(published().length);
  });

  test('links to the adjacent pages and embeds linked resources', async () => {
    const pictured = published().find(({ featuredMedia }) => featuredMedia !== 0);
    const { headers } = await call(null, 'GET /core/v2/posts?per_page=2&page=2');
    expect(headers.get('link')).toMatch(/page=1>; rel="prev", .*page=3>; rel="next"/);
    const { body } = await call(null, `GET /core/v2/posts/${pictured?.id}?_embed=wp:featuredmedia`);
    expect(body._embedded['wp:featuredmedia'][0]).toMatchObject({
      id: pictured?.featuredMedia,
      media_type: 'image',
    });
  });

  test('has unpublished posts for editors', async () => {
    const drafts = all().filter(({ kind, status }) => kind === 'post' && status === 'draft');
    expect((await ids('status=draft', 'editor')).sort()).toEqual(drafts.map(({ id }) => id).sort());
  });

  test('has generated excerpts of `excerpt_length`', async () => {
    const post = published().find(({ excerpt, password }) => excerpt === '' && password === '');
    const { body } = await call(null, `GET /core/v2/posts/${post?.id}?excerpt_length=3`);
    expect(body.excerpt.rendered).toMatch(/^<p>(?:\S+ ){3}\[&hellip;\]<\/p>\n$/);
  });
});
