import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteAddress } from '../../src/discovery/site.ts';
import { addSlashes } from '../../src/php/encoding.ts';
import { parsePhpQuery } from '../../src/php/query.ts';
import { normalizeRoute } from '../../src/php/request.ts';
import { RequestTargetBuilder } from '../../src/upstream/request-target.ts';

const pretty: SiteAddress = {
  base: 'https://example.com/blog/',
  root: 'https://example.com/blog/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};
const plain: SiteAddress = {
  ...pretty,
  root: 'https://example.com/blog/index.php?rest_route=/',
  spelling: 'plain',
};
const bare: SiteAddress = { ...plain, root: 'https://example.com/blog/?rest_route=/' };
const almost: SiteAddress = { ...pretty, root: 'https://example.com/blog/index.php/wp-json/' };

describe('the request target of a route', () => {
  const cases: readonly [
    why: string,
    site: SiteAddress,
    route: string,
    query: string,
    formBody: boolean,
    address: string,
  ][] = [
    ['pretty', pretty, '/wp/v2/posts/1', 'a=1', false, '/blog/wp-json/wp/v2/posts/1?a=1'],
    ['the root', pretty, '/', '', false, '/blog/wp-json/'],
    ['plain', plain, '/wp/v2/posts/1', 'a=1', false, '/blog/index.php?rest_route=/wp/v2/posts/1&a=1'],
    ['plain, without index.php', bare, '/a', '', false, '/blog/?rest_route=/a'],
    ['almost pretty', almost, '/a', '', false, '/blog/index.php?rest_route=/a'],
    ['a form', pretty, '/a', 'b', true, '/blog/index.php?rest_route=/a&b'],
    ['a percent sign', pretty, '/a%2Fb', '', false, '/blog/index.php?rest_route=/a%252Fb'],
    ['a double slash', pretty, '/a//b', '', false, '/blog/index.php?rest_route=/a//b'],
    ['dot segments', pretty, '/a/../b', '', false, '/blog/index.php?rest_route=/a/../b'],
    ['a dot', pretty, '/a.php', '', false, '/blog/index.php?rest_route=/a.php'],
    ['a question mark', pretty, '/a?b', '', false, '/blog/index.php?rest_route=/a%3Fb'],
    ['an ampersand, plain', plain, '/a&b=c#d', '', false, '/blog/index.php?rest_route=/a%26b%3Dc%23d'],
    ['a plus, plain', plain, '/a+b c', '', false, '/blog/index.php?rest_route=/a%2Bb%20c'],
    ['bytes', pretty, '/\xc3\xa9', 'q=\xc3\xa9', false, '/blog/index.php?rest_route=/%C3%A9&q=%C3%A9'],
    ['added slashes', pretty, "/it\\'s", '', false, '/blog/index.php?rest_route=/it%27s'],
    ['an added NUL', pretty, '/a\\0', '', false, '/blog/index.php?rest_route=/a%00'],
    ['no slash in front', pretty, 'a', '', false, '/blog/index.php?rest_route=a'],
  ];
  it.each(cases)('%s', (_why, site, route, query, hasFormBody, address) => {
    const addressing = new RequestTargetBuilder(site);
    expect(addressing.buildRouteTarget(route, { query, routeOffset: null, hasFormBody })).toBe(address);
  });

  it.each([
    ['in front', 0, '/blog/index.php?rest_route=/a&b=1&c=2'],
    ['in between', 3, '/blog/index.php?b=1&rest_route=/a&c=2'],
    ['at the end', 7, '/blog/index.php?b=1&c=2&rest_route=/a'],
  ])('has rest_route at the position of the client: %s', (_where, routeAt, address) => {
    const rest = { query: 'b=1&c=2', routeOffset: routeAt, hasFormBody: false };
    expect(new RequestTargetBuilder(pretty).buildRouteTarget('/a', rest)).toBe(address);
  });

  it('is parsed by PHP to the original route, and is not changed by URL parsers', () => {
    const bytes = fc
      .array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 })
      .map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(bytes, fc.constantFrom(pretty, plain), fc.boolean(), (given, site, hasFormBody) => {
        const route = normalizeRoute(addSlashes(`/${given}`));
        const address = new RequestTargetBuilder(site).buildRouteTarget(route, {
          query: 'a=1',
          routeOffset: null,
          hasFormBody,
        });
        // fetch sends it unchanged.
        const url = new URL(`https://example.com${address}`);
        expect(url.pathname + url.search).toBe(address);
        const sent = parsePhpQuery(url.search.slice(1)).get('rest_route');
        const seen = typeof sent === 'string' ? sent : url.pathname.slice('/blog/wp-json'.length);
        expect(normalizeRoute(addSlashes(seen))).toBe(route);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the request target of a page', () => {
  it.each([
    ['/', '', false, '/blog/'],
    ['/about/', 'a=1', false, '/blog/about/?a=1'],
    ['//x', '', false, '/blog//x'],
    ['/a%2Fb+c', 'd=\xff', false, '/blog/a%2Fb+c?d=%FF'],
    ['/about/', '', true, '/blog/about/?rest_route='],
    ['/about/', 'a=1', true, '/blog/about/?rest_route=&a=1'],
  ])('%s?%s, a form: %s', (path, query, formBody, address) => {
    expect(new RequestTargetBuilder(pretty).buildPageTarget(path, query, formBody)).toBe(address);
  });

  it('is unchanged for an origin other than WordPress', () => {
    const addressing = new RequestTargetBuilder({ ...pretty, root: pretty.base }, false);
    expect(addressing.buildPageTarget('/about/', '', true)).toBe('/blog/about/');
  });
});
