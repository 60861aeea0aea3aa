import { at, type Case, reuse } from '../case.ts';

const FRESH = { 'Cache-Control': 'max-age=3600' };

/** A field that is stored as the site sent it. */
const stored = (name: string, value: string): Case => ({
  name: `${name} is stored`,
  rfc: 'RFC 9111 §3.1',
  steps: [
    { site: { headers: { ...FRESH, [name]: value } } },
    { after: 1, servedFrom: 1, expectedFields: { [name]: value } },
  ],
});

/** A hop-by-hop field or a field for proxies, which is not stored. */
const notStored = (name: string, value: string): Case => ({
  name: `${name} is not stored`,
  rfc: 'RFC 9111 §3.1',
  steps: [
    { site: { headers: { ...FRESH, [name]: value } } },
    { after: 1, servedFrom: 1, absentFields: [name] },
  ],
});

/** Storage of header fields (RFC 9111 §3.1). */
export const FIELDS: readonly Case[] = [
  stored('X-Test', 'a'),
  stored('Content-Type', 'text/plain; charset=x'),
  stored('Content-Language', 'de'),
  stored('Content-Location', '/foo'),
  stored('Content-Security-Policy', "default-src 'self'"),
  stored('ETag', '"a"'),
  stored('X-Frame-Options', 'deny'),
  stored('Strict-Transport-Security', 'max-age=1'),
  stored('WWW-Authenticate', 'Basic realm="a"'),
  stored('Allow', 'GET, POST'),
  stored('X-WP-Total', '7'),
  stored('Set-Cookie2', 'a=b'),
  stored('Access-Control-Allow-Origin', '*'),
  stored('CDN-Cache-Control', 'max-age=60'),
  notStored('Proxy-Connection', 'x'),
  notStored('TE', 'x'),
  notStored('Proxy-Authenticate', 'Basic realm="a"'),
  notStored('Proxy-Authentication-Info', 'a=b'),
  {
    name: 'fields named by Connection are not stored',
    rfc: 'RFC 9111 §3.1',
    steps: [
      { site: { headers: { ...FRESH, Connection: 'A, b', A: '1', B: '2', C: '3' } } },
      { after: 1, servedFrom: 1, expectedFields: { C: 3 }, absentFields: ['A', 'B'] },
    ],
  },
  {
    name: 'several lines of a field are stored',
    rfc: 'RFC 9110 §5.3',
    steps: [
      { site: { headers: { ...FRESH, Link: ['</a>; rel="a"', '</b>; rel="b"'] } } },
      { after: 1, servedFrom: 1, expectedFields: { Link: '</a>; rel="a", </b>; rel="b"' } },
    ],
  },
];

/** Requests with credentials (RFC 9111 §3.5). */
export const AUTHORIZATION: readonly Case[] = [
  ...(
    [
      ['is not stored', { Expires: at(3600) }, 'site'],
      ['is not stored with max-age', FRESH, 'site'],
      ['is stored with public', { 'Cache-Control': 'public, max-age=3600' }, 'store'],
      ['is stored with must-revalidate', { 'Cache-Control': 'must-revalidate, max-age=3600' }, 'store'],
      ['is stored with s-maxage', { 'Cache-Control': 's-maxage=3600' }, 'store'],
      [
        'is stored if the targeted field permits it',
        { 'CDN-Cache-Control': 'public, max-age=3600' },
        'store',
      ],
      [
        'is not stored if only the overridden Cache-Control permits it',
        { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'public' },
        'site',
      ],
      ['is not stored with public and private', { 'Cache-Control': 'public, private, max-age=60' }, 'site'],
      ['is not stored with proxy-revalidate', { 'Cache-Control': 'proxy-revalidate, max-age=60' }, 'site'],
    ] as const
  ).map(
    ([name, headers, second]): Case => ({
      name: `the response to a request with Authorization ${name}`,
      rfc: 'RFC 9111 §3.5',
      steps: [
        {
          headers: { Authorization: 'Basic YTpi' },
          forwardedFields: { Authorization: 'Basic YTpi' },
          site: { headers },
        },
        { after: 1, ...(second === 'store' ? { servedFrom: 1 } : {}) },
      ],
    }),
  ),
];

/** Requests with a cookie need the permission that RFC 9111 §3.5 demands for `Authorization`, or a targeted field. */
export const COOKIES: readonly Case[] = (
  [
    ['max-age alone', { 'Cache-Control': 'max-age=60' }, 'site'],
    ['Expires alone', { Expires: at(60) }, 'site'],
    ['a validator alone', { 'Last-Modified': at(-100_000) }, 'site'],
    ['public', { 'Cache-Control': 'public, max-age=60' }, 'store'],
    ['s-maxage', { 'Cache-Control': 's-maxage=60' }, 'store'],
    ['must-revalidate', { 'Cache-Control': 'max-age=60, must-revalidate' }, 'store'],
    ['a targeted field', { 'CDN-Cache-Control': 'max-age=60' }, 'store'],
    ['public and private', { 'Cache-Control': 'public, private, max-age=60' }, 'site'],
  ] as const
).flatMap(([name, headers, second]): Case[] => {
  const outcome = second === 'store' ? { servedFrom: 1 } : {};
  const cookie = { Cookie: 'session=1' };
  return [
    {
      name: `with ${name} the response to a request with a cookie comes from the ${second} for another`,
      rfc: 'RFC 9111 §3.5',
      steps: [
        { headers: cookie, site: { headers } },
        { headers: { Cookie: 'session=2' }, ...outcome },
      ],
    },
    {
      name: `with ${name} the stored anonymous response comes from the ${second} for a request with a cookie`,
      rfc: 'RFC 9111 §3.5',
      steps: [{ site: { headers } }, { headers: cookie, ...outcome }],
    },
  ];
});

/** Incomplete responses are not stored as complete ones (RFC 9111 §3.3). */
export const INCOMPLETE: readonly Case[] = [
  {
    name: 'an incomplete response is requested again',
    rfc: 'RFC 9111 §3.3',
    steps: [{ site: { headers: FRESH, failure: 'cut' } }, {}],
  },
  {
    name: 'an incomplete response does not replace a complete one',
    rfc: 'RFC 9111 §3.3',
    steps: [
      { site: { headers: FRESH } },
      { headers: { 'Cache-Control': 'no-cache' }, site: { headers: FRESH, failure: 'cut' } },
      { servedFrom: 1 },
    ],
  },
  {
    name: 'an empty body is stored',
    rfc: 'RFC 9111 §3',
    steps: [{ site: { headers: FRESH, body: '' } }, { servedFrom: 1, body: '' }],
  },
];

/** Cache keys are exact URIs (RFC 9111 §2). */
export const ADDRESSES: readonly Case[] = [
  ...reuse([['the same address is the same', 'RFC 9111 §2', FRESH, 1, 'store']]),
  {
    name: 'another path is another key',
    rfc: 'RFC 9111 §2',
    steps: [{ path: '/a', site: { headers: FRESH } }, { path: '/b' }, { path: '/a', servedFrom: 1 }],
  },
  {
    name: 'the query is part of the key',
    rfc: 'RFC 9111 §2',
    steps: [{ path: '/a?b=c', site: { headers: FRESH } }, { path: '/a?b=c', servedFrom: 1 }, { path: '/a' }],
  },
  {
    name: 'paths are case-sensitive',
    rfc: 'RFC 9110 §4.2.3',
    steps: [{ path: '/a', site: { headers: FRESH } }, { path: '/A' }],
  },
];
