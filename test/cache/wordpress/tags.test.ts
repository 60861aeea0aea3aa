import { describe, expect, test } from 'vitest';
import { routeTags } from '../../../src/cache/wordpress/resource-map.ts';
import {
  alternateTags,
  createBodyTagger,
  headerTags,
  LinkParser,
  mentionTags,
} from '../../../src/cache/wordpress/response-tags.ts';
import { computeWriteInvalidation, type SiteWrite } from '../../../src/cache/wordpress/write-invalidation.ts';
import type { Json } from '../../../src/json.ts';
import { locate, prettySite, resources } from './resource-fixture.ts';

const links = new LinkParser(prettySite);
const bodyTags = createBodyTagger(resources, links);

/** A stored response: its route, query values and body. */
interface StoredCase {
  readonly route: string;
  readonly values?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

function tagsOf({ route, values = {}, body = defaultBody(route) }: StoredCase): ReadonlySet<string> {
  const location = locate(route);
  const queryValues = new Map(Object.entries(values));
  const scope = {
    location,
    embeds: queryValues.has('_embed'),
    hasFieldFilter: queryValues.has('_fields'),
  };
  const text = JSON.stringify(body).replaceAll('/', '\\/');
  return new Set([...routeTags(location, { values: queryValues }, resources), ...bodyTags(text, scope)]);
}

/** An empty list, or an item with its link. */
function defaultBody(route: string): Json {
  return locate(route).itemPath === null ? [] : { _links: { self: [{ href: url(route) }] } };
}

function invalidates(write: Partial<SiteWrite> & { readonly route: string }, stored: StoredCase): boolean {
  const { route, ...rest } = write;
  const complete = {
    method: 'POST',
    status: 200,
    sentParameters: new Map(),
    responseBody: undefined,
    ...rest,
    location: locate(route),
  };
  const invalidated = computeWriteInvalidation(complete, resources)?.tags ?? [];
  const tags = tagsOf(stored);
  return invalidated.some((tag) => tags.has(tag));
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

describe('an argument that names another resource makes an empty list depend on it', () => {
  const remove = { method: 'DELETE', sentParameters: new Map([['force', 'true']]) };
  const hide = { sentParameters: new Map([['status', 'private']]) };
  const post12 = { id: 12, status: 'publish', categories: [3], tags: [] };
  test.each<[string, Partial<SiteWrite> & { readonly route: string }, StoredCase]>([
    [
      'the terms of a deleted post',
      { route: '/wp/v2/posts/12', ...remove, responseBody: { deleted: true, previous: post12 } },
      { route: '/wp/v2/tags', values: { post: 12 } },
    ],
    [
      'the terms of a hidden post',
      { route: '/wp/v2/posts/12', ...hide, responseBody: { ...post12, status: 'private' } },
      { route: '/wp/v2/tags', values: { post: '12' } },
    ],
    [
      'the comments of a hidden page',
      { route: '/wp/v2/pages/12', ...hide },
      { route: '/wp/v2/comments', values: { post: [11, 12] } },
    ],
    [
      'the files of a deleted book',
      { route: '/wp/v2/books/12', ...remove },
      { route: '/wp/v2/media', values: { parent: 12 } },
    ],
    [
      'the posts of a deleted author',
      { route: '/wp/v2/users/2', method: 'DELETE', sentParameters: new Map([['reassign', 1]]) },
      { route: '/wp/v2/posts', values: { author: 2, include: 5 } },
    ],
    [
      'the posts without a deleted tag',
      { route: '/wp/v2/tags/7', ...remove },
      { route: '/wp/v2/posts', values: { tags_exclude: { terms: [7] }, slug: 'a' } },
    ],
    [
      'the children of a deleted page',
      { route: '/wp/v2/pages/30', ...remove },
      { route: '/wp/v2/pages', values: { parent: 30, include: 5 } },
    ],
    [
      'the replies to a deleted comment',
      { route: '/wp/v2/comments/3', ...remove },
      { route: '/wp/v2/comments', values: { parent: 3, include: 5 } },
    ],
  ])('%s', (_, write, stored) => {
    expect(invalidates(write, stored)).toBe(true);
  });

  test('and one of a plugin, by the id', () => {
    const deleted = computeWriteInvalidation(
      { ...remove, location: locate('/wp/v2/posts/12'), status: 200, responseBody: undefined },
      resources,
    );
    const purges = (route: string, values: Readonly<Record<string, Json>>) => {
      const tags = mentionTags(route, new Map(Object.entries(values)), '[]');
      return deleted.tags.some((tag) => tags.has(tag));
    };
    expect(purges('/boards/v1/notes', { post: 12 })).toBe(true);
    expect(purges('/boards/v1/notes', { posts: '4,12' })).toBe(true);
    expect(purges('/boards/v1/posts/12/notes', {})).toBe(true);
    // The last number of a path is an id of the plugin's own.
    expect(purges('/boards/v1/boards/12', {})).toBe(false);
    expect(purges('/boards/v1/notes', { page: 12, per_page: 12 })).toBe(false);
  });
});

describe('the tags of a page', () => {
  const tags = (link: string) =>
    alternateTags({ status: 200, reason: '', headers: ['Link', link] }, links, resources);
  const alternate = (route: string, attributes = '') =>
    `<https://example.com/blog/wp-json/>; rel="https://api.w.org/", <${url(route)}>; rel="alternate"${attributes}; type="application/json", <https://example.com/blog/?p=12>; rel=shortlink`;

  test.each(['', '; title="JSON"'])(
    'are those of the post that it says it shows, and of its comments%s',
    (attributes) => {
      expect(tags(alternate('/wp/v2/posts/12', attributes))).toEqual([
        '/wp/v2/posts/12',
        '>#12',
        '/wp/v2/comments?post',
        '/wp/v2/comments?post=12',
      ]);
    },
  );

  test.each([
    [
      'another site',
      '<https://other.example/wp-json/wp/v2/posts/12>; rel="alternate"; type="application/json"',
    ],
    ['a feed', `<${url('/wp/v2/posts/12')}>; rel="alternate"; type="application/rss+xml"`],
    ['a list', alternate('/wp/v2/posts')],
  ])('are none for %s', (_, link) => {
    expect(tags(link)).toEqual([]);
  });

  test.each<[string, Partial<SiteWrite> & { readonly route: string }, boolean]>([
    ['its title', { route: '/wp/v2/posts/12', sentParameters: new Map([['title', 'a']]) }, true],
    ['another post', { route: '/wp/v2/posts/13', sentParameters: new Map([['title', 'a']]) }, false],
    [
      'a comment on it',
      { route: '/wp/v2/comments', responseBody: { id: 5, post: 12, status: 'approved' } },
      true,
    ],
    [
      'a changed comment',
      {
        route: '/wp/v2/comments/5',
        sentParameters: new Map([['content', 'a']]),
        responseBody: { id: 5, post: 12 },
      },
      true,
    ],
    [
      'a comment on another post',
      { route: '/wp/v2/comments', responseBody: { id: 5, post: 13, status: 'approved' } },
      false,
    ],
  ])('%s', (_, write, expected) => {
    const { route, ...rest } = write;
    const complete = { method: 'POST', status: 200, sentParameters: new Map(), responseBody: undefined };
    const purged = computeWriteInvalidation({ ...complete, ...rest, location: locate(route) }, resources);
    const page = tags(alternate('/wp/v2/posts/12'));
    expect(purged.tags.some((tag) => page.includes(tag))).toBe(expected);
  });
});

describe('the tags of a response', () => {
  test.each([
    [
      'contain its items, by their self links',
      { route: '/wp/v2/posts', body: [post(1), post(2)] },
      ['/wp/v2/posts/1', '/wp/v2/posts/2'],
    ],
    [
      'contain references to linked items',
      { route: '/wp/v2/posts/1', body: post(1) },
      ['>/wp/v2/users/2', '>/wp/v2/media/9'],
    ],
    ['contain references to its terms', { route: '/wp/v2/posts/1', body: post(1) }, ['>/wp/v2/categories/3']],
    [
      'contain references to terms after an empty list',
      { route: '/wp/v2/posts/1', body: post(1, { categories: [], tags: [7] }) },
      ['>/wp/v2/tags/7'],
    ],
    [
      'contain embedded items and lists',
      { route: '/wp/v2/posts/1', values: { _embed: '' }, body: post(1) },
      ['/wp/v2/users/2', '/wp/v2/comments?post=1'],
    ],
    [
      'contain those of any item when fields are selected',
      { route: '/wp/v2/posts', values: { _fields: 'title' }, body: [{ title: 'a' }] },
      ['/wp/v2/posts#any', '>#any'],
    ],
    [
      'contain that of dynamic blocks in the content',
      { route: '/wp/v2/posts/1', body: post(1, { content: '<ul class="wp-block-latest-posts">' }) },
      ['#dynamic'],
    ],
    [
      'contain that of rendered content where markup is not known to be static',
      { route: '/wp/v2/media/1', body: { caption: "<ul class='of-a-plugin'>" } },
      ['#dynamic'],
    ],
    [
      'contain its path and the paths above it',
      { route: '/WP/v2/posts/1/revisions' },
      ['/', '/wp/v2', '/wp/v2/posts', '/wp/v2/posts/1', '/wp/v2/posts/1/revisions'],
    ],
  ] satisfies readonly (readonly [string, StoredCase, readonly string[]])[])('%s', (_, stored, expected) => {
    expect([...tagsOf(stored)]).toEqual(expect.arrayContaining([...expected]));
  });

  test('do not contain that of rendered content for static blocks', () => {
    const content =
      '<p class="has-large-font-size"><img class="wp-image-5 size-large"/></p><div class="wp-block-group">';
    expect([...tagsOf({ route: '/wp/v2/posts/1', body: post(1, { content }) })]).not.toContain('#dynamic');
  });

  test('do not contain that of rendered content for the markup of an embed', () => {
    const body = { html: '<blockquote class="wp-embedded-content"></blockquote><script>' };
    expect([...tagsOf({ route: '/oembed/1.0/embed', body })]).not.toContain('#dynamic');
  });

  test('do not contain links in the text of a field', () => {
    const body = post(1, { content: JSON.stringify(post(5)) });
    expect([...tagsOf({ route: '/wp/v2/posts/1', body })]).not.toContain('/wp/v2/posts/5');
  });

  test('do not contain links to other sites', () => {
    const body = { _links: { self: [{ href: 'https://elsewhere.example.com/wp-json/wp/v2/posts/5' }] } };
    expect([...tagsOf({ route: '/wp/v2/posts/1', body })]).not.toContain('/wp/v2/posts/5');
  });

  test('are found in plain permalinks, with either scheme and without escaped slashes', () => {
    for (const href of [
      'http://example.com/blog/index.php?rest_route=/wp/v2/posts/5',
      'https://example.com/blog/?rest_route=%2Fwp%2Fv2%2Fposts%2F5&x=1',
      'http://example.com/blog/wp-json/wp/v2/posts/5?x=1',
    ]) {
      expect(links.parse(href, 0, href.length)?.route).toBe('/wp/v2/posts/5');
    }
  });

  test('are bounded: a response with very many items has the tag of their collection', () => {
    const body = Array.from({ length: 900 }, (_, index) => post(index + 1));
    const tags = tagsOf({ route: '/wp/v2/posts', body });
    expect(tags.size).toBeLessThan(500);
    expect(
      invalidates(
        { route: '/wp/v2/posts/900', sentParameters: new Map([['title', 'a']]) },
        { route: '/wp/v2/posts', body },
      ),
    ).toBe(true);
  });

  test('contain the surrogate keys that the site states', () => {
    const headers = ['Surrogate-Key', 'a b', 'cache-tag', 'c, d', 'xkey', 'e'];
    expect(headerTags({ status: 200, reason: '', headers })).toEqual(['!a', '!b', '!c', '!d', '!e']);
  });
});

describe('a write invalidates', () => {
  const title = new Map<string, Json>([['title', 'Another']]);
  const categories = new Map<string, Json>([['categories', [4]]]);
  const list = (
    values: Readonly<Record<string, Json>> = {},
    items: readonly number[] = [7, 8],
  ): StoredCase => ({
    route: '/wp/v2/posts',
    values,
    body: items.map((id) => post(id)),
  });
  const creation = { method: 'POST', status: 201, responseBody: post(12) } as const;

  test.each([
    [
      'the item itself',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/posts/1' },
      true,
    ],
    ['no other item', { route: '/wp/v2/posts/1', sentParameters: title }, { route: '/wp/v2/posts/2' }, false],
    [
      'no item whose id only has the same prefix',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/posts/12' },
      false,
    ],
    [
      'the paths below the item',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/posts/1/revisions' },
      true,
    ],
    ['a list that contains the item', { route: '/wp/v2/posts/7', sentParameters: title }, list(), true],
    ['no list without the item', { route: '/wp/v2/posts/1', sentParameters: title }, list(), false],
    [
      'a list that is ordered by the written field',
      { route: '/wp/v2/posts/1', sentParameters: title },
      list({ orderby: 'title' }),
      true,
    ],
    [
      'a list that is ordered by modification date',
      { route: '/wp/v2/posts/1', sentParameters: title },
      list({ orderby: 'modified' }),
      true,
    ],
    ['a search', { route: '/wp/v2/posts/1', sentParameters: title }, list({ search: 'a' }), true],
    [
      'a list with an unknown parameter',
      { route: '/wp/v2/posts/1', sentParameters: title },
      list({ of_a_plugin: '1' }),
      true,
    ],
    [
      'any list when the written fields are unknown',
      { route: '/wp/v2/posts/1', sentParameters: null },
      list({ categories: [9] }),
      true,
    ],
    ['lists, when it creates an item', { route: '/wp/v2/posts', ...creation }, list(), true],
    [
      'lists of the category of a new item',
      { route: '/wp/v2/posts', ...creation },
      list({ categories: [3] }),
      true,
    ],
    ['no list of another category', { route: '/wp/v2/posts', ...creation }, list({ categories: [4] }), false],
    [
      'no other item when it creates one',
      { route: '/wp/v2/posts', ...creation },
      { route: '/wp/v2/posts/2' },
      false,
    ],
    [
      'the path of a new item, which had none',
      { route: '/wp/v2/posts', ...creation },
      { route: '/wp/v2/posts/12' },
      true,
    ],
    [
      'the post count of its category',
      { route: '/wp/v2/posts', ...creation },
      { route: '/wp/v2/categories', body: [{ _links: { self: [{ href: url('/wp/v2/categories/3') }] } }] },
      true,
    ],
    [
      'all post counts when the categories change',
      { route: '/wp/v2/posts/1', sentParameters: categories },
      { route: '/wp/v2/categories/8' },
      true,
    ],
    [
      'no post counts when only the title changes',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/categories/3' },
      false,
    ],
    [
      'searches for posts',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/search', values: { search: 'a' } },
      true,
    ],
    [
      'no searches for terms',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/search', values: { type: 'term' } },
      false,
    ],
    [
      'no pages when a post changes',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/pages' },
      false,
    ],
    [
      'responses that embed a user',
      { route: '/wp/v2/users/2', sentParameters: new Map([['name', 'a']]) },
      { ...list({ _embed: '' }), route: '/wp/v2/posts' },
      true,
    ],
    [
      'no responses that only reference the user',
      { route: '/wp/v2/users/2', sentParameters: new Map([['name', 'a']]) },
      {
        route: '/wp/v2/comments/5',
        body: {
          _links: {
            self: [{ href: url('/wp/v2/comments/5') }],
            author: [{ embeddable: true, href: url('/wp/v2/users/2') }],
          },
        },
      },
      false,
    ],
    [
      'responses that reference a deleted user',
      { route: '/wp/v2/users/2', method: 'DELETE', sentParameters: title },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      'posts of a deleted category',
      { route: '/wp/v2/categories/3', method: 'DELETE' },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      'posts with a deleted image',
      { route: '/wp/v2/media/9', method: 'DELETE' },
      { route: '/wp/v2/posts/1', body: post(1) },
      true,
    ],
    [
      "the list of a post's comments when one is created",
      { route: '/wp/v2/comments', status: 201, responseBody: { id: 5, post: 1, parent: 0 } },
      { route: '/wp/v2/comments', values: { post: [1] } },
      true,
    ],
    [
      'the terms of a post when the response to the write leaves them out',
      {
        route: '/wp/v2/posts',
        status: 201,
        sentParameters: new Map<string, Json>([
          ['_fields', 'id'],
          ['status', 'publish'],
        ]),
        responseBody: { id: 12 },
      },
      { route: '/wp/v2/categories/3' },
      true,
    ],
    [
      'pages below a renamed page, at any depth',
      { route: '/wp/v2/pages/1', sentParameters: new Map([['slug', 'a']]) },
      { route: '/wp/v2/pages/4' },
      true,
    ],
    [
      'comments by a user whose e-mail address changes',
      { route: '/wp/v2/users/2', sentParameters: new Map([['email', 'a@example.com']]) },
      {
        route: '/wp/v2/comments/5',
        body: { _links: { author: [{ embeddable: true, href: url('/wp/v2/users/2') }] } },
      },
      true,
    ],
    [
      'all content on a site with plugins when a name changes that they may render as text',
      { route: '/wp/v2/users/2', sentParameters: new Map([['name', 'a']]) },
      { route: '/wp/v2/pages/4', body: post(4, { content: 'by a' }) },
      true,
    ],
    [
      'posts with a picture that is deleted',
      { route: '/wp/v2/media/9', method: 'DELETE', sentParameters: new Map([['force', true]]) },
      { route: '/wp/v2/posts/1', body: post(1, { content: '<img class="wp-image-9"/>' }) },
      true,
    ],
    [
      'content that a setting is part of',
      { route: '/wp/v2/settings', sentParameters: new Map([['title', 'a']]) },
      { route: '/wp/v2/posts/1', body: post(1, { content: '<h1 class="wp-block-site-title">' }) },
      true,
    ],
    [
      "lists of comments on other filters when a post's password changes",
      { route: '/wp/v2/posts/1', sentParameters: new Map([['password', '']]) },
      { route: '/wp/v2/comments', values: { parent: [0] } },
      true,
    ],
    [
      'lists whose items have no links',
      { route: '/wp/v2/posts/1', sentParameters: title },
      { route: '/wp/v2/posts', body: [{ id: 1, title: 'a' }] },
      true,
    ],
    [
      "no list of another post's comments",
      { route: '/wp/v2/comments', status: 201, responseBody: { id: 5, post: 1, parent: 0 } },
      { route: '/wp/v2/comments', values: { post: [2] } },
      false,
    ],
    [
      'everything when a setting may influence any response',
      { route: '/wp/v2/settings', sentParameters: new Map([['language', 'de']]) },
      { route: '/wp/v2/posts/1' },
      true,
    ],
    [
      'no comments when only the name of the site changes',
      { route: '/wp/v2/settings', sentParameters: new Map([['title', 'a']]) },
      { route: '/wp/v2/comments/1' },
      false,
    ],
    [
      'the root index when the name of the site changes',
      { route: '/wp/v2/settings', sentParameters: new Map([['title', 'a']]) },
      { route: '/' },
      true,
    ],
    [
      'nothing when it creates an application password',
      { route: '/wp/v2/users/2/application-passwords' },
      { route: '/wp/v2/users/2' },
      false,
    ],
    [
      'other collections of a plugin by its groups, not by tags',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/members/1', body: { _links: { self: [{ href: url('/boards/v1/members/1') }] } } },
      false,
    ],
    [
      'the lists of a plugin',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards' },
      true,
    ],
    [
      'the paths below the same item',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards/3' },
      true,
    ],
    [
      'no paths below another item',
      { route: '/boards/v1/boards/3/tasks', status: 201 },
      { route: '/boards/v1/boards/4/tasks' },
      false,
    ],
    [
      'the paths below another item whose id was sent',
      { route: '/boards/v1/boards/3/tasks', sentParameters: new Map([['board_id', 4]]) },
      { route: '/boards/v1/boards/4/tasks' },
      true,
    ],
    [
      'nothing that anonymous clients see: a new draft',
      { route: '/wp/v2/posts', method: 'POST', status: 201, responseBody: post(12, { status: 'draft' }) },
      list(),
      false,
    ],
    [
      'nothing that anonymous clients see: the title of a draft',
      { route: '/wp/v2/posts/12', sentParameters: title, responseBody: post(12, { status: 'draft' }) },
      list({ search: 'a' }),
      false,
    ],
    [
      'lists, when a post becomes a draft',
      {
        route: '/wp/v2/posts/12',
        sentParameters: new Map([['status', 'draft']]),
        responseBody: post(12, { status: 'draft' }),
      },
      list(),
      true,
    ],
    [
      'lists, when a post comes into the bin',
      { route: '/wp/v2/posts/12', method: 'DELETE', responseBody: post(12, { status: 'trash' }) },
      list(),
      true,
    ],
    [
      'comments of a draft that is deleted',
      {
        route: '/wp/v2/posts/12',
        method: 'DELETE',
        sentParameters: new Map([['force', true]]),
        responseBody: { deleted: true, previous: post(12, { status: 'draft' }) },
      },
      { route: '/wp/v2/comments' },
      true,
    ],
    [
      'no searches: the deletion of a post in the bin',
      {
        route: '/wp/v2/posts/12',
        method: 'DELETE',
        sentParameters: new Map([['force', true]]),
        responseBody: { deleted: true, previous: post(12, { status: 'trash' }) },
      },
      { route: '/wp/v2/search' },
      false,
    ],
    [
      'the root index, which names the front page',
      { route: '/wp/v2/pages/30', method: 'DELETE' },
      { route: '/', body: { name: 'A' } },
      true,
    ],
    [
      'no terms: a deleted user whose posts are reassigned',
      { route: '/wp/v2/users/2', method: 'DELETE', sentParameters: new Map([['reassign', '1']]) },
      { route: '/wp/v2/categories' },
      false,
    ],
    [
      'terms: a deleted user whose posts are deleted',
      { route: '/wp/v2/users/2', method: 'DELETE', sentParameters: new Map([['reassign', 'false']]) },
      { route: '/wp/v2/categories' },
      true,
    ],
    [
      'posts by author: a deleted user whose posts are reassigned',
      { route: '/wp/v2/users/2', method: 'DELETE', sentParameters: new Map([['reassign', '1']]) },
      { route: '/wp/v2/posts', values: { author: '1' } },
      true,
    ],
    [
      'posts with a tag whose slug changes',
      { route: '/wp/v2/tags/7', sentParameters: new Map([['slug', 'a']]) },
      { route: '/wp/v2/posts/1', body: post(1, { tags: [7] }) },
      true,
    ],
    [
      'no posts with another tag than that whose slug changes',
      { route: '/wp/v2/tags/7', sentParameters: new Map([['slug', 'a']]) },
      { route: '/wp/v2/posts/1', body: post(1, { tags: [8] }) },
      false,
    ],
    [
      'posts below a category whose slug changes',
      { route: '/wp/v2/categories/3', sentParameters: new Map([['slug', 'a']]) },
      { route: '/wp/v2/posts/1', body: post(1, { categories: [4] }) },
      true,
    ],
    [
      'what a post of WordPress would: a post of a type of a plugin',
      { route: '/wp/v2/books', method: 'POST', status: 201, responseBody: { id: 4 } },
      { route: '/wp/v2/search', values: { type: 'post' } },
      true,
    ],
    [
      'other namespaces by its groups, not by tags',
      { route: '/boards/v1/boards/3', sentParameters: title },
      { route: '/wp/v2/posts/3', body: post(3) },
      false,
    ],
  ] satisfies readonly (readonly [string, Partial<SiteWrite> & { route: string }, StoredCase, boolean])[])(
    '%s',
    (_, write, stored, expected) => {
      expect(invalidates(write, stored)).toBe(expected);
    },
  );

  test.each([
    ['WordPress: plugins', '/wp/v2/posts/1', 200, ['text', 'other', 'pages']],
    ['WordPress, after an error: everything', '/wp/v2/posts/1', 500, ['core', 'text', 'other', 'pages']],
    ['WordPress, without a response: everything', '/wp/v2/posts/1', null, ['core', 'text', 'other', 'pages']],
    ['a plugin: everything', '/boards/v1/boards/3', 200, ['core', 'text', 'other', 'pages']],
    ['a post type of a plugin: everything', '/wp/v2/books/3', 200, ['core', 'text', 'other', 'pages']],
    ['an unknown route: everything', '/unknown', 200, ['core', 'text', 'other', 'pages']],
    [
      'a route of WordPress whose dependencies are unknown: everything',
      '/wp/v2/anything',
      200,
      ['core', 'text', 'other', 'pages'],
    ],
  ] as const)('groups that may depend on a write to %s', (_, route, status, groups) => {
    const write = {
      method: 'POST',
      location: locate(route),
      status,
      sentParameters: new Map(),
      responseBody: undefined,
    };
    expect(computeWriteInvalidation(write, resources).groups).toEqual(groups);
  });
});
