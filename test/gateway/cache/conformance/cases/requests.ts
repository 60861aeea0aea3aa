import { type Case, reuse, scenario } from '../case.ts';

const HOUR = 'max-age=3600';
const SHORT = 'max-age=10';

/** Request directives (RFC 9111 §5.2.1, §5.4). */
export const REQUEST_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['max-age=0 revalidates', '§5.2.1.1', HOUR, 1, 'site', 'max-age=0'],
    ['max-age rejects an older response', '§5.2.1.1', HOUR, 11, 'site', 'max-age=10'],
    ['max-age accepts a younger response', '§5.2.1.1', HOUR, 9, 'store', 'max-age=10'],
    ['max-age=0 keeps an immutable response', '8246 §2', 'max-age=3600, immutable', 1, 'store', 'max-age=0'],
    ['no-cache revalidates an immutable one', '8246 §2', 'max-age=3600, immutable', 1, 'site', 'no-cache'],
    ['min-fresh, which no browser sends, is ignored', '§5.2.1.3', HOUR, 3000, 'store', 'min-fresh=700'],
    ['max-stale, which no browser sends, is ignored', '§5.2.1.2', SHORT, 60, 'site', 'max-stale'],
    ['no-cache revalidates by entity tag', '§5.2.1.4', 'max-age=3600 | ETag: "a"', 1, '304', 'no-cache'],
    ['no-cache without a validator fetches the response again', '§5.2.1.4', HOUR, 1, 'site', 'no-cache'],
    ['Pragma, which is deprecated, is ignored', '§5.4', HOUR, 1, 'store', 'Pragma: no-cache'],
    ['no-store bypasses the store', '§5.2.1.5', HOUR, 1, 'site', 'no-store'],
    ['only-if-cached accepts a stored response', '§5.2.1.7', HOUR, 1, 'store', 'only-if-cached'],
  ]),
  scenario('only-if-cached without a stored response causes a 504', '§5.2.1.7', [
    { request: 'only-if-cached', from: 0, status: 504 },
  ]),
  scenario('only-if-cached with a stale response causes a 504', '§5.2.1.7', [
    SHORT,
    { after: 11, request: 'only-if-cached', from: 0, status: 504 },
  ]),
  scenario('the response to a request with no-store is not stored', '§5.2.1.5', [
    { request: 'no-store', site: HOUR },
    { after: 1 },
  ]),
  scenario('a request with no-store leaves the stored response', '§5.2.1.5', [
    HOUR,
    { after: 1, request: 'no-store', site: HOUR },
    { from: 1 },
  ]),
  scenario('a reload refreshes the stored response for all clients', '§4', [
    HOUR,
    { after: 1, request: 'max-age=0', site: HOUR },
    { after: 1, from: 2 },
  ]),
];

const FRESH = 'max-age=3600';
const MODIFIED = 'max-age=3600 | Last-Modified: @-3000';

/** [rule, section, response fields, conditions of the second request, status of the response to it] */
type Row = readonly [rule: string, section: string, stored: string, conditions: string, status: 200 | 304];

