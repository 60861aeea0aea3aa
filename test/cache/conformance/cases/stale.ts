import type { Case, OriginBehavior } from '../case.ts';

const control = (directives: string) => ({ headers: { 'Cache-Control': directives } });
const DOWN: OriginBehavior = { failure: 'unreachable' };

/** A stored response, and some time later another one of the site; whether that one is served. */
function then(
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
    then(`stale-if-error: ${status} is an error`, 'RFC 5861 §4', SIE, 30, { status }, 1),
  ),
  ...[501, 505, 404, 403, 410, 429].map((status) =>
    then(`stale-if-error: ${status} is an answer`, 'RFC 5861 §4', SIE, 30, { status }, 2),
  ),
  then('stale-if-error: a site that cannot be reached is an error', 'RFC 5861 §4', SIE, 30, DOWN, 1),
  then('stale-if-error ends', 'RFC 5861 §4', SIE, 62, { status: 503 }, 2),
  then('…for a site that cannot be reached too', 'RFC 5861 §4', SIE, 62, DOWN, 0),
  then('without it an error is passed on', 'RFC 9111 §4.2.4', 'max-age=2', 3, { status: 503 }, 2),
  then('without it no response is none', 'RFC 9111 §4.2.4', 'max-age=2', 3, DOWN, 0),
  then('an unreadable window is none', 'RFC 5861 §4', 'max-age=2, stale-if-error=x', 3, { status: 503 }, 2),
  then('a window of zero is none', 'RFC 5861 §4', 'max-age=2, stale-if-error=0', 3, { status: 503 }, 2),
  then('must-revalidate forbids it', 'RFC 9111 §5.2.2.2', `${SIE}, must-revalidate`, 3, { status: 503 }, 2),
  then('…for a site that cannot be reached', 'RFC 9111 §5.2.2.2', `${SIE}, must-revalidate`, 3, DOWN, 0),
  then('proxy-revalidate forbids it', 'RFC 9111 §5.2.2.8', `${SIE}, proxy-revalidate`, 3, DOWN, 0),
  then('no-cache forbids it', 'RFC 9111 §5.2.2.4', 'no-cache, stale-if-error=60', 3, DOWN, 0),
  then('s-maxage forbids what nobody permitted', 'RFC 9111 §5.2.2.10', 's-maxage=2', 3, DOWN, 0),
  then('a stated window applies beside s-maxage', 'RFC 5861 §4', 's-maxage=2, stale-if-error=60', 3, DOWN, 1),
  {
    name: 'a request may allow it',
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
    name: 'must-revalidate overrides the request',
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
    name: 'a stale response has its age',
    rfc: 'RFC 9111 §4.2.3',
    steps: [
      { site: control(SIE) },
      { after: 30, site: { status: 503 }, servedFrom: 1, forwards: true, expectedFields: { Age: 30 } },
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
      name: `${directive} forbids it`,
      rfc: 'RFC 9111 §4.2.4',
      steps: [{ site: control(`${SWR}, ${directive}`) }, { after: 3 }],
    }),
  ),
  {
    name: 'a stated window applies beside s-maxage',
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
