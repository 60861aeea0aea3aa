import { type Case, reuse, scenario } from '../case.ts';

/** Response directives that do not set a lifetime (RFC 9111 §5.2.2, §3). */
export const RESPONSE_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['no-store prevents storing', '§5.2.2.5', 'no-store', 0, 'site'],
    ['no-store overrides max-age', '§5.2.2.5', 'max-age=3600, no-store | Expires: @60', 0, 'site'],
    ['no-store applies to a response with a validator', '§5.2.2.5', 'no-store | ETag: "a"', 0, 'site'],
    ['no-store on a separate field line prevents storing', '§5.2.2.5', 'max-age=3600 | no-store', 0, 'site'],
    ['private prevents storing', '§5.2.2.7', 'private, max-age=3600', 0, 'site'],
    ['private overrides public', '§4.2.1', 'public, private, max-age=3600', 0, 'site'],
    ['no-cache requires revalidation', '§5.2.2.4', 'no-cache | ETag: "a"', 0, '304'],
    ['no-cache overrides max-age', '§4.2.1', 'max-age=3600, no-cache | ETag: "a"', 0, '304'],
    ['no-cache without a validator prevents reuse', '§5.2.2.4', 'no-cache, max-age=3600', 0, 'site'],
    [
      'must-revalidate permits reuse while fresh',
      '§5.2.2.2',
      'max-age=60, must-revalidate | ETag: "a"',
      59,
      'store',
    ],
    ['must-revalidate forbids it once stale', '§5.2.2.2', 'max-age=2, must-revalidate | ETag: "a"', 3, '304'],
    [
      'proxy-revalidate forbids it once stale',
      '§5.2.2.8',
      'max-age=2, proxy-revalidate | ETag: "a"',
      3,
      '304',
    ],
    ['no-transform does not prevent storing', '§5.2.2.6', 'no-transform, max-age=3600', 9, 'store'],
    ['Pragma in a response is ignored', '§5.4', 'max-age=3600 | Pragma: no-cache', 9, 'store'],
    ['Pragma is no explicit lifetime', '§5.4', 'Last-Modified: @-10000 | Pragma: no-cache', 9, 'store'],
    ['Surrogate-Control is ignored', '§5.2.3', 'Surrogate-Control: max-age=60', 0, 'site'],
    ['Content-Disposition is ignored', '§3', 'max-age=3600 | Content-Disposition: attachment', 9, 'store'],
    ['a response with Set-Cookie is not stored', '§7.3', 'max-age=3600 | Set-Cookie: a=b', 0, 'site'],
    [
      'nor with no-cache="Set-Cookie"',
      '§7.3',
      'no-cache="set-cookie", max-age=60 | Set-Cookie: a=b',
      0,
      'site',
    ],
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
  scenario('an unquoted field name of no-cache is accepted', '§5.2.2.4', [
    'no-cache=a, max-age=3600 | A: 1 | B: 2',
    { after: 1, from: 1, expects: 'B: 2', absentFields: ['A'] },
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
