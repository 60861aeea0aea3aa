import type { RequestHead } from '../../../src/base/http/exchange.ts';
import type { ResolvedTarget } from '../../../src/gateway/router/target.ts';

/** A request and its target. Resolver and builder, a gateway, and a real site are tested with these cases. */
export interface TargetCase {
  readonly why: string;
  readonly head: RequestHead;
  readonly body: string;
  /**
   * Result of {@link describeTarget} for a site with pretty permalinks: `route GET /a/b`, `page`, `refused dot-segments`. With
   * `passthrough`: {@link describeWhole}.
   */
  readonly meaning: string;
  /**
   * Why a direct request to the site differs: `gateway`: only a gateway without `passthrough` has this path; `server`: the web server
   * responds before WordPress; `smuggled`: the site runs the smuggled route; `unrouted`: the site runs no route.
   */
  readonly differs?: 'gateway' | 'server' | 'smuggled' | 'unrouted';
  /** Apache responds differently to the direct request: it refuses `%2F`, and does not convert absolute forms. */
  readonly differsAtApache?: true;
}

type Extra = Partial<Pick<TargetCase, 'body' | 'differs' | 'differsAtApache'>> & {
  method?: string;
  headers?: readonly string[];
};

/** What the case shows, target, result (of a route without the word), and what differs. `~` is `/echo/v1/one/x`, `ANY` `/echo/v1/any`. */
type Row = readonly [why: string, target: string, meaning: string, extra?: Extra];

function createCase([why, target, meaning, extra = {}]: Row): TargetCase {
  const { method = 'GET', headers = [], body = '', ...rest } = extra;
  const expand = (text: string): string =>
    text.replaceAll('~', '/echo/v1/one/x').replaceAll('ANY', '/echo/v1/any');
  const isRoute = !/^(?:page|refused)/.test(meaning);
  return {
    why,
    head: { method, target: expand(target), headers },
    body: expand(body),
    meaning: (isRoute ? 'route ' : '') + expand(meaning),
    ...rest,
  };
}

const SERVER = { differs: 'server' } as const;
const OWN = { differs: 'gateway' } as const;
const NOT_APACHE = { differsAtApache: true } as const;

const form = (body: string, type = 'application/x-www-form-urlencoded'): Extra => ({
  method: 'POST',
  headers: ['Content-Type', type],
  body,
});
const override = (...methods: string[]): Extra => ({
  headers: methods.flatMap((method) => ['X-HTTP-Method-Override', method]),
});
const variables = (count: number): string => 'a=1&'.repeat(count);

