import { at, type Case, reuse } from '../case.ts';

const HOUR = 'max-age=3600';

/** Response directives that do not set a lifetime (RFC 9111 §5.2.2, §3). */
export const RESPONSE_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['no-store prevents storing', 'RFC 9111 §5.2.2.5', { 'Cache-Control': 'no-store' }, 0, 'site'],
    [
      'no-store overrides max-age',
      'RFC 9111 §5.2.2.5',
      { 'Cache-Control': `${HOUR}, no-store`, Expires: at(60) },
      0,
      'site',
    ],
    [
      'no-store applies to a response with a validator',
      'RFC 9111 §5.2.2.5',
      { 'Cache-Control': 'no-store', ETag: '"a"' },
      0,
      'site',
    ],
    [
      'no-store on a separate field line prevents storing',
      'RFC 9111 §5.2.2.5',
      { 'Cache-Control': [HOUR, 'no-store'] },
      0,
      'site',
    ],
    ['private prevents storing', 'RFC 9111 §5.2.2.7', { 'Cache-Control': `private, ${HOUR}` }, 0, 'site'],
    [
      'private overrides public',
      'RFC 9111 §4.2.1',
      { 'Cache-Control': `public, private, ${HOUR}` },
      0,
      'site',
    ],
    [
      'private overrides s-maxage',
      'RFC 9111 §5.2.2.7',
      { 'Cache-Control': 'private, s-maxage=60' },
      0,
      'site',
    ],
    [
      'no-cache requires revalidation',
      'RFC 9111 §5.2.2.4',
      { 'Cache-Control': 'no-cache', ETag: '"a"' },
      0,
      'confirmed',
    ],
    [
      'no-cache overrides max-age',
      'RFC 9111 §4.2.1',
      { 'Cache-Control': `${HOUR}, no-cache`, ETag: '"a"' },
      0,
      'confirmed',
    ],
    [
      'no-cache overrides Expires',
      'RFC 9111 §5.2.2.4',
      { 'Cache-Control': 'no-cache', Expires: at(60), ETag: '"a"' },
      0,
      'confirmed',
    ],
    ['no-cache is case-insensitive', 'RFC 9111 §5.2', { 'Cache-Control': `${HOUR}, No-CaChE` }, 0, 'site'],
    [
      'no-cache without a validator prevents reuse',
      'RFC 9111 §5.2.2.4',
      { 'Cache-Control': `no-cache, ${HOUR}` },
      0,
      'site',
    ],
    [
      'must-revalidate permits reuse of a fresh response',
      'RFC 9111 §5.2.2.2',
      { 'Cache-Control': `${HOUR}, must-revalidate`, ETag: '"a"' },
      3599,
      'store',
    ],
    [
      'must-revalidate requires revalidation of a stale response',
      'RFC 9111 §5.2.2.2',
      { 'Cache-Control': 'max-age=2, must-revalidate', ETag: '"a"' },
      3,
      'confirmed',
    ],
    [
      'proxy-revalidate requires revalidation of a stale response',
      'RFC 9111 §5.2.2.8',
      { 'Cache-Control': 'max-age=2, proxy-revalidate', ETag: '"a"' },
      3,
      'confirmed',
    ],
    [
      'no-transform does not prevent storing',
      'RFC 9111 §5.2.2.6',
      { 'Cache-Control': `no-transform, ${HOUR}` },
      9,
      'store',
    ],
    [
      'Pragma in a response is ignored',
      'RFC 9111 §5.4',
      { 'Cache-Control': HOUR, Pragma: 'no-cache' },
      9,
      'store',
    ],
    [
      'Pragma in a response is ignored with heuristic freshness',
      'RFC 9111 §5.4',
      { 'Last-Modified': at(-10_000), Pragma: 'no-cache' },
      9,
      'store',
    ],
    ['an unknown Pragma is ignored', 'RFC 9111 §5.4', { 'Cache-Control': HOUR, Pragma: 'x' }, 9, 'store'],
    ['Surrogate-Control is ignored', 'RFC 9111 §5.2.3', { 'Surrogate-Control': 'max-age=60' }, 0, 'site'],
    [
      'Content-Disposition is ignored',
      'RFC 9111 §3',
      { 'Cache-Control': HOUR, 'Content-Disposition': 'attachment' },
      9,
      'store',
    ],
    [
      'a response with Set-Cookie is not stored',
      'RFC 9111 §7.3',
      { 'Cache-Control': HOUR, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      'a public response with Set-Cookie is not stored',
      'RFC 9111 §7.3',
      { 'Cache-Control': `public, ${HOUR}`, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      'no-cache="Set-Cookie" does not permit storing',
      'RFC 9111 §7.3',
      { 'Cache-Control': `no-cache="set-cookie", ${HOUR}`, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      'a response with X-WP-Nonce is not stored',
      'RFC 9111 §7',
      { 'Cache-Control': `public, ${HOUR}`, 'X-WP-Nonce': 'abc' },
      0,
      'site',
    ],
  ]),
  {
    name: 'a response that must not be stored removes the stored one',
    rfc: 'RFC 9111 §5.2.2.5',
    steps: [
      { site: { headers: { 'Cache-Control': HOUR } } },
      { headers: { 'Cache-Control': 'no-cache' }, site: { headers: { 'Cache-Control': 'no-store' } } },
      {},
    ],
  },
  {
    name: 'fields listed by no-cache are not served from the store',
    rfc: 'RFC 9111 §5.2.2.4',
    steps: [
      {
        site: { headers: { 'Cache-Control': ['no-cache="A, b"', HOUR], A: '1', B: '2', C: '3' } },
        expectedFields: { A: 1, B: 2 },
      },
      { after: 1, servedFrom: 1, expectedFields: { C: 3 }, absentFields: ['A', 'B'] },
    ],
  },
  {
    name: 'an unquoted field name of no-cache is accepted',
    rfc: 'RFC 9111 §5.2.2.4',
    steps: [
      { site: { headers: { 'Cache-Control': `no-cache=a, ${HOUR}`, A: '1', B: '2' } } },
      { after: 1, servedFrom: 1, expectedFields: { B: 2 }, absentFields: ['A'] },
    ],
  },
  {
    name: 'fields listed by private are not stored',
    rfc: 'RFC 9111 §5.2.2.7',
    steps: [
      {
        site: { headers: { 'Cache-Control': `private="x-mine", ${HOUR}`, 'X-Mine': 'me', 'X-All': 'us' } },
        expectedFields: { 'X-Mine': 'me' },
      },
      { after: 1, servedFrom: 1, expectedFields: { 'X-All': 'us' }, absentFields: ['X-Mine'] },
    ],
  },
  {
    name: 'the unqualified form overrides the qualified one',
    rfc: 'RFC 9111 §4.2.1',
    steps: [{ site: { headers: { 'Cache-Control': `no-cache="a", no-cache, ${HOUR}`, A: '1' } } }, {}],
  },
];