/** Cases of a stored response and a conditional request that it answers. */
const EVALUATED: readonly Row[] = [
  ...(
    [
      ['the same strong entity tag matches', '§13.1.2', '"a"', '"a"', 304],
      ['a strong tag matches a stored weak tag', '§13.1.2', 'W/"a"', '"a"', 304],
      ['entity tags are case-sensitive', '§8.8.3.2', '"a"', '"A"', 200],
      ['the last tag of a list matches', '§13.1.2', '"c"', '"a","b","c"', 304],
      ['a tag on a second field line matches', '§5.3', '"c"', '"a" | If-None-Match: "c"', 304],
      ['a comma inside the quotes belongs to the tag', '§8.8.3', '"a,b"', '"x", "a,b"', 304],
      ['a part of a tag does not match', '§8.8.3', '"b"', '"a,b"', 200],
      ['an asterisk matches any stored response', '§13.1.2', '"a"', '*', 304],
      ['an unquoted tag matches the same unquoted tag', '§8.8.3', 'a', 'a', 304],
    ] as const
  ).map(
    ([rule, section, tag, asked, status]): Row => [
      ...([rule, `9110 ${section}`, `${FRESH} | ETag: ${tag}`, `If-None-Match: ${asked}`, status] as const),
    ],
  ),
  ['an asterisk matches a response without entity tag', '9110 §13.1.2', FRESH, 'If-None-Match: *', 304],
  ...(
    [
      ['a matching If-None-Match overrides', '"a"', -9000, 304],
      ['a mismatching If-None-Match overrides', '"b"', 0, 200],
    ] as const
  ).map(([rule, tag, date, status]): Row => {
    const conditions = `If-None-Match: ${tag} | If-Modified-Since: @${date}`;
    return [`${rule} If-Modified-Since`, '§4.3.2', `${MODIFIED} | ETag: "a"`, conditions, status];
  }),
  ...(
    [
      ['the date of Last-Modified matches', '§4.3.2', MODIFIED, '@-3000', 304],
      ['a date before Last-Modified does not match', '§4.3.2', MODIFIED, '@-3001', 200],
      ['an invalid date is ignored', '9110 §13.1.3', MODIFIED, 'yesterday', 200],
      ['without Last-Modified the date is compared with Date', '§4.3.2', FRESH, '@0', 304],
      ['without Last-Modified a date before Date does not match', '§4.3.2', FRESH, '@-1', 200],
    ] as const
  ).map(([rule, section, stored, date, status]): Row => {
    return [rule, section, stored, `If-Modified-Since: ${date}`, status];
  }),
];

/** Fields of a stored response that a 304 contains. */
const KEPT = [
  'max-age=3600 | ETag: "a" | Vary: Accept | Expires: @600 | Date: @0',
  'Content-Location: /here | Access-Control-Allow-Origin: * | X-WP-Total: 7',
].join(' | ');

/** The client's conditions, evaluated against the stored response (RFC 9111 §4.3.2, RFC 9110 §13). */
export const CONDITIONS: readonly Case[] = [
  ...EVALUATED.map(([rule, section, stored, request, status]) =>
    scenario(rule, section, [stored, { after: 1, request, from: 1, ...(status === 304 ? { status } : {}) }]),
  ),
  scenario('conditions only apply to successful responses', '9110 §13.2.1', [
    '404 | max-age=3600 | ETag: "a"',
    { request: 'If-None-Match: "a"', from: 1 },
  ]),
  scenario('a 304 contains the fields that a cache needs, and none that describe content', '9110 §15.4.5', [
    `${KEPT} | Last-Modified: @-3000 | Content-Type: application/json | Content-Disposition: inline`,
    {
      after: 3,
      request: 'If-None-Match: "a"',
      from: 1,
      status: 304,
      expects: `${KEPT} | Age: 3`,
      absentFields: ['Content-Type', 'Content-Disposition', 'Content-Length', 'Last-Modified'],
    },
  ]),
  scenario('a 304 without an entity tag contains Last-Modified', '9110 §15.4.5', [
    MODIFIED,
    { after: 1, request: 'If-Modified-Since: @0', from: 1, status: 304, expects: 'Last-Modified: @-3000' },
  ]),
  scenario('without a stored response the site evaluates the conditions', '§4.3.2', [
    {
      request: 'If-None-Match: "a"',
      site: '304 | max-age=3600 | ETag: "a"',
      forwardedFields: { 'If-None-Match': '"a"' },
    },
  ]),
  ...['If-Match', 'If-Unmodified-Since'].map((name) =>
    scenario(`${name} is forwarded to the site`, '§4.3.2', [
      'max-age=3600 | ETag: "a"',
      { request: `${name}: "a"`, forwardedFields: { [name]: '"a"' } },
    ]),
  ),
];

