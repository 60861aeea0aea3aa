import type { RequestHead } from '../../src/http/request-head.ts';
import type { ResolvedTarget } from '../../src/router/target.ts';

/** A request, what it means, and why. Both the unit suite and the one against a real site walk this table. */
export interface Row {
  readonly why: string;
  readonly head: RequestHead;
  readonly body: string;
  /** In words: `route GET /a/b`, `page`, `refused dot-segments`, …; the site has pretty permalinks. */
  readonly means: string;
  /**
   * Where the site, asked directly, does something else: `gateway` for addresses that only the gateway has,
   * `server` where the web server answers first, `smuggled` where the site falls for it.
   */
  readonly differs?: 'gateway' | 'server' | 'smuggled';
}

/** What a request was taken for, as the table writes it. */
export function inWords(target: ResolvedTarget): string {
  if (target.kind === 'refused') return `refused ${target.reason}`;
  if (target.kind === 'route') return `route ${target.method} ${target.route}`;
  return target.kind;
}

type Extra = { method?: string; headers?: readonly string[]; body?: string; differs?: Row['differs'] };

function row(why: string, target: string, means: string, extra: Extra = {}): Row {
  const { method = 'GET', headers = [], body = '', differs } = extra;
  return {
    why,
    head: { method, target, headers },
    body,
    means,
    ...(differs === undefined ? {} : { differs }),
  };
}

const form = (body: string, type = 'application/x-www-form-urlencoded'): Extra => ({
  method: 'POST',
  headers: ['Content-Type', type],
  body,
});
const override = (...methods: string[]): Extra => ({
  headers: methods.flatMap((method) => ['X-HTTP-Method-Override', method]),
});
const variables = (count: number): string => 'a=1&'.repeat(count);

