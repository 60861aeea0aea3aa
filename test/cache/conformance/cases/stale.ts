import type { Case, OriginBehavior } from '../case.ts';

const control = (directives: string) => ({ headers: { 'Cache-Control': directives } });
const DOWN: OriginBehavior = { failure: 'unreachable' };

/** Creates a case of a stored response and a second response of the site after it has become stale. */
function onStale(
  name: string,
  rfc: string,
  directives: string,
  after: number,
  second: OriginBehavior,
  servedFrom: 0 | 1 | 2,
  status?: number,
): Case {
  const failed = servedFrom === 0 ? { status: status ?? 502 } : {};
  return {
    name,
    rfc,
    steps: [{ site: control(directives) }, { after, site: second, servedFrom, forwards: true, ...failed }],
  };
}

const SIE = 'max-age=2, stale-if-error=60';

/** Stale responses (RFC 9111 §4.2.4, RFC 5861). */
export const STALE: readonly Case[] = [
  ...[500, 502, 503, 504].map((status) =>
    onStale(`stale-if-error: ${status} is an error`, 'RFC 5861 §4', SIE, 30, { status }, 1),
  ),
  ...[501, 505, 404, 403, 410, 429].map((status) =>
    onStale(`stale-if-error: ${status} is not an error`, 'RFC 5861 §4', SIE, 30, { status }, 2),
  ),
  onStale('stale-if-error: an unreachable site is an error', 'RFC 5861 §4', SIE, 30, DOWN, 1),
  onStale('stale-if-error ends', 'RFC 5861 §4', SIE, 62, { status: 503 }, 2),
  onStale('stale-if-error ends for an unreachable site too', 'RFC 5861 §4', SIE, 62, DOWN, 0),
  onStale(
    'without stale-if-error an error of the site is forwarded',
    'RFC 9111 §4.2.4',
    'max-age=2',
    3,
    { status: 503 },
    2,
  ),
  onStale(
    'a stale response is served while the site is unreachable',
    'RFC 9111 §4.2.4',
    'max-age=2',
    3,
    DOWN,
    1,
  ),
  onStale('… for up to a day', 'RFC 9111 §4.2.4', 'max-age=2', 86_401, DOWN, 1),
  onStale('… and no longer', 'RFC 9111 §4.2.4', 'max-age=2', 86_402, DOWN, 0),
  ...['must-revalidate', 'proxy-revalidate', 'no-cache', 's-maxage=2', 'stale-if-error=0'].map((directive) =>
    onStale(
      `… but not if the response says ${directive}`,
      'RFC 9111 §4.2.4',
      `max-age=2, ${directive}`,
      3,
      DOWN,
      0,
    ),
  ),
  onStale(
    'an invalid stale-if-error is ignored',
    'RFC 5861 §4',
    'max-age=2, stale-if-error=x',
    3,
    { status: 503 },
    2,
  ),
  onStale(
    'stale-if-error=0 permits no stale response',
    'RFC 5861 §4',
    'max-age=2, stale-if-error=0',
    3,
    { status: 503 },
    2,
  ),
  onStale(
    'must-revalidate overrides stale-if-error',
    'RFC 9111 §5.2.2.2',
    `${SIE}, must-revalidate`,
    3,
    { status: 503 },
    2,
  ),
  onStale(
    'must-revalidate overrides stale-if-error for an unreachable site',
    'RFC 9111 §5.2.2.2',
    `${SIE}, must-revalidate`,
    3,
    DOWN,
    0,
  ),
  onStale(
    'proxy-revalidate overrides stale-if-error',
    'RFC 9111 §5.2.2.8',
    `${SIE}, proxy-revalidate`,
    3,
    DOWN,
    0,
  ),
  onStale(
    'no-cache overrides stale-if-error',
    'RFC 9111 §5.2.2.4',
    'no-cache, stale-if-error=60',
    3,
    DOWN,
    0,
  ),
  onStale('s-maxage forbids stale responses by default', 'RFC 9111 §5.2.2.10', 's-maxage=2', 3, DOWN, 0),
  onStale(
    'an explicit window overrides the effect of s-maxage',
    'RFC 5861 §4',
    's-maxage=2, stale-if-error=60',
    3,
    DOWN,
    1,
  ),
  {
    name: 'a request may permit a stale response by stale-if-error',
    rfc: 'RFC 5861 §4',
    steps: [
      { site: control('max-age=2') },
      {
        after: 30,
        headers: { 'Cache-Control': 'stale-if-error=60' },
        site: { status: 503 },
        servedFrom: 1,
        forwards: true,
      },
      { after: 60, headers: { 'Cache-Control': 'stale-if-error=60' }, site: { status: 503 } },
    ],
  },
  {
    name: 'must-revalidate overrides stale-if-error of the request',
    rfc: 'RFC 9111 §5.2.2.2',
    steps: [
      { site: control('max-age=2, must-revalidate') },
      { after: 3, headers: { 'Cache-Control': 'stale-if-error=60' }, site: { status: 503 } },
    ],
  },
  {
    name: 'an error replaced by a stale response is not stored',
    rfc: 'RFC 5861 §4',
    steps: [
      { site: control(SIE) },
      { after: 3, site: { status: 503, ...control('max-age=3600') }, servedFrom: 1, forwards: true },
      { after: 1, site: control('max-age=60') },
      { after: 1, servedFrom: 3 },
    ],
  },
  {
    name: 'a stale response has a correct Age',
    rfc: 'RFC 9111 §4.2.3',
    steps: [
      { site: control(SIE) },
      { after: 30, site: { status: 503 }, servedFrom: 1, forwards: true, expectedFields: { Age: 30 } },
    ],
  },
  {
    name: 'a client with no-cache gets the failure of an unreachable site',
    rfc: 'RFC 9111 §5.2.1.4',
    steps: [
      { site: control('max-age=3600') },
      {
        after: 3,
        headers: { 'Cache-Control': 'no-cache' },
        site: DOWN,
        servedFrom: 0,
        forwards: true,
        status: 502,
      },
    ],
  },
  {
    name: 'a client with no-cache gets the error',
    rfc: 'RFC 9111 §5.2.1.4',
    steps: [
      { site: control('max-age=3600, stale-if-error=3600') },
      { after: 3, headers: { 'Cache-Control': 'no-cache' }, site: { status: 503 } },
    ],
  },
  {
    name: 'a reload gets the fresh stored response if the site fails',
    rfc: 'RFC 9111 §5.2.1.1',
    steps: [
      { site: control('max-age=3600') },
      {
        after: 3,
        headers: { 'Cache-Control': 'max-age=0' },
        site: { status: 503 },
        servedFrom: 1,
        forwards: true,
      },
    ],
  },
];

