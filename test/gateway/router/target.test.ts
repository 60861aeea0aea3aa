import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestHead } from '../../../src/base/http/exchange.ts';
import { addSlashes, normalizeRoute, parsePhpQuery } from '../../../src/base/php/request.ts';
import { createRouteTargetBuilder } from '../../../src/gateway/router/request-target.ts';
import {
  createTargetResolver,
  type ResolvedTarget,
  type TargetResolverOptions,
  toOriginForm,
} from '../../../src/gateway/router/target.ts';
import type { SiteAddress } from '../../../src/generator/discovery/site.ts';
import { describeTarget, describeWhole, TARGET_CASES } from './target-cases.ts';

const site: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};
const options: TargetResolverOptions = { mountPath: '', site, forwardsPages: true, isDiscovered: true };

describe('a request is resolved to one target', () => {
  it.each(TARGET_CASES.map((row) => [row.why, row.head.method, row.head.target.slice(0, 80), row] as const))(
    '%s: %s %j',
    (_why, _method, _target, row) => {
      const { head, meaning } = row;
      expect(describeTarget(resolve(head.target, {}, head))).toBe(describeWhole(row));
      // An interface has no pages, and what is none is a route in the short form.
      if (meaning === 'page') return;
      const alone = resolve(head.target, { forwardsPages: false }, head);
      expect(describeTarget(alone)).toBe(meaning);
    },
  );
});

describe('an absolute form', () => {
  const convert = (target: string, headers: readonly string[], protocol: 'http' | 'https' = 'http') => {
    const head = { method: 'GET', target, headers, peerAddress: '', protocol, httpVersion: '1.1' };
    const { target: path, headers: fields } = toOriginForm(head);
    return `${path} ${fields.join(' ')}`;
  };
  it.each<[string, string, 'http' | 'https', string]>([
    ['http://b.example.com/x?y', 'Host a.example.com', 'http', '/x?y Host b.example.com'],
    ['HTTP://b.example.com:81', 'A 1 host a B 2', 'http', '/ A 1 host b.example.com:81 B 2'],
    ['http://b.example.com?y', '', 'http', '/?y Host b.example.com'],
    ['https://b.example.com/x', 'Host a', 'https', '/x Host b.example.com'],
    // They stay, and are refused.
    ['https://b.example.com/x', 'Host a', 'http', 'https://b.example.com/x Host a'],
    ['http://b.example.com/x', 'Host a', 'https', 'http://b.example.com/x Host a'],
    ['http://user:word@b.example.com/x', 'Host a', 'http', 'http://user:word@b.example.com/x Host a'],
    ['http:///x', 'Host a', 'http', 'http:///x Host a'],
    ['http://b/x', 'Host a Host b', 'http', 'http://b/x Host a Host b'],
  ])('%s with %s over %s: %s', (target, headers, protocol, expected) => {
    expect(convert(target, headers === '' ? [] : headers.split(' '), protocol)).toBe(expected);
  });
});

const API = { forwardsPages: false };
const MOUNTED = { mountPath: '/content' };
const ORIGIN = { isDiscovered: false };

