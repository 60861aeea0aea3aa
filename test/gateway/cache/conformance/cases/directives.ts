import { type Case, reuse, scenario } from '../case.ts';

/** Response directives that do not set a lifetime (RFC 9111 §5.2.2, §3). */
export const RESPONSE_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['no-store prevents storing', '§5.2.2.5', 'no-store', 0, 'site'],
    ['no-store on a separate field line prevents storing', '§5.2.2.5', 'max-age=3600 | no-store', 0, 'site'],
    ['private prevents storing', '§5.2.2.7', 'private, max-age=3600', 0, 'site'],
    ['private overrides public', '§4.2.1', 'public, private, max-age=3600', 0, 'site'],
    ['no-cache requires revalidation', '§5.2.2.4', 'no-cache | ETag: "a"', 0, '304'],
    ['no-cache without a validator prevents reuse', '§5.2.2.4', 'no-cache, max-age=3600', 0, 'site'],
    ['must-revalidate forbids it once stale', '§5.2.2.2', 'max-age=2, must-revalidate | ETag: "a"', 3, '304'],
    [
      'proxy-revalidate forbids it once stale',
      '§5.2.2.8',
      'max-age=2, proxy-revalidate | ETag: "a"',
      3,
      '304',
    ],
    ['Pragma in a response is ignored', '§5.4', 'max-age=3600 | Pragma: no-cache', 9, 'store'],
    ['a response with Set-Cookie is not stored', '§7.3', 'max-age=3600 | Set-Cookie: a=b', 0, 'site'],
    ['a response with X-WP-Nonce is not stored', '§7', 'public, max-age=3600 | X-WP-Nonce: abc', 0, 'site'],
  ]),
  scenario('a response that must not be stored removes the stored one', '§5.2.2.5', [
    'max-age=3600',
    { request: 'no-cache', site: 'no-store' },
    {},
  ]),
  scenario('fields listed by no-cache are not served from the store', '§5.2.2.4', [
    { site: 'no-cache="A, b" | max-age=3600 | A: 1 | B: 2 | C: 3', expects: 'A: 1 | B: 2' },
    { after: 1, from: 1, expects: 'C: 3', absentFields: ['A', 'B'] },
  ]),
  scenario('fields listed by private are not stored', '§5.2.2.7', [
    { site: 'private="x-mine", max-age=3600 | X-Mine: me | X-All: us', expects: 'X-Mine: me' },
    { after: 1, from: 1, expects: 'X-All: us', absentFields: ['X-Mine'] },
  ]),
  scenario('the unqualified form overrides the qualified one', '§4.2.1', [
    'no-cache="a", no-cache, max-age=3600 | A: 1',
    {},
  ]),
];

/** Targeted fields, and the fields that they override (RFC 9213). */
export const TARGETED: readonly Case[] = reuse([
  ['Waygate-Cache-Control is supported', '9213 §2', 'Waygate-Cache-Control: max-age=60', 59, 'store'],
  [
    'Waygate-Cache-Control overrides CDN-Cache-Control',
    '9213 §2.2',
    'Waygate-Cache-Control: max-age=10 | CDN-Cache-Control: max-age=60',
    11,
    'site',
  ],
  [
    'the next targeted field applies after an invalid one',
    '9213 §2.2',
    'Waygate-Cache-Control: ! | CDN-Cache-Control: max-age=60',
    30,
    'store',
  ],
  // [rule, section, CDN-Cache-Control, seconds until the second request, source of its response, other fields]
  ...(
    [
      ['CDN-Cache-Control sets the lifetime', '9213 §3', 'max-age=60', 59, 'store'],
      ['the lifetime of CDN-Cache-Control ends', '9213 §3', 'max-age=60', 61, 'site'],
      ['a targeted field overrides a shorter max-age', '9213 §2.2', 'max-age=60', 30, 'store', 'max-age=1'],
      ['a targeted field overrides a longer max-age', '9213 §2.2', 'max-age=10', 11, 'site', 'max-age=60'],
      ['without lifetime it overrides Expires', '9213 §2.2', 'must-revalidate', 0, 'site', 'Expires: @60'],
      ['a targeted field overrides no-store', '9213 §2.2', 'max-age=60', 30, 'store', 'no-store'],
      ['a targeted no-store overrides max-age', '9213 §2.2', 'no-store', 0, 'site', 'max-age=60'],
      ['a directive with the value ?0 is ignored', '9213 §2.1', 'no-store=?0, max-age=60', 30, 'store'],
      ['unknown members are ignored', '9213 §2.1', 'foo, bar=baz;q=1, max-age=60', 30, 'store'],
      ['a number above 2^31 is accepted', '9213 §2.1', 'max-age=99999999999', 9_999_999, 'store'],
      ['the received Age counts against it', '§4.2.3', 'max-age=3600', 0, 'site', 'Age: 7200'],
      ['an empty targeted field is ignored', '9213 §2.2', '', 30, 'store', 'max-age=60'],
      ['what is no dictionary is ignored', '9213 §2.2', 'max-age=60, &&&', 0, 'site', 'no-store'],
      ['a quoted number gives no lifetime', '9213 §2.1', 'max-age="60"', 0, 'site', 'no-store'],
      ['a space before the equals sign is invalid', '9651 §4.2.2', 'max-age =60', 2, 'site', 'max-age=1'],
      ['a fractional lifetime is ignored', '9213 §2.1', 'max-age=60.0', 2, 'site', 'max-age=1'],
    ] as const
  ).map(([name, section, targeted, after, second, ...others]) => {
    const fields = [`CDN-Cache-Control: ${targeted}`, ...others].join(' | ');
    return [name, section, fields, after, second] as const;
  }),
]);

