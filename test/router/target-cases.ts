import type { RequestHead } from '../../src/http/request-head.ts';
import type { ResolvedTarget } from '../../src/router/target.ts';

/** A request and its target. The unit suite and the suite against a real site both use these cases. */
export interface TargetCase {
  readonly why: string;
  readonly head: RequestHead;
  readonly body: string;
  /** Result of {@link describeTarget} for a site with pretty permalinks: `route GET /a/b`, `page`, `refused dot-segments`. */
  readonly meaning: string;
  /**
   * Why a direct request to the site differs: `gateway`: only the gateway has this path; `server`: the web server
   * responds before WordPress; `smuggled`: the site runs the smuggled route; `unrouted`: the site runs no route.
   */
  readonly differs?: 'gateway' | 'server' | 'smuggled' | 'unrouted';
  /** Apache responds differently to the direct request: it refuses `%2F`, and does not convert absolute forms. */
  readonly differsAtApache?: true;
  /**
   * Why PHP sees another address behind the gateway than directly: `pinned`: only `rest_route` is added to the query, because
   * a form or a server on the way could change the route; otherwise in words.
   */
  readonly address?: string;
}

/** Describes a target in words. */
export function describeTarget(target: ResolvedTarget): string {
  if (target.kind === 'refused') return `refused ${target.reason}`;
  if (target.kind === 'route') return `route ${target.method} ${target.route}`;
  return target.kind;
}

type Extra = Partial<Pick<TargetCase, 'address' | 'body' | 'differs' | 'differsAtApache'>> & {
  method?: string;
  headers?: readonly string[];
};

function targetCase(why: string, target: string, meaning: string, extra: Extra = {}): TargetCase {
  const { method = 'GET', headers = [], body = '', ...more } = extra;
  return { why, head: { method, target, headers }, body, meaning, ...more };
}

const PINNED = { address: 'pinned' } as const;
const ONE_NAME = { address: 'PHP changes the name' } as const;
const ONE_VALUE = { address: 'two values' } as const;
const ONE_ROUTE = { address: 'the path names something else' } as const;
const NO_URL = { address: 'URL parsers encode these bytes' } as const;

const form = (body: string, type = 'application/x-www-form-urlencoded'): Extra => ({
  method: 'POST',
  headers: ['Content-Type', type],
  body,
  ...(type === 'application/json' ? {} : PINNED),
});
const override = (...methods: string[]): Extra => ({
  headers: methods.flatMap((method) => ['X-HTTP-Method-Override', method]),
});
const variables = (count: number): string => 'a=1&'.repeat(count);