it.each<[Partial<TargetResolverOptions>, target: string, means: string]>([
  [API, '/', 'route GET /'],
  [API, '/anything/at%20all', 'route GET /anything/at all'],
  [API, '/anything/%zz', 'refused malformed-path'],
  [API, '/?rest_route=', 'not-found'],
  [API, '/index.php/about', 'not-found'],
  [API, '/openapi.json', 'document'],
  [API, '/docs', 'docs'],
  [API, '/wp/v2/%70osts?rest_route=%2Fwp/v2/posts', 'route GET /wp/v2/posts'],
  [API, '/wp/v2/posts?rest_route=/wp/v2/pages', 'route GET /wp/v2/pages'],
  [{}, '/-/docs/assets/page.js', 'docs'],
  [{}, '/-/docs/%2e%2e/x', 'refused dot-segments'],
  [MOUNTED, '/content', 'page'],
  [MOUNTED, '/content?rest_route=/a', 'route GET /a'],
  [MOUNTED, '/content/wp-json/a', 'route GET /a'],
  [MOUNTED, '/content/-/openapi.json', 'document'],
  [MOUNTED, '/content/-/none', 'not-found'],
  [MOUNTED, '/content/openapi.json', 'page'],
  [MOUNTED, '/content/-', 'page'],
  [MOUNTED, '/content/-x', 'page'],
  [MOUNTED, '/contents/wp-json/a', 'not-found'],
  [MOUNTED, '/wp-json/a', 'not-found'],
  [MOUNTED, '/Content/wp-json/a', 'not-found'],
  [MOUNTED, 'http://example.com/content/wp-json/a', 'route GET /a'],
  [ORIGIN, '/wp-json/a', 'page'],
  [ORIGIN, '/?rest_route=/a', 'page'],
  [ORIGIN, '/docs', 'page'],
  [ORIGIN, '/x?_method[]=1', 'page'],
  [ORIGIN, '/a/../b', 'refused dot-segments'],
])('with %j, %s is %s', (changes, target, means) => {
  expect(describeTarget(resolve(target, changes))).toBe(means);
});

it('a page below a mount has its raw path', () => {
  expect(resolve('/content/a%20b//?c', MOUNTED)).toMatchObject({ path: '/a%20b//', query: 'c' });
});

describe('the request target at the site', () => {
  const blog = { ...site, base: 'https://example.com/blog/', root: 'https://example.com/blog/wp-json/' };
  const SITES = {
    pretty: blog,
    prefixed: { ...blog, root: 'https://example.com/blog/api/', prefix: 'api' },
    almost: { ...blog, root: 'https://example.com/blog/index.php/wp-json/' },
    plain: { ...blog, root: 'https://example.com/blog/index.php?rest_route=/', spelling: 'plain' },
    bare: { ...blog, root: 'https://example.com/blog/?rest_route=/', spelling: 'plain' },
  } as const satisfies Record<string, SiteAddress>;
  it.each<[keyof typeof SITES, string, string]>([
    ['plain', '/a%26b%3Dc%23d%2Be', '/index.php?rest_route=/a%26b%3Dc%23d%2Be'],
    ['bare', '/a', '/?rest_route=/a'],
    ['pretty', '/a?b=%20', '/wp-json/a?b=%20'],
    ['pretty', '/a%27b+c', "/wp-json/a'b+c"],
    ['pretty', '/?d&rest_route=/a%2Fb/&c=1', '/wp-json/a/b?d&c=1'],
    ['almost', '/wp-json/a', '/index.php/wp-json/a'],
    // Servers change them, or take them for a file.
    ['pretty', '/a%2F%2Fb', '/index.php?rest_route=/a//b'],
    ['pretty', '/wp-json/%41', '/index.php?rest_route=/%2541'],
    ['pretty', '/\xc3\xa9?d=\xff', '/index.php?rest_route=/%C3%A9&d=%FF'],
    ['pretty', '/a.png', '/index.php?rest_route=/a.png'],
  ])('in the folder of a site, %s: %s is sent as %s', (name, target, sent) => {
    const resolved = resolve(target, { site: SITES[name], forwardsPages: false });
    if (resolved.kind !== 'route') throw new Error(resolved.kind);
    expect(createRouteTargetBuilder(SITES[name])(resolved)).toBe(`/blog${sent}`);
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
        (of, from, pieces) => {
          const resolved = resolve(from + pieces.join(''), { site: of, forwardsPages: false });
          if (resolved.kind !== 'route') return;
          routed.count++;
          const upstreamTarget = createRouteTargetBuilder(of)(resolved);
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

function resolve(
  target: string,
  changes: Partial<TargetResolverOptions> = {},
  head: Partial<RequestHead> = {},
): ResolvedTarget {
  const connection = { peerAddress: '192.0.2.1', protocol: 'http', httpVersion: '1.1' } as const;
  return createTargetResolver({ ...options, ...changes })(
    toOriginForm({ method: 'GET', headers: [], ...head, target, ...connection }),
  );
}
