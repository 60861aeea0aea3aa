import { describe, expect, test } from 'vitest';
import { readItemState } from '../../../src/cache/dependencies/item-states.ts';
import {
  bodyTags,
  findShownItem,
  headerTags,
  mentionTags,
  readItemTags,
  routeTags,
  SiteLinks,
} from '../../../src/cache/dependencies/response-tags.ts';
import { type SiteWrite, selectWritten } from '../../../src/cache/dependencies/write-rules.ts';
import type { Json } from '../../../src/json.ts';
import { locate, prettySite, resources } from './resource-fixture.ts';

const links = new SiteLinks(prettySite, [], resources);

/** A stored response: its route, query values and body. */
interface StoredCase {
  readonly route: string;
  readonly values?: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

function tagsOf({ route, values = {}, body = defaultBody(route) }: StoredCase): ReadonlySet<string> {
  const queryValues = new Map(Object.entries(values));
  const text = JSON.stringify(body).replaceAll('/', '\\/');
  const location = locate(route);
  return new Set([...routeTags(location, queryValues), ...bodyTags(location, queryValues, text, links)]);
}

/** An empty list, or an item with its link. */
function defaultBody(route: string): Json {
  return locate(route).itemPath === null ? [] : { _links: { self: [{ href: url(route) }] } };
}

/** A route, `posts/1` in place of `/wp/v2/posts/1`. */
const toRoute = (name: string): string => (name.startsWith('/') ? name : `/wp/v2/${name}`);

type Fields = Readonly<Record<string, Json>> | null;
const write = (method: string, name: string, status: number, fields: Fields, body?: Json): SiteWrite => ({
  method,
  location: locate(toRoute(name)),
  status,
  sentParameters: fields === null ? null : new Map(Object.entries(fields)),
  responseBody: body,
});
const update = (name: string, fields: Fields = {}, body: Json = { id: 1 }) =>
  write('POST', name, 200, fields, body);
const create = (name: string, body?: Json, fields: Fields = {}) => write('POST', name, 201, fields, body);
const remove = (name: string, fields: Fields = {}, body?: Json) => write('DELETE', name, 200, fields, body);

const at = (name: string, values: StoredCase['values'] = {}, body?: Json): StoredCase =>
  body === undefined ? { route: toRoute(name), values } : { route: toRoute(name), values, body };

function invalidates(written: SiteWrite, stored: StoredCase | string): boolean {
  const { tags: invalidated } = selectWritten(written, () => null);
  const tags = tagsOf(typeof stored === 'string' ? at(stored) : stored);
  return invalidated.some((tag) => tags.has(tag));
}

const url = (name: string): string => `https://example.com/blog/wp-json${toRoute(name)}`;

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

test.each([
  update('posts/1', { excerpt: 'new' }),
  update('posts/1', { title: 'new', status: 'draft' }, { id: 1, status: 'publish' }),
  update('posts/1', { title: 'new', sticky: true }),
  remove('posts/1'),
  update('users/1', { name: 'new' }),
  update('comments/1', { content: 'new' }),
  update('/boards/v1/boards/1', { title: 'new' }),
])('a write has the tag of its item, so that what was known of it is outdated: %j', (written) => {
  expect(selectWritten(written, () => null).tags).toContain(written.location.itemPath);
});

describe('the page that shows the written item depends on the write', () => {
  const OWN = '^/wp/v2/posts/1';
  const before = () =>
    readItemState({ id: 1, status: 'publish', excerpt: { rendered: 'What it was before' } });
  const EXCERPT = { excerpt: 'Another' };
  const AFTER = { id: 1, status: 'publish', excerpt: { rendered: 'Another' } };

  test.each<[string, SiteWrite, (() => ReturnType<typeof before>) | null]>([
    ['without what it was before', update('posts/1', EXCERPT, AFTER), null],
    ['if the item enters a list', update('posts/1', { sticky: true }, { ...AFTER, sticky: true }), before],
    ['if it is deleted', remove('posts/1'), before],
    ['if what was written is unknown', update('posts/1', null), before],
  ])('%s', (_, written, getBefore) => {
    const selected = selectWritten(written, getBefore ?? (() => null));
    expect(selected.tags).toContain(OWN);
    expect(selected.ownPage).toBeUndefined();
  });

  test('as was learned, if all that shows what it was is selected by its text', () => {
    const selected = selectWritten(update('posts/1', EXCERPT, AFTER), before);
    expect(selected.clauses).not.toEqual([]);
    expect(selected.tags).not.toContain(OWN);
    expect(selected.ownPage).toBe(OWN);
  });
});

describe('an argument that names another resource makes an empty list depend on it', () => {
  const post12 = { id: 12, status: 'publish', categories: [3], tags: [] };
  test.each<[string, SiteWrite, StoredCase]>([
    [
      'the terms of a deleted post',
      remove('posts/12', { force: 'true' }, { deleted: true, previous: post12 }),
      at('tags', { post: 12 }),
    ],
    [
      'the terms of a hidden post',
      update('posts/12', { status: 'private' }, { ...post12, status: 'private' }),
      at('tags', { post: '12' }),
    ],
    [
      'the comments of a hidden page',
      update('pages/12', { status: 'private' }),
      at('comments', { post: [11, 12] }),
    ],
    ['the files of a deleted book', remove('books/12', { force: 'true' }), at('media', { parent: 12 })],
    [
      'the posts of a deleted author',
      remove('users/2', { reassign: 1 }),
      at('posts', { author: 2, include: 5 }),
    ],
    [
      'the posts without a deleted tag',
      remove('tags/7', { force: 'true' }),
      at('posts', { tags_exclude: { terms: [7] }, slug: 'a' }),
    ],
    [
      'the children of a deleted page',
      remove('pages/30', { force: 'true' }),
      at('pages', { parent: 30, include: 5 }),
    ],
    [
      'the replies to a deleted comment',
      remove('comments/3', { force: 'true' }),
      at('comments', { parent: 3, include: 5 }),
    ],
  ])('%s', (_, written, stored) => {
    expect(invalidates(written, stored)).toBe(true);
  });

  test('and one of a plugin, by the id', () => {
    const deleted = selectWritten(remove('posts/12', { force: 'true' }), () => null);
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

  test.each([
    ['names more ids than are counted', Array.from({ length: 301 }, (_, at) => `{"id":${1000 + at}}`)],
    ['repeats one id too often', Array.from({ length: 4_000 }, () => '{"id":1234567}')],
    ['is too long', ['{"id":123}', ' '.repeat(1024 * 1024)]],
  ])('and a response that %s', (_, parts) => {
    const deleted = selectWritten(remove('posts/12', { force: 'true' }), () => null);
    const tags = [...mentionTags('/boards/v1/notes', new Map(), parts.join())];
    expect(tags).toHaveLength(1);
    expect(deleted.tags).toContain(tags[0]);
  });
});

describe('the item that a page says it shows', () => {
  const found = (link: string) => findShownItem({ status: 200, reason: '', headers: ['Link', link] }, links);
  const alternate = (route: string, attributes = '') =>
    `<https://example.com/blog/wp-json/>; rel="https://api.w.org/", <${url(route)}>; rel="alternate"${attributes}; type="application/json", <https://example.com/blog/?p=12>; rel=shortlink`;

  test.each<[string, string, string | null]>([
    ['a post', alternate('/wp/v2/posts/12'), '/wp/v2/posts/12'],
    ['a post, with a title', alternate('/wp/v2/posts/12', '; title="JSON"'), '/wp/v2/posts/12'],
    [
      'a post, with plain permalinks',
      '<https://example.com/blog/index.php?rest_route=/wp/v2/posts/12>; rel="alternate"; type="application/json"',
      '/wp/v2/posts/12',
    ],
    [
      'another site',
      '<https://other.example/wp-json/wp/v2/posts/12>; rel="alternate"; type="application/json"',
      null,
    ],
    ['a feed', `<${url('/wp/v2/posts/12')}>; rel="alternate"; type="application/rss+xml"`, null],
    ['a list', alternate('/wp/v2/posts'), null],
  ])('%s', (_, link, item) => {
    expect(found(link)).toBe(item);
  });
});

describe('the tags of a response', () => {
  test.each<[string, StoredCase, readonly string[]]>([
    [
      'contain its items, by their self links',
      at('posts', {}, [post(1), post(2)]),
      ['/wp/v2/posts/1', '/wp/v2/posts/2', '@post:1', '@post:2'],
    ],
    ['contain linked items', at('posts/1', {}, post(1)), ['@user:2', '@post:9']],
    [
      'contain embedded comments of a post',
      at('posts/1', { _embed: '' }, post(1)),
      ['/wp/v2/comments?post=1'],
    ],
    [
      'contain its path and the paths above it',
      at('/WP/v2/posts/1/revisions'),
      ['/', '/wp/v2', '/wp/v2/posts', '/wp/v2/posts/1', '/wp/v2/posts/1/revisions'],
    ],
    ['contain the posts of its comments', at('comments', { post: [1, 2] }), ['/wp/v2/comments?post=1']],
    ['contain those of any post without a filter', at('comments'), ['/wp/v2/comments?post']],
    [
      'contain references to items of plugins',
      at('/boards/v1/members/1', {}, { href: url('/boards/v1/boards/4') }),
      ['>/boards/v1/boards/4'],
    ],
  ])('%s', (_, stored, expected) => {
    expect([...tagsOf(stored)]).toEqual(expect.arrayContaining([...expected]));
  });

  const FOREIGN = { self: [{ href: 'https://elsewhere.example.com/wp-json/wp/v2/posts/5' }] };
  const COMMENT = { link: 'https://example.com/blog/a/#comment-7' };
  test.each<[string, StoredCase, string]>([
    ['items of a text', at('posts/1', {}, post(1, { content: JSON.stringify(post(5)) })), '/wp/v2/posts/5'],
    ['items of other sites', at('posts/1', {}, { _links: FOREIGN }), '/wp/v2/posts/5'],
    ['comments that are only linked', at('posts/1', {}, post(1)), '/wp/v2/comments?post=1'],
    ['comments of any item for the address of one', at('comments', { post: 1 }, [COMMENT]), '#comments'],
  ])('do not contain %s', (_, stored, tag) => {
    expect([...tagsOf(stored)]).not.toContain(tag);
  });

  test('contain the item in plain permalinks, with either scheme and without escaped slashes', () => {
    for (const href of [
      'http://example.com/blog/index.php?rest_route=/wp/v2/posts/5',
      'https://example.com/blog/?rest_route=%2Fwp%2Fv2%2Fposts%2F5&x=1',
      'http://example.com/blog/wp-json/wp/v2/posts/5?x=1',
    ]) {
      const text = JSON.stringify({ _links: { self: [{ href }] } });
      expect(readItemTags(text, { address: null }, links)).toContain('/wp/v2/posts/5');
    }
  });

  test('are bounded: a response with very many items may show any item', () => {
    const body = Array.from({ length: 900 }, (_, index) => post(index + 1));
    const tags = tagsOf({ route: '/wp/v2/posts', body });
    expect(tags.size).toBeLessThan(500);
    expect(invalidates(update('posts/900', { title: 'a' }), at('posts', {}, body))).toBe(true);
  });

  test('contain the surrogate keys that the site states', () => {
    const headers = ['Surrogate-Key', 'a b', 'cache-tag', 'c, d', 'xkey', 'e'];
    expect(headerTags({ status: 200, reason: '', headers })).toEqual(['!a', '!b', '!c', '!d', '!e']);
  });
});

describe('a write invalidates', () => {
  const TITLE = { title: 'Another' };
  const DRAFT = post(12, { status: 'draft' });
  const TRASHED = post(12, { status: 'trash' });
  const CREATED = create('posts', post(12));
  const self = (name: string) => ({ self: [{ href: url(name) }] });
  const linked = (relation: string, name: string) => ({
    [relation]: [{ embeddable: true, href: url(name) }],
  });
  /** The list of posts 7 and 8. */
  const list = (values: StoredCase['values'] = {}) => at('posts', values, [post(7), post(8)]);
  const item = (more: Record<string, Json> = {}) => at('posts/1', {}, post(1, more));

  const PURGED: readonly (readonly [string, SiteWrite, StoredCase | string])[] = [
    ['the item itself', update('posts/1', TITLE), 'posts/1'],
    ['the paths below the item', update('posts/1', TITLE), 'posts/1/revisions'],
    ['a list that contains the item', update('posts/7', TITLE), list()],
    ['a list that is ordered by the written field', update('posts/1', TITLE), list({ orderby: 'title' })],
    ['a list that is ordered by modification date', update('posts/1', TITLE), list({ orderby: 'modified' })],
    ['a search', update('posts/1', TITLE), list({ search: 'a' })],
    ['a list with an unknown parameter', update('posts/1', TITLE), list({ of_a_plugin: '1' })],
    ['any list when the written fields are unknown', update('posts/1', null), list({ categories: [9] })],
    ['lists, when it creates an item', CREATED, list()],
    ['lists of the category of a new item', CREATED, list({ categories: [3] })],
    ['the path of a new item, which had none', CREATED, 'posts/12'],
    ['the post count of its category', CREATED, at('categories', {}, [{ _links: self('categories/3') }])],
    ['all post counts when the categories change', update('posts/1', { categories: [4] }), 'categories/8'],
    ['searches for posts', update('posts/1', TITLE), at('search', { search: 'a' })],
    ['responses that embed a user', update('users/2', { name: 'a' }), list({ _embed: '' })],
    ['responses that reference a deleted user', remove('users/2', TITLE), item()],
    ['posts of a deleted category', remove('categories/3'), item()],
    ['posts with a deleted image', remove('media/9'), item()],
    [
      "the list of a post's comments when one is created",
      create('comments', { id: 5, post: 1, parent: 0 }),
      at('comments', { post: [1] }),
    ],
    [
      'the terms of a post when the response to the write leaves them out',
      create('posts', { id: 12 }, { _fields: 'id', status: 'publish' }),
      'categories/3',
    ],
    ['pages below a renamed page, at any depth', update('pages/1', { slug: 'a' }), 'pages/4'],
    [
      'comments by a user whose e-mail address changes',
      update('users/2', { email: 'a@example.com' }),
      at('comments/5', {}, { _links: linked('author', 'users/2') }),
    ],
    [
      'all content on a site with plugins when a name changes that they may render as text',
      update('users/2', { name: 'a' }),
      at('pages/4', {}, post(4, { content: 'by a' })),
    ],
    [
      'posts with a picture that is deleted',
      remove('media/9', { force: true }),
      item({ content: '<img class="wp-image-9"/>' }),
    ],
    [
      'content that a setting is part of',
      update('settings', { title: 'a' }),
      item({ content: '<h1 class="wp-block-site-title">' }),
    ],
    [
      "lists of comments on other filters when a post's password changes",
      update('posts/1', { password: '' }),
      at('comments', { parent: [0] }),
    ],
    ['lists whose items have no links', update('posts/1', TITLE), at('posts', {}, [{ id: 1, title: 'a' }])],
    [
      'everything when a setting may influence any response',
      update('settings', { language: 'de' }),
      'posts/1',
    ],
    ['the root index when the name of the site changes', update('settings', { title: 'a' }), '/'],
    ['the lists of a plugin', create('/boards/v1/boards/3/tasks'), '/boards/v1/boards'],
    ['the paths below the same item', create('/boards/v1/boards/3/tasks'), '/boards/v1/boards/3'],
    [
      'the paths below another item whose id was sent',
      update('/boards/v1/boards/3/tasks', { board_id: 4 }),
      '/boards/v1/boards/4/tasks',
    ],
    ['lists, when a post becomes a draft', update('posts/12', { status: 'draft' }, DRAFT), list()],
    ['lists, when a post comes into the bin', remove('posts/12', {}, TRASHED), list()],
    [
      'comments of a draft that is deleted',
      remove('posts/12', { force: true }, { deleted: true, previous: DRAFT }),
      'comments',
    ],
    ['the root index, which names the front page', remove('pages/30'), at('/', {}, { name: 'A' })],
    ['terms: a deleted user whose posts are deleted', remove('users/2', { reassign: 'false' }), 'categories'],
    [
      'posts by author: a deleted user whose posts are reassigned',
      remove('users/2', { reassign: '1' }),
      at('posts', { author: '1' }),
    ],
    ['posts with a tag whose slug changes', update('tags/7', { slug: 'a' }), item({ tags: [7] })],
    [
      'posts below a category whose slug changes',
      update('categories/3', { slug: 'a' }),
      item({ categories: [4] }),
    ],
    [
      'what a post of WordPress would: a post of a type of a plugin',
      create('books', { id: 4 }),
      at('search', { type: 'post' }),
    ],
  ];
  test.each(PURGED)('%s', (_, written, stored) => {
    expect(invalidates(written, stored)).toBe(true);
  });

  const KEPT: readonly (readonly [string, SiteWrite, StoredCase | string])[] = [
    ['another item', update('posts/1', TITLE), 'posts/2'],
    ['an item whose id only has the same prefix', update('posts/1', TITLE), 'posts/12'],
    ['a list without the item', update('posts/1', TITLE), list()],
    ['post counts when only the title changes', update('posts/1', TITLE), 'categories/3'],
    ['pages when a post changes', update('posts/1', TITLE), 'pages'],
    [
      "the list of another post's comments",
      create('comments', { id: 5, post: 1, parent: 0 }),
      at('comments', { post: [2] }),
    ],
    ['the user whose application password it creates', update('users/2/application-passwords'), 'users/2'],
    [
      'other collections of a plugin by its groups, not by tags',
      create('/boards/v1/boards/3/tasks'),
      at('/boards/v1/members/1', {}, { _links: self('/boards/v1/members/1') }),
    ],
    ['paths below another item', create('/boards/v1/boards/3/tasks'), '/boards/v1/boards/4/tasks'],
    ['what anonymous clients see: a new draft', create('posts', DRAFT), list()],
    [
      'what anonymous clients see: the title of a draft',
      update('posts/12', TITLE, DRAFT),
      list({ search: 'a' }),
    ],
    [
      'other namespaces by its groups, not by tags',
      update('/boards/v1/boards/3', TITLE),
      at('posts/3', {}, post(3)),
    ],
  ];
  test.each(KEPT)('but not %s', (_, written, stored) => {
    expect(invalidates(written, stored)).toBe(false);
  });

  const UNKNOWN = ['routes', 'pages', 'items'];
  test.each([
    ['WordPress', 'posts/1', 200, ['routes', 'pages']],
    ['files: what scripts do not send', 'media/1', 200, ['routes', 'pages', 'files']],
    ['WordPress, and what items were: a block that is part of their content', 'blocks/1', 200, UNKNOWN],
    ['WordPress, and what items were: an option, which may change any content', 'settings', 200, UNKNOWN],
    ['WordPress, after an error', 'posts/1', 500, UNKNOWN],
    ['WordPress, without a response', 'posts/1', null, UNKNOWN],
    ['a plugin', '/boards/v1/boards/3', 200, UNKNOWN],
    ['a post type of a plugin', 'books/3', 200, UNKNOWN],
    ['an unknown route', '/unknown', 200, UNKNOWN],
  ])('groups that may depend on a write to %s', (_, name, status, groups) => {
    expect(selectWritten({ ...update(name), status }, () => null).groups).toEqual(groups);
  });
});

describe('a write changes lists', () => {
  const DRAFT = { id: 12, status: 'draft' };
  test.each<[string, SiteWrite, boolean]>([
    ['by the title of a post', update('posts/12', { title: 'a' }), false],
    ['by its status', update('posts/12', { title: 'a', status: 'private' }), true],
    ['by a field of a plugin', update('posts/12', { price: 1 }), true],
    ['by fields that are not known', update('posts/12', null), true],
    [
      'by its title if the response leaves fields out',
      update('posts/12', { title: 'a', _fields: 'id' }),
      true,
    ],
    ['by a new post', create('posts', { id: 12, status: 'publish' }), true],
    ['by a new draft', create('posts', DRAFT), false],
    ['by a draft that gets a title', update('posts/12', { title: 'a' }, DRAFT), false],
    ['by a post that becomes a draft', update('posts/12', { status: 'draft' }, DRAFT), true],
    ['by a deleted post', remove('posts/12'), true],
    ['by an autosave', create('posts/12/autosaves', { id: 99 }), false],
    ['by a password of an application', create('users/2/application-passwords'), false],
    ['by the name of a term', update('categories/3', { name: 'a' }), false],
    ['by the slug of a term', update('categories/3', { slug: 'a' }), true],
    ['by a navigation, which all pages may show or none', update('navigation/12', { content: 'a' }), true],
    ['by a comment', create('comments', { id: 5, post: 1 }), false],
    ['by a write to a plugin', update('/boards/v1/boards/3'), false],
  ])('%s', (_, written, expected) => {
    expect(selectWritten(written, () => null).changesLists).toBe(expected);
  });
});

describe('an item that is edited', () => {
  const BEFORE = {
    id: 12,
    link: 'https://example.com/2024/05/hello/',
    title: { rendered: 'The old title' },
    excerpt: { rendered: 'An excerpt' },
  };
  const AFTER = { ...BEFORE, title: { rendered: 'The new title' } };
  const SHOWING = ['#any-item', '@post:12', 'L/2024/05/hello'];
  const select = (fields: Fields, before: typeof BEFORE | null) =>
    selectWritten(update('posts/12', fields, AFTER), () => (before === null ? null : readItemState(before)));

  test('selects the responses that show it and contain what it was', () => {
    const { clauses, tags } = select({ title: 'The new title' }, BEFORE);
    expect(clauses).toEqual([{ tags: SHOWING, texts: ['The old title'] }]);
    expect(tags).toEqual(expect.arrayContaining(['#search', '/wp/v2/posts/12', '/wp/v2/posts?any']));
    expect(tags).not.toContain('@post:12');
  });

  test.each([
    ['if that is unknown', { title: 'The new title' }, null],
    ['if a written field is not known', { title: 'The new title', featured_media: 3 }, BEFORE],
  ] as const)('selects all that show it %s', (_, fields, before) => {
    const { clauses, tags } = select(fields, before);
    expect(clauses).toEqual([]);
    expect(tags).toEqual(expect.arrayContaining(SHOWING));
  });

  test('may be of a user, whom another client writes at another path', () => {
    const groups = (name: string) => selectWritten(update(name, { name: 'a' }), () => null).groups;
    expect(groups('users/me')).toContain('items');
    expect(groups('users/2')).toContain('items');
  });

  test('is linked to by what links to the front page if it is that', () => {
    const page = { id: 30, link: 'https://example.com/', title: { rendered: 'Welcome' } };
    expect(selectWritten(update('pages/30', { title: 'a' }, page), () => null).tags).toContain('L/');
  });

  test('is a post by its address only: an id of a plugin says nothing of posts', () => {
    const tagsOfPlugin = (body: Json) =>
      selectWritten(update('/boards/v1/boards/12', {}, body), () => null).tags;
    expect(tagsOfPlugin({ id: 12 })).not.toContain('@post:12');
    expect(tagsOfPlugin({ id: 12, permalink: 'https://example.com/cup/' })).toContain('@post:12');
  });

  test('selects feeds for a term, which they name without a link', () => {
    expect(selectWritten(update('categories/3', { name: 'a' }), () => null).tags).toContain('#feed');
  });
});

describe('a comment', () => {
  const link = 'https://example.com/blog/2024/05/hello/#comment-7';
  const tags = (body: Json) => selectWritten(create('comments', body), () => null).tags;

  test('selects what links to comments of its post, and to comments of any', () => {
    expect(tags({ id: 7, post: 12, link })).toEqual(
      expect.arrayContaining(['#any-item', '#comments', '#comments:/blog/2024/05/hello']),
    );
  });

  test('selects all comments if its post is unknown', () => {
    expect(tags({ id: 7 })).toContain('/wp/v2/comments');
    expect(tags({ id: 7, post: 12 })).not.toContain('/wp/v2/comments');
  });
});
