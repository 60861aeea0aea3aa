import { describe, expect, test } from 'vitest';
import { createCoreFieldCheck } from '../../../src/cache/wordpress/response-tags.ts';
import type { Json } from '../../../src/json.ts';
import { locate } from './resource-fixture.ts';

const taxonomies = ['categories', 'genre'];
const check = createCoreFieldCheck({ hasPlugins: false, taxonomies });
const checkWithPlugins = createCoreFieldCheck({ hasPlugins: true, taxonomies });
const POST = {
  id: 1,
  title: { rendered: 'A "quoted" title\\', nested: [{ extra: 1 }] },
  genre: [3],
  meta: [],
};
const AUTHOR = { id: 2, name: 'A name', _links: { self: [{ href: 'x' }] } };

describe('a response of WordPress contains only known fields', () => {
  test.each<[string, string, Json, boolean]>([
    ['an item', '/wp/v2/posts/1', POST, true],
    ['a list', '/wp/v2/posts', [POST, POST], true],
    ['an empty list', '/wp/v2/posts', [], true],
    ['an error', '/wp/v2/posts/1', { code: 'a', message: 'b', data: { status: 404 } }, true],
    ['footnotes in meta', '/wp/v2/posts/1', { ...POST, meta: { footnotes: '' } }, true],
    ['an embedded item', '/wp/v2/posts/1', { ...POST, _embedded: { author: [AUTHOR] } }, true],
    ['an embedded list', '/wp/v2/posts/1', { ...POST, _embedded: { 'wp:term': [[{ id: 1 }], []] } }, true],
    ['a post type', '/wp/v2/types/post', { name: 'Posts', slug: 'post', labels: { any: 1 } }, true],
    ['all post types', '/wp/v2/types', { post: { name: 'Posts' }, page: { name: 'Pages' } }, true],
    ['an embed', '/oembed/1.0/embed', { version: '1.0', html: '<a>' }, true],
    ['the root index', '/', { name: 'A', routes: { '/': {} }, _links: {} }, true],
    ['the index of a namespace', '/wp/v2', { namespace: 'wp/v2', routes: {}, _links: {} }, true],
    ['a root index with a field of a plugin', '/', { name: 'A', shop: {} }, false],
    ['a post type of a plugin', '/wp/v2/books/1', POST, false],
    ['a field of a plugin', '/wp/v2/posts/1', { ...POST, price: 1 }, false],
    ['a field of a plugin in a list', '/wp/v2/posts', [{ ...POST, price: 1 }], false],
    ['a field of another kind', '/wp/v2/posts/1', { ...POST, avatar_urls: {} }, false],
    ['meta of a plugin', '/wp/v2/posts/1', { ...POST, meta: { price: 1 } }, false],
    [
      'an embedded item with a field of a plugin',
      '/wp/v2/posts/1',
      { ...POST, _embedded: { author: [{ ...AUTHOR, badge: 1 }] } },
      false,
    ],
    ['a post type with a field of a plugin', '/wp/v2/types', { post: { price: 1 } }, false],
    ['a route without known dependencies', '/wp/v2/anything', { id: 1 }, false],
    ['a route of a plugin', '/boards/v1/boards/1', { id: 1 }, false],
    ['no object', '/wp/v2/posts/1', 'text', false],
  ])('%s', (_, route, body, expected) => {
    expect(check(JSON.stringify(body), locate(route))).toBe(expected);
    expect(check(JSON.stringify(body, null, 2), locate(route))).toBe(expected);
  });

  test('the index routes of a site with plugins list parameters of plugins', () => {
    expect(checkWithPlugins('{"name":"A"}', locate('/'))).toBe(false);
    expect(checkWithPlugins('{"namespace":"wp/v2"}', locate('/wp/v2'))).toBe(false);
    expect(checkWithPlugins(JSON.stringify(POST), locate('/wp/v2/posts/1'))).toBe(true);
  });

  test('a text that is cut off anywhere is not known, and ends the check', () => {
    const text = JSON.stringify({ ...POST, _embedded: { author: [AUTHOR] } });
    for (let length = 0; length < text.length; length += 1) {
      expect(check(text.slice(0, length), locate('/wp/v2/posts/1'))).toBe(false);
    }
  });
});