const siteBody = '0123456789A';
const RANGED = 'max-age=3600 | ETag: "a" | Last-Modified: @-60';
const PART = { site: `206 | ${RANGED} | Content-Range: bytes 0-1/11`, siteBody: '01', body: '01' };

/** The site selects ranges: a request for one is forwarded as it came (RFC 9110 §14.2). */
export const RANGES: readonly Case[] = [
  scenario('a range of a stored response comes from the site, and replaces nothing', '§3.3', [
    { site: RANGED, siteBody },
    {
      ...PART,
      request: 'Range: bytes=0-1 | If-Range: "a" | If-None-Match: "b"',
      status: 206,
      expects: 'Content-Range: bytes 0-1/11',
      forwardedFields: { Range: 'bytes=0-1', 'If-Range': '"a"', 'If-None-Match': '"b"' },
    },
    { from: 1, body: siteBody },
  ]),
  scenario('a range of a stale response comes from the site', '§4', [
    { site: 'max-age=1 | ETag: "a"', siteBody },
    { ...PART, after: 2, request: 'Range: bytes=0-1', forwardedFields: { 'If-None-Match': null } },
  ]),
  scenario('a complete response to a range request is stored', '§3', [
    { request: 'Range: bytes=0-1', site: RANGED, siteBody, body: siteBody },
    { from: 1, body: siteBody },
  ]),
];

/** HEAD served from a stored GET response. */
export const HEAD: readonly Case[] = [
  scenario('HEAD is served from a stored GET response', '9110 §9.3.2', [
    'max-age=3600',
    { after: 3, method: 'HEAD', from: 1, expects: 'Age: 3 | Content-Length: 14' },
  ]),
  scenario('GET is not served from a HEAD response', '9110 §9.3.2', [
    { method: 'HEAD', site: 'max-age=3600' },
    {},
  ]),
  scenario('a stale response is confirmed by a 304 to HEAD', '§4.3.5', [
    'max-age=2 | ETag: "a"',
    { after: 3, method: 'HEAD', confirms: 1 },
    { after: 1, from: 1 },
  ]),
  scenario('a HEAD response changes nothing that is stored', '§4.3.5', [
    'max-age=3600 | ETag: "a"',
    { method: 'HEAD', request: 'no-cache', site: 'max-age=3600 | ETag: "b"' },
    { from: 1 },
  ]),
];

const unsafe = ['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'];

/** Invalidation by unsafe methods (RFC 9111 §4.4). */
export const INVALIDATION: readonly Case[] = [
  ...unsafe.flatMap((method) => [
    scenario(`${method} invalidates the stored response`, '§4.4', [FRESH, { method }, {}]),
    ...['500', '403'].map((site) =>
      scenario(`${method} with a ${site} response invalidates nothing`, '§4.4', [
        FRESH,
        { method, site },
        { from: 1 },
      ]),
    ),
  ]),
  ...['201', '204', '303'].map((site) =>
    scenario(`a ${site} response to an unsafe request invalidates`, '§4.4', [
      FRESH,
      { method: 'POST', site },
      {},
    ]),
  ),
  ...['OPTIONS', 'PROPFIND'].map((method) =>
    scenario(`${method} invalidates nothing`, '9110 §9.2.1', [FRESH, { method }, { from: 1 }]),
  ),
  scenario('a stored response of another path is not invalidated', '§4.4', [
    { path: '/a', site: 'max-age=3600' },
    { path: '/b', method: 'POST' },
    { path: '/a', from: 1 },
  ]),
  scenario('all variants are invalidated', '§4.4', [
    { request: 'Foo: 1', site: 'max-age=3600 | Vary: Foo' },
    { request: 'Foo: 2', site: 'max-age=3600 | Vary: Foo' },
    { method: 'PUT' },
    { request: 'Foo: 1' },
    { request: 'Foo: 2' },
  ]),
  ...unsafe.map((method) =>
    scenario(`the response to ${method} is not stored`, '9110 §9.3', [{ method, site: FRESH }, {}]),
  ),
];