const ROWS: readonly Row[] = [
  // The four spellings.
  ['pretty', '/wp-json~?a=1', 'GET ~'],
  ['plain', '/index.php?rest_route=~&a=1', 'GET ~'],
  ['plain, between others', '/index.php?b=1&rest_route=%2Fecho%2Fv1/one/x%2F&c=2', 'GET ~'],
  ['plain, without index.php', '/?a=1&rest_route=~', 'GET ~'],
  ["the gateway's own", '~?a=1', 'GET ~', OWN],
  ['PATH_INFO without ambiguity', '/index.php/wp-json~', 'GET ~'],
  ['the root, pretty', '/wp-json', 'GET /'],
  ['the root, plain', '/?rest_route=%2F', 'GET /'],
  ['the front page', '/', 'page'],
  ['a page', '/about/', 'page'],
  ['index.php alone is the front page', '/index.php', 'page'],

  // Leading and trailing slashes are trimmed, all others are significant.
  ['a trailing slash', '/wp-json~/?b', 'GET ~'],
  ['trailing slashes', '/wp-json~//', 'GET ~'],
  ['slashes before the prefix', '//wp-json~', 'GET ~'],
  ['slashes after the prefix', '/wp-json/~', 'GET /~'],
  ['repeated slashes within the route', '/wp-jsonANY/a//b', 'GET ANY/a//b'],
  ['slashes only', '/?rest_route=//', 'GET /'],
  ['a backslash is trimmed like a slash', '/?rest_route=%5C', 'GET /'],
  ['without a leading slash it matches none', '/?rest_route=echo/v1/one/x', 'GET echo/v1/one/x'],

  // The path is not decoded, the query is decoded once.
  ['an escaped slash in the path', '/wp-jsonANY/a%2Fb', 'GET ANY/a%2Fb', NOT_APACHE],
  ['an escaped letter in the path', '/wp-jsonANY/%41?b', 'GET ANY/%41'],
  ['a plus in the path', '/wp-jsonANY/a+b', 'GET ANY/a+b'],
  ['raw bytes in the path', '/wp-jsonANY/\xc3\xa9', 'GET ANY/\xc3\xa9'],
  ['an ampersand in the path', '/wp-jsonANY/a&b', 'GET ANY/a&b'],
  ['a semicolon in the path', '/wp-jsonANY/a;b', 'GET ANY/a;b'],
  ['the name of a script', '/wp-json~.php', 'GET ~.php'],
  ['an escaped slash in the query', '/?rest_route=%2Fecho%2Fv1/one/x', 'GET ~'],
  ['escaped twice', '/?rest_route=ANY/a%252Fb', 'GET ANY/a%2Fb'],
  ['a plus in the query', '/?rest_route=ANY/a+b', 'GET ANY/a b'],
  ['malformed in the query', '/?rest_route=ANY/a%zz', 'GET ANY/a%zz'],
  ['raw bytes in the query', '/?rest_route=ANY/\xe9', 'GET ANY/\xe9'],
  ['a semicolon, which separates for some PHP', '/?rest_route=ANY/a;b=/c', 'GET ANY/a;b=/c'],
  ['dot segments in the query are text', '/?rest_route=ANY/../x', 'GET ANY/../x'],
  ['a newline at the end', '/?rest_route=~%0A', 'GET ~\n'],
  ['in any case', '/?rest_route=/ECHO/v1/ONE/x', 'GET /ECHO/v1/ONE/x'],
  ['own: decoded once', 'ANY/a%2Fb%2520c', 'GET ANY/a/b%20c', OWN],
  ['own: slashes', 'ANY/a%2F%2Fb', 'GET ANY/a//b', OWN],
  ['own: a question mark', 'ANY/a%3F', 'GET ANY/a?', OWN],
  ['own: servers take it for a slash', 'ANY/a%5Cb', 'GET ANY/a\\\\b', OWN],
  ['own: servers look for a script', '/a.php/b', 'GET /a.php/b', OWN],
  ['own: servers look for a file', '/a.png', 'GET /a.png', OWN],
  ['own: a plus is itself', 'ANY/a+b', 'GET ANY/a+b', OWN],

  // WordPress adds slashes to its input and matches with them.
  ['a quote in the path', "/wp-jsonANY/a'b", "GET ANY/a\\'b"],
  ['a raw double quote in the path', '/wp-jsonANY/a"b', 'GET ANY/a\\"b'],
  ['a quote in the query', '/?rest_route=ANY/a%27b', "GET ANY/a\\'b"],
  ['a backslash in the query', '/?rest_route=ANY/a%5Cb', 'GET ANY/a\\\\b'],
  ['NUL in the query', '/?rest_route=ANY/a%00b', 'GET ANY/a\\0b'],
  ['own: a quote', 'ANY/a%27b', "GET ANY/a\\'b", OWN],

  // Refused: servers on the way interpret these differently.
  ['NUL in the path', '/wp-jsonANY/a%00b', 'refused malformed-path', SERVER],
  ['malformed in the path', '/wp-jsonANY/a%zz', 'refused malformed-path', SERVER],
  ['a cut escape in the path', '/wp-jsonANY/a%', 'refused malformed-path', SERVER],
  ['a dot segment', '/wp-json/echo/v1/./one/x', 'refused dot-segments'],
  ['dot segments', '/wp-json/echo/v1/../v1/one/x', 'refused dot-segments'],
  ['escaped dot segments', '/wp-json/echo/v1/%2e%2E/v1/one/x', 'refused dot-segments'],
  ['half escaped dot segments', '/wp-json/echo/.%2e/v1/one/x', 'refused dot-segments'],
  ['dot segments with an escaped slash', '/wp-json/echo/..%2Fv1/one/x', 'refused dot-segments'],
  ['dot segments with an escaped backslash', '/wp-json/echo/..%5Cv1/one/x', 'refused dot-segments'],
  ['dot segments into the interface', '/about/../wp-json~', 'refused dot-segments'],
  ['dot segments out of the interface', '/wp-json/../wp-login.php', 'refused dot-segments'],
  ['dot segments out of the site', '/%2e%2e/other', 'refused dot-segments'],
  ['a raw backslash', '/wp-json\\echo/v1/one/x', 'refused dot-segments'],
  ['the prefix escaped', '/wp%2Djson~', 'GET ~'],
  ['a letter of the prefix escaped, and others', '/%77p-json/echo/v1/%6Fne/x', 'GET ~'],
  ['the slash behind the prefix escaped', '/wp-json%2Fecho/v1/one/x', 'GET ~', NOT_APACHE],
  ['the prefix and a newline', '/wp-json%0A', 'GET /'],
  ['the prefix, a slash and a newline', '/wp-json%2F%0Aecho', 'GET /', NOT_APACHE],
  ['PATH_INFO with escapes', '/index.php/wp-jsonANY/%41', 'refused encoded-prefix'],
  ['PATH_INFO with an escaped script', '/index%2Ephp/wp-json~', 'refused encoded-prefix'],
  ['PATH_INFO with double slashes', '/index.php//wp-json~', 'refused encoded-prefix'],
  ['PATH_INFO in another case', '/INDEX.PHP/wp-json~', 'refused encoded-prefix'],
  ['a fragment is cut off', '/wp-json~#y', 'GET ~'],
  ['a fragment in the query', '/?rest_route=~#/../y', 'GET ~'],
  ['a space', '/wp-json~ y', 'refused target-form', SERVER],
  ['a control character', '/wp-json/echo/v1/one/\x01', 'refused target-form', SERVER],
  ['asterisk form', '*', 'refused target-form', SERVER],
  ['authority form', 'example.com:80', 'refused target-form', SERVER],
  ['another scheme', 'ftp://example.com/', 'refused target-form'],
  ['very long', `/wp-json/echo/v1/one/${'x'.repeat(16_384)}`, 'refused target-length', SERVER],

  // Pages outside the REST API.
  ['below a folder without a subsite', '/xyz/wp-json~', 'page'],
  ['the same, escaped', '/xyz/%77p-json~', 'page'],
  ['the prefix in another case', '/WP-JSON~', 'page'],
  ['longer than the prefix', '/wp-jsonx~', 'page'],
  ['an escaped slash in front of the prefix', '/%2Fwp-json~', 'page'],
  ['absolute form', 'http://example.com/wp-json~', 'GET ~', NOT_APACHE],
  ['absolute form without a path', 'http://example.com', 'page', NOT_APACHE],
  ['absolute form without a path, with a query', 'HTTP://example.com?rest_route=/', 'GET /', NOT_APACHE],

  ['raw bytes in the query of a page', '/?d=\xff', 'page'],
  // Public reports about proxies and caches that take addresses of what is behind them.
  ['fabriziosalmi/aidlp#50', '/_health', 'page'],
  ['apex/up#556', '/ping', 'page'],
  ['AnkanMisra/MicroAI-Paygate#124', '/metrics', 'page'],
  ['wp-media/wp-rocket#5868', '/page/////', 'page'],
  ['washingtonstateuniversity/WSU-Web-Provisioner#285', '/subsite/wp-admin', 'page'],
  ...'/docs /docs/feed/ /docs.md //docs /openapi.json /mcp //?p=5 /// /%zz'
    .split(' ')
    .map((path): Row => ["without `passthrough`, the gateway's", path, 'page']),

  // rest_route is read where the front controller runs for certain.
  ['over a page', '/about/?rest_route=~', 'GET ~'],
  ['over a feed', '/feed/?rest.route=~', 'GET ~'],
  ['over a page that is not there', '/xyz?rest_route=~', 'GET ~'],
  ['over a REST address of a folder', '/xyz/wp-json/wp/v2/posts?rest_route=~', 'GET ~'],
  ['over PATH_INFO', '/index.php/about?rest_route=~', 'GET ~'],
  ...'/wp-login.php /wp-cron.php /wp-comments-post.php /wp-admin/ /wp-includes/css/buttons.css'
    .split(' ')
    .map(
      (path): Row => [
        `over ${path}, which does not route`,
        `${path}?rest_route=~`,
        'refused route-path',
        { method: 'POST', differs: 'unrouted' },
      ],
    ),
  ...'/xmlrpc.php /wp-trackback.php'
    .split(' ')
    .map((path): Row => [`over ${path}`, `${path}?rest_route=~`, 'refused route-path', { method: 'POST' }]),
  ...'/Index.php /INDEX.PHP /index%2Ephp //index.php //'
    .split(' ')
    .map((path): Row => [`over ${path}`, `${path}?rest_route=~`, 'POST ~', { method: 'POST' }]),
  ['over dot segments', '/wp-admin/../?rest_route=~', 'refused dot-segments'],
  ['over an encoded prefix', '/wp%2Djson/a?rest_route=~', 'GET ~'],
  ['empty, over another script', '/wp-login.php?rest_route=', 'page'],
  ['rest_route overrides the path', '/wp-json/wp/v2/posts?rest_route=~', 'GET ~'],
  ['empty: no interface, whatever the path', '/wp-json/wp/v2/posts?rest_route=', 'page'],
  ['"0" is empty', '/wp-json/wp/v2/posts?rest_route=0', 'page'],
  ['"0/" is not', '/?rest_route=0/', 'GET /'],
  ['the last rest_route wins', '/?rest_route=/wp/v2/posts&rest_route=~', 'GET ~'],
  ['others stay where they were', '/?rest_route=/a&c&rest_route=~&d', 'GET ~'],
  ['the last wins, spelled rest.route', '/?rest_route=/wp/v2/posts&rest.route=~', 'GET ~'],
  ['escaped name', '/?%72est%5Froute=~', 'GET ~'],
  ['a dot in the name', '/?rest.route=~', 'GET ~'],
  ['a plus in the name', '/?rest+route=~', 'GET ~'],
  ['a bracket in the name', '/?rest[route=~', 'GET ~'],
  ['an escaped bracket in the name', '/?rest%5Broute=~', 'GET ~'],
  ['spaces before the name', '/?+%20rest_route=~', 'GET ~'],
  ['NUL in the name', '/?rest_route%00[]=~', 'GET ~'],
  ['the name in another case', '/?REST_ROUTE=~', 'page'],
  ['a second question mark', '/?a=1?rest_route=~', 'page'],
  ['an array', '/?rest_route[]=~', 'refused route-array'],
  ['an array, escaped', '/wp-json~?rest.route%5Bk%5D=/', 'refused route-array'],
  ['behind a semicolon', '/wp-json~?a=1;rest_route=/', 'refused variable-semicolon'],
  ['the 999th', `/?${variables(998)}rest_route=~`, 'GET ~'],
  ['the 1000th', `/?${variables(999)}rest_route=~`, 'refused variable-position'],
  ['the 1001st', `/?${variables(1000)}rest_route=~`, 'refused variable-position'],

  // The method.
  ['_method', '/wp-json~?_method=delete', 'DELETE ~'],
  ['.method', '/wp-json~?.method=DELETE', 'DELETE ~'],
  ['%5Fmethod', '/wp-json~?%5Fmethod=DELETE', 'DELETE ~'],
  ['the last _method wins', '/wp-json~?_method=PUT&_method=POST', 'POST ~'],
  ['an empty _method is a method', '/wp-json~?_method=', ' ~'],
  ['_method in another case', '/wp-json~?%5FMETHOD=DELETE&_METHOD=PUT', 'GET ~'],
  ['_method on HEAD', '/wp-json~?_method=POST', 'POST ~', { method: 'HEAD' }],
  ['_method as an array', '/wp-json~?_method[]=DELETE', 'refused method-array'],
  ['_method behind a semicolon', '/wp-json~?a;_method=DELETE', 'refused variable-semicolon'],
  ['the 1000th, _method', `/wp-json~?${variables(999)}_method=DELETE`, 'refused variable-position'],
  ["_method[] on a page is the page's", '/about/?_method[]=DELETE', 'page'],
  ['the header', '/wp-json~', 'DELETE ~', override('delete')],
  ['the header, empty', '/wp-json~', ' ~', override('')],
  ['X-HTTP-Method-Override with a list', '/wp-json~', 'DELETE, GET ~', override('DELETE, GET')],
  ['X-HTTP-Method-Override twice', '/wp-json~', 'refused method-repeated', override('DELETE', 'GET')],
  ['_method overrides the header', '/wp-json~?_method=POST', 'POST ~', override('DELETE')],
  ['_method in a form is not an override', '/wp-json~', 'POST ~', form('_method=DELETE')],
  ['HEAD', '/wp-json~', 'HEAD ~', { method: 'HEAD' }],
  ['OPTIONS', '/wp-json~', 'OPTIONS ~', { method: 'OPTIONS' }],

  // rest_route in a form body, which the gateway does not read for a route.
  ['a form', '/wp-json~', 'POST ~', form('a=1')],
  ['a form to a quoted route', "/wp-jsonANY/it's", "POST ANY/it\\'s", form('a=1')],
  ['the same route in the form', '/wp-json~', 'POST ~', form('rest_route=~')],
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
  ].map(
    (sent): Row => ['another route in the form', '/wp-json~', 'POST ~', { ...sent, differs: 'smuggled' }],
  ),
  ['a form to a page', '/about/', 'page', form('comment=1')],
  ['rest_route in JSON', '/wp-json~', 'POST ~', form('{"rest_route":"/"}', 'application/json')],
];

export const TARGET_CASES: readonly TargetCase[] = ROWS.map(createCase);

/** Describes a target in words. */
export function describeTarget(target: ResolvedTarget): string {
  if (target.kind === 'refused') return `refused ${target.reason}`;
  if (target.kind === 'route') return `route ${target.method} ${target.route}`;
  return target.kind;
}

/** What a case means if the gateway serves a whole site. */
export function describeWhole({ differs, meaning }: TargetCase): string {
  return differs === 'gateway' ? 'page' : meaning;
}