const SWR = 'max-age=2, stale-while-revalidate=60';

export const STALE_WHILE_REVALIDATE: readonly Case[] = [
  {
    name: 'the stale response is served, and refreshed in the background',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: control(SWR) },
      { after: 30, servedFrom: 1, inBackground: true, site: control('max-age=60') },
      { after: 1, servedFrom: 2 },
    ],
  },
  {
    name: 'the refresh may be a 304',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: { headers: { 'Cache-Control': SWR, ETag: '"a"' } } },
      {
        after: 30,
        servedFrom: 1,
        inBackground: true,
        forwardedFields: { 'If-None-Match': '"a"' },
        site: { status: 304 },
      },
      { after: 1, servedFrom: 1, expectedFields: { Age: 1 } },
    ],
  },
  {
    name: 'max-age=0 starts the window at once',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: control('max-age=0, stale-while-revalidate=60') },
      { servedFrom: 1, inBackground: true, site: control('max-age=60') },
      { after: 1, servedFrom: 2 },
    ],
  },
  {
    name: 'the window ends',
    rfc: 'RFC 5861 §3',
    steps: [{ site: control(SWR) }, { after: 62 }],
  },
  {
    name: 'a fresh response is not refreshed',
    rfc: 'RFC 5861 §3',
    steps: [{ site: control(SWR) }, { after: 1, servedFrom: 1 }],
  },
  {
    name: 'the refresh may forbid storing',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=1, stale-while-revalidate=4', ETag: '"a"' } } },
      {
        after: 3,
        servedFrom: 1,
        inBackground: true,
        site: { headers: { 'Cache-Control': 'no-cache', ETag: '"b"' } },
      },
      { after: 3 },
    ],
  },
  ...['must-revalidate', 'proxy-revalidate', 'no-cache'].map(
    (directive): Case => ({
      name: `${directive} overrides stale-while-revalidate`,
      rfc: 'RFC 9111 §4.2.4',
      steps: [{ site: control(`${SWR}, ${directive}`) }, { after: 3 }],
    }),
  ),
  {
    name: 'an explicit window overrides the effect of s-maxage',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: control('s-maxage=2, stale-while-revalidate=60') },
      { after: 3, servedFrom: 1, inBackground: true },
    ],
  },
  {
    name: 'a client with no-cache waits for the refresh',
    rfc: 'RFC 9111 §5.2.1.1',
    steps: [{ site: control(SWR) }, { after: 3, headers: { 'Cache-Control': 'max-age=0' } }],
  },
  {
    name: 'a client with min-fresh waits for the refresh',
    rfc: 'RFC 9111 §5.2.1.3',
    steps: [{ site: control(SWR) }, { after: 3, headers: { 'Cache-Control': 'min-fresh=1' } }],
  },
  {
    name: 'a failed refresh changes nothing',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: control(SWR) },
      { after: 10, servedFrom: 1, inBackground: true, site: DOWN },
      { after: 10, servedFrom: 1, inBackground: true, site: control('max-age=60') },
      { after: 1, servedFrom: 3 },
    ],
  },
  {
    name: 'a refresh with an error changes nothing',
    rfc: 'RFC 5861 §3',
    steps: [
      { site: control(SWR) },
      { after: 10, servedFrom: 1, inBackground: true, site: { status: 503 } },
      { after: 10, servedFrom: 1, inBackground: true },
    ],
  },
];
