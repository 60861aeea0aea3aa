import { describe, expect, test } from 'vitest';
import { headerTags } from '../../src/wordpress/response-tags.ts';
import {
  isExcludedBySite,
  readLiteSpeedPurges,
  readOwnChange,
  readOwnTags,
  readPurgeRequest,
} from '../../src/wordpress/site-fields.ts';

/** The values are those that the plugins wrote when they were installed (scripts/site-tags), with other hashes. */

const EMPTY = { everything: false, names: [], targets: [], below: [], isSoft: false };

test('the tags of a response are at most 1,000', () => {
  const headers = ['Surrogate-Key', Array.from({ length: 3_000 }, (_, at) => `k${at}`).join(' ')];
  expect(headerTags({ status: 200, reason: '', headers })).toHaveLength(1_000);
});

describe('X-LiteSpeed-Purge', () => {
  test.each([
    ['public,2f6_Po.1,2f6_FD', [{ ...EMPTY, names: ['2f6_Po.1', '2f6_FD'] }]],
    ['public,stale,2f6_F', [{ ...EMPTY, names: ['2f6_F'], isSoft: true }]],
    ['public,2f6_F;private,2f6_W.recent-comments-2', [{ ...EMPTY, names: ['2f6_F'] }]],
    ['private,*', []],
    ['*', [{ ...EMPTY, everything: true }]],
    ['tag=a, tag=b', [{ ...EMPTY, names: ['a', 'b'] }]],
    ['/about/, /', [{ ...EMPTY, targets: ['/about/', '/'] }]],
    ['public,a, private, b, public, c', [{ ...EMPTY, names: ['a', 'c'] }]],
    ['', []],
    [',;,;', []],
  ])('"%s" is read', (value, purges) => {
    expect(readLiteSpeedPurges(['x-litespeed-purge', value])).toEqual(purges);
    expect(readLiteSpeedPurges(['x-litespeed-purge2', value])).toEqual(purges);
  });

  test('with too many names purges everything', () => {
    const value = Array.from({ length: 6_000 }, (_, at) => `t${at}`).join(',');
    expect(readLiteSpeedPurges(['x-litespeed-purge', value])).toEqual([{ ...EMPTY, everything: true }]);
  });

  test.each([
    ['no-cache', true],
    ['private,max-age=1800', true],
    ['public,max-age=604800,esi=on', true],
    ['public,max-age=604800', false],
  ])('X-LiteSpeed-Cache-Control: %s excludes: %s', (value, isExcluded) => {
    expect(isExcludedBySite(['x-litespeed-cache-control', value])).toBe(isExcluded);
  });
});

describe('waygate.php', () => {
  test.each([
    ['post-1 posts-post term-5', ['post-1', 'posts-post', 'term-5']],
    ['post-*', ['post-*']],
    ['post-1  user-2', ['post-1', 'user-2']],
    ['post-1 <script>', null],
    ['a'.repeat(65), null],
    [Array.from({ length: 900 }, (_, at) => `post-${at}`).join(' '), null],
    ['ordinary', null],
    ['no-store', null],
    ['', null],
  ])('tags "%.40s"', (value, names) => {
    expect(readOwnTags(['x-waygate-tags', value])).toEqual(names);
  });

  test('a change selects what depends on anything of its kind', () => {
    const names = ['post-1', 'posts-post', 'post-*', 'posts-*'];
    expect(readOwnChange(['x-waygate-changed', 'post-1 posts-post'])).toEqual({ ...EMPTY, names });
    expect(readOwnChange([])).toBeNull();
  });

  test.each(['*', 'post-*', 'post-1 a b\u0000', ''])('a change "%s" is one of everything', (value) => {
    expect(readOwnChange(['x-waygate-changed', value])?.everything).toBe(true);
  });
});

describe('a purge request', () => {
  const FIELDS = { soft: ['Fastly-Soft-Purge', '1'] };
  test.each<[string, string, readonly string[], object]>([
    ['Proxy Cache Purge', '/a/', ['X-Purge-Method', 'default'], { targets: ['/a/'] }],
    ['Proxy Cache Purge', '/.*', ['X-Purge-Method', 'regex'], { everything: true }],
    ['Proxy Cache Purge', '/blog/.*', ['X-Purge-Method', 'regex'], { below: ['/blog'] }],
    ['W3 Total Cache', '/.*', [], { everything: true }],
    ['W3 Total Cache', '/2024/?p=1', [], { targets: ['/2024/?p=1'] }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '.*'], { everything: true }],
    ['Varnish Caching', '/a/.*', ['X-VC-Purge-Method', 'regex'], { below: ['/a'] }],
    ['Nginx Helper', '/purgeall', [], { everything: true }],
    ['NGINX Plus', '/a/b*', [], { below: ['/a'] }],
    ['Fastly', '/a/', FIELDS.soft, { targets: ['/a/'], isSoft: true }],
    ['Fastly', '/', ['Surrogate-Key', 'a b'], { names: ['a', 'b'] }],
    ['Varnish', '/', ['xkey-softpurge', 'a,b'], { names: ['a', 'b'], isSoft: true }],
    ['Varnish', '/', ['X-Cache-Tags', 'a, b'], { names: ['a', 'b'] }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '^/shop/[a-z]+/$'], { below: ['/shop'] }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '\\.png$'], { everything: true }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '^/(a|b)/'], { everything: true }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '^\\/about\\/team'], { below: ['/about'] }],
    ['WP Rocket at o2switch', '/', ['X-Purge-Regex', '^/a/x?/'], { below: ['/a'] }],
  ])('of %s is read: %s %j', (_, target, headers, purge) => {
    expect(readPurgeRequest(target, headers)).toEqual({ ...EMPTY, ...purge });
  });

  test.each<[string, readonly string[]]>([
    ['/', ['X-Purge-Method', 'sideways']],
    ['/', ['X-Purge-Regex', '(']],
    ['/', ['X-Purge-Regex', 'a'.repeat(9_000)]],
    ['*', []],
    ['http://example.com/', []],
  ])('"%s" %.60j is refused with a reason', (target, headers) => {
    expect(readPurgeRequest(target, headers)).toMatch(/^\S.*\.$/);
  });

  test('with a hostile pattern is read in linear time: otherwise this test would not end', () => {
    const everything = { ...EMPTY, everything: true };
    const pattern = `^/${'(a+)+'.repeat(1_500)}$`;
    expect(readPurgeRequest('/', ['X-Purge-Regex', pattern])).toEqual(everything);
    const spaces = ' '.repeat(500_000);
    expect(readPurgeRequest('/', ['X-Cache-Tags', `a${spaces}b`])).toMatchObject({ isSoft: false });
    expect(readLiteSpeedPurges(['x-litespeed-purge', `${spaces}x`])).toEqual([{ ...EMPTY, names: ['x'] }]);
  });
});
