import { expect, test } from 'vitest';
import { readItemTags, SiteLinks } from '../../../src/cache/dependencies/response-tags.ts';
import { tagNames } from '../../../src/cache/dependencies/tags.ts';
import { prettySite, resources } from './resource-fixture.ts';

const site = { ...prettySite, aliases: ['https://www.example.com/'] };
const links = new SiteLinks(prettySite, ['https://gateway.example.com/shop/'], resources);

const read = (text: string): readonly string[] => readItemTags(text, { address: null }, links);

test.each([
  ['absolute link', '<a href="https://example.com/blog/2024/05/hello/">', ['L/blog/2024/05/hello']],
  ['link with the other scheme', '<a href="http://example.com/blog/a">', ['L/blog/a']],
  ['link in capitals', '<a href="HTTPS://EXAMPLE.com/Blog/A">', ['L/blog/a']],
  ['scheme-relative link', "<a href='//example.com/blog/a'>", ['L/blog/a']],
  ['root-relative link', '<a href="/blog/a">', ['L/blog/a']],
  ['root-relative link without quotes', '<a href=/blog/a>', ['L/blog/a']],
  ['link of the gateway', '<a href="https://gateway.example.com/shop/a/">', ['L/blog/a']],
  ['root-relative link of the gateway', '<a href="/shop/a/">', ['L/blog/a']],
  ['link to the front page', '<a href="https://example.com/blog">', ['L/blog']],
  ['link of JSON', '{"link":"https:\\/\\/example.com\\/blog\\/a\\/"}', ['L/blog/a']],
  ['root-relative link of JSON', '{"link":"\\/blog\\/a\\/"}', ['L/blog/a']],
  ['JSON without escaped slashes', '{"link":"https://example.com/blog/a/"}', ['L/blog/a']],
  ['HTML in JSON', '{"html":"<a href=\\"https:\\/\\/example.com\\/blog\\/a\\/\\">"}', ['L/blog/a']],
  ['sitemap', '<loc>https://example.com/blog/a/</loc>', ['L/blog/a']],
  ['RSS', '<guid isPermaLink="false">https://example.com/blog/?p=12</guid>', ['L/blog', '@post:12']],
  ['Atom', '<link href="https://example.com/blog/a/#x"/>', ['L/blog/a']],
  ['feed of an item', '"https://example.com/blog/a/feed/"', ['L/blog/a', '#comments:/blog/a']],
  ['upload', '<img src="/blog/wp-content/uploads/cup-300x200.jpg">', ['L/blog/wp-content/uploads/cup.jpg']],
  ['file of WordPress', '<script src="/blog/wp-includes/js/a.js">', []],
  ['page with a similar name', '<a href="/blog/wp-content-guide/">', ['L/blog/wp-content-guide']],
  ['another host', '<a href="https://example.org/blog/a">', []],
  ['another host that begins alike', '<a href="https://example.com.evil.example/blog/a">', []],
  ['another folder', '<a href="https://example.com/blogs/a">', []],
  [
    'comment',
    '<a href="/blog/a/#comment-77">',
    ['L/blog/a', '#comments', '#comments:/blog/a', '@comment:77'],
  ],
  ['comment form', '<a href="/blog/a/#respond">', ['L/blog/a', '#comments:/blog/a']],
  ['comments', '<a href="/blog/a/#comments">', ['L/blog/a', '#comments:/blog/a']],
  ['comment form of the same page', '<a href="#respond">', []],
  [
    'classes of posts',
    '<body class="postid-1 page-id-2 product-3"><i class="post-4 attachment-5 wp-image-6">',
    [1, 2, 3, 4, 5, 6].map((id) => `@post:${id}`),
  ],
  [
    'classes of terms',
    '<li class="category-1 tag-2 cat-item-3 term-4">',
    [1, 2, 3, 4].map((id) => `@term:${id}`),
  ],
  ['class of an author', '<body class="author-ann author-3">', ['@user:3']],
  ['id of a comment', '<li id="comment-77">', ['@comment:77']],
  ['other classes', '<i class="has-5 blog-post-4 my_post-4 post-x post">', []],
  [
    'parameters of posts',
    '?p=1&page_id=2&#038;attachment_id=3&amp;product_id=4',
    [1, 2, 3, 4].map((id) => `@post:${id}`),
  ],
  ['parameters of terms and authors', '?cat=5&author=6', ['@term:5', '@user:6']],
  ['attributes', '<a data-product_id="7" data-id=\'8\' data-ip="9">', ['@post:7', '@post:8']],
  ['attribute in JSON', '{"html":"<a data-id=\\"8\\">"}', ['@post:8']],
  [
    'links of the REST API',
    '"https:\\/\\/example.com\\/blog\\/wp-json\\/wp\\/v2\\/posts\\/12","/blog/wp-json/wp/v2/users/3"',
    ['@post:12', '@user:3'],
  ],
  [
    'terms, media and comments of the REST API',
    '"/blog/wp-json/wp/v2/tags/1" "/blog/wp-json/wp/v2/media/2" "/blog/wp-json/wp/v2/comments/3"',
    ['@term:1', '@post:2', '@comment:3'],
  ],
  ['plain link of the REST API', '"/blog/?rest_route=%2Fwp%2Fv2%2Fposts%2F12"', ['L/blog', '@post:12']],
  ['list of the REST API', '"/blog/wp-json/wp/v2/posts?search=x"', []],
  ['id in JSON', '{"id":12}', []],
])('reads %s', (_, text, expected) => {
  expect([...read(text)].sort()).toEqual([...expected].sort());
});

