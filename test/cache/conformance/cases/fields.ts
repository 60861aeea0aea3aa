import { at, type Case, reuse } from '../case.ts';

const FRESH = { 'Cache-Control': 'max-age=3600' };

/** A field that is stored as the site sent it. */
const kept = (name: string, value: string): Case => ({
  name: `${name} is kept`,
  rfc: 'RFC 9111 §3.1',
  steps: [
    { site: { headers: { ...FRESH, [name]: value } } },
    { after: 1, servedFrom: 1, expectedFields: { [name]: value } },
  ],
});

/** A hop-by-hop field or a field for proxies, which is not stored. */
const dropped = (name: string, value: string): Case => ({
  name: `${name} is not kept`,
  rfc: 'RFC 9111 §3.1',
  steps: [
    { site: { headers: { ...FRESH, [name]: value } } },
    { after: 1, servedFrom: 1, absentFields: [name] },
  ],
});

/** Which fields are stored (RFC 9111 §3.1). */
export const FIELDS: readonly Case[] = [
  kept('X-Test', 'a'),
  kept('Content-Type', 'text/plain; charset=x'),
  kept('Content-Language', 'de'),
  kept('Content-Location', '/foo'),
  kept('Content-Security-Policy', "default-src 'self'"),
  kept('ETag', '"a"'),
  kept('X-Frame-Options', 'deny'),
  kept('Strict-Transport-Security', 'max-age=1'),
  kept('WWW-Authenticate', 'Basic realm="a"'),
  kept('Allow', 'GET, POST'),
  kept('X-WP-Total', '7'),
  kept('Access-Control-Allow-Origin', '*'),
  kept('CDN-Cache-Control', 'max-age=60'),
  dropped('Proxy-Connection', 'x'),
  dropped('TE', 'x'),
  dropped('Proxy-Authenticate', 'Basic realm="a"'),
  dropped('Proxy-Authentication-Info', 'a=b'),
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
      ['is not stored by max-age', FRESH, 'site'],
      ['is stored with public', { 'Cache-Control': 'public, max-age=3600' }, 'store'],
      [
        'is stored where it must be revalidated',
        { 'Cache-Control': 'must-revalidate, max-age=3600' },
        'store',
      ],
      ['is stored with s-maxage', { 'Cache-Control': 's-maxage=3600' }, 'store'],
      [
        'is stored where the targeted field says so',
        { 'CDN-Cache-Control': 'public, max-age=3600' },
        'store',
      ],
      [
        'is not stored where only what is set aside says so',
        { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'public' },
        'site',
      ],
      ['is not stored with public and private', { 'Cache-Control': 'public, private, max-age=60' }, 'site'],
      ['is not stored by proxy-revalidate', { 'Cache-Control': 'proxy-revalidate, max-age=60' }, 'site'],
    ] as const
  ).map(
    ([name, headers, second]): Case => ({
      name: `the answer to Authorization ${name}`,
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

/** URIs are compared as they are written (RFC 9111 §2). */
export const ADDRESSES: readonly Case[] = [
  ...reuse([['the same address is the same', 'RFC 9111 §2', FRESH, 1, 'store']]),
  {
    name: 'another path is another key',
    rfc: 'RFC 9111 §2',
    steps: [{ path: '/a', site: { headers: FRESH } }, { path: '/b' }, { path: '/a', servedFrom: 1 }],
  },
  {
    name: 'the query belongs to the key',
    rfc: 'RFC 9111 §2',
    steps: [{ path: '/a?b=c', site: { headers: FRESH } }, { path: '/a?b=c', servedFrom: 1 }, { path: '/a' }],
  },
  {
    name: 'paths are case-sensitive',
    rfc: 'RFC 9110 §4.2.3',
    steps: [{ path: '/a', site: { headers: FRESH } }, { path: '/A' }],
  },
];