/** Valid and invalid spellings of directives (RFC 9111 §5.2, §4.2.1). */
const DIRECTIVES = reuse([
  ['directive names are case-insensitive', '§5.2', 'MaX-aGe=60', 59, 'store'],
  ['no-store is case-insensitive', '§5.2', 'No-StOrE, max-age=60', 1, 'site'],
  ['a quoted number is a number', '§5.2', 'max-age="60"', 59, 'store'],
  ['an escaped number is a number', '9110 §5.6.4', 'max-age="\\6\\0"', 59, 'store'],
  ['single quotes are part of the value', '§4.2.1', "max-age='60'", 1, 'site'],
  ['a fractional max-age is invalid', '§1.2.2', 'max-age=60.5', 1, 'site'],
  ['a negative max-age is invalid', '§4.2.1', 'max-age=-60', 0, 'site'],
  ['a max-age with trailing letters is invalid', '§4.2.1', 'max-age=60s', 1, 'site'],
  ['a max-age without an argument is invalid', '§4.2.1', 'max-age', 1, 'site'],
  ['an unterminated quoted max-age is invalid', '§4.2.1', 'max-age="60, public', 1, 'site'],
  ['a space before the equals sign is invalid', '§5.2', 'max-age =60', 1, 'site'],
  ['a space after the equals sign is invalid', '§5.2', 'max-age= 60', 1, 'site'],
  ['an invalid s-maxage hides a valid max-age', '§4.2.1', 's-maxage=x, max-age=60', 1, 'site'],
  ['empty members are ignored', '9110 §5.6.1', ', ,max-age=60, ,', 59, 'store'],
  ['the first of two max-age applies if it is longer', '§4.2.1', 'max-age=60, max-age=1', 30, 'store'],
  ['the first of two max-age applies if it is shorter', '§4.2.1', 'max-age=1, max-age=60', 30, 'site'],
  ['text inside a quoted string is not a directive', '§5.2', 'x="max-age=3600", max-age=1', 2, 'site'],
  ['no-store inside a quoted string is ignored', '§5.2', 'x="no-store", max-age=60', 1, 'store'],
  ['an escaped quote ends no quoted string', '9110 §5.6.4', 'x="\\", no-store, y", max-age=60', 1, 'store'],
  ['no-store with an argument is no-store', '§5.2', 'no-store=x, max-age=60', 1, 'site'],
  ['no-cache with an empty list of fields is unqualified', '§5.2.2.4', 'no-cache="", max-age=60', 1, 'site'],
  ['a directive is not matched by its prefix', '§5.2', 'no-storex, max-age=60', 1, 'store'],
]);

/** Other spellings of dates are those of `test/base/http/date.test.ts`. */
const DATES = reuse([
  [
    'an Expires in RFC 850 format is accepted',
    '9110 §5.6.7',
    'Expires: Thursday, 18-Aug-50 02:01:18 GMT',
    1,
    'store',
  ],
  ['an Expires of zero is in the past', '§5.3', 'Expires: 0', 1, 'site'],
]);

export const SPELLING: readonly Case[] = [...DIRECTIVES, ...DATES];
