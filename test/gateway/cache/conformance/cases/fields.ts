import { type Case, reuse, scenario } from '../case.ts';

/** Fields that are stored as the site sent them. */
const STORED = [
  'X-Test: a',
  'Content-Type: text/plain; charset=x',
  "Content-Security-Policy: default-src 'self'",
  'ETag: "a"',
  'WWW-Authenticate: Basic realm="a"',
  'X-WP-Total: 7',
  'Set-Cookie2: a=b',
  'CDN-Cache-Control: max-age=60',
];
/** Hop-by-hop fields and fields for proxies. */
const NOT_STORED = [
  'Proxy-Connection: x',
  'TE: x',
  'Proxy-Authenticate: Basic realm="a"',
  'Proxy-Authentication-Info: a=b',
];
const nameOf = (field: string) => field.slice(0, field.indexOf(':'));

/** Storage of header fields (RFC 9111 §3.1). */
export const FIELDS: readonly Case[] = [
  ...STORED.map((field) =>
    scenario(`${nameOf(field)} is stored`, '§3.1', [
      `max-age=3600 | ${field}`,
      { after: 1, from: 1, expects: field },
    ]),
  ),
  ...NOT_STORED.map((field) =>
    scenario(`${nameOf(field)} is not stored`, '§3.1', [
      `max-age=3600 | ${field}`,
      { after: 1, from: 1, absentFields: [nameOf(field)] },
    ]),
  ),
  scenario('fields named by Connection are not stored', '§3.1', [
    'max-age=3600 | Connection: A, b | A: 1 | B: 2 | C: 3',
    { after: 1, from: 1, expects: 'C: 3', absentFields: ['A', 'B'] },
  ]),
  scenario('several lines of a field are stored', '9110 §5.3', [
    'max-age=3600 | Link: </a>; rel="a" | Link: </b>; rel="b"',
    { after: 1, from: 1, expects: 'Link: </a>; rel="a", </b>; rel="b"' },
  ]),
];

/** Requests with credentials (RFC 9111 §3.5). */
export const AUTHORIZATION: readonly Case[] = (
  [
    ['is not stored', 'Expires: @3600', 'site'],
    ['is not stored with max-age', 'max-age=3600', 'site'],
    ['is stored with public', 'public, max-age=3600', 'store'],
    ['is stored with must-revalidate', 'must-revalidate, max-age=3600', 'store'],
    ['is stored with s-maxage', 's-maxage=3600', 'store'],
    ['is stored if the targeted field permits it', 'CDN-Cache-Control: public, max-age=3600', 'store'],
    ['is not stored if only what is overridden permits it', 'CDN-Cache-Control: max-age=60 | public', 'site'],
    ['is not stored with public and private', 'public, private, max-age=60', 'site'],
    ['is not stored with proxy-revalidate', 'proxy-revalidate, max-age=60', 'site'],
  ] as const
).map(([name, site, second]) =>
  scenario(`the response to a request with Authorization ${name}`, '§3.5', [
    { request: 'Authorization: Basic YTpi', forwardedFields: { Authorization: 'Basic YTpi' }, site },
    { after: 1, ...(second === 'store' ? { from: 1 } : {}) },
  ]),
);

/** Requests with a cookie need the permission that RFC 9111 §3.5 demands for `Authorization`, or a targeted field. */
export const COOKIES: readonly Case[] = (
  [
    ['max-age alone', 'max-age=60', 'site'],
    ['Expires alone', 'Expires: @60', 'site'],
    ['a validator alone', 'Last-Modified: @-100000', 'site'],
    ['public', 'public, max-age=60', 'store'],
    ['s-maxage', 's-maxage=60', 'store'],
    ['must-revalidate', 'max-age=60, must-revalidate', 'store'],
    ['a targeted field', 'CDN-Cache-Control: max-age=60', 'store'],
    ['public and private', 'public, private, max-age=60', 'site'],
  ] as const
).flatMap(([name, site, second]) => {
  const outcome = second === 'store' ? { from: 1 } : {};
  return [
    scenario(
      `the response to a request with a cookie comes from the ${second} for another with ${name}`,
      '§3.5',
      [
        { request: 'Cookie: session=1', site },
        { request: 'Cookie: session=2', ...outcome },
      ],
    ),
    scenario(
      `an anonymous response comes from the ${second} for a request with a cookie with ${name}`,
      '§3.5',
      [{ site }, { request: 'Cookie: session=1', ...outcome }],
    ),
  ];
});

/** Incomplete responses are not stored as complete ones (RFC 9111 §3.3). */
export const INCOMPLETE: readonly Case[] = [
  scenario('an incomplete response is requested again', '§3.3', [
    { site: 'max-age=3600', failure: 'cut' },
    {},
  ]),
  scenario('an incomplete response does not replace a complete one', '§3.3', [
    'max-age=3600',
    { request: 'no-cache', site: 'max-age=3600', failure: 'cut' },
    { from: 1 },
  ]),
  scenario('an empty body is stored', '§3', [
    { site: 'max-age=3600', siteBody: '' },
    { from: 1, body: '' },
  ]),
];

/** Cache keys are exact URIs (RFC 9111 §2). */
export const ADDRESSES: readonly Case[] = [
  ...reuse([['the same address is the same', '§2', 'max-age=3600', 1, 'store']]),
  scenario('another path is another key', '§2', [
    { path: '/a', site: 'max-age=3600' },
    { path: '/b' },
    { path: '/a', from: 1 },
  ]),
  scenario('the query is part of the key', '§2', [
    { path: '/a?b=c', site: 'max-age=3600' },
    { path: '/a?b=c', from: 1 },
    { path: '/a' },
  ]),
  scenario('paths are case-sensitive', '9110 §4.2.3', [{ path: '/a', site: 'max-age=3600' }, { path: '/A' }]),
];
