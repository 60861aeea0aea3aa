import { at, type Case, type Fields, SITE, type Step } from '../case.ts';

const FRESH = { 'Cache-Control': 'max-age=3600' };
const OF_TARGET = { ...FRESH, 'Content-Location': '/' };

/** The response to the POST, the fields of the POST. */
type Row = readonly [what: string, headers: Fields, request?: Fields];

const post = (headers: Fields, more: Partial<Step> = {}): Step => ({
  method: 'POST',
  site: { headers },
  ...more,
});

/** Responses to POST that serve later reads of the same URI (RFC 9110 §9.3.3). */
export const POST: readonly Case[] = [
  ...(
    [
      ['max-age', OF_TARGET],
      ['s-maxage', { 'Cache-Control': 's-maxage=3600', 'Content-Location': '/' }],
      ['Expires', { Expires: at(3600), 'Content-Location': '/' }],
      ['an absolute Content-Location', { ...FRESH, 'Content-Location': `${SITE}/` }],
      ['an empty Content-Location, which is relative to the target', { ...FRESH, 'Content-Location': '' }],
    ] as const satisfies readonly Row[]
  ).map(
    ([what, headers]): Case => ({
      name: `the response to POST with ${what} is reused for GET and HEAD`,
      rfc: 'RFC 9110 §9.3.3',
      steps: [
        post(headers),
        { after: 3, servedFrom: 1, expectedFields: { Age: 3 } },
        { after: 1, method: 'HEAD', servedFrom: 1, expectedFields: { Age: 4, 'Content-Length': 14 } },
      ],
    }),
  ),
  ...(
    [
      ['without Content-Location', FRESH],
      ['with the Content-Location of another path', { ...FRESH, 'Content-Location': '/other' }],
      ['with the Content-Location of another query', { ...FRESH, 'Content-Location': '/?a=b' }],
      ['with a fragment in Content-Location', { ...FRESH, 'Content-Location': '/#a' }],
      [
        'with the Content-Location of another origin',
        { ...FRESH, 'Content-Location': 'http://other.example.com/' },
      ],
      ['with two lines of Content-Location', { ...FRESH, 'Content-Location': ['/', '/'] }],
      ['with an invalid Content-Location', { ...FRESH, 'Content-Location': 'http://[/' }],
      ['with heuristic freshness only', { 'Last-Modified': at(-36_000), 'Content-Location': '/' }],
      [
        'with public, but no lifetime',
        { 'Cache-Control': 'public', 'Last-Modified': at(-36_000), 'Content-Location': '/' },
      ],
      ['with the lifetime 0', { 'Cache-Control': 'max-age=0', ETag: '"a"', 'Content-Location': '/' }],
      ['with no-cache', { 'Cache-Control': 'no-cache, max-age=3600', ETag: '"a"', 'Content-Location': '/' }],
      ['with no-store', { 'Cache-Control': 'no-store, max-age=3600', 'Content-Location': '/' }],
      ['with private', { 'Cache-Control': 'private, max-age=3600', 'Content-Location': '/' }],
      ['with Set-Cookie', { ...OF_TARGET, 'Set-Cookie': 'a=b' }],
      ['with a nonce', { ...OF_TARGET, 'X-WP-Nonce': 'a' }],
      ['with Vary: *', { ...OF_TARGET, Vary: '*' }],
      ['with Content-Range', { ...OF_TARGET, 'Content-Range': 'bytes 0-13/14' }],
      ['to a request with no-store', OF_TARGET, { 'Cache-Control': 'no-store' }],
      ['to a request with Authorization', OF_TARGET, { Authorization: 'Basic YTpi' }],
      [
        'to a request with Authorization, although it is public',
        { 'Cache-Control': 'public, max-age=3600', 'Content-Location': '/' },
        { Authorization: 'Basic YTpi' },
      ],
      [
        'to a request with a cookie, although it is public',
        { 'Cache-Control': 'public, max-age=3600', 'Content-Location': '/' },
        { Cookie: 'a=b' },
      ],
    ] as const satisfies readonly Row[]
  ).map(
    ([what, headers, request]: Row): Case => ({
      name: `the response to POST ${what} is not reused`,
      rfc: 'RFC 9110 §9.3.3',
      steps: [post(headers, request === undefined ? {} : { headers: request }), { after: 1 }],
    }),
  ),
  ...[201, 202, 206, 303, 404, 500].map(
    (status): Case => ({
      name: `the response to POST with the status ${status} is not reused`,
      rfc: 'RFC 9110 §9.3.3',
      steps: [post({}, { site: { status, headers: OF_TARGET } }), { after: 1 }],
    }),
  ),
  ...['PUT', 'PATCH', 'DELETE', 'M-SEARCH'].map(
    (method): Case => ({
      name: `the response to ${method} is not reused`,
      rfc: 'RFC 9110 §9.3',
      steps: [{ method, site: { headers: OF_TARGET } }, { after: 1 }],
    }),
  ),
  {
    name: 'POST is forwarded although a response is stored',
    rfc: 'RFC 9110 §9.3.3',
    steps: [post(OF_TARGET), { ...post(OF_TARGET), after: 1 }, { after: 1, servedFrom: 2 }],
  },
  {
    name: 'the response to POST replaces all stored responses of the URI',
    rfc: 'RFC 9111 §4.4',
    steps: [
      { headers: { 'X-A': '1' }, site: { headers: { ...FRESH, Vary: 'X-A' } } },
      { ...post({ ...OF_TARGET, Vary: 'X-A' }), after: 1, headers: { 'X-A': '2' } },
      { after: 1, headers: { 'X-A': '2' }, servedFrom: 2 },
      { headers: { 'X-A': '1' } },
    ],
  },
  {
    name: 'a later write invalidates the response to POST',
    rfc: 'RFC 9111 §4.4',
    steps: [post(OF_TARGET), { after: 1, method: 'PUT' }, { after: 1 }],
  },
  {
    name: 'a stale response to POST is revalidated by GET',
    rfc: 'RFC 9111 §4.3',
    steps: [
      post({ 'Cache-Control': 'max-age=2', ETag: '"a"', 'Content-Location': '/' }),
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        forwardedFields: { 'If-None-Match': '"a"' },
        site: { status: 304, headers: FRESH },
      },
      { after: 1, servedFrom: 1 },
    ],
  },
  {
    name: 'an incomplete response to POST is not stored',
    rfc: 'RFC 9111 §3.3',
    steps: [post({}, { site: { headers: OF_TARGET, failure: 'cut' } }), { after: 1 }],
  },
  {
    name: 'the response to POST for another path is stored with its query',
    rfc: 'RFC 9111 §2',
    steps: [
      post({ ...FRESH, 'Content-Location': '/search?a=b' }, { path: '/search?a=b' }),
      { after: 1, path: '/search?a=b', servedFrom: 1 },
      { path: '/search' },
    ],
  },
];
