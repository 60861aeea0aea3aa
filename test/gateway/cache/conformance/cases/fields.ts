import { type Case, scenario } from '../case.ts';

const nameOf = (field: string) => field.slice(0, field.indexOf(':'));

/** Storage of header fields (RFC 9111 §3.1). */
export const FIELDS: readonly Case[] = [
  ...['X-Test: a', 'WWW-Authenticate: Basic realm="a"', 'Set-Cookie2: a=b'].map((field) =>
    scenario(`${nameOf(field)} is stored`, '§3.1', [
      `max-age=3600 | ${field}`,
      { after: 1, from: 1, expects: field },
    ]),
  ),
  ...['Proxy-Connection: x', 'TE: x', 'Proxy-Authenticate: Basic realm="a"'].map((field) =>
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
    ['is stored with public', 'public, max-age=3600', 'store'],
    ['is stored with must-revalidate', 'must-revalidate, max-age=3600', 'store'],
    ['is stored with s-maxage', 's-maxage=3600', 'store'],
    ['is stored if the targeted field permits it', 'CDN-Cache-Control: public, max-age=3600', 'store'],
    ['is not stored if only what is overridden permits it', 'CDN-Cache-Control: max-age=60 | public', 'site'],
    ['is not stored with public and private', 'public, private, max-age=60', 'site'],
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
    ['a validator alone', 'Last-Modified: @-100000', 'site'],
    ['public', 'public, max-age=60', 'store'],
    ['a targeted field', 'CDN-Cache-Control: max-age=60', 'store'],
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
];

/** Cache keys are exact URIs (RFC 9111 §2). */
export const ADDRESSES: readonly Case[] = [
  scenario('the query is part of the key', '§2', [
    { path: '/a?b=c', site: 'max-age=3600' },
    { path: '/a?b=c', from: 1 },
    { path: '/a' },
  ]),
  scenario('paths are case-sensitive', '9110 §4.2.3', [{ path: '/a', site: 'max-age=3600' }, { path: '/A' }]),
];