export const TABLE: readonly Row[] = [
  // The four spellings.
  row('pretty', '/wp-json/echo/v1/one/x?a=1', 'route GET /echo/v1/one/x'),
  row('plain', '/index.php?rest_route=/echo/v1/one/x&a=1', 'route GET /echo/v1/one/x'),
  row('plain, without index.php', '/?a=1&rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row("the gateway's own", '/echo/v1/one/x?a=1', 'route GET /echo/v1/one/x', { differs: 'gateway' }),
  row(
    'PATH_INFO, where nothing in it is ambiguous',
    '/index.php/wp-json/echo/v1/one/x',
    'route GET /echo/v1/one/x',
  ),
  row('the root, pretty', '/wp-json', 'route GET /'),
  row('the root, plain', '/?rest_route=%2F', 'route GET /'),
  row('the front page', '/', 'page'),
  row('a page', '/about/', 'page'),
  row('index.php alone is the front page', '/index.php', 'page'),

  // Slashes at the ends are trimmed, all others count.
  row('slashes at the end', '/wp-json/echo/v1/one/x//', 'route GET /echo/v1/one/x'),
  row('slashes in front of the prefix', '//wp-json/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('slashes behind the prefix', '/wp-json//echo/v1/one/x', 'route GET //echo/v1/one/x'),
  row('slashes within', '/wp-json/echo//v1/one/x', 'route GET /echo//v1/one/x'),
  row('slashes only', '/?rest_route=//', 'route GET /'),
  row('a backslash is trimmed like a slash', '/?rest_route=%5C', 'route GET /'),
  row('no slash in front: no route of the site', '/?rest_route=echo/v1/one/x', 'route GET echo/v1/one/x'),

  // The path is not decoded, the query is decoded once.
  row('an escaped slash in the path', '/wp-json/echo/v1/any/a%2Fb', 'route GET /echo/v1/any/a%2Fb'),
  row('an escaped letter in the path', '/wp-json/echo/v1/any/%41', 'route GET /echo/v1/any/%41'),
  row('a plus in the path', '/wp-json/echo/v1/any/a+b', 'route GET /echo/v1/any/a+b'),
  row('raw bytes in the path', '/wp-json/echo/v1/any/\xc3\xa9', 'route GET /echo/v1/any/\xc3\xa9'),
  row('an ampersand in the path', '/wp-json/echo/v1/any/a&b', 'route GET /echo/v1/any/a&b'),
  row('a semicolon in the path', '/wp-json/echo/v1/any/a;b', 'route GET /echo/v1/any/a;b'),
  row('the name of a script', '/wp-json/echo/v1/one/x.php', 'route GET /echo/v1/one/x.php'),
  row('an escaped slash in the query', '/?rest_route=%2Fecho%2Fv1/one/x', 'route GET /echo/v1/one/x'),
  row('escaped twice', '/?rest_route=/echo/v1/any/a%252Fb', 'route GET /echo/v1/any/a%2Fb'),
  row('a plus in the query', '/?rest_route=/echo/v1/any/a+b', 'route GET /echo/v1/any/a b'),
  row('malformed in the query', '/?rest_route=/echo/v1/any/a%zz', 'route GET /echo/v1/any/a%zz'),
  row('dot segments in the query are text', '/?rest_route=/echo/v1/any/../x', 'route GET /echo/v1/any/../x'),
  row('a newline at the end', '/?rest_route=/echo/v1/one/x%0A', 'route GET /echo/v1/one/x\n'),
  row('in any case', '/?rest_route=/ECHO/v1/ONE/x', 'route GET /ECHO/v1/ONE/x'),
  row('own: decoded once', '/echo/v1/any/a%2Fb%2520c', 'route GET /echo/v1/any/a/b%20c', {
    differs: 'gateway',
  }),
  row('own: a plus is itself', '/echo/v1/any/a+b', 'route GET /echo/v1/any/a+b', { differs: 'gateway' }),

  // WordPress adds slashes to its input and matches with them.
  row('a quote in the path', "/wp-json/echo/v1/any/a'b", "route GET /echo/v1/any/a\\'b"),
  row('a raw double quote in the path', '/wp-json/echo/v1/any/a"b', 'route GET /echo/v1/any/a\\"b'),
  row('a quote in the query', '/?rest_route=/echo/v1/any/a%27b', "route GET /echo/v1/any/a\\'b"),
  row('a backslash in the query', '/?rest_route=/echo/v1/any/a%5Cb', 'route GET /echo/v1/any/a\\\\b'),
  row('NUL in the query', '/?rest_route=/echo/v1/any/a%00b', 'route GET /echo/v1/any/a\\0b'),
  row('own: a quote', '/echo/v1/any/a%27b', "route GET /echo/v1/any/a\\'b", { differs: 'gateway' }),

  // Refused: readers on the way do not agree on these.
  row('NUL in the path', '/wp-json/echo/v1/any/a%00b', 'refused malformed-path', { differs: 'server' }),
  row('malformed in the path', '/wp-json/echo/v1/any/a%zz', 'refused malformed-path', { differs: 'server' }),
  row('a cut escape in the path', '/wp-json/echo/v1/any/a%', 'refused malformed-path', { differs: 'server' }),
  row('a dot segment', '/wp-json/echo/v1/./one/x', 'refused dot-segments'),
  row('dot segments', '/wp-json/echo/v1/../v1/one/x', 'refused dot-segments'),
  row('escaped dot segments', '/wp-json/echo/v1/%2e%2E/v1/one/x', 'refused dot-segments'),
  row('half escaped dot segments', '/wp-json/echo/.%2e/v1/one/x', 'refused dot-segments'),
  row('dot segments with an escaped slash', '/wp-json/echo/..%2Fv1/one/x', 'refused dot-segments'),
  row('dot segments with an escaped backslash', '/wp-json/echo/..%5Cv1/one/x', 'refused dot-segments'),
  row('dot segments into the interface', '/about/../wp-json/echo/v1/one/x', 'refused dot-segments'),
  row('dot segments out of the interface', '/wp-json/../wp-login.php', 'refused dot-segments'),
  row('dot segments out of the site', '/%2e%2e/other', 'refused dot-segments'),
  row('a raw backslash', '/wp-json\\echo/v1/one/x', 'refused dot-segments'),
  row('the prefix escaped', '/wp%2Djson/echo/v1/one/x', 'refused encoded-prefix'),
  row('the slash behind the prefix escaped', '/wp-json%2Fecho/v1/one/x', 'refused encoded-prefix'),
  row('the prefix and a newline', '/wp-json%0A', 'refused encoded-prefix'),
  row('the prefix, a slash and a newline', '/wp-json%2F%0Aecho', 'refused encoded-prefix'),
  row('PATH_INFO with escapes', '/index.php/wp-json/echo/v1/any/%41', 'refused encoded-prefix'),
  row('PATH_INFO with an escaped script', '/index%2Ephp/wp-json/echo/v1/one/x', 'refused encoded-prefix'),
  row('PATH_INFO with double slashes', '/index.php//wp-json/echo/v1/one/x', 'refused encoded-prefix'),
  row('PATH_INFO in another case', '/INDEX.PHP/wp-json/echo/v1/one/x', 'refused encoded-prefix'),
  row('a fragment', '/wp-json/echo/v1/one/x#y', 'refused target-characters'),
  row('a fragment in the query', '/?rest_route=/echo/v1/one/x#y', 'refused target-characters'),
  row('a space', '/wp-json/echo/v1/one/x y', 'refused target-characters', { differs: 'server' }),
  row('a control character', '/wp-json/echo/v1/one/\x01', 'refused target-characters', { differs: 'server' }),
  row('asterisk form', '*', 'refused target-form', { differs: 'server' }),
  row('authority form', 'example.com:80', 'refused target-form', { differs: 'server' }),
  row('another scheme', 'ftp://example.com/', 'refused target-form'),
  row('very long', `/wp-json/echo/v1/one/${'x'.repeat(16_384)}`, 'refused target-length', {
    differs: 'server',
  }),

  // Not the interface, for the site neither.
  row('the prefix in another case', '/WP-JSON/echo/v1/one/x', 'page'),
  row('longer than the prefix', '/wp-jsonx/echo/v1/one/x', 'page'),
  row('an escaped slash in front of the prefix', '/%2Fwp-json/echo/v1/one/x', 'page'),
  row('absolute form', 'http://example.com/wp-json/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('absolute form without a path', 'http://example.com', 'page'),
  row('absolute form without a path, with a query', 'HTTP://example.com?rest_route=/', 'route GET /'),

  // rest_route in the query of any address.
  row('over a page', '/about/?rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('over another route', '/wp-json/wp/v2/posts?rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('over the document', '/openapi.json?rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('empty: no interface, whatever the path', '/wp-json/wp/v2/posts?rest_route=', 'page'),
  row('"0" is empty', '/wp-json/wp/v2/posts?rest_route=0', 'page'),
  row('"0/" is not', '/?rest_route=0/', 'route GET /'),
  row('the last one', '/?rest_route=/wp/v2/posts&rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row(
    'the last one, by another name',
    '/?rest_route=/wp/v2/posts&rest.route=/echo/v1/one/x',
    'route GET /echo/v1/one/x',
  ),
  row('escaped name', '/?%72est%5Froute=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('a dot in the name', '/?rest.route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('a plus in the name', '/?rest+route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('a bracket in the name', '/?rest[route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('an escaped bracket in the name', '/?rest%5Broute=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('spaces before the name', '/?+%20rest_route=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('NUL in the name', '/?rest_route%00[]=/echo/v1/one/x', 'route GET /echo/v1/one/x'),
  row('the name in another case', '/?REST_ROUTE=/echo/v1/one/x', 'page'),
  row('a second question mark', '/?a=1?rest_route=/echo/v1/one/x', 'page'),
  row('an array', '/?rest_route[]=/echo/v1/one/x', 'refused route-array'),
  row('an array, escaped', '/wp-json/echo/v1/one/x?rest.route%5Bk%5D=/', 'refused route-array'),
  row('behind a semicolon', '/wp-json/echo/v1/one/x?a=1;rest_route=/', 'refused variable-semicolon'),
  row('the 999th', `/?${variables(998)}rest_route=/echo/v1/one/x`, 'route GET /echo/v1/one/x'),
  row('the 1000th', `/?${variables(999)}rest_route=/echo/v1/one/x`, 'refused variable-position'),
  row('the 1001st', `/?${variables(1000)}rest_route=/echo/v1/one/x`, 'refused variable-position'),

  // The method.
  row('_method', '/wp-json/echo/v1/one/x?_method=delete', 'route DELETE /echo/v1/one/x'),
  row('.method', '/wp-json/echo/v1/one/x?.method=DELETE', 'route DELETE /echo/v1/one/x'),
  row('%5Fmethod', '/wp-json/echo/v1/one/x?%5Fmethod=DELETE', 'route DELETE /echo/v1/one/x'),
  row('the last _method', '/wp-json/echo/v1/one/x?_method=PUT&_method=POST', 'route POST /echo/v1/one/x'),
  row('an empty _method is a method', '/wp-json/echo/v1/one/x?_method=', 'route  /echo/v1/one/x'),
  row('_method on HEAD', '/wp-json/echo/v1/one/x?_method=POST', 'route POST /echo/v1/one/x', {
    method: 'HEAD',
  }),
  row('_method as an array', '/wp-json/echo/v1/one/x?_method[]=DELETE', 'refused method-array'),
  row('_method behind a semicolon', '/wp-json/echo/v1/one/x?a;_method=DELETE', 'refused variable-semicolon'),
  row(
    '_method as the 1000th',
    `/wp-json/echo/v1/one/x?${variables(999)}_method=DELETE`,
    'refused variable-position',
  ),
  row("_method[] on a page is the page's", '/about/?_method[]=DELETE', 'page'),
  row('the header', '/wp-json/echo/v1/one/x', 'route DELETE /echo/v1/one/x', override('delete')),
  row('the header, empty', '/wp-json/echo/v1/one/x', 'route  /echo/v1/one/x', override('')),
  row(
    'the header, a list',
    '/wp-json/echo/v1/one/x',
    'route DELETE, GET /echo/v1/one/x',
    override('DELETE, GET'),
  ),
  row('the header twice', '/wp-json/echo/v1/one/x', 'refused method-repeated', override('DELETE', 'GET')),
  row(
    '_method over the header',
    '/wp-json/echo/v1/one/x?_method=POST',
    'route POST /echo/v1/one/x',
    override('DELETE'),
  ),
  row(
    '_method in a form is a field',
    '/wp-json/echo/v1/one/x',
    'route POST /echo/v1/one/x',
    form('_method=DELETE'),
  ),
  row('HEAD', '/wp-json/echo/v1/one/x', 'route HEAD /echo/v1/one/x', { method: 'HEAD' }),
  row('OPTIONS', '/wp-json/echo/v1/one/x', 'route OPTIONS /echo/v1/one/x', { method: 'OPTIONS' }),

  // rest_route in a form, which streams past unread.
  row('a form', '/wp-json/echo/v1/one/x', 'route POST /echo/v1/one/x', form('a=1')),
  row('a form to a quoted route', "/wp-json/echo/v1/any/it's", "route POST /echo/v1/any/it\\'s", form('a=1')),
  row(
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
    row('another route in the form', '/wp-json/echo/v1/one/x', 'route POST /echo/v1/one/x', {
      ...sent,
      differs: 'smuggled',
    }),
  ),
  row('a route in the form of a page', '/', 'page', {
    ...form('rest_route=/echo/v1/one/y'),
    differs: 'smuggled',
  }),
  row('a form to a page', '/about/', 'page', form('comment=1')),
  row(
    'JSON is no form',
    '/wp-json/echo/v1/one/x',
    'route POST /echo/v1/one/x',
    form('{"rest_route":"/"}', 'application/json'),
  ),
];