export const TARGET_CASES: readonly TargetCase[] = [
  // The four spellings.
  targetCase('pretty', '/wp-json/echo/v1/one/x?a=1', 'route GET /echo/v1/one/x'),
  targetCase('plain', '/index.php?rest_route=/echo/v1/one/x&a=1', 'route GET /echo/v1/one/x'),
  targetCase('plain, without index.php', '/?a=1&rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  targetCase("the gateway's own", '/echo/v1/one/x?a=1', 'route GET /echo/v1/one/x', { differs: 'gateway' }),
  targetCase('PATH_INFO without ambiguity', '/index.php/wp-json/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  targetCase('the root, pretty', '/wp-json', 'route GET /'),
  targetCase('the root, plain', '/?rest_route=%2F', 'route GET /'),
  targetCase('the front page', '/', 'page'),
  targetCase('a page', '/about/', 'page'),
  targetCase('index.php alone is the front page', '/index.php', 'page'),

  // Leading and trailing slashes are trimmed, all others are significant.
  targetCase('trailing slashes', '/wp-json/echo/v1/one/x//', 'route GET /echo/v1/one/x', PINNED),
  targetCase('slashes before the prefix', '//wp-json/echo/v1/one/x', 'route GET /echo/v1/one/x', {
    address: 'servers merge slashes',
  }),
  targetCase('slashes after the prefix', '/wp-json//echo/v1/one/x', 'route GET //echo/v1/one/x', PINNED),
  targetCase(
    'repeated slashes within the route',
    '/wp-json/echo//v1/one/x',
    'route GET /echo//v1/one/x',
    PINNED,
  ),
  targetCase('slashes only', '/?rest_route=//', 'route GET /'),
  targetCase('a backslash is trimmed like a slash', '/?rest_route=%5C', 'route GET /'),
  targetCase(
    'a route without a leading slash, which matches no route',
    '/?rest_route=echo/v1/one/x',
    'route GET echo/v1/one/x',
  ),

  // The path is not decoded, the query is decoded once.
  targetCase('an escaped slash in the path', '/wp-json/echo/v1/any/a%2Fb', 'route GET /echo/v1/any/a%2Fb', {
    address: 'Apache refuses %2F',
    differsAtApache: true,
  }),
  targetCase(
    'an escaped letter in the path',
    '/wp-json/echo/v1/any/%41',
    'route GET /echo/v1/any/%41',
    PINNED,
  ),
  targetCase('a plus in the path', '/wp-json/echo/v1/any/a+b', 'route GET /echo/v1/any/a+b'),
  targetCase(
    'raw bytes in the path',
    '/wp-json/echo/v1/any/\xc3\xa9',
    'route GET /echo/v1/any/\xc3\xa9',
    NO_URL,
  ),
  targetCase('an ampersand in the path', '/wp-json/echo/v1/any/a&b', 'route GET /echo/v1/any/a&b'),
  targetCase('a semicolon in the path', '/wp-json/echo/v1/any/a;b', 'route GET /echo/v1/any/a;b'),
  targetCase('the name of a script', '/wp-json/echo/v1/one/x.php', 'route GET /echo/v1/one/x.php'),
  targetCase('an escaped slash in the query', '/?rest_route=%2Fecho%2Fv1/one/x', 'route GET /echo/v1/one/x'),
  targetCase('escaped twice', '/?rest_route=/echo/v1/any/a%252Fb', 'route GET /echo/v1/any/a%2Fb'),
  targetCase('a plus in the query', '/?rest_route=/echo/v1/any/a+b', 'route GET /echo/v1/any/a b'),
  targetCase('malformed in the query', '/?rest_route=/echo/v1/any/a%zz', 'route GET /echo/v1/any/a%zz', {
    address: 'servers refuse it',
  }),
  targetCase(
    'dot segments in the query are text',
    '/?rest_route=/echo/v1/any/../x',
    'route GET /echo/v1/any/../x',
  ),
  targetCase('a newline at the end', '/?rest_route=/echo/v1/one/x%0A', 'route GET /echo/v1/one/x\n'),
  targetCase('in any case', '/?rest_route=/ECHO/v1/ONE/x', 'route GET /ECHO/v1/ONE/x'),
  targetCase('own: decoded once', '/echo/v1/any/a%2Fb%2520c', 'route GET /echo/v1/any/a/b%20c', {
    differs: 'gateway',
  }),
  targetCase('own: a plus is itself', '/echo/v1/any/a+b', 'route GET /echo/v1/any/a+b', {
    differs: 'gateway',
  }),

  // WordPress adds slashes to its input and matches with them.
  targetCase('a quote in the path', "/wp-json/echo/v1/any/a'b", "route GET /echo/v1/any/a\\'b"),
  targetCase(
    'a raw double quote in the path',
    '/wp-json/echo/v1/any/a"b',
    'route GET /echo/v1/any/a\\"b',
    NO_URL,
  ),
  targetCase('a quote in the query', '/?rest_route=/echo/v1/any/a%27b', "route GET /echo/v1/any/a\\'b"),
  targetCase('a backslash in the query', '/?rest_route=/echo/v1/any/a%5Cb', 'route GET /echo/v1/any/a\\\\b'),
  targetCase('NUL in the query', '/?rest_route=/echo/v1/any/a%00b', 'route GET /echo/v1/any/a\\0b'),
  targetCase('own: a quote', '/echo/v1/any/a%27b', "route GET /echo/v1/any/a\\'b", { differs: 'gateway' }),

  // Refused: servers on the way interpret these differently.
  targetCase('NUL in the path', '/wp-json/echo/v1/any/a%00b', 'refused malformed-path', {
    differs: 'server',
  }),
  targetCase('malformed in the path', '/wp-json/echo/v1/any/a%zz', 'refused malformed-path', {
    differs: 'server',
  }),
  targetCase('a cut escape in the path', '/wp-json/echo/v1/any/a%', 'refused malformed-path', {
    differs: 'server',
  }),
  targetCase('a dot segment', '/wp-json/echo/v1/./one/x', 'refused dot-segments'),
  targetCase('dot segments', '/wp-json/echo/v1/../v1/one/x', 'refused dot-segments'),
  targetCase('escaped dot segments', '/wp-json/echo/v1/%2e%2E/v1/one/x', 'refused dot-segments'),
  targetCase('half escaped dot segments', '/wp-json/echo/.%2e/v1/one/x', 'refused dot-segments'),
  targetCase('dot segments with an escaped slash', '/wp-json/echo/..%2Fv1/one/x', 'refused dot-segments'),
  targetCase('dot segments with an escaped backslash', '/wp-json/echo/..%5Cv1/one/x', 'refused dot-segments'),
  targetCase('dot segments into the interface', '/about/../wp-json/echo/v1/one/x', 'refused dot-segments'),
  targetCase('dot segments out of the interface', '/wp-json/../wp-login.php', 'refused dot-segments'),
  targetCase('dot segments out of the site', '/%2e%2e/other', 'refused dot-segments'),
  targetCase('a raw backslash', '/wp-json\\echo/v1/one/x', 'refused dot-segments'),
  targetCase('the prefix escaped', '/wp%2Djson/echo/v1/one/x', 'refused encoded-prefix'),
  targetCase('the slash behind the prefix escaped', '/wp-json%2Fecho/v1/one/x', 'refused encoded-prefix'),
  targetCase('the prefix and a newline', '/wp-json%0A', 'refused encoded-prefix'),
  targetCase('the prefix, a slash and a newline', '/wp-json%2F%0Aecho', 'refused encoded-prefix'),
  targetCase('PATH_INFO with escapes', '/index.php/wp-json/echo/v1/any/%41', 'refused encoded-prefix'),
  targetCase(
    'PATH_INFO with an escaped script',
    '/index%2Ephp/wp-json/echo/v1/one/x',
    'refused encoded-prefix',
  ),
  targetCase('PATH_INFO with double slashes', '/index.php//wp-json/echo/v1/one/x', 'refused encoded-prefix'),
  targetCase('PATH_INFO in another case', '/INDEX.PHP/wp-json/echo/v1/one/x', 'refused encoded-prefix'),
  targetCase('a fragment', '/wp-json/echo/v1/one/x#y', 'refused target-characters'),
  targetCase('a fragment in the query', '/?rest_route=/echo/v1/one/x#y', 'refused target-characters'),
  targetCase('a space', '/wp-json/echo/v1/one/x y', 'refused target-characters', { differs: 'server' }),
  targetCase('a control character', '/wp-json/echo/v1/one/\x01', 'refused target-characters', {
    differs: 'server',
  }),
  targetCase('asterisk form', '*', 'refused target-form', { differs: 'server' }),
  targetCase('authority form', 'example.com:80', 'refused target-form', { differs: 'server' }),
  targetCase('another scheme', 'ftp://example.com/', 'refused target-form'),
  targetCase('very long', `/wp-json/echo/v1/one/${'x'.repeat(16_384)}`, 'refused target-length', {
    differs: 'server',
  }),

  // Pages outside the REST API.
  targetCase('the prefix in another case', '/WP-JSON/echo/v1/one/x', 'page'),
  targetCase('longer than the prefix', '/wp-jsonx/echo/v1/one/x', 'page'),
  targetCase('an escaped slash in front of the prefix', '/%2Fwp-json/echo/v1/one/x', 'page'),
  targetCase('absolute form', 'http://example.com/wp-json/echo/v1/one/x', 'route GET /echo/v1/one/x', {
    differsAtApache: true,
  }),
  targetCase('absolute form without a path', 'http://example.com', 'page', { differsAtApache: true }),
  targetCase('absolute form without a path, with a query', 'HTTP://example.com?rest_route=/', 'route GET /', {
    differsAtApache: true,
  }),

  // rest_route is read where the front controller runs for certain.
  targetCase('over a page', '/about/?rest_route=/echo/v1/one/x', 'refused route-path'),
  targetCase(
    'over PATH_INFO',
    '/index.php/about?rest_route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_ROUTE,
  ),
  ...[
    '/wp-login.php',
    '/wp-cron.php',
    '/wp-comments-post.php',
    '/wp-admin/',
    '/wp-includes/css/buttons.css',
  ].map((path) =>
    targetCase(
      `over ${path}, which does not route`,
      `${path}?rest_route=/echo/v1/one/x`,
      'refused route-path',
      {
        method: 'POST',
        differs: 'unrouted',
      },
    ),
  ),
  ...[
    '/xmlrpc.php',
    '/wp-trackback.php',
    '/Index.php',
    '/INDEX.PHP',
    '/index%2Ephp',
    '//index.php',
    '//',
  ].map((path) =>
    targetCase(`over ${path}`, `${path}?rest_route=/echo/v1/one/x`, 'refused route-path', { method: 'POST' }),
  ),
  targetCase('over dot segments', '/wp-admin/../?rest_route=/echo/v1/one/x', 'refused dot-segments'),
  targetCase('over an encoded prefix', '/wp%2Djson/a?rest_route=/echo/v1/one/x', 'refused route-path'),
  targetCase('over the documentation', '/docs/?rest_route=/echo/v1/one/x', 'refused route-path'),
  targetCase('empty, over another script', '/wp-login.php?rest_route=', 'page'),
  targetCase(
    'rest_route overrides the path',
    '/wp-json/wp/v2/posts?rest_route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_ROUTE,
  ),
  targetCase('over the document', '/openapi.json?rest_route=/echo/v1/one/x', 'refused route-path'),
  targetCase('empty: no interface, whatever the path', '/wp-json/wp/v2/posts?rest_route=', 'page'),
  targetCase('"0" is empty', '/wp-json/wp/v2/posts?rest_route=0', 'page'),
  targetCase('"0/" is not', '/?rest_route=0/', 'route GET /'),
  targetCase(
    'the last rest_route wins',
    '/?rest_route=/wp/v2/posts&rest_route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_VALUE,
  ),
  targetCase(
    'the last rest_route wins, spelled rest.route',
    '/?rest_route=/wp/v2/posts&rest.route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_VALUE,
  ),
  targetCase('escaped name', '/?%72est%5Froute=/echo/v1/one/x', 'route GET /echo/v1/one/x', ONE_NAME),
  targetCase('a dot in the name', '/?rest.route=/echo/v1/one/x', 'route GET /echo/v1/one/x', ONE_NAME),
  targetCase('a plus in the name', '/?rest+route=/echo/v1/one/x', 'route GET /echo/v1/one/x', ONE_NAME),
  targetCase('a bracket in the name', '/?rest[route=/echo/v1/one/x', 'route GET /echo/v1/one/x', ONE_NAME),
  targetCase(
    'an escaped bracket in the name',
    '/?rest%5Broute=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_NAME,
  ),
  targetCase(
    'spaces before the name',
    '/?+%20rest_route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
    ONE_NAME,
  ),
  targetCase('NUL in the name', '/?rest_route%00[]=/echo/v1/one/x', 'route GET /echo/v1/one/x', ONE_NAME),
  targetCase('the name in another case', '/?REST_ROUTE=/echo/v1/one/x', 'page'),
  targetCase('a second question mark', '/?a=1?rest_route=/echo/v1/one/x', 'page'),
  targetCase('an array', '/?rest_route[]=/echo/v1/one/x', 'refused route-array'),
  targetCase('an array, escaped', '/wp-json/echo/v1/one/x?rest.route%5Bk%5D=/', 'refused route-array'),
  targetCase('behind a semicolon', '/wp-json/echo/v1/one/x?a=1;rest_route=/', 'refused variable-semicolon'),
  targetCase('the 999th', `/?${variables(998)}rest_route=/echo/v1/one/x`, 'route GET /echo/v1/one/x'),
  targetCase('the 1000th', `/?${variables(999)}rest_route=/echo/v1/one/x`, 'refused variable-position'),
  targetCase('the 1001st', `/?${variables(1000)}rest_route=/echo/v1/one/x`, 'refused variable-position'),

  // The method.
  targetCase('_method', '/wp-json/echo/v1/one/x?_method=delete', 'route DELETE /echo/v1/one/x'),
  targetCase('.method', '/wp-json/echo/v1/one/x?.method=DELETE', 'route DELETE /echo/v1/one/x'),
  targetCase('%5Fmethod', '/wp-json/echo/v1/one/x?%5Fmethod=DELETE', 'route DELETE /echo/v1/one/x'),
  targetCase(
    'the last _method wins',
    '/wp-json/echo/v1/one/x?_method=PUT&_method=POST',
    'route POST /echo/v1/one/x',
  ),
  targetCase('an empty _method is a method', '/wp-json/echo/v1/one/x?_method=', 'route  /echo/v1/one/x'),
  targetCase('_method on HEAD', '/wp-json/echo/v1/one/x?_method=POST', 'route POST /echo/v1/one/x', {
    method: 'HEAD',
  }),
  targetCase('_method as an array', '/wp-json/echo/v1/one/x?_method[]=DELETE', 'refused method-array'),
  targetCase(
    '_method behind a semicolon',
    '/wp-json/echo/v1/one/x?a;_method=DELETE',
    'refused variable-semicolon',
  ),
  targetCase(
    '_method as the 1000th variable',
    `/wp-json/echo/v1/one/x?${variables(999)}_method=DELETE`,
    'refused variable-position',
  ),
  targetCase("_method[] on a page is the page's", '/about/?_method[]=DELETE', 'page'),
  targetCase('the header', '/wp-json/echo/v1/one/x', 'route DELETE /echo/v1/one/x', override('delete')),
  targetCase('the header, empty', '/wp-json/echo/v1/one/x', 'route  /echo/v1/one/x', override('')),
  targetCase(
    'X-HTTP-Method-Override with a list',
    '/wp-json/echo/v1/one/x',
    'route DELETE, GET /echo/v1/one/x',
    override('DELETE, GET'),
  ),
  targetCase(
    'X-HTTP-Method-Override twice',
    '/wp-json/echo/v1/one/x',
    'refused method-repeated',
    override('DELETE', 'GET'),
  ),
  targetCase(
    '_method overrides the header',
    '/wp-json/echo/v1/one/x?_method=POST',
    'route POST /echo/v1/one/x',
    override('DELETE'),
  ),
  targetCase(
    '_method in a form is not an override',
    '/wp-json/echo/v1/one/x',
    'route POST /echo/v1/one/x',
    form('_method=DELETE'),
  ),
  targetCase('HEAD', '/wp-json/echo/v1/one/x', 'route HEAD /echo/v1/one/x', { method: 'HEAD' }),
  targetCase('OPTIONS', '/wp-json/echo/v1/one/x', 'route OPTIONS /echo/v1/one/x', { method: 'OPTIONS' }),

  // rest_route in a form body, which the gateway does not read.
  targetCase('a form', '/wp-json/echo/v1/one/x', 'route POST /echo/v1/one/x', form('a=1')),
  targetCase(
    'a form to a quoted route',
    "/wp-json/echo/v1/any/it's",
    "route POST /echo/v1/any/it\\'s",
    form('a=1'),
  ),
  targetCase(
    'the same route in the form',
    '/wp-json/echo/v1/one/x',
    'route POST /echo/v1/one/x',
    form('rest_route=/echo/v1/one/x'),
  ),
  ...[
    form('rest_route=/echo/v1/one/y'),
    form('rest.route=/echo/v1/one/y'),
    form('rest_route[]=/echo/v1/one/y'),
    form('rest_route='),
    form('rest_route=/echo/v1/one/y', 'Application/X-WWW-Form-Urlencoded, x'),
    form(
      '--X\r\nContent-Disposition: form-data; name="rest_route"\r\n\r\n/echo/v1/one/y\r\n--X--\r\n',
      'multipart/form-data; boundary=X',
    ),
  ].map((sent) =>
    targetCase('another route in the form', '/wp-json/echo/v1/one/x', 'route POST /echo/v1/one/x', {
      ...sent,
      differs: 'smuggled',
    }),
  ),
  targetCase('a route in the form of a page', '/', 'page', {
    ...form('rest_route=/echo/v1/one/y'),
    differs: 'smuggled',
  }),
  targetCase('a form to a page', '/about/', 'page', form('comment=1')),
  targetCase(
    'rest_route in JSON is not an override',
    '/wp-json/echo/v1/one/x',
    'route POST /echo/v1/one/x',
    form('{"rest_route":"/"}', 'application/json'),
  ),
];