test('an alias has a tag for each path that the site may state', () => {
  const ofAliases = new SiteLinks(site, [], resources);
  expect(readItemTags('"https://www.example.com/a/"', { address: null }, ofAliases)).toEqual([
    'L/blog/a',
    'L/a',
  ]);
});

test('a page has the tags of its address', () => {
  expect(readItemTags('', { address: '/blog/a/?p=3' }, links)).toEqual([
    'L/blog/a',
    '@post:3',
    '#comments:/blog/a',
  ]);
  expect(readItemTags('', { address: '/blog/?s=cup' }, links)).toContain('#search');
  expect(readItemTags('', { address: '/blog/?s=cup' }, links)).toContain(tagNames.searchFor('cup'));
  expect(readItemTags('', { address: '/blog/?s=cup&exact=1' }, links)).not.toContain(
    tagNames.searchFor('cup'),
  );
  expect(readItemTags('', { address: '/blog/search/cup/' }, links)).toContain('#search');
  expect(readItemTags('', { address: '/blog/?orderby=title' }, links)).toContain('#search');
  expect(readItemTags('', { address: '/blog/?sort=1' }, links)).not.toContain('#search');
});

const many = (count: number): string => Array.from({ length: count }, (_, id) => `"/blog/a${id}"`).join(' ');

test('a response with too many tags, or that cannot be read, may show any item', () => {
  expect(read(many(400))).toHaveLength(400);
  expect(read(many(401))).toEqual(['#any-item']);
  expect(read(' '.repeat(1024 * 1024 + 1))).toEqual(['#any-item']);
  expect(readItemTags(null, { address: '/blog/a' }, links)).toEqual([
    'L/blog/a',
    '#comments:/blog/a',
    '#any-item',
  ]);
});

const SIZE = 1024 * 1024;

test.each([
  '<',
  'href="',
  'post-',
  '="/',
  '//',
  '-1',
  'rest_route=',
  '-"5',
  '#comment',
  '/page/1',
  '\\/',
  'https://example.com/blog/?',
])('reads a megabyte of %j before the test times out: in linear time', (unit) => {
  expect(read(unit.repeat(Math.floor(SIZE / unit.length))).length).toBeLessThanOrEqual(401);
});

test.each<[string, string, boolean]>([
  ['a comment of another item', '<a href="https://example.com/blog/b/#comment-7">', true],
  ['a comment of its own', '<a href="https://example.com/blog/a/#comment-7">', false],
  ['a comment on one of its own pages', '<a href="/blog/a/comment-page-2/#comment-7">', false],
  ['a fragment', '<a href="#comment-7">', false],
])('a page that links to %s', (_, text, isOfOthers) => {
  expect(readItemTags(text, { address: '/blog/a/' }, links).includes('#comments')).toBe(isOfOthers);
});

test.each(['<a href="/blog/a', "<a href='https://example.com/blog/a", '{"link":"\\/blog\\/a'])(
  'reads a link without an end: %j',
  (text) => {
    expect(read(text)).toEqual(['L/blog/a']);
  },
);
