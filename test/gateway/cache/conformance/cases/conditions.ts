import { type Case, scenario } from '../case.ts';

const FRESH = 'max-age=3600';
const MODIFIED = 'max-age=3600 | Last-Modified: @-3000';
const IN_1994 = 'max-age=3600 | ETag: "a" | Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT';

/** [rule, section, response fields, conditions of the second request, status of the response to it] */
type Row = readonly [rule: string, section: string, stored: string, conditions: string, status: 200 | 304];

/** Cases of a stored response and a conditional request that it answers. */
const EVALUATED: readonly Row[] = [
  ...(
    [
      ['the same strong entity tag matches', '§13.1.2', '"a"', '"a"', 304],
      ['another entity tag does not match', '§13.1.2', '"a"', '"b"', 200],
      ['the same weak entity tag matches', '§13.1.2', 'W/"a"', 'W/"a"', 304],
      ['a weak tag matches a stored strong tag', '§13.1.2', '"a"', 'W/"a"', 304],
      ['a strong tag matches a stored weak tag', '§13.1.2', 'W/"a"', '"a"', 304],
      ['entity tags are case-sensitive', '§8.8.3.2', '"a"', '"A"', 200],
      ['the last tag of a list matches', '§13.1.2', '"c"', '"a","b","c"', 304],
      ['a tag on a second field line matches', '§5.3', '"c"', '"a" | If-None-Match: "c"', 304],
      ['a list without the stored tag does not match', '§13.1.2', '"d"', '"a", "b", "c"', 200],
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
  ['a tag does not match a response without entity tag', '9110 §13.1.2', FRESH, 'If-None-Match: "a"', 200],
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
      ['a date after Last-Modified matches', '§4.3.2', MODIFIED, '@-2000', 304],
      ['a date before Last-Modified does not match', '§4.3.2', MODIFIED, '@-3001', 200],
      ['a date in RFC 850 format matches', '9110 §5.6.7', IN_1994, 'Sunday, 06-Nov-94 08:49:37 GMT', 304],
      ['a date in asctime format matches', '9110 §5.6.7', IN_1994, 'Sun Nov  6 08:49:37 1994', 304],
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
  scenario('a conditional HEAD is evaluated too', '9110 §13.1.2', [
    'max-age=3600 | ETag: "a"',
    { after: 1, method: 'HEAD', request: 'If-None-Match: "a"', from: 1, status: 304 },
  ]),
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
  scenario('a complete response to a conditional request is stored', '§3', [
    { request: 'If-None-Match: "a"', site: 'max-age=3600 | ETag: "b"' },
    { from: 1 },
  ]),
  ...['If-Match', 'If-Unmodified-Since'].map((name) =>
    scenario(`${name} is forwarded to the site`, '§4.3.2', [
      'max-age=3600 | ETag: "a"',
      { request: `${name}: "a"`, forwardedFields: { [name]: '"a"' } },
    ]),
  ),
];
