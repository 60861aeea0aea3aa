import { at, type Case, reuse } from '../case.ts';

const HOUR = 'max-age=3600';

/** Response directives that do not set a lifetime (RFC 9111 §5.2.2, §3). */
export const RESPONSE_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['no-store is not stored', 'RFC 9111 §5.2.2.5', { 'Cache-Control': 'no-store' }, 0, 'site'],
    [
      'no-store is not stored, however fresh',
      'RFC 9111 §5.2.2.5',
      { 'Cache-Control': `${HOUR}, no-store`, Expires: at(60) },
      0,
      'site',
    ],
    ['…and with a validator', 'RFC 9111 §5.2.2.5', { 'Cache-Control': 'no-store', ETag: '"a"' }, 0, 'site'],
    ['…on a line of its own', 'RFC 9111 §5.2.2.5', { 'Cache-Control': [HOUR, 'no-store'] }, 0, 'site'],
    ['private is not stored', 'RFC 9111 §5.2.2.7', { 'Cache-Control': `private, ${HOUR}` }, 0, 'site'],
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
      'no-cache is revalidated',
      'RFC 9111 §5.2.2.4',
      { 'Cache-Control': 'no-cache', ETag: '"a"' },
      0,
      'confirmed',
    ],
    [
      'no-cache beats max-age',
      'RFC 9111 §4.2.1',
      { 'Cache-Control': `${HOUR}, no-cache`, ETag: '"a"' },
      0,
      'confirmed',
    ],
    [
      'no-cache beats Expires',
      'RFC 9111 §5.2.2.4',
      { 'Cache-Control': 'no-cache', Expires: at(60), ETag: '"a"' },
      0,
      'confirmed',
    ],
    ['No-CaChE does', 'RFC 9111 §5.2', { 'Cache-Control': `${HOUR}, No-CaChE` }, 0, 'site'],
    ['no-cache and no validator', 'RFC 9111 §5.2.2.4', { 'Cache-Control': `no-cache, ${HOUR}` }, 0, 'site'],
    [
      'must-revalidate is fresh until it is stale',
      'RFC 9111 §5.2.2.2',
      { 'Cache-Control': `${HOUR}, must-revalidate`, ETag: '"a"' },
      3599,
      'store',
    ],
    [
      '…and is revalidated then',
      'RFC 9111 §5.2.2.2',
      { 'Cache-Control': 'max-age=2, must-revalidate', ETag: '"a"' },
      3,
      'confirmed',
    ],
    [
      'so is proxy-revalidate',
      'RFC 9111 §5.2.2.8',
      { 'Cache-Control': 'max-age=2, proxy-revalidate', ETag: '"a"' },
      3,
      'confirmed',
    ],
    ['no-transform is stored', 'RFC 9111 §5.2.2.6', { 'Cache-Control': `no-transform, ${HOUR}` }, 9, 'store'],
    [
      'Pragma in a response means nothing',
      'RFC 9111 §5.4',
      { 'Cache-Control': HOUR, Pragma: 'no-cache' },
      9,
      'store',
    ],
    [
      '…also where freshness is a guess',
      'RFC 9111 §5.4',
      { 'Last-Modified': at(-10_000), Pragma: 'no-cache' },
      9,
      'store',
    ],
    ['nor does an unknown Pragma', 'RFC 9111 §5.4', { 'Cache-Control': HOUR, Pragma: 'x' }, 9, 'store'],
    [
      'Surrogate-Control is nobody’s standard',
      'RFC 9111 §5.2.3',
      { 'Surrogate-Control': 'max-age=60' },
      0,
      'site',
    ],
    [
      'Content-Disposition changes nothing',
      'RFC 9111 §3',
      { 'Cache-Control': HOUR, 'Content-Disposition': 'attachment' },
      9,
      'store',
    ],
    [
      'Set-Cookie is never stored',
      'RFC 9111 §7.3',
      { 'Cache-Control': HOUR, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      '…not even where it is public',
      'RFC 9111 §7.3',
      { 'Cache-Control': `public, ${HOUR}`, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      '…nor where no-cache names it',
      'RFC 9111 §7.3',
      { 'Cache-Control': `no-cache="set-cookie", ${HOUR}`, 'Set-Cookie': 'a=b' },
      0,
      'site',
    ],
    [
      'X-WP-Nonce is never stored',
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
    name: 'fields that no-cache names are not served from the store',
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
    name: 'a name without quotes is a name',
    rfc: 'RFC 9111 §5.2.2.4',
    steps: [
      { site: { headers: { 'Cache-Control': `no-cache=a, ${HOUR}`, A: '1', B: '2' } } },
      { after: 1, servedFrom: 1, expectedFields: { B: 2 }, absentFields: ['A'] },
    ],
  },
  {
    name: 'fields that private names are not stored',
    rfc: 'RFC 9111 §5.2.2.7',
    steps: [
      {
        site: { headers: { 'Cache-Control': `private="x-user", ${HOUR}`, 'X-User': 'me', 'X-All': 'us' } },
        expectedFields: { 'X-User': 'me' },
      },
      { after: 1, servedFrom: 1, expectedFields: { 'X-All': 'us' }, absentFields: ['X-User'] },
    ],
  },
  {
    name: 'the unqualified form overrides the qualified one',
    rfc: 'RFC 9111 §4.2.1',
    steps: [{ site: { headers: { 'Cache-Control': `no-cache="a", no-cache, ${HOUR}`, A: '1' } } }, {}],
  },
];
