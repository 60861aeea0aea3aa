import { describe, expect, test } from 'vitest';
import { createBodyTagger } from '../../../src/cache/wordpress/body-tags.ts';
import { headerTags } from '../../../src/cache/wordpress/header-tags.ts';
import { createLinkParser } from '../../../src/cache/wordpress/link-parser.ts';
import { routeTags } from '../../../src/cache/wordpress/list-tags.ts';
import { computeInvalidation, type SiteWrite } from '../../../src/cache/wordpress/write-invalidation.ts';
import type { Json } from '../../../src/json.ts';
import { locate, prettySite, resources } from './resource-fixture.ts';

const links = createLinkParser(prettySite);
const bodyTags = createBodyTagger(resources, links);

/** An answer of the stored site: the route that was asked for, what was asked of it, and its body. */
interface Stored {
  readonly route: string;
  readonly values?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

function tagsOf({ route, values = {}, body = {} }: Stored): ReadonlySet<string> {
  const at = locate(route);
  const asked = new Map(Object.entries(values));
  const shown = { location: at, embeds: asked.has('_embed'), hasFieldFilter: asked.has('_fields') };
  const text = JSON.stringify(body).replaceAll('/', '\\/');
  return new Set([...routeTags(at, { values: asked }, resources), ...bodyTags(text, shown)]);
}

function strikes(write: Partial<SiteWrite> & { readonly route: string }, stored: Stored): boolean {
  const { route, ...rest } = write;
  const whole = {
    method: 'POST',
    status: 200,
    sentFields: new Map(),
    responseBody: undefined,
    ...rest,
    location: locate(route),
  };
  const struck = computeInvalidation(whole, resources)?.tags ?? [];
  const tags = tagsOf(stored);
  return struck.some((tag) => tags.has(tag));
}

const url = (route: string): string => `https://example.com/blog/wp-json${route}`;

function post(id: number, more: Record<string, Json> = {}): Json {
  return {
    id,
    categories: [3],
    tags: [],
    ...more,
    _links: {
      self: [{ href: url(`/wp/v2/posts/${id}`) }],
      author: [{ embeddable: true, href: url('/wp/v2/users/2') }],
      replies: [{ embeddable: true, href: url(`/wp/v2/comments?post=${id}`) }],
      'wp:featuredmedia': [{ embeddable: true, href: url('/wp/v2/media/9') }],
    },
  };
}

describe('what an answer shows', () => {
  test.each([
    [
      'its items, by their own links',
      { route: '/wp/v2/posts', body: [post(1), post(2)] },
      ['/wp/v2/posts/1', '/wp/v2/posts/2'],
    ],
    [
      'who is named in it',
      { route: '/wp/v2/posts/1', body: post(1) },
      ['>/wp/v2/users/2', '>/wp/v2/media/9'],
    ],
    ['its terms', { route: '/wp/v2/posts/1', body: post(1) }, ['>/wp/v2/categories/3']],
    [
      'its terms behind a list that is empty',
      { route: '/wp/v2/posts/1', body: post(1, { categories: [], tags: [7] }) },
      ['>/wp/v2/tags/7'],
    ],
    [
      'what is embedded',
      { route: '/wp/v2/posts/1', values: { _embed: '' }, body: post(1) },
      ['/wp/v2/users/2', '/wp/v2/comments?post=1'],
    ],
    [
      'anything, where links are left out',
      { route: '/wp/v2/posts', values: { _fields: 'title' }, body: [{ title: 'a' }] },
      ['/wp/v2/posts#any', '>#any'],
    ],
    [
      'other posts, in its content',
      { route: '/wp/v2/posts/1', body: post(1, { content: '<ul class="wp-block-latest-posts">' }) },
      ['#dynamic'],
    ],
    [
      'its path and all above',
      { route: '/WP/v2/posts/1/revisions' },
      ['/', '/wp/v2', '/wp/v2/posts', '/wp/v2/posts/1', '/wp/v2/posts/1/revisions'],
    ],
  ] satisfies readonly (readonly [string, Stored, readonly string[]])[])('%s', (_, stored, expected) => {
    expect([...tagsOf(stored)]).toEqual(expect.arrayContaining([...expected]));
  });

  test('is not what a text in it says', () => {
    const body = post(1, { content: JSON.stringify(post(5)) });
    expect([...tagsOf({ route: '/wp/v2/posts/1', body })]).not.toContain('/wp/v2/posts/5');
  });

  test('is not held against other sites', () => {
    const body = { _links: { self: [{ href: 'https://elsewhere.example.com/wp-json/wp/v2/posts/5' }] } };
    expect([...tagsOf({ route: '/wp/v2/posts/1', body })]).not.toContain('/wp/v2/posts/5');
  });

  test('is found by plain addresses, either scheme, and what a plugin left unescaped', () => {
    for (const href of [
      'http://example.com/blog/index.php?rest_route=/wp/v2/posts/5',
      'https://example.com/blog/?rest_route=%2Fwp%2Fv2%2Fposts%2F5&x=1',
      'http://example.com/blog/wp-json/wp/v2/posts/5?x=1',
    ]) {
      expect(links.parse(href, 0, href.length)?.route).toBe('/wp/v2/posts/5');
    }
  });

  test('has a bound: of a great many items the collection is remembered', () => {
    const body = Array.from({ length: 900 }, (_, at) => post(at + 1));
    const tags = tagsOf({ route: '/wp/v2/posts', body });
    expect(tags.size).toBeLessThan(500);
    expect(
      strikes(
        { route: '/wp/v2/posts/900', sentFields: new Map([['title', 'a']]) },
        { route: '/wp/v2/posts', body },
      ),
    ).toBe(true);
  });

  test('and what the site calls it', () => {
    const headers = ['Surrogate-Key', 'a b', 'cache-tag', 'c, d', 'xkey', 'e'];
    expect(headerTags({ status: 200, reason: '', headers })).toEqual(['!a', '!b', '!c', '!d', '!e']);
  });
});

describe('what a write strikes, and what not', () => {
  const title = new Map<string, Json>([['title', 'Another']]);
  const categories = new Map<string, Json>([['categories', [4]]]);
  const list = (values: Readonly<Record<string, Json>> = {}, items: readonly number[] = [7, 8]): Stored => ({
    route: '/wp/v2/posts',
    values,
    body: items.map((id) => post(id)),
  });
  const made = { method: 'POST', status: 201, responseBody: post(12) } as const;

  test.each([
    ['the item', { route: '/wp/v2/posts/1', sentFields: title }, { route: '/wp/v2/posts/1' }, true],
    ['no other item', { route: '/wp/v2/posts/1', sentFields: title }, { route: '/wp/v2/posts/2' }, false],
    [
      'no item whose number begins alike',
      { route: '/wp/v2/posts/1', sentFields: title },
      { route: '/wp/v2/posts/12' },
      false,
    ],
    [
      'what is below the item',
      { route: '/wp/v2/posts/1', sentFields: title },
      { route: '/wp/v2/posts/1/revisions' },
      true,
    ],
    ['a list that shows it', { route: '/wp/v2/posts/7', sentFields: title }, list(), true],
    ['no list that does not', { route: '/wp/v2/posts/1', sentFields: title }, list(), false],
    [
      'a list in the order of what was written',
      { route: '/wp/v2/posts/1', sentFields: title },
      list({ orderby: 'title' }),
      true,
    ],
    [
      'a list in the order of modification',
      { route: '/wp/v2/posts/1', sentFields: title },
      list({ orderby: 'modified' }),
      true,
    ],
    ['a search', { route: '/wp/v2/posts/1', sentFields: title }, list({ search: 'a' }), true],
    [
      'a list by what nobody knows',
      { route: '/wp/v2/posts/1', sentFields: title },
      list({ of_a_plugin: '1' }),
      true,
    ],
    [
      'any list, where it is not known what was written',
      { route: '/wp/v2/posts/1', sentFields: null },
      list({ categories: [9] }),
      true,
    ],
    ['lists, by what is new', { route: '/wp/v2/posts', ...made }, list(), true],
    ['lists of its category', { route: '/wp/v2/posts', ...made }, list({ categories: [3] }), true],
    ['no list of another category', { route: '/wp/v2/posts', ...made }, list({ categories: [4] }), false],
    ['no item, by what is new', { route: '/wp/v2/posts', ...made }, { route: '/wp/v2/posts/2' }, false],
    [
      'its own address, where nothing was',
      { route: '/wp/v2/posts', ...made },
      { route: '/wp/v2/posts/12' },
      true,
    ],
    [
      'the count of its category',
      { route: '/wp/v2/posts', ...made },
      { route: '/wp/v2/categories', body: [{ _links: { self: [{ href: url('/wp/v2/categories/3') }] } }] },
      true,
    ],
    [
      'all counts, where it has left a category',
      { route: '/wp/v2/posts/1', sentFields: categories },
      { route: '/wp/v2/categories/8' },
      true,
    ],
    [
      'no counts, by a title',
      { route: '/wp/v2/posts/1', sentFields: title },
      { route: '/wp/v2/categories/3' },
      false,
    ],
    [
      'the search of the site',
      { route: '/wp/v2/posts/1', sentFields: title },
      { route: '/wp/v2/search', values: { search: 'a' } },
      true,
    ],
    [
      'no search for terms',
      { route: '/wp/v2/posts/1', sentFields: title },
      { route: '/wp/v2/search', values: { type: 'term' } },
      false,
    ],
    ['no pages, by a post', { route: '/wp/v2/posts/1', sentFields: title }, { route: '/wp/v2/pages' }, false],
    [
      'what has embedded a user',
      { route: '/wp/v2/users/2', sentFields: new Map([['name', 'a']]) },
      { ...list({ _embed: '' }), route: '/wp/v2/posts' },
      true,
    ],
    [
      'not what names the user only',
      { route: '/wp/v2/users/2', sentFields: new Map([['name', 'a']]) },
      list(),
      false,
    ],
    [
      'what names a user who is gone',
      { route: '/wp/v2/users/2', method: 'DELETE', sentFields: title },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      'posts of a category that is gone',
      { route: '/wp/v2/categories/3', method: 'DELETE' },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      'posts with a picture that is gone',
      { route: '/wp/v2/media/9', method: 'DELETE' },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      "a post's comments, by a new one",
      { route: '/wp/v2/comments', status: 201, responseBody: { id: 5, post: 1, parent: 0 } },
      { route: '/wp/v2/comments', values: { post: [1] } },
      true,
    ],
    [
      "no other post's comments",
      { route: '/wp/v2/comments', status: 201, responseBody: { id: 5, post: 1, parent: 0 } },
      { route: '/wp/v2/comments', values: { post: [2] } },
      false,
    ],
    [
      'everything, by a setting that may show anywhere',
      { route: '/wp/v2/settings', sentFields: new Map([['language', 'de']]) },
      { route: '/wp/v2/posts/1' },
      true,
    ],
    [
      'only the index, by the name of the site',
      { route: '/wp/v2/settings', sentFields: new Map([['title', 'a']]) },
      { route: '/wp/v2/posts/1' },
      false,
    ],
    ['the index', { route: '/wp/v2/settings', sentFields: new Map([['title', 'a']]) }, { route: '/' }, true],
    [
      'nothing, by an application password',
      { route: '/wp/v2/users/2/application-passwords' },
      { route: '/wp/v2/users/2' },
      false,
    ],
    [
      "a plugin's other collections",
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/members/1' },
      true,
    ],
    [
      "a plugin's lists",
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards' },
      true,
    ],
    [
      'what is below the same item',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards/3' },
      true,
    ],
    [
      'not what is below another item',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards/4/tasks' },
      false,
    ],
    [
      'unless the other is named',
      { route: '/boards/v1/boards/3/tasks', sentFields: new Map([['board_id', 4]]) },
      { route: '/boards/v1/boards/4/tasks' },
      true,
    ],
    [
      'no other namespace',
      { route: '/boards/v1/boards/3', sentFields: title },
      { route: '/wp/v2/posts/3' },
      false,
    ],
  ] satisfies readonly (readonly [string, Partial<SiteWrite> & { route: string }, Stored, boolean])[])(
    '%s',
    (_, write, stored, expected) => {
      expect(strikes(write, stored)).toBe(expected);
    },
  );

  test.each([
    ['a read', { method: 'GET', status: 200 }, null],
    ['what the site refused', { method: 'POST', status: 403 }, null],
    ['a success', { method: 'POST', status: 201 }, 'hard'],
    ['a redirect', { method: 'POST', status: 302 }, 'hard'],
    ['what may have happened: an error of the site', { method: 'POST', status: 500 }, 'soft'],
    ['what may have happened: no answer', { method: 'DELETE', status: null }, 'soft'],
    ['a method of a plugin', { method: 'PURGE', status: 200 }, 'hard'],
  ] as const)('%s', (_, outcome, mode) => {
    const write = {
      ...outcome,
      location: locate('/wp/v2/posts/1'),
      sentFields: new Map(),
      responseBody: undefined,
    };
    expect(computeInvalidation(write, resources)?.mode ?? null).toBe(mode);
  });
});
