import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSlashes, normalizeRoute, parsePhpQuery } from '../../../src/base/php/request.ts';
import { RequestTargetBuilder } from '../../../src/gateway/router/request-target.ts';
import { createTargetResolver, type ResolvedTarget } from '../../../src/gateway/router/target.ts';
import type { SiteAddress } from '../../../src/generator/discovery/site.ts';

const pretty: SiteAddress = {
  base: 'https://example.com/blog/',
  root: 'https://example.com/blog/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};
const SITES = {
  pretty,
  prefixed: { ...pretty, root: 'https://example.com/blog/api/', prefix: 'api' },
  almost: { ...pretty, root: 'https://example.com/blog/index.php/wp-json/' },
  plain: { ...pretty, root: 'https://example.com/blog/index.php?rest_route=/', spelling: 'plain' },
  bare: { ...pretty, root: 'https://example.com/blog/?rest_route=/', spelling: 'plain' },
} as const satisfies Record<string, SiteAddress>;

/** @param target `only …` for a gateway without `passthrough`, which has short forms */
function resolve(site: SiteAddress, target: string, isForm: boolean): ResolvedTarget {
  const forwardsPages = !target.startsWith('only ');
  const resolver = createTargetResolver({ mountPath: '', site, forwardsPages, isDiscovered: true });
  const headers = isForm ? ['Content-Type', 'application/x-www-form-urlencoded'] : [];
  return resolver({ method: isForm ? 'POST' : 'GET', target: target.replace('only ', ''), headers });
}

/** What the site gets for a client's target; `refused`, or another word, if it gets nothing. */
function forward(site: SiteAddress, target: string, isForm = false): string {
  const resolved = resolve(site, target, isForm);
  const addressing = new RequestTargetBuilder(site);
  if (resolved.kind === 'route') return addressing.buildRouteTarget(resolved).upstreamTarget;
  if (resolved.kind !== 'page') return resolved.kind;
  return addressing.buildPageTarget(resolved.path, resolved.query);
}

/** Below the mount, and at the site without its base; `same` if they are equal. With `POST`, a form is sent. */
type Row = readonly [site: keyof typeof SITES, target: string, atSite: string, why?: string];

const ROWS: readonly Row[] = [
  // The client's own address.
  ['pretty', '/wp-json/a/1?b=1', 'same'],
  ['pretty', '/wp-json', 'same'],
  ['pretty', '/wp-json/', 'same'],
  ['pretty', '/wp-json/a/', 'same'],
  ['pretty', '/wp-json/a;b', 'same'],
  ['pretty', "/wp-json/a'b", 'same'],
  ['pretty', '/wp-json/oembed/1.0/a.php', 'same'],
  ['pretty', '/index.php/wp-json/a', 'same'],
  ['pretty', '/?rest_route=/a', 'same'],
  ['pretty', '/index.php?b=1&rest_route=%2Fa%2F&c=2', 'same'],
  ['pretty', '/?rest_route=/a%20b+c', 'same'],
  ['prefixed', '/api/a', 'same'],
  ['almost', '/index.php/wp-json/a', 'same'],
  ['plain', '/index.php?rest_route=/a', 'same'],
  ['plain', '/?rest_route=%2Fa', 'same'],
  ['bare', '/?rest_route=/a', 'same'],
  ['pretty', 'POST /?rest_route=/a', 'same'],
  ['pretty', 'POST /wp-json/a', 'same'],
  ['pretty', 'POST /wp-json/a/?b', 'same'],
  ['almost', 'POST /index.php/wp-json/a', 'same'],
  // The path is the client's, and the query names the route as well.
  ['pretty', `/wp-json/a//?${'b'.repeat(999)}`, `/wp-json/a//?${'b'.repeat(999)}&rest_route=/a`, 'short'],
  ['pretty', `/wp-json/a//?${'b'.repeat(1000)}`, `/wp-json/a//?rest_route=/a&${'b'.repeat(1000)}`, 'long'],
  ['pretty', '/wp-json/a%2Fb', '/wp-json/a%252Fb?rest_route=/a%252Fb', 'Apache refuses %2F'],
  ['pretty', '/wp-json/a%41?b', '/wp-json/a%41?b&rest_route=/a%2541', 'a proxy decodes it'],
  ['pretty', '/wp-json/a//b', '/wp-json/a//b?rest_route=/a//b', 'a proxy merges slashes'],
  ['pretty', '/wp-json/a//', '/wp-json/a//?rest_route=/a', 'a proxy merges slashes'],
  ['pretty', '/wp-json/\xc3\xa9"', '/wp-json/%C3%A9%22?rest_route=/%C3%A9%22', 'no URL has these bytes'],
  // The site has no such address.
  ['pretty', 'only /a/1?b=1', '/wp-json/a/1?b=1', 'the short form'],
  ['pretty', 'only /a;b', '/wp-json/a;b', 'the short form'],
  ['pretty', 'only /a%20b', '/wp-json/a%20b?rest_route=/a%20b', 'the short form is decoded'],
  ['pretty', 'only /a%2F%2Fb', '/wp-json/a//b?rest_route=/a//b', 'the short form is decoded'],
  ['pretty', 'only /a%2520', '/wp-json/a%2520?rest_route=/a%2520', 'the short form is decoded'],
  ['pretty', 'only /a%3F', '/wp-json/a%3F?rest_route=/a%3F', 'the short form is decoded'],
  ['pretty', 'only /a%5Cb', '/index.php?rest_route=/a%5Cb', 'servers take it for a slash'],
  ['pretty', 'only /a.php/b', '/index.php?rest_route=/a.php/b', 'servers look for a script'],
  ['pretty', 'only /a.png', '/index.php?rest_route=/a.png', 'servers look for a file'],
  ['pretty', '/wp/../a', 'refused', 'dot segments'],
  ['pretty', '//wp-json/a', '/wp-json/a', 'merged slashes'],
  ['prefixed', '/wp-json/a', '/api/a', 'another prefix'],
  ['prefixed', '/wp-json/a%41', '/api/a%2541?rest_route=/a%2541', 'another prefix'],
  ['almost', '/wp-json/a', '/index.php/wp-json/a', 'no rewriting'],
  ['plain', '/wp-json/a?b=1', '/index.php?rest_route=/a&b=1', 'no permalinks'],
  ['bare', 'only /a', '/?rest_route=/a', 'no permalinks'],
  ['bare', 'POST only /a', '/?rest_route=/a', 'no permalinks'],
  ['plain', 'only /a%26b%3Dc%23d%2Be', '/index.php?rest_route=/a%26b%3Dc%23d%2Be', 'no permalinks'],
  // Several readers could find different routes.
  ['pretty', '/wp-json/b?rest_route=/a', '/index.php?rest_route=/a', 'the path names another route'],
  ['pretty', '/index.php/b?rest_route=/a', '/index.php?rest_route=/a', 'the path names a page'],
  ['pretty', '/?rest_route=/b&c&rest_route=/a', '/?rest_route=/a&c', 'two values'],
  ['pretty', '/?rest.route=/a', '/?rest_route=/a', 'PHP changes the name'],
  ['pretty', '/?rest_route=/a;b=/c', '/?rest_route=/a%3Bb%3D/c', 'a semicolon separates for some PHP'],
  ['pretty', '/?rest_route=/a%zz', '/?rest_route=/a%25zz', 'malformed'],
  ['pretty', '/?rest_route=/\xe9', '/?rest_route=/%E9', 'bytes'],
  ['pretty', '/?rest_route=a', 'same'],
  // Pages.
  ['pretty', '/', 'same'],
  ['pretty', '/x/?b=1', 'same'],
  ['pretty', '//x', 'same'],
  ['pretty', '/x%2Fb+c?d=\xff', '/x%2Fb+c?d=%FF', 'bytes'],
  ['pretty', 'POST /x/', 'same'],
  ['pretty', 'POST /?wc-ajax=b', 'same'],
];

describe('the request target at the site', () => {
  it.each(ROWS.map(([name, target, atSite, why = 'unchanged']) => [name, target, atSite, why] as const))(
    '%s: %s is sent as %s (%s)',
    (name, target, atSite) => {
      const isForm = target.startsWith('POST ');
      const sent = target.replace(/^POST /, '');
      const expected = atSite === 'same' ? sent : atSite;
      expect(forward(SITES[name], sent, isForm)).toBe(expected === 'refused' ? expected : `/blog${expected}`);
    },
  );

  it.each([
    ['/wp-json/a', ''],
    ['only /a', ''],
    ['/wp-json/a/', '/blog/wp-json/a/'],
    ['/index.php/wp-json/a', '/blog/index.php/wp-json/a'],
    ['/?rest_route=/a', '/blog/'],
    ['/?rest_route=%2Fa', '/blog/'],
    ['/index.php?rest_route=/a', '/blog/index.php'],
  ])('%s has the unusual path "%s", which separates stored responses', (target, unusualPath) => {
    const resolved = resolve(pretty, target, false);
    if (resolved.kind !== 'route') throw new Error(resolved.kind);
    expect(new RequestTargetBuilder(pretty).buildRouteTarget(resolved)).toMatchObject({ unusualPath });
  });

  it('is parsed by PHP to the resolved route, and is not changed by URL parsers', () => {
    const start = fc.constantFrom(
      ...'/wp-json/ /a /?rest_route=/ /?b=1&rest_route=/ /index.php/wp-json/'.split(' '),
    );
    const piece = fc.oneof(
      fc.constantFrom(...`% %41 %2F %5C %3F // ' " ; . & + | [ ^ {`.split(' ')),
      fc.integer({ min: 0x21, max: 255 }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`),
    );
    const routed = { count: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(SITES)),
        start,
        fc.array(piece, { maxLength: 8 }),
        fc.boolean(),
        (site, from, pieces, isForm) => {
          const target = from + pieces.join('');
          const resolved = resolve(site, target, isForm);
          if (resolved.kind !== 'route') return;
          routed.count++;
          const { upstreamTarget } = new RequestTargetBuilder(site).buildRouteTarget(resolved);
          // fetch encodes more characters of a query, which PHP decodes.
          const url = new URL(`https://example.com${upstreamTarget}`);
          const [path, query = ''] = upstreamTarget.split(/\?(.*)/s, 2);
          expect(url.pathname).toBe(path);
          expect(parsePhpQuery(url.search.slice(1))).toEqual(parsePhpQuery(query));
          const named = parsePhpQuery(url.search.slice(1)).get('rest_route');
          // A path alone has nothing that a server changes.
          if (named === undefined) expect(url.pathname).not.toMatch(/%|\/\/|\/\.\.?(?:\/|$)/);
          const route =
            typeof named === 'string'
              ? named
              : url.pathname.replace(/^\/blog(?:\/index\.php)?\/(?:wp-json|api)/, '');
          expect(normalizeRoute(addSlashes(route))).toBe(resolved.route);
        },
      ),
      { numRuns: 400 },
    );
    expect(routed.count).toBeGreaterThan(100);
  });
});
