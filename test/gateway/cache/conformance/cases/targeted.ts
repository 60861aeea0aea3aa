import { type Case, reuse } from '../case.ts';

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
      ['it overrides an Expires in the past', '9213 §2.2', 'max-age=60', 30, 'store', 'Expires: @-60'],
      ['max-age=0 overrides a future Expires', '9213 §2.2', 'max-age=0', 0, 'site', 'Expires: @60'],
      ['without lifetime it overrides Expires', '9213 §2.2', 'must-revalidate', 0, 'site', 'Expires: @60'],
      ['a targeted field overrides no-store', '9213 §2.2', 'max-age=60', 30, 'store', 'no-store'],
      ['a targeted field overrides private', '9213 §2.2', 'max-age=60', 30, 'store', 'private'],
      ['a targeted no-store overrides max-age', '9213 §2.2', 'no-store', 0, 'site', 'max-age=60'],
      ['a targeted private overrides max-age', '9213 §2.2', 'private', 0, 'site', 'max-age=60'],
      ['a targeted no-cache overrides max-age', '9213 §2.2', 'no-cache', 0, 'site', 'max-age=60'],
      ['a directive with the value ?0 is ignored', '9213 §2.1', 'no-store=?0, max-age=60', 30, 'store'],
      ['unknown members are ignored', '9213 §2.1', 'foo, bar=baz;q=1, max-age=60', 30, 'store'],
      ['parameters are ignored', '9213 §2.1', 'max-age=60;x="y"', 30, 'store'],
      ['the last of two members with the same key wins', '9651 §4.2.2', 'max-age=60, max-age=10', 11, 'site'],
      ['a number above 2^31 is accepted', '9213 §2.1', 'max-age=99999999999', 9_999_999, 'store'],
      ['a number of sixteen digits is invalid', '9651 §4.2.4', 'max-age=1000000000000000', 1, 'site'],
      ['the received Age counts against it', '§4.2.3', 'max-age=3600', 0, 'site', 'Age: 7200'],
      ['an empty targeted field is ignored', '9213 §2.2', '', 30, 'store', 'max-age=60'],
      ['what is no dictionary is ignored', '9213 §2.2', 'max-age=60, &&&', 0, 'site', 'no-store'],
      ['a quoted number gives no lifetime', '9213 §2.1', 'max-age="60"', 0, 'site', 'no-store'],
      ['a key with capital letters is invalid', '9651 §3.2', 'Max-Age=60', 2, 'site', 'max-age=1'],
      ['a space before the equals sign is invalid', '9651 §4.2.2', 'max-age =60', 2, 'site', 'max-age=1'],
      ['a trailing comma is invalid', '9651 §4.2.2', 'max-age=60,', 2, 'site', 'max-age=1'],
      ['a fractional lifetime is ignored', '9213 §2.1', 'max-age=60.0', 2, 'site', 'max-age=1'],
    ] as const
  ).map(([name, section, targeted, after, second, ...others]) => {
    const fields = [`CDN-Cache-Control: ${targeted}`, ...others].join(' | ');
    return [name, section, fields, after, second] as const;
  }),
]);
